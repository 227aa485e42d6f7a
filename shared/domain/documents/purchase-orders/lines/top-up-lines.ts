import { type LineTerms, priceAt } from '../../../records/supplier-prices/price-of-line.ts'
import { type Packaging, roundUpToPacks } from '../../../records/supplier-prices/quantity.ts'

export type TopUpLine = Packaging & {
  lineId: number
  variantRowId: number
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
 * Raises quantities until the gap is filled. Each step adds one pack or multiple to the line whose variant has the fewest days of
 * cover, (stock + its quantity on all lines) / sold per day; variants without sales come last, the line with the smallest quantity
 * first. Returns null when 10 000 steps do not fill the gap.
 *
 * Example: 100 short; A: 10 in packs of 6 at 2.00, 1 a day, no stock; B: 30 at 5.00, 1 a day. A has 10 days, B 30: A
 * grows to 12, 18, 24, 30 (40.00 of 100), then at equal cover A, the first, to 36 (52.00), then B piece by piece.
 */
export function fillGap(lines: readonly TopUpLine[], gap: Gap, minorDigits: number): TopUpLine[] | null {
  const result = lines.map((line) => ({ ...line }))
  const ordered = new Map<number, number>()
  const order = (variant: number, pieces: number) =>
    ordered.set(variant, (ordered.get(variant) ?? 0) + pieces)
  for (const { variantRowId, quantity } of result) order(variantRowId, quantity)
  let pieces = gap.pieces
  let value = tenThousandths(gap.value)
  for (let step = 0; value > 0n || pieces > 0; step++) {
    const line = step < maxSteps ? minCoverLine(result, ordered, pieces > 0) : undefined
    if (!line) return null
    const before = { quantity: line.quantity, amount: amountOf(line, minorDigits) }
    line.quantity = roundUpToPacks(line.quantity + 1, line)
    if (line.quantity > maxQuantity) return null
    line.costPrice = priceAt(line.breaks, line)
    order(line.variantRowId, line.quantity - before.quantity)
    pieces -= line.quantity - before.quantity
    value -= amountOf(line, minorDigits) - before.amount
  }
  return result
}

/** Lines without a price fill a gap of pieces only. */
function minCoverLine(
  lines: readonly TopUpLine[],
  ordered: ReadonlyMap<number, number>,
  isShortOfPieces: boolean,
): TopUpLine | undefined {
  let found: { line: TopUpLine; cover: number } | undefined
  for (const line of lines) {
    if (!isShortOfPieces && Number(line.costPrice) * (100 - line.discountPercent) <= 0) continue
    const cover = coverOf(line, ordered.get(line.variantRowId) ?? 0)
    const isLess =
      !found ||
      (cover === found.cover
        ? cover === Number.POSITIVE_INFINITY && line.quantity < found.line.quantity
        : cover < found.cover)
    if (isLess) found = { line, cover }
  }
  return found?.line
}

const coverOf = ({ stock, soldPerDay }: TopUpLine, ordered: number) =>
  soldPerDay > 0 ? (Math.max(stock, 0) + ordered) / soldPerDay : Number.POSITIVE_INFINITY

/** Exact: amounts have at most 4 decimals. */
const tenThousandths = (amount: number) => BigInt(Math.round(amount * 10_000))

/**
 * The amount of a line in ten-thousandths, rounded half up to the decimals of the currency, as Postgres rounds `line_total`.
 *
 * Example: 9 at 1.005 are 9.045, so 9.05; as floating-point numbers they are 9.04499….
 */
function amountOf({ quantity, costPrice, discountPercent }: TopUpLine, digits: number): bigint {
  // a percentage has at most 3 decimals, so the product has 4 + 5
  const exact =
    BigInt(quantity) *
    tenThousandths(Number(costPrice)) *
    BigInt(100_000 - Math.round(discountPercent * 1000))
  const unit = 10n ** BigInt(9 - digits)
  return ((exact + unit / 2n) / unit) * 10n ** BigInt(4 - digits)
}
