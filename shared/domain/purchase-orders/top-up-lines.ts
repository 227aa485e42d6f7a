import { type LineTerms, priceAt } from '../supplier-prices/price-of-line.ts'
import { orderQuantity, type Packaging } from '../supplier-prices/quantity.ts'

export type TopUpLine = Packaging & {
  lineId: number
  quantity: number
  /** Null: not known; such a line fills a gap of pieces only. */
  costPrice: number | null
  discountPercent: number
  /** Prices by quantity; empty when the line's price was typed. */
  breaks: LineTerms['breaks']
  /** Pieces in stock and incoming from other orders. */
  stock: number
  soldPerDay: number
}

type Gap = { value: number; pieces: number }

const maxSteps = 10_000
const maxQuantity = 1_000_000_000

/**
 * Raises quantities until the gap is filled. Each step adds one pack or multiple to the line with the fewest days of
 * cover, (stock + quantity) / sold per day; lines without sales come last, the smallest quantity first. Returns null
 * when 10 000 steps do not fill the gap.
 *
 * Example: 100 short; A: 10 in packs of 6 at 2.00, 1 a day, no stock; B: 30 at 5.00, 1 a day. A has 10 days, B 30: A
 * grows to 12, 18, 24, 30 (40.00 of 100), then at equal cover A, the first, to 36 (52.00), then B piece by piece.
 */
export function fillGap(lines: readonly TopUpLine[], gap: Gap, minorDigits: number): TopUpLine[] | null {
  const result = lines.map((line) => ({ ...line }))
  let { value, pieces } = gap
  for (let step = 0; value > 0 || pieces > 0; step++) {
    const line = step < maxSteps ? minCoverLine(result, pieces > 0) : undefined
    if (!line) return null
    const before = { quantity: line.quantity, amount: amountOf(line, minorDigits) }
    line.quantity = orderQuantity(line.quantity + 1, line)
    if (line.quantity > maxQuantity) return null
    line.costPrice = priceAt(line.breaks, line)
    pieces -= line.quantity - before.quantity
    value = rounded(value - (amountOf(line, minorDigits) - before.amount), minorDigits)
  }
  return result
}

/** Lines without a price fill a gap of pieces only. */
function minCoverLine(lines: readonly TopUpLine[], isShortOfPieces: boolean): TopUpLine | undefined {
  let found: TopUpLine | undefined
  for (const line of lines) {
    if (!isShortOfPieces && Number(line.costPrice) * (100 - line.discountPercent) <= 0) continue
    if (!found || isLessCovered(line, found)) found = line
  }
  return found
}

function isLessCovered(one: TopUpLine, other: TopUpLine): boolean {
  const [a, b] = [coverOf(one), coverOf(other)]
  return a === b ? a === Number.POSITIVE_INFINITY && one.quantity < other.quantity : a < b
}

const coverOf = ({ stock, quantity, soldPerDay }: TopUpLine) =>
  soldPerDay > 0 ? (Math.max(stock, 0) + quantity) / soldPerDay : Number.POSITIVE_INFINITY

const amountOf = ({ quantity, costPrice, discountPercent }: TopUpLine, digits: number) =>
  rounded(quantity * Number(costPrice) * (1 - discountPercent / 100), digits)

const rounded = (amount: number, digits: number) => Number(amount.toFixed(digits))
