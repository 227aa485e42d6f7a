import t from 'tap'
import {
  cheapestCure,
  type OpenOrder,
  type Source,
} from '../../../../../shared/domain/planning/planning/cures.ts'
import { explainCure } from '../../../../../shared/domain/planning/planning/explain.ts'
import { findGap, type GapInput } from '../../../../../shared/domain/planning/planning/find-gap.ts'
import type { Packaging } from '../../../../../shared/domain/records/supplier-prices/quantity.ts'

// one piece a day from Monday 2026-03-02 on
const today = '2026-03-02'
const order = (fields: Partial<OpenOrder> = {}): OpenOrder => ({
  purchaseOrderId: 7,
  poNumber: 'PO-00007',
  supplierId: 3,
  supplierName: 'Acme',
  day: '2026-03-12',
  quantity: 6,
  ...fields,
})
const source = (fields: Partial<Source> = {}): Source => ({
  locationId: 2,
  gid: 'gid://platform/Location/2',
  name: 'Warehouse',
  spare: 4,
  lastsDays: 30,
  transitDays: 0,
  ...fields,
})

/** Sold out from today on; the order of 6 comes on the 12th, so 10 pieces are missing. */
function cureOf({
  leadDays = 3,
  price = 20,
  unitCost = 8,
  orders = [order()],
  sources = [],
  available = 0,
  packaging = { packSize: 1, minimumQuantity: null, quantityMultiple: 1 },
}: Partial<{
  leadDays: number
  price: number | null
  unitCost: number | null
  orders: OpenOrder[]
  sources: Source[]
  available: number
  packaging: Packaging
}> = {}) {
  const stock: GapInput = {
    ...{ today, week: today, ahead: [7], available, leadDays, reviewDays: 7 },
    arrivals: orders.flatMap(({ day, quantity }) => (day === null ? [] : [{ day, quantity }])),
  }
  const gap = findGap(stock)
  if (!gap) throw new Error('There is a gap')
  const cure = cheapestCure({
    gap,
    stock,
    price,
    unitCost,
    packaging,
    orders,
    sources,
    supplier: { id: 3, name: 'Acme' },
  })
  return { gap, cure, text: explainCure(gap, cure, '2026-03-02') }
}

t.test('the cheapest cure loses least revenue and spends least money together', async (t) => {
  const { gap, cure, text } = cureOf()
  t.match(gap, { missingUnits: 10, endsOn: '2026-03-12' })
  // expedite: 4 x 20 = 80. Buy 7 for the days from the 5th on: 3 x 20 + 7 x 8 = 116
  t.match(cure, { kind: 'expedite', savedUnits: 6, spends: 0, arrivesOn: '2026-03-03', quantity: 6 })
  t.equal(
    text,
    'Expedite PO-00007 of Acme (expected on 12 March): it arrives on 3 March and covers 6 of 10 missing pieces.',
  )
})

t.test('buying is cheapest when it saves more than it costs', async (t) => {
  // expedite 2 of 10: 160. Buy 7: 60 + 56 = 116
  const { cure, text } = cureOf({ orders: [order({ quantity: 2 })] })
  t.match(cure, { kind: 'buy', quantity: 7, savedUnits: 7, spends: 56, arrivesOn: '2026-03-05' })
  t.equal(text, 'Buy 7 pieces from Acme now: they arrive on 5 March and cover 7 of 10 missing pieces.')
  // at a cost of 15: 60 + 105 = 165
  t.match(cureOf({ orders: [order({ quantity: 2 })], unitCost: 15 }).cure, { kind: 'expedite' })
})

t.test('what is bought is in whole packs and at least the minimum, and costs so', async (t) => {
  const orders = [order({ quantity: 2 })]
  const packs = { packSize: 6, minimumQuantity: null, quantityMultiple: 1 }
  // 7 in packs of 6: 3 x 20 + 12 x 8 = 156, below the 160 of expediting 2
  const { cure, text } = cureOf({ orders, packaging: packs })
  t.match(cure, { kind: 'buy', quantity: 12, savedUnits: 7, spends: 96 })
  t.match(text, 'Buy 12 pieces')
  // at least 13 are 18: 60 + 144
  t.match(cureOf({ orders, packaging: { ...packs, minimumQuantity: 13 } }).cure, { kind: 'expedite' })
})

t.test('a transfer comes before an order that saves as much, and after one that saves more', async (t) => {
  const { cure, text } = cureOf({ sources: [source({ spare: 50 })], orders: [order({ quantity: 30 })] })
  // from tomorrow on, so 9 of the 10 days
  t.match(cure, { kind: 'transfer', quantity: 9, savedUnits: 9, spends: 0, source: { name: 'Warehouse' } })
  t.equal(text, 'Transfer 9 pieces from Warehouse: they arrive on 3 March and cover 9 of 10 missing pieces.')
  t.match(cureOf({ sources: [source({ spare: 4 })] }).cure, { kind: 'expedite', savedUnits: 6 })
  t.match(
    cureOf({ sources: [source({ spare: 9, transitDays: 6 })] }).cure,
    { kind: 'expedite', savedUnits: 6 },
    'a slow route saves 3',
  )
})

t.test(
  'a transfer comes from the location that lasts longest, and never takes more than it spares',
  async (t) => {
    const sources = [
      source({ locationId: 2, name: 'Short', spare: 9, lastsDays: 9 }),
      source({ locationId: 4, name: 'Long', spare: 7, lastsDays: 40 }),
      source({ locationId: 5, name: 'Empty', spare: 0, lastsDays: null }),
      source({ locationId: 6, name: 'Below its point', spare: -5, lastsDays: null }),
    ]
    t.match(cureOf({ sources }).cure, { kind: 'transfer', quantity: 7, source: { name: 'Long' } })
    const still = source({ locationId: 8, name: 'Sells none', spare: 8, lastsDays: null })
    t.match(cureOf({ sources: [...sources, still] }).cure, { source: { name: 'Sells none' } })
  },
)

t.test('of several orders the one that saves most is expedited, also one without a date', async (t) => {
  const orders = [
    order({ purchaseOrderId: 1, quantity: 2, day: '2026-03-12' }),
    order({ purchaseOrderId: 2, quantity: 5, day: '2026-03-30' }),
    order({ purchaseOrderId: 3, quantity: 5, day: '2026-03-20' }),
  ]
  t.match(cureOf({ orders, unitCost: 100 }).cure, { order: { purchaseOrderId: 3 } })
  const undated = order({ purchaseOrderId: 4, quantity: 9, day: null })
  const { cure, text } = cureOf({ orders: [...orders, undated] })
  t.match(cure, { order: { purchaseOrderId: 4 } })
  t.match(text, 'no date')
})

t.test('pieces that are owed are served before any is saved', async (t) => {
  const { gap, cure } = cureOf({ available: -2, sources: [source({ spare: 5 })], orders: [], unitCost: 100 })
  t.match(gap, { owed: 2, missingUnits: 10 })
  t.match(cure, { kind: 'transfer', quantity: 5, savedUnits: 3 })
})

t.test('without a price or a cost there is still one answer, and none when nothing helps', async (t) => {
  t.match(cureOf({ price: null, unitCost: null }).cure, { kind: 'expedite' })
  t.match(cureOf({ price: null, unitCost: null, orders: [] }).cure, { kind: 'buy', spends: null })
  const tomorrow = order({ day: '2026-03-03' })
  const { cure, text } = cureOf({ orders: [tomorrow], leadDays: 3 })
  t.equal(cure, null)
  t.equal(text, 'Nothing can bring stock before the next arrival.')
})
