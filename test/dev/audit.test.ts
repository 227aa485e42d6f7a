import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'

const script = fileURLToPath(new URL('../../dev/audit.ts', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))

/** A registry that reports a vulnerability of this severity in every version of `fastify`, or none. */
async function startRegistry(t: Test, severity?: string) {
  const auditedPackages: string[] = []
  const server = createServer(async (request, response) => {
    if (!request.url?.endsWith('/advisories/bulk')) return response.writeHead(404).end('{}')
    const body = await buffer(request)
    auditedPackages.push(...Object.keys(JSON.parse((body[0] === 0x1f ? gunzipSync(body) : body).toString())))
    const vulnerability = {
      id: 1,
      url: 'https://example.com/1',
      title: 'Bad',
      severity,
      vulnerable_versions: '*',
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(severity ? { fastify: [vulnerability] } : {}))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, auditedPackages }
}

async function audit(t: Test, registry: string, ...args: string[]) {
  const env = {
    ...process.env,
    npm_config_cache: t.testdir(),
    npm_config_fetch_retries: '0',
    npm_config_registry: registry,
  }
  const child = spawn(process.execPath, [script, ...args], { cwd: root, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const [status] = await once(child, 'close')
  return { status, output }
}

t.test('a serious vulnerability of a production package fails the audit', async (t) => {
  const { url, auditedPackages } = await startRegistry(t, 'high')
  const { status, output } = await audit(t, url)
  t.equal(status, 1, output)
  t.match(output, 'high: fastify')
  t.ok(auditedPackages.includes('slonik'))
  t.ok(auditedPackages.includes('@mantine/core'), 'a package that runs in the browser is audited')
  t.notOk(auditedPackages.includes('tap'), 'development packages are not audited')
})

t.test('the audit prints a lesser vulnerability and passes', async (t) => {
  const { url } = await startRegistry(t, 'moderate')
  const { status, output } = await audit(t, url, '--required')
  t.equal(status, 0, output)
  t.match(output, 'moderate: fastify')
})

t.test('without a registry the audit says so, and fails only with --required', async (t) => {
  const deadRegistry = 'http://127.0.0.1:1/'
  t.match(await audit(t, deadRegistry), { status: 0, output: /NOT AUDITED/ })
  t.match(await audit(t, deadRegistry, '--required'), { status: 1, output: /NOT AUDITED/ })
})
