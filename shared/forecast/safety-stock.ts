/** Times are in weeks, so that they fit a forecast by week. */
export type Supply = {
  /** L and σL: mean and standard deviation of the lead time. */
  leadTime: number
  leadTimeDeviation: number
  /** R: from one review of the stock to the next. */
  review: number
}

/** Demand by week ahead; the last week continues. */
export type DemandAhead = { ahead: readonly number[]; standardError: number }

/**
 * The safety stock: SS = z √((L + R) σe² + d² σL²), with the error σe of the weekly forecast and d, the mean forecast of
 * a week over L + R. Source: Silver, Pyke and Thomas, "Inventory and Production Management in Supply Chains", 4th
 * edition, chapter 6.
 *
 * Example: 10 a week, σe = 4, L = 3, R = 1, σL = 0.5, z = 1.645: 1.645 √(4 · 16 + 100 · 0.25) = 1.645 √89 = 15.5.
 */
export function safetyStock(demand: DemandAhead, supply: Supply, z: number): number {
  const { leadTime, leadTimeDeviation, review } = supply
  const weeks = leadTime + review
  const mean = weeks > 0 ? demandOver(demand.ahead, 0, weeks) / weeks : 0
  return z * Math.sqrt(weeks * demand.standardError ** 2 + mean ** 2 * leadTimeDeviation ** 2)
}

/**
 * The reorder point: the forecast over the lead time and the safety stock.
 *
 * Example: 10 a week, L = 3, SS = 15.5: 45.5.
 */
export function reorderPoint(demand: DemandAhead, supply: Supply, z: number): number {
  return demandOver(demand.ahead, 0, supply.leadTime) + safetyStock(demand, supply, z)
}

type Stock = {
  /** Stock, and what arrives before it is sold out. */
  position: number
  /** The weeks that the order has to last after it arrives, at least R. */
  cover: number
  /** An order fills the stock up to this level; null: to the forecast. */
  maxLevel: number | null
}

/**
 * The order quantity in whole pieces, before packs: the forecast over L + max(R, cover) and the safety stock, less the
 * position; with a maximum level, that level less the position. Never below 0.
 *
 * Example: 10 a week, L = 3, R = 1, cover 6, SS = 15.5, position 40: 90 + 15.5 - 40 = 65.5, so 66 pieces.
 */
export function orderQuantity(demand: DemandAhead, supply: Supply, z: number, stock: Stock): number {
  const { position, cover, maxLevel } = stock
  if (maxLevel !== null) return Math.max(0, Math.ceil(maxLevel - position))
  const weeks = supply.leadTime + Math.max(supply.review, cover)
  const wanted = demandOver(demand.ahead, 0, weeks) + safetyStock(demand, supply, z)
  // a floating-point error must not order another piece
  return Math.max(0, Math.ceil(wanted - position - 1e-9))
}

/**
 * The forecast from one time to another, in weeks; a part of a week counts with its share, and the last week continues.
 *
 * Example: weeks of 10 and 20, from 0.5 to 2.5: 5 + 20 + 10 = 35.
 */
export function demandOver(ahead: readonly number[], from: number, to: number): number {
  const last = ahead.at(-1) ?? 0
  let sum = Math.max(0, to - Math.max(from, ahead.length)) * last
  for (const [week, units] of ahead.entries()) {
    const share = Math.min(week + 1, to) - Math.max(week, from)
    if (share > 0) sum += share * units
  }
  return sum
}
