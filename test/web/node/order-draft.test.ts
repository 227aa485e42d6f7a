import t from 'tap'
import type { PurchaseOrder } from '../../../shared/schemas/purchase-orders.ts'
import { withAdded } from '../../../web/src/pages/purchase-orders/form/added-lines.ts'
import {
  type Draft,
  type DraftLine,
  draftOf,
  emptyDraft,
  inputOf,
  isSame,
  patchOf,
} from '../../../web/src/pages/purchase-orders/form/draft.ts'
import { type Match, sortFound } from '../../../web/src/pages/purchase-orders/form/found-lines.ts'
import { readPasted } from '../../../web/src/pages/purchase-orders/form/pasted-lines.ts'
import { mergeLines } from '../../../web/src/pages/purchase-orders/revise/merge-lines.ts'

const stored = (id: number, change: object = {}) => ({
  ...{ id, productId: `p${id}`, variantId: `v${id}`, sku: `S-${id}`, title: `Product ${id}` },
  ...{ quantity: 24, costPrice: 2, supplierSku: '', packSize: 6, discountPercent: 0, taxRate: 20 },
  ...change,
})
const order = {
  ...{ id: 1, version: 3, status: 'draft', supplierId: 7, currency: 'CNY', rate: 0.139 },
  ...{
    destinationLocationId: null,
    expectedAt: '2026-07-01T09:59:00.000Z',
    isOwnTax: false,
    tax: 19.2,
    discount: 0,
  },
  ...{
    reference: ' Spring ',
    supplierReference: '',
    cc: ['one@myshop.example'],
    notes: 'In',
    supplierNotes: '',
  },
  lineItems: [stored(1), stored(2, { quantity: 0, costPrice: null })],
} as unknown as PurchaseOrder
const zone = 'Pacific/Kiritimati'
const variantOf = (id: number) => ({
  ...{ productId: `p${id}`, variantId: `v${id}`, sku: `S-${id}`, title: `Product ${id}`, costPrice: 4 },
})

t.test('a stored order is its draft, and comes back unchanged', async (t) => {
  const draft = draftOf(order, zone)
  t.match(draft, { expectedDay: '2026-07-01', rate: 0.139, discount: '', tax: '', taxRate: 20 })
  t.match(draft.lines, [
    { quantity: 24, costPrice: 2 },
    { quantity: '', costPrice: '' },
  ])
  t.ok(isSame(draft, draftOf(order, zone)), 'the keys of its lines are not compared')
  t.notOk(isSame(draft, { ...draft, notes: 'Out' }))
  const patch = patchOf(draft, order, zone)
  t.match(patch, { version: 3, rate: 0.139, tax: null, discount: null, reference: 'Spring' })
  t.match(patch, { expectedAt: '2026-07-01T09:59:00.000Z', cc: ['one@myshop.example'] })
  t.match(patch.lineItems, [
    { id: 1, quantity: 24, costPrice: 2, taxRate: 20 },
    { id: 2, quantity: 0, costPrice: null },
  ])
})

t.test('a line that is added later has the tax rate that the stored lines share', async (t) => {
  const added = (of: object[]) => {
    const draft = draftOf({ ...order, lineItems: of } as PurchaseOrder, zone)
    const lines = withAdded(draft.lines, [{ variant: variantOf(9), quantity: 1, costPrice: 1 }])
    return inputOf({ ...draft, lines }, zone).lineItems.at(-1)
  }
  t.strictSame(added([stored(1), stored(2)]), {
    productId: 'p9',
    variantId: 'v9',
    quantity: 1,
    costPrice: 1,
    taxRate: 20,
  })
  t.notHas(added([stored(1), stored(2, { taxRate: 7 })]), 'taxRate')
})

t.test('after it is sent, only some fields are saved; after the receipt, only the rate', async (t) => {
  const draft = { ...draftOf(order, zone), rate: 0.15 }
  const sent = patchOf(draft, { ...order, status: 'sent' }, zone)
  t.match(sent, { rate: 0.15, notes: 'In', version: 3 })
  t.notHas(sent, 'lineItems')
  t.notHas(sent, 'currency')
  t.strictSame(patchOf(draft, { ...order, status: 'received' }, zone), { rate: 0.15, version: 3 })
})

