import { fileURLToPath } from 'node:url'
import t from 'tap'
import { mutations } from '../../dev/mutations/list/mutations.ts'
import { findStale } from '../../dev/mutations/mutation.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

t.test('each fault of the mutation check has its place in the code', async (t) => {
  t.strictSame(findStale(root, mutations), [], 'else: adapt dev/mutations/list/')
  t.equal(new Set(mutations.map(({ room }) => room)).size, 8)
  t.equal(mutations.length, 40)
})
