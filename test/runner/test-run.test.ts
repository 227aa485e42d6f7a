import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { factorOf } from './machine-factor.ts'
import { minutesLeft, printProgress } from './progress.ts'
import { printSummary } from './results.ts'
import { findTests, orderTests, readDurations } from './test-files.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

t.test('npm test runs one browser flow for each area, and no test that kills processes', async (t) => {
  const files = findTests(root, [])
  const flows = files.filter((file) => file.startsWith('test/web/flows/'))
  t.ok(flows.length > 0 && flows.length <= 8, `${flows.length} flows`)
  const others = files.filter((file) => /^test\/(web\/(?!flows|node)|faults)/.test(file))
  t.strictSame(others, [])
  t.ok(files.includes('test/api/suppliers/suppliers.test.ts'))
})

t.test('what npm test runs of the admin in Node starts no browser', async (t) => {
  const files = findTests(root, ['test/web/node'])
  t.ok(files.length > 0)
  for (const file of files)
    t.notMatch(readFileSync(join(root, file), 'utf8'), /startAdmin|openBrowser|playwright/, file)
})

t.test('named folders and files are run in their order, each file once', async (t) => {
  const named = findTests(root, ['./test/runner/test-run.test.ts', 'test/runner/'])
  t.equal(named[0], 'test/runner/test-run.test.ts')
  t.equal(new Set(named).size, named.length)
  t.throws(() => findTests(root, ['test/no-such-folder']), {
    message: 'There is no test in test/no-such-folder',
  })
})

t.test('the next run starts with the files that took longest in the last one', async (t) => {
  const path = join(t.testdir(), 'data', 'durations.json')
  const [fast, slow, unknown] = ['test/api/a.test.ts', 'test/api/b.test.ts', 'test/faults/c.test.ts']
  const before = readDurations(path)
  t.strictSame(orderTests([fast, slow], before), [fast, slow], 'nothing is measured yet')
  before.store({ [fast]: 1, [slow]: 30 })
  const after = readDurations(path)
  t.strictSame(orderTests([fast, slow, unknown], after), [unknown, slow, fast])
  const alone = 'test/dev/start.test.ts'
  t.equal(orderTests([slow, alone], after)[0], alone, 'a file that runs alone comes first')
})

t.test('the progress says files, failures and minutes left', async (t) => {
  const done = { files: 12, of: 40, failed: 1 }
  t.equal(printProgress(done, minutesLeft(2, 0.25)), '12 of 40 files, failures: 1, about 6 min left')
  t.equal(printProgress(done, minutesLeft(0.1, 0.01)), '12 of 40 files, failures: 1', 'too early to tell')
})

t.test('the end of a run has the failures, then the slowest ten, then the counts', async (t) => {
  const files = Array.from({ length: 12 }, (_, at) => ({
    file: `${at}.test.ts`,
    isOk: at !== 3,
    seconds: at,
  }))
  const failures = [{ name: '3.test.ts > it works', details: 'at a.ts:1\nexpected 1' }]
  const text = printSummary({ files, failures, passed: 7, skipped: 0 }, 61)
  const [failure, slowest] = [
    'FAILED 3.test.ts > it works\n    at a.ts:1\n    expected 1',
    'The slowest files:',
  ]
  t.ok(text.indexOf(failure) >= 0 && text.indexOf(failure) < text.indexOf(slowest))
  const [, listed = ''] = text.split(`${slowest}\n`)
  t.equal(listed.split('\n\n')[0]?.split('\n').length, 10)
  t.match(text, /FAILED +3\.0 s {2}3\.test\.ts\n\n12 files in 61 s\n7 passed, 1 failed, 0 skipped$/)
})

t.test('deadlines grow with the median of what was measured, and are at least doubled', async (t) => {
  t.equal(factorOf([3500, 350, 1400]), 4)
  t.equal(factorOf([100, 100, 9000]), 2)
})