t.test('a new line takes what is not typed from the catalogue', async (t) => {
  const lines = withAdded([], [{ variant: variantOf(1), quantity: 2, costPrice: '' }])
  t.match(lines, [{ quantity: 2, costPrice: undefined, expectedCost: 4 }])
  t.strictSame(inputOf({ ...emptyDraft(7), lines }, zone).lineItems, [
    { productId: 'p1', variantId: 'v1', quantity: 2 },
  ])
})

t.test('equal products are one line, with the cost that was pasted last', async (t) => {
  const paste = (quantity: number, costPrice: number | '') => ({ variant: variantOf(1), quantity, costPrice })
  t.match(withAdded([], [paste(1, 1.5), paste(3, 1.25), paste(2, '')]), [{ quantity: 6, costPrice: 1.25 }])
})

t.test('a pasted row becomes a line, is unknown, or waits for a choice', async (t) => {
  const match = (code: string, ...ids: number[]): [string, Match] => [
    code,
    { code, count: ids.length, variants: ids.map(variantOf) } as unknown as Match,
  ]
  const found = new Map([match('A', 1), match('JUG', 2, 3), match('jug', 2, 3), match('GONE')])
  const added = ({ decided }: ReturnType<typeof sortFound>) =>
    decided.map(({ variant, quantity, costPrice }) => [variant.variantId, quantity, costPrice])
  const first = sortFound(readPasted('A\t6\t4\nJUG\t2\t1\njug\t4\t3\nGONE;5;2.125 €', '.'), found, [])
  t.strictSame(added(first), [['v1', 6, 4]])
  t.strictSame(
    first.unknown.map(({ text }) => text),
    ['GONE;5;2.125 €'],
  )
  t.match(first.undecided, [{ match: { code: 'JUG' } }, { match: { code: 'jug' } }])
  const chosen = first.undecided.map((one, at) => (at === 0 ? { ...one, variantId: 'v3' } : one))
  const second = sortFound({ lines: [] }, new Map(), chosen)
  t.strictSame(added(second), [['v3', 2, 1]], 'nothing is guessed')
  t.match(second.undecided, [{ match: { code: 'jug' }, lines: [{ quantity: 4 }] }])
})

t.test('the changes of one buyer are applied to the lines that another saved', async (t) => {
  const lines = (...all: object[]): Draft => ({ ...emptyDraft(7), lines: all as DraftLine[] })
  const merged = (mine: Draft, theirs: Draft, base = lines(stored(1), stored(2))) =>
    mergeLines(base, mine, theirs).lines.map(({ id, quantity, discountPercent }) => [
      id,
      quantity,
      discountPercent,
    ])
  const [one, two, more] = [stored(1), stored(2), stored(1, { quantity: 30 })]
  for (const [what, mine, theirs, expected] of [
    [
      'another field',
      [stored(1, { discountPercent: 7.5 }), two],
      [more, two],
      [
        [1, 30, 7.5],
        [2, 24, 0],
      ],
    ],
    [
      'the same field',
      [stored(1, { quantity: 36 }), two],
      [more, two],
      [
        [1, 36, 0],
        [2, 24, 0],
      ],
    ],
    ['removed by me', [two], [one, two], [[2, 24, 0]]],
    [
      'removed by me, changed by them',
      [two],
      [more, two],
      [
        [1, 30, 0],
        [2, 24, 0],
      ],
    ],
    ['removed by them', [more, two], [two], [[2, 24, 0]]],
    [
      'added by both',
      [one, two, { ...stored(8), id: undefined }],
      [one, two, stored(9)],
      [
        [1, 24, 0],
        [2, 24, 0],
        [9, 24, 0],
        [undefined, 24, 0],
      ],
    ],
  ] as const) {
    t.strictSame(merged(lines(...mine), lines(...theirs)), expected, what)
  }
})
