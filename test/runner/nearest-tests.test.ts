import { fileURLToPath } from 'node:url'
import t from 'tap'
import { nearestFirst, takeWithin } from './nearest-tests.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

t.test('the tests of a changed room come first, then those of a room that imports it', async (t) => {
  const tests = [
    'test/web/home.test.ts',
    'test/api/purchase-orders/send.test.ts',
    'test/api/suppliers/contacts.test.ts',
    'test/worker/tasks/purchase-orders/send-purchase-order.test.ts',
  ]
  t.strictSame(nearestFirst(root, tests, ['shared/domain/records/suppliers/suppliers.ts']), [
    'test/api/suppliers/contacts.test.ts',
    'test/api/purchase-orders/send.test.ts',
    'test/worker/tasks/purchase-orders/send-purchase-order.test.ts',
    'test/web/home.test.ts',
  ])
})

t.test('a changed test comes before all others', async (t) => {
  const tests = ['test/api/suppliers/contacts.test.ts', 'test/web/home.test.ts']
  const changed = ['shared/domain/records/suppliers/suppliers.ts', 'test/web/home.test.ts']
  t.strictSame(nearestFirst(root, tests, changed), tests.toReversed())
})

t.test('tests of no changed room keep their order', async (t) => {
  const tests = ['test/web/home.test.ts', 'test/api/suppliers/contacts.test.ts']
  t.strictSame(nearestFirst(root, tests, ['docs/style.md']), tests)
})

t.test('so many tests are taken as fit into the seconds, and at least one', async (t) => {
  const secondsOf = (file: string) => file.length
  t.strictSame(takeWithin(['a', 'bb', 'ccc'], secondsOf, 5), ['a', 'bb'])
  t.strictSame(takeWithin(['ccc', 'a'], secondsOf, 2), ['ccc'])
})
