import type { SupplierPrice } from '../../../../../shared/schemas/supplier-products.ts'
import { addDays } from '../../../components/shop/shop-days.ts'

export type NewPrice = Pick<SupplierPrice, 'minQuantity' | 'price' | 'currency' | 'validFrom' | 'validTo'>

/** A price that loses days to a new one: it ends on `endsOn`, begins on `resumesOn`, or both. It is replaced when both are null. */
export type Shortened = { price: SupplierPrice; endsOn: string | null; resumesOn: string | null }

/** `prices`: the full list, the new one last. */
type Addition = { prices: NewPrice[]; shortened: Shortened[] }

const fromOf = ({ validFrom }: NewPrice) => validFrom ?? '0000-00-00'
const toOf = ({ validTo }: NewPrice) => validTo ?? '9999-12-31'

/**
 * Adds a price as `withPrice` and `withUndatedPrice` of shared/domain/records/suppliers/prices.ts add one of a price list: it wins on its
 * days, and the others of its quantity and currency keep their other days. Null when the prices say it already.
 *
 * Example: 2.00 without limits and a new price from 2026-12-01 to 2026-12-24: 2.00 ends on 2026-11-30 and holds again from
 * 2026-12-25.
 */
export function addPrice(prices: readonly SupplierPrice[], typed: NewPrice, today: string): Addition | null {
  const ofBreak = prices.filter(
    ({ minQuantity, currency }) => minQuantity === typed.minQuantity && currency === typed.currency,
  )
  const added = typed.validFrom === null && typed.validTo === null ? fromToday(ofBreak, typed, today) : typed
  if (!added || ofBreak.some((price) => price.price === added.price && covers(price, added))) return null
  const { validFrom, validTo } = added
  const shortened = ofBreak
    .filter((price) => fromOf(price) <= toOf(added) && fromOf(added) <= toOf(price))
    .map((price) => ({
      price,
      endsOn: validFrom !== null && fromOf(price) < validFrom ? addDays(validFrom, -1) : null,
      resumesOn: validTo !== null && toOf(price) > validTo ? addDays(validTo, 1) : null,
    }))
  return { prices: [...prices.flatMap((price) => partsOf(price, shortened)), added], shortened }
}

/** A new price without days, among others of its quantity and currency; null when it repeats today's. */
function fromToday(ofBreak: readonly SupplierPrice[], typed: NewPrice, today: string): NewPrice | null {
  const now = ofBreak.find((price) => fromOf(price) <= today && toOf(price) >= today)
  if (now?.price === typed.price) return null
  const [next] = ofBreak
    .map(fromOf)
    .filter((from) => from > today)
    .sort()
  return {
    ...typed,
    validFrom: ofBreak.some((price) => fromOf(price) <= today) ? today : null,
    validTo: next === undefined ? null : addDays(next, -1),
  }
}

const covers = (price: NewPrice, added: NewPrice) =>
  fromOf(price) <= fromOf(added) && toOf(price) >= toOf(added)

function partsOf(price: SupplierPrice, shortened: readonly Shortened[]): SupplierPrice[] {
  const change = shortened.find((each) => each.price === price)
  if (!change) return [price]
  const { endsOn, resumesOn } = change
  return [
    ...(endsOn === null ? [] : [{ ...price, validTo: endsOn }]),
    ...(resumesOn === null ? [] : [{ ...price, validFrom: resumesOn }]),
  ]
}
