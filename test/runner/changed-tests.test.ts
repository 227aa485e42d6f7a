import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { changedTests } from './changed-tests.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const tests = globSync('test/**/*.test.ts', { cwd: root }).map((path) => path.replaceAll('\\', '/'))

const cases: { changed: string; affected: string[]; others: string[] }[] = [
  {
    changed: 'shared/domain/records/suppliers/suppliers.ts',
    affected: [
      'test/api/suppliers/suppliers.test.ts',
      'test/system/processes.test.ts',
      'test/web/home.test.ts',
    ],
    others: ['test/shared/format.test.ts', 'test/dev/audit.test.ts'],
  },
  {
    changed: 'worker/tasks/purchase-orders/send-purchase-order.ts',
    affected: ['test/worker/tasks/purchase-orders/send-purchase-order.test.ts', 'test/faults/kills.test.ts'],
    others: ['test/api/suppliers/suppliers.test.ts', 'test/shared/format.test.ts'],
  },
  {
    changed: 'db/migrations/0118_baseline.sql',
    affected: ['test/db/migrate.test.ts', 'test/api/suppliers/suppliers.test.ts'],
    others: ['test/shared/format.test.ts'],
  },
  {
    changed: 'shared/domain/ledgers/costs/functions/allocate.sql',
    affected: ['test/db/migrate.test.ts', 'test/api/suppliers/suppliers.test.ts'],
    others: ['test/shared/format.test.ts'],
  },
  {
    changed: 'web/src/main.tsx',
    affected: ['test/web/home.test.ts', 'test/web/flows/orders.test.ts'],
    others: ['test/api/suppliers/suppliers.test.ts', 'test/worker/schedule.test.ts'],
  },
  { changed: 'docs/style.md', affected: ['test/docs.test.ts'], others: ['test/web/home.test.ts'] },
]

t.test('a change selects the tests that import, start or read the file', async (t) => {
  const dependencies = new Map<string, string[]>()
  for (const { changed, affected, others } of cases) {
    const selected = new Set(changedTests(root, tests, [changed], dependencies))
    for (const test of affected) t.ok(selected.has(test), `${changed} affects ${test}`)
    for (const test of others) t.notOk(selected.has(test), `${changed} does not affect ${test}`)
  }
})

t.test('a change of the packages or of the test runner selects all tests', async (t) => {
  for (const file of ['package-lock.json', 'test/run.ts', 'test/runner/test-files.ts']) {
    t.strictSame(changedTests(root, tests, ['docs/style.md', file]), tests)
  }
})
