import t from 'tap'
import type { OrderReceipt } from '../../../shared/schemas/receipts.ts'
import { ApiError } from '../../../web/src/api/api-error.ts'
import type { LocalStore } from '../../../web/src/browser/local-store.ts'
import {
  type GoodsResolution,
  openGoodsDraft,
  openGoodsQueue,
} from '../../../web/src/components/scan/goods/draft.ts'
import {
  editOf,
  type Goods,
  type GoodsEntry,
  type GoodsLine,
  nothing,
  withEntries,
} from '../../../web/src/components/scan/goods/state.ts'
import { createSender, type Sending } from '../../../web/src/components/scan/sender.ts'
import { queueFailure } from '../../../web/src/components/scan/state.ts'
import { hasStored } from '../../../web/src/pages/purchase-orders/scan/receipt-goods.ts'
import { until } from '../../support/core/until.ts'

function makeStore<T>(): LocalStore<T> {
  const values = new Map<string, T>()
  return {
    all: () => [...values],
    put: (name, value) => values.set(name, value),
    remove: (name, condition = () => true) => {
      const value = values.get(name)
      if (value !== undefined && condition(value)) values.delete(name)
    },
    isDurable: () => true,
  }
}

const makeLine = (lineId: string, outstanding: number): GoodsLine => ({
  ...{ lineId, variantId: lineId, sku: lineId, barcode: '', title: lineId },
  ...{ outstanding, allowed: outstanding },
})

/** Two products with one code; 2 mugs and 5 bowls are expected. */
const makeQueue = () =>
  openGoodsQueue<Goods>(
    {
      document: {
        lines: [makeLine('Mug', 2), makeLine('Bowl', 5)],
        codes: ['Mug', 'Bowl'].map((lineId) => ({ code: '40123456', kind: 'barcode', lineId, pieces: 1 })),
      },
      counted: new Map(),
    },
    { entries: makeStore(), scans: makeStore() },
  )

const entry: GoodsEntry = { at: 1, lineId: 'Mug', change: { add: 1 } }
const none = async (): Promise<GoodsResolution> => ({ fault: 'unknown', found: [] })

t.test('a scan during the request of a transfer waits for the next one', async (t) => {
  const queue = makeQueue()
  const answer = Promise.withResolvers<object>()
  const sender = createSender(queue, {
    store: makeStore<Sending<GoodsEntry, number>>(),
    maxEntries: 100,
    isManual: true,
    prepare: (batch) => batch.length,
    send: () => answer.promise,
    onRefused: () => false,
  })
  queue.put('1', entry)
  const isStored = sender.sendAll(() => queue.state().entries.size === 0)
  queue.put('2', { ...entry, at: 2 })
  answer.resolve({})
  t.equal(await isStored, false, 'the button of the page can be pressed again')
  t.strictSame([...queue.state().entries.keys()], ['2'])
})

t.test('a refusal that is dealt with ends the retries', async (t) => {
  const queue = makeQueue()
  const answers = [new ApiError(503, {}), new ApiError(422, { code: 'same_person' })]
  const sender = createSender(queue, {
    store: makeStore<Sending<GoodsEntry, number>>(),
    maxEntries: 100,
    prepare: (batch) => batch.length,
    send: () => Promise.reject(answers.shift()),
    onRefused: ({ batch }) => {
      queue.clear(batch)
      return true
    },
  })
  queue.put('1', entry)
  await sender.sendAll(() => queue.state().entries.size === 0)
  t.equal(queue.state().syncFailure, 'retrying')
  await until(() => queue.state().entries.size === 0, 'the second request is answered')
  await until(() => queue.state().syncFailure === 'none', 'nothing is left to send')
})

