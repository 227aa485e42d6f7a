import { addDays } from '../../../calendar-days.ts'
import type { SupplierPrice } from '../../../schemas/supplier-products.ts'

/** A price without an id is not stored yet. Days such as 2026-03-01, both included; null: without a limit. */
export type Price = Omit<SupplierPrice, 'id'> & { id?: number }

const firstDay = '0000-00-00'
const lastDay = '9999-12-31'
const fromOf = ({ validFrom }: Price) => validFrom ?? firstDay
const toOf = ({ validTo }: Price) => validTo ?? lastDay

const isSameBreak = (a: Price, b: Price) => a.minQuantity === b.minQuantity && a.currency === b.currency

const hasDays = (price: Price) => fromOf(price) <= toOf(price)

/** Whether both hold on one day; a price that ends before it begins has none. */
export const overlaps = (a: Price, b: Price) =>
  isSameBreak(a, b) && hasDays(a) && hasDays(b) && fromOf(a) <= toOf(b) && fromOf(b) <= toOf(a)

export const isSamePrice = (a: Price, b: Price) =>
  isSameBreak(a, b) && a.price === b.price && a.validFrom === b.validFrom && a.validTo === b.validTo

/** Whether a price says another one on all its days: 2.00 without limits says 2.00 of December. */
export const isSaidBy = (price: Price, stored: Price) =>
  isSameBreak(stored, price) &&
  stored.price === price.price &&
  fromOf(stored) <= fromOf(price) &&
  toOf(stored) >= toOf(price)

/** The indexes of prices that hold on a day of an earlier one of the same quantity and currency. */
export const overlappingPrices = (prices: readonly Price[]): number[] =>
  prices.flatMap((price, at) => (prices.slice(0, at).some((earlier) => overlaps(earlier, price)) ? [at] : []))

/**
 * The prices with a new one, which wins on its days. Others of the same quantity and currency keep their other days.
 *
 * Example: 2.00 without limits, and 1.50 from 2026-12-01 to 2026-12-24. The result is 2.00 to 2026-11-30, 1.50, and 2.00
 * from 2026-12-25. A new price that an older one already says on all its days changes nothing.
 */
export function withPrice(prices: readonly Price[], added: Price): Price[] {
  if (prices.some((price) => isSaidBy(added, price))) return [...prices]
  return [...prices.flatMap((price) => (overlaps(price, added) ? outside(price, added) : [price])), added]
}

/**
 * The prices with a new one without days. It holds from today on, or without a start when none of its quantity and currency is
 * earlier, until the next later price begins. Today's price repeated changes nothing.
 */
export function withUndatedPrice(
  prices: readonly Price[],
  added: Omit<Price, 'id' | 'validFrom' | 'validTo'>,
  day: string,
): Price[] {
  const dated: Price = { ...added, validFrom: day, validTo: null }
  const ofBreak = prices.filter((price) => isSameBreak(price, dated))
  const today = ofBreak.find((price) => fromOf(price) <= day && toOf(price) >= day)
  if (today?.price === added.price) return [...prices]
  const [next] = ofBreak
    .map(fromOf)
    .filter((from) => from > day)
    .sort()
  const validTo = next === undefined ? null : addDays(next, -1)
  const hasEarlier = ofBreak.some((price) => fromOf(price) <= day)
  return withPrice(prices, { ...dated, validFrom: hasEarlier ? day : null, validTo })
}

/** The parts of a price before and after the days of another one. */
function outside(price: Price, { validFrom, validTo }: Price): Price[] {
  const { id: _id, ...rest } = price
  const before = validFrom !== null && fromOf(price) < validFrom
  const after = validTo !== null && toOf(price) > validTo
  return [
    ...(before ? [{ ...rest, validTo: addDays(validFrom, -1) }] : []),
    ...(after ? [{ ...rest, validFrom: addDays(validTo, 1) }] : []),
  ]
}

/** The price on a day for the smallest quantity, in this currency. */
export function priceOn(prices: readonly Price[], day: string, currency: string): Price | undefined {
  return prices
    .filter((price) => price.currency === currency && fromOf(price) <= day && toOf(price) >= day)
    .sort((a, b) => a.minQuantity - b.minQuantity)[0]
}
