import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createGroupCommit } from '../../../api/webhooks/group-commit.ts'

const limits = {
  maxItems: 3,
  maxBytes: 10,
  maxBytesWaiting: 1000,
  maxWaitMs: 10_000,
  sizeOf: (text: string) => text.length,
}

t.test('items that wait for a write are written together up to the limits', async (t) => {
  const batches: string[][] = []
  const add = createGroupCommit(async (items: readonly string[]) => {
    batches.push([...items])
    await new Promise((later) => setImmediate(later))
    return items.map((item) => item.toUpperCase())
  }, limits)
  const results = await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'sixteen letters.', 'four', 'fives', 'sixsix'].map(add),
  )
  t.strictSame(results, ['A', 'B', 'C', 'D', 'E', 'SIXTEEN LETTERS.', 'FOUR', 'FIVES', 'SIXSIX'])
  t.strictSame(batches, [['a'], ['b', 'c', 'd'], ['e'], ['sixteen letters.'], ['four', 'fives'], ['sixsix']])
})

t.test('a failing item does not fail the others', async (t) => {
  const add = createGroupCommit(async (items: readonly string[]) => {
    if (items.includes('bad')) throw new Error('bad item')
    return items
  }, limits)
  const results = await Promise.allSettled(['first', 'a', 'bad', 'b'].map(add))
  t.strictSame(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
})

t.test('an unavailable database is not retried for each item', async (t) => {
  let writes = 0
  const add = createGroupCommit(async () => {
    writes += 1
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  }, limits)
  await Promise.allSettled(['first', 'a', 'b', 'c'].map(add))
  t.equal(writes, 2)
})

t.test(
  'an item above the waiting limit is refused immediately and accepted when there is room',
  async (t) => {
    const add = createGroupCommit(async (items: readonly string[]) => items, {
      ...limits,
      maxBytesWaiting: 8,
    })
    const results = await Promise.allSettled(['longer than the limit', 'a'].map(add))
    t.match(results, [{ status: 'fulfilled' }, { status: 'rejected', reason: { kind: 'unavailable' } }])
    t.strictSame(await Promise.all(['four', 'four'].map(add)), ['four', 'four'])
    await t.rejects(Promise.all(['four', 'four', 'x'].map(add)), {
      message: /^Too many deliveries are waiting/,
    })
  },
)

t.test('an item that waits too long is refused and not written', async (t) => {
  const written: string[] = []
  const mayReturn = Promise.withResolvers<void>()
  const add = createGroupCommit(
    async (items: readonly string[]) => {
      written.push(...items)
      await mayReturn.promise
      return items
    },
    { ...limits, maxWaitMs: 500 },
  )
  const early = ['a', 'b', 'c'].map(add)
  await sleep(600)
  const late = add('d')
  mayReturn.resolve()
  const results = await Promise.allSettled([...early, late])
  t.match(results, [
    { status: 'fulfilled' },
    { status: 'rejected', reason: { kind: 'unavailable' } },
    { status: 'rejected', reason: { kind: 'unavailable' } },
    { status: 'fulfilled' },
  ])
  t.strictSame(written, ['a', 'd'])
  t.equal(await add('e'), 'e', 'later items are written')
})
