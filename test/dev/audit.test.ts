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

/** A registry that knows a fault of every version of `fastify`, of this severity; with none it knows no fault. */
async function startRegistry(t: Test, severity?: string) {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    if (!request.url?.endsWith('/advisories/bulk')) return response.writeHead(404).end('{}')
    const body = await buffer(request)
    asked.push(...Object.keys(JSON.parse((body[0] === 0x1f ? gunzipSync(body) : body).toString())))
    const fault = { id: 1, url: 'https://example.com/1', title: 'Bad', severity, vulnerable_versions: '*' }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(severity ? { fastify: [fault] } : {}))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked }
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

t.test('a serious fault of a package that runs in production fails the audit', async (t) => {
  const { url, asked } = await startRegistry(t, 'high')
  const { status, output } = await audit(t, url)
  t.equal(status, 1, output)
  t.match(output, 'high: fastify')
  t.ok(asked.includes('slonik'))
  t.notOk(asked.includes('tap'), 'what only developers use is not asked about')
})

t.test('a lesser one is told, and fails nothing', async (t) => {
  const { url } = await startRegistry(t, 'moderate')
  const { status, output } = await audit(t, url, '--required')
  t.equal(status, 0, output)
  t.match(output, 'moderate: fastify')
})

t.test('a machine that reaches no audits says so, and fails only where they are required', async (t) => {
  const nobody = 'http://127.0.0.1:1/'
  t.match(await audit(t, nobody), { status: 0, output: /NOT AUDITED/ })
  t.match(await audit(t, nobody, '--required'), { status: 1, output: /NOT AUDITED/ })
})
