import t from 'tap'
import type { PurchaseOrder } from '../../../shared/schemas/purchase-orders.ts'
import { ApiError } from '../../../web/src/api/api-error.ts'
import {
  allOutstanding,
  emptyCount,
  errorsOf,
  extraOf,
  formOf,
  isSameForm,
  type LineCount,
  linesOf,
} from '../../../web/src/pages/purchase-orders/receive/line-counts.ts'
import { isOverReceipt, overLines } from '../../../web/src/pages/purchase-orders/receive/over-lines.ts'

const order = {
  destinationLocationId: null,
  lineItems: [
    { id: 11, title: 'Mug', outstandingQuantity: 10 },
    { id: 12, title: 'Jug', outstandingQuantity: 0 },
  ],
} as unknown as PurchaseOrder
const count = (change: Partial<LineCount>): LineCount => ({ ...emptyCount, ...change })
const refused = (code: string, details: object[]) => new ApiError(422, { code, details } as never)

t.test('all that is outstanding is received without the rejected pieces', async (t) => {
  for (const [rejected, accepted] of [
    ['', 10],
    [4, 6],
    [10, ''],
    [12, ''],
  ] as const) {
    const counts = allOutstanding(order, { 11: count({ accepted: 1, rejected }) })
    t.match(counts, { 11: { accepted, rejected }, 12: { accepted: '' } }, `${rejected} rejected`)
  }
  t.equal(extraOf(10, count({ accepted: 6, rejected: 4 })), 0)
  t.equal(extraOf(10, count({ accepted: 6, rejected: 5 })), 1)
})

t.test('the reason and the outcome are sent of rejected pieces only', async (t) => {
  const typed = { accepted: 5, rejectReason: 'crushed', rejectOutcome: 'credit', unitCost: 2.75 } as const
  t.match(linesOf(order, { 11: count({ ...typed, rejected: 3 }) }), [
    {
      lineItemId: 11,
      accepted: 5,
      rejected: 3,
      rejectReason: 'crushed',
      rejectOutcome: 'credit',
      unitCost: 2.75,
    },
    { lineItemId: 12, accepted: 0, rejected: 0, rejectReason: '', rejectOutcome: null, unitCost: null },
  ])
  t.match(linesOf(order, { 11: count(typed) }), [{ rejected: 0, rejectReason: '', rejectOutcome: null }, {}])
})

t.test('an emptied field makes the form what it was', async (t) => {
  const form = formOf(order, null)
  t.ok(isSameForm(order, form, { ...form, counts: { 11: count({ rejectReason: 'crushed' }) } }))
  t.notOk(isSameForm(order, form, { ...form, counts: { 11: count({ accepted: 1 }) } }))
  t.notOk(isSameForm(order, form, { ...form, deliveryNote: 'DN-1' }))
})

t.test('an error is that of its line', async (t) => {
  const details = [
    { path: '/lines/1/accepted', message: 'is 1 more than the 1 still expected' },
    { path: '/deliveryNote', message: 'is too long' },
  ]
  t.strictSame(errorsOf(refused('over_receipt', details), order), {
    '12.accepted': 'Is 1 more than the 1 still expected.',
    deliveryNote: 'Is too long.',
  })
})

t.test('the question about too many pieces names each line, and what is outstanding now', async (t) => {
  const error = refused('over_receipt', [
    { path: '/lines/0/accepted', message: 'x', lineItemId: 11, outstanding: 9 },
  ])
  const counted = linesOf(order, { 11: count({ accepted: 10, rejected: 2, rejectOutcome: 'credit' }) })
  t.match(overLines(error, order, counted), [{ title: 'Mug', accepted: 10, credited: 2, outstanding: 9 }])
  const replaced = linesOf(order, { 11: count({ accepted: 10, rejected: 2 }) })
  t.match(overLines(error, order, replaced), [{ credited: 0 }])
  t.ok(isOverReceipt(error))
  t.notOk(isOverReceipt(refused('stale_version', [])))
})
