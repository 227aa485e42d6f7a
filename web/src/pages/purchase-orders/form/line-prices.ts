import type { PackagingTerms, SupplierTerms } from '../../../../../shared/schemas/purchase-orders.ts'
import type { DraftLine } from './draft.ts'
import { type Figures, round } from './sums.ts'

export type VariantTerms = SupplierTerms['variants'][number]

export type LineTerms = PackagingTerms

export type TermsByVariant = ReadonlyMap<string, VariantTerms>

/** The terms of a line by its supplier SKU, as the API chooses them; undefined until they are read. */
export function termsOf(
  terms: TermsByVariant,
  { variantId, supplierSku = '' }: DraftLine,
): LineTerms | undefined {
  const preferred = terms.get(variantId)
  const sku = supplierSku.trim()
  // during a deploy, a web process of the previous release answers without the others
  const hasOthers = preferred?.others !== undefined
  if (!hasOthers || sku === '' || sku === preferred.supplierSku) return preferred
  return preferred.others.find((other) => other.supplierSku === sku) ?? preferred.unlisted
}

/** The agreed price of a piece at a quantity; undefined when the catalogue has none. */
export const priceAt = (terms: Pick<LineTerms, 'breaks'> | undefined, quantity: number | '') =>
  terms?.breaks.findLast(({ minQuantity }) => minQuantity <= Number(quantity))?.price

/**
 * A typed quantity of a line: an agreed price follows it, a typed one stays. Without a price at the quantity, such as before the
 * terms arrive, the line keeps the quantity that its price belongs to.
 */
export function withQuantity(
  { costPrice, quantity, pricedAt = quantity }: DraftLine,
  typed: number | '',
  terms: LineTerms | undefined,
): Partial<DraftLine> {
  const price = priceAt(terms, typed)
  if (price === undefined) return { quantity: typed, pricedAt }
  const isAgreed = costPrice !== undefined && costPrice === priceAt(terms, pricedAt)
  return { quantity: typed, pricedAt: undefined, ...(isAgreed && { costPrice: price }) }
}

/** The agreed price, else the one of the supplier's last order, else the cost of the product. */
const priceToday = (terms: LineTerms | undefined, quantity: number | '') =>
  priceAt(terms, quantity) ?? terms?.price ?? undefined

/** The typed or stored cost of a line, else today's price. */
export const costOf = (line: DraftLine, terms: LineTerms | undefined) =>
  line.costPrice ?? (terms ? priceOfNewLine(line, terms) : line.expectedCost)

/** A line with its own discount gets the price before the discount of the supplier's last order. */
const priceOfNewLine = ({ quantity, discountPercent }: DraftLine, terms: LineTerms) =>
  (Number(discountPercent) > 0 && isOfLastOrder(terms, quantity) ? terms.fullPrice : undefined) ??
  priceToday(terms, quantity)

/** Whether the API would store no cost. */
export const isWithoutCost = (line: DraftLine, terms: LineTerms | undefined) =>
  (costOf(line, terms) ?? '') === ''

/** The numbers that the API would store for a line. `taxRate` is the supplier's, in percent. */
export const figuresOf = (line: DraftLine, terms: LineTerms | undefined, taxRate: number): Figures => ({
  quantity: Number(line.quantity),
  costPrice: Number(costOf(line, terms) ?? 0),
  discountPercent: Number(line.discountPercent ?? 0),
  taxRate: Number(line.taxRate ?? taxRate),
})

/**
 * The smallest quantity from `quantity` on that the supplier accepts: at least the minimum, and in whole packs and
 * multiples. Example: 10 pieces with packs of 6 and a minimum of 24 become 24.
 */
export function acceptedQuantity(line: DraftLine, terms: LineTerms): number {
  const unit = leastCommonMultiple(Number(line.packSize ?? terms.packSize) || 1, terms.quantityMultiple)
  return Math.ceil(Math.max(Number(line.quantity), terms.minimumQuantity ?? 1) / unit) * unit
}

const leastCommonMultiple = (one: number, other: number) => (one / greatestCommonDivisor(one, other)) * other

const greatestCommonDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestCommonDivisor(other, one % other)

/**
 * Lines with today's prices of the supplier. `unknown` has the lines without a price, which keep theirs.
 */
export function repriced(
  lines: readonly DraftLine[],
  terms: TermsByVariant,
): { lines: DraftLine[]; changed: DraftLine[]; unknown: DraftLine[] } {
  const changed: DraftLine[] = []
  const unknown: DraftLine[] = []
  const result = lines.map((line) => {
    const known = termsOf(terms, line)
    const price = priceToday(known, line.quantity)
    if (price === undefined) unknown.push(line)
    if (price === undefined || line.costPrice === undefined) return line
    // the price of the last order is the one after its discount
    const isNet = Boolean(line.discountPercent) && isOfLastOrder(known, line.quantity)
    if (price === (isNet ? netPrice(line) : line.costPrice)) return line
    changed.push(line)
    return { ...line, costPrice: price, ...(isNet && { discountPercent: 0 }) }
  })
  return { lines: result, changed, unknown }
}

/** Takes a change of prices back: `before` has the lines as they were, and what was typed since in other fields stays. */
export function withPricesOf(before: readonly DraftLine[], lines: readonly DraftLine[]): DraftLine[] {
  const byKey = new Map(before.map((line) => [line.key, line]))
  return lines.map((line) => {
    const was = byKey.get(line.key)
    return was ? { ...line, costPrice: was.costPrice, discountPercent: was.discountPercent } : line
  })
}

const isOfLastOrder = (terms: LineTerms | undefined, quantity: number | '') =>
  priceAt(terms, quantity) === undefined && terms?.priceSource === 'last_order'

/** With 4 decimals, as the API rounds it. */
const netPrice = ({ costPrice, discountPercent }: DraftLine) =>
  round(Number(costPrice) * (1 - Number(discountPercent) / 100), 4)
