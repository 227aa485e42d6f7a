import t from 'tap'
import {
  demandOver,
  orderQuantity,
  reorderPoint,
  safetyStock,
} from '../../../shared/forecast/safety-stock.ts'

// Silver, Pyke and Thomas, "Inventory and Production Management in Supply Chains", 4th edition, chapter 6
const demand = { ahead: Array<number>(26).fill(10), standardError: 4 }
const supply = { leadTime: 3, leadTimeDeviation: 0.5, review: 1 }
const z = 1.645
const rounded = (value: number) => Number(value.toFixed(2))

t.test('the safety stock covers the errors of demand and lead time', async (t) => {
  // 1.645 * sqrt(4 * 16 + 100 * 0.25) = 1.645 * 9.434 = 15.52
  t.equal(rounded(safetyStock(demand, supply, z)), 15.52)
  // without a deviation of the lead time: 1.645 * 2 * 4 = 13.16
  t.equal(rounded(safetyStock(demand, { ...supply, leadTimeDeviation: 0 }, z)), 13.16)
})

t.test('the reorder point is the demand of the lead time and the safety stock', async (t) => {
  t.equal(rounded(reorderPoint(demand, supply, z)), 45.52)
})

t.test('the quantity covers lead time and cover, less the position', async (t) => {
  const stock = { position: 40, cover: 6, maxLevel: null }
  // 90 + 15.52 - 40 = 65.52
  t.equal(orderQuantity(demand, supply, z, stock), 66)
  // the review is longer than the cover: 40 + 15.52 - 40
  t.equal(orderQuantity(demand, supply, z, { ...stock, cover: 0 }), 16)
  t.equal(orderQuantity(demand, supply, z, { ...stock, position: 400 }), 0)
  t.equal(orderQuantity(demand, supply, z, { ...stock, maxLevel: 100 }), 60, 'up to the maximum level')
  t.equal(orderQuantity(demand, supply, z, { ...stock, position: 120, maxLevel: 100 }), 0)
})

t.test('demand over a time counts parts of weeks, and the last week continues', async (t) => {
  t.equal(demandOver([10, 20], 0.5, 2.5), 35)
  t.equal(demandOver([10, 20], 3, 4), 20)
  t.equal(demandOver([], 0, 4), 0)
})
