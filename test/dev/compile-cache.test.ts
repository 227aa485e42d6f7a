import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { fillCompileCache } from '../../dev/compile-cache.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

t.test('web and worker find all their code compiled after the build', async (t) => {
  const env = { NODE_COMPILE_CACHE: t.testdir(), NODE_COMPILE_CACHE_PORTABLE: '1' }
  const stored = async () => (await readdir(env.NODE_COMPILE_CACHE, { recursive: true })).sort()
  await fillCompileCache(process.execPath, env)
  const found = await stored()
  t.ok(found.length > 500, `${found.length} files`)
  for (const file of ['./api/server.ts', './worker/main.ts']) {
    const load = `await import('${file}'); process.exit(0)`
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', load], { cwd: root, env })
  }
  t.strictSame(await stored(), found, 'Node has stored no further file')
})

t.test('without a folder, the build stores nothing', async (t) => {
  t.equal(await fillCompileCache('no such program', {}), undefined)
})
