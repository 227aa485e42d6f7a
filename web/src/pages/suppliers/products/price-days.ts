import type { SupplierPrice } from '../../../../../shared/schemas/supplier-products.ts'
import { addDays } from '../../../components/shop/shop-days.ts'

type Added = Pick<SupplierPrice, 'minQuantity' | 'currency' | 'validFrom' | 'validTo'>

/** A price that ends before another one begins. `resumesOn`: it holds again after the end of the other one. */
export type Shortened = { price: SupplierPrice; endsOn: string; resumesOn: string | null }

/**
 * The prices that hold on the first day of a new one of the same quantity and currency, and began before it. Example: 2.00 without
 * limits and a new price from 2026-12-01 to 2026-12-24: 2.00 ends on 2026-11-30 and holds again from 2026-12-25.
 */
export function shortenedBy(prices: readonly SupplierPrice[], added: Added): Shortened[] {
  const { minQuantity, currency, validFrom, validTo } = added
  if (validFrom === null || (validTo !== null && validTo < validFrom)) return []
  return prices
    .filter(
      (price) =>
        price.minQuantity === minQuantity &&
        price.currency === currency &&
        (price.validFrom === null || price.validFrom < validFrom) &&
        (price.validTo === null || price.validTo >= validFrom),
    )
    .map((price) => ({
      price,
      endsOn: addDays(validFrom, -1),
      resumesOn:
        validTo !== null && (price.validTo === null || price.validTo > validTo) ? addDays(validTo, 1) : null,
    }))
}

/** The prices with these ones shortened. */
export const withShortened = (
  prices: readonly SupplierPrice[],
  shortened: readonly Shortened[],
): Partial<SupplierPrice>[] =>
  prices.flatMap((price) => {
    const change = shortened.find((each) => each.price.id === price.id)
    if (!change) return [price]
    const before = { ...price, validTo: change.endsOn }
    return change.resumesOn === null ? [before] : [before, { ...price, validFrom: change.resumesOn }]
  })
