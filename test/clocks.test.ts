import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { exceptions, violationsOf } from '../dev/test-rules.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

t.test('the rule finds every clock that a test reads, with its line', async (t) => {
  const reads = [
    'const took = performance.now() - startedAt',
    't.ok(Date.now() - startedAt < 1_000)',
    'const past = new Date(Date.now() - 60_000)',
    'const now = new Date().getTime()',
    'const { user } = process.cpuUsage()',
    'const { user } = process.threadCpuUsage()',
    'const began = process.hrtime.bigint()',
    "await page.evaluate('performance.now()')",
  ]
  for (const read of reads) {
    const [violation, ...more] = violationsOf('test/api/a.test.ts', `import t from 'tap'\n\n${read}\n`)
    t.match(violation, /^test\/api\/a\.test\.ts:3 reads /, read)
    t.strictSame(more, [])
  }
  const named = "const past = instantIn(-60_000)\nt.intercept(performance, 'now', { value: () => 0 })\n"
  t.strictSame(violationsOf('test/api/a.test.ts', named), [])
})

t.test('a file of the list may read the clock, and each path of the list exists', async (t) => {
  for (const { path } of exceptions) {
    t.ok(existsSync(root + path), path)
    t.strictSame(violationsOf(path, 'Date.now()'), [])
  }
  t.equal(violationsOf('test/running.ts', 'Date.now()').length, 1, 'the list has whole names')
})

t.test('the tests follow the rule', async (t) => {
  await t.resolves(promisify(execFile)(process.execPath, ['dev/test-rules.ts'], { cwd: root }))
})
