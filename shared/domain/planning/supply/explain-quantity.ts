import { minorDigitsOf } from '../../../currency.ts'
import type { LineTerms } from '../../records/supplier-prices/price-of-line.ts'
import { type Packaging, roundUpToPacks } from '../../records/supplier-prices/quantity.ts'

const maxQuantity = 1_000_000_000

/**
 * Rounds `wanted` pieces up to whole packs and multiples, at least the minimum. Returns `wanted` when the result is more than an
 * order can have.
 */
export function roundedQuantity(wanted: number, packaging: Packaging): number {
  const quantity = roundUpToPacks(wanted, packaging)
  return quantity > maxQuantity ? Math.min(wanted, maxQuantity) : quantity
}

/** A sentence that says why a quantity was rounded up: "10 wanted; packs of 6, minimum 24: 24." Undefined when it was not. */
export function explainRounding(wanted: number, quantity: number, packaging: Packaging): string | undefined {
  if (quantity === wanted) return undefined
  const { packSize, quantityMultiple, minimumQuantity } = packaging
  const rules = [
    ...(packSize > 1 ? [`packs of ${packSize}`] : []),
    ...(quantityMultiple > 1 ? [`multiples of ${quantityMultiple}`] : []),
    ...((minimumQuantity ?? 0) > wanted ? [`minimum ${minimumQuantity}`] : []),
  ]
  return `${wanted} wanted; ${rules.join(', ')}: ${quantity}.`
}

type Priced = { packaging: Packaging; currency: string; terms: Pick<LineTerms, 'price' | 'breaks'> }

/**
 * A sentence with the quantity of the supplier's next lower price, "48 would cost 1.80 each instead of 2.00.", or one that says
 * that no cost is known. Undefined without a lower price, and without a quantity to order.
 */
export function explainPrice(quantity: number, { packaging, currency, terms }: Priced): string | undefined {
  if (quantity === 0) return undefined
  const { price, breaks } = terms
  if (price === null) return `No cost is known in ${currency}.`
  const next = breaks.find((each) => each.minQuantity > quantity && each.price < price)
  if (!next) return undefined
  const text = priceText(currency)
  return `${roundUpToPacks(next.minQuantity, packaging)} would cost ${text(next.price)} each instead of ${text(price)}.`
}

function priceText(currency: string): (price: number) => string {
  const digits = minorDigitsOf(currency)
  const format = new Intl.NumberFormat('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: 4,
    useGrouping: false,
  })
  return (price) => format.format(price)
}
