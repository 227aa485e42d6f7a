import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { fillCompileCache } from '../../dev/compile-cache.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

t.test('web and worker find all their code compiled after the build', async (t) => {
  const env = { NODE_COMPILE_CACHE: t.testdir(), NODE_COMPILE_CACHE_PORTABLE: '1' }
  await fillCompileCache(process.execPath, env)
  for (const file of ['./api/server.ts', './worker/main.ts']) {
    const { stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', `await import('${file}'); process.exit(0)`],
      { cwd: root, env: { ...env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }, maxBuffer: 64 * 2 ** 20 },
    )
    const reads = stderr.split('\n').filter((line) => /reading cache .* for StrippedTypeScript/.test(line))
    t.ok(reads.length > 100, `${file} loads ${reads.length} files`)
    t.strictSame(
      reads.filter((line) => !/success, size=\d+$/.test(line)),
      [],
    )
  }
})

t.test('without a folder, the build stores nothing', async (t) => {
  t.equal(await fillCompileCache('no such program', {}), undefined)
})