t.test('a lookup without an answer hides no refused numbers', async (t) => {
  const queue = makeQueue()
  const answers = [new ApiError(503, {}), new ApiError(400, {})]
  const draft = openGoodsDraft(queue, { find: () => Promise.reject(answers.shift()), canExceed: false })
  queue.update({ syncFailure: 'refused', syncError: 'the reason' })
  draft.scan('4099999')
  await until(() => queue.state().lookupFailure === 'retrying', 'the API does not answer')
  t.match(queue.state(), { syncFailure: 'refused', syncError: 'the reason' })
  t.equal(queueFailure(queue.state()), 'refused')
  await until(() => queue.state().scans[0]?.fault === 'unknown', 'the lookup is answered')
  t.match(queue.state(), { syncFailure: 'refused', lookupFailure: 'none' })
})

t.test('a chosen product counts no more than is allowed', async (t) => {
  for (const canExceed of [false, true]) {
    const queue = makeQueue()
    const draft = openGoodsDraft(queue, { find: none, canExceed })
    for (let times = 0; times < 3; times += 1) draft.scan('40123456')
    const [several] = queue.state().scans
    if (!several) throw new Error('The code names two products')
    t.match(several, { fault: 'several', times: 3 })
    const [mug] = several.found
    if (!mug) throw new Error('The first of them is the mug')
    draft.choose(several, mug)
    t.match(queue.state().scans, [{ fault: 'complete', times: 3, found: [{ lineId: 'Mug' }] }])
    t.equal(queue.state().entries.size, 0)
    if (!canExceed) continue
    draft.countOn('40123456', mug)
    t.match([...queue.state().entries.values()], [{ lineId: 'Mug', change: { add: 3 } }])
    t.strictSame(queue.state().scans, [])
  }
})

t.test('a request is stored when the draft has every field of its lines', async (t) => {
  const line = {
    ...{ lineItemId: 1, accepted: 5, rejected: 2, rejectReason: 'broken' },
    ...{ rejectOutcome: 'credit' as const, unitCost: 2 },
  }
  const body = { receiptId: 7, version: 3, lines: [line] }
  const stored = (change: object) => ({ lines: [{ ...line, ...change }] }) as unknown as OrderReceipt
  t.equal(hasStored(stored({}), body), true)
  const others = [
    ...[{ accepted: 4 }, { rejected: 1 }, { rejectReason: 'dented' }],
    ...[{ rejectOutcome: 'replace' }, { rejectOutcome: null }, { unitCost: null }],
  ]
  for (const other of others) t.equal(hasStored(stored(other), body), false, JSON.stringify(other))
})

t.test('an edit keeps what another device has counted since', async (t) => {
  const shown = { ...nothing, accepted: 5, unitCost: null }
  const edited = { ...shown, accepted: 3, rejected: 2, reason: 'broken', outcome: 'credit' as const }
  const entry: GoodsEntry = { at: 1, lineId: 'Mug', change: editOf(shown, edited) }
  const after = (before: object, change = entry.change) =>
    withEntries(new Map([['Mug', { ...shown, ...before }]]), [{ ...entry, change }]).get('Mug')
  t.strictSame(after({}), edited)
  t.match(after({ accepted: 6, unitCost: 2 }), { accepted: 4, rejected: 2, unitCost: 2 })
  const theirs = { accepted: 5, rejected: 1, reason: 'dented', outcome: 'replace' as const }
  t.match(after(theirs), { accepted: 3, rejected: 3, reason: 'broken', outcome: 'credit' })
  const none = editOf(edited, { ...edited, rejected: 0, reason: '', outcome: null })
  t.match(after(edited, none), { rejected: 0, reason: '', outcome: null })
  t.match(after({ ...theirs, rejected: 4 }, none), { rejected: 2, reason: 'dented', outcome: 'replace' })
  t.match(after({ accepted: 1 }, editOf(shown, { ...shown, accepted: 0 })), { accepted: 0 })
  t.match(after({ accepted: 9 }, { ...shown, accepted: 7 }), { accepted: 7 }, 'an edit of an earlier release')
})
