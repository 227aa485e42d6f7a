import t from 'tap'
import { lostUnits } from '../../../../../shared/domain/planning/planning/lost-sales.ts'
import { overstockOf } from '../../../../../shared/domain/planning/planning/overstock.ts'
import type { PlannedVariant } from '../../../../../shared/domain/planning/planning/planned-variants.ts'

const variant: PlannedVariant = {
  id: 1,
  gid: 'gid://platform/ProductVariant/1',
  sku: 'MUG',
  title: 'Mug',
  price: 10,
  unitCost: 4,
  available: 100,
  week: '2026-03-02',
  ahead: [7],
  isNew: false,
  supplierId: null,
  supplierName: null,
  packSize: 1,
  minimumQuantity: null,
  quantityMultiple: 1,
  reviewDays: 7,
  today: '2026-03-04',
  currency: 'USD',
  measuredOrders: 0,
  meanDays: null,
  deviationDays: null,
  supplierDays: null,
}
const piecesOf = (fields: Partial<PlannedVariant> = {}) =>
  overstockOf({ ...variant, ...fields }).map(({ coverDays, pieces }) => `${coverDays}: ${pieces}`)

t.test('overstock is what the demand of the days does not use', async (t) => {
  t.strictSame(piecesOf(), ['30: 70', '60: 40', '90: 10'])
  t.strictSame(overstockOf(variant)[0], { coverDays: 30, demand: 30, pieces: 70 })
  // on Wednesday five days of the first week are left, 5 x 2, then one a day: 35
  t.strictSame(piecesOf({ ahead: [14, 7] })[0], '30: 65')
})

t.test('a product without a forecast is all overstock, unless it is new', async (t) => {
  const none = { week: null, ahead: [], available: 3 }
  t.strictSame(piecesOf(none), ['30: 3', '60: 3', '90: 3', '180: 3', '365: 3'])
  t.strictSame(piecesOf({ ...none, isNew: true }), [])
  t.strictSame(piecesOf({ ...none, available: 0 }), [])
  t.strictSame(piecesOf({ ...none, available: -2 }), [])
})

const soldOut = {
  variantId: 1,
  periodDays: 30,
  daysKnown: 30,
  emptyDays: 10,
  forecastDays: 6,
  forecastUnits: 18,
  soldUnits: 40,
}

t.test('lost units are the forecast of the time, else the mean of the days in stock', async (t) => {
  // 6 days of 3, and 4 days of 40 / 20
  t.equal(lostUnits(soldOut, 99), 26)
  t.equal(lostUnits({ ...soldOut, forecastDays: 0, forecastUnits: 0 }, 99), 20)
})

t.test('with fewer than seven days in stock the current forecast takes the place of the mean', async (t) => {
  t.equal(lostUnits({ ...soldOut, emptyDays: 24, forecastDays: 0, forecastUnits: 0, soldUnits: 60 }, 1.5), 36)
  t.equal(lostUnits({ ...soldOut, emptyDays: 23, forecastDays: 0, forecastUnits: 0, soldUnits: 7 }, 1.5), 23)
})
