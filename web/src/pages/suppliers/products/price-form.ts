import type { SupplierPriceInput } from '../../../../../shared/schemas/supplier-products.ts'
import { type FieldErrors, fieldErrors } from '../../../components/forms/form-errors.ts'
import { isReversed, readDay } from '../../../components/pickers/days.ts'
import type { NewPrice, Shortened } from './price-days.ts'

/** What is typed in the fields of the new price. */
export type Typed = Record<'price' | 'currency' | 'minQuantity' | 'validFrom' | 'validTo', string>

export const yearFault = (day: string) => (day === '' || readDay(day) ? null : 'Enter a year of four digits.')

export const orderFault = (startDate: string, endDate: string) =>
  readDay(startDate) && isReversed({ startDate, endDate: readDay(endDate) })
    ? 'The price ends before it begins.'
    : null

/** The new price; null while its amount or a day is not typed to the end. */
export function addedOf({ price, currency, minQuantity, validFrom, validTo }: Typed): NewPrice | null {
  if (price === '' || yearFault(validFrom) || yearFault(validTo) || orderFault(validFrom, validTo))
    return null
  return {
    price: Number(price),
    // a text that is no number stays one, so that it is not sent as 1
    minQuantity: minQuantity === '' ? 1 : Number(minQuantity),
    currency,
    validFrom: validFrom || null,
    validTo: validTo || null,
  }
}

/** What becomes of a price that loses days: "ends on 30 Nov 2026, and holds again from 25 Dec 2026". */
export function fateOf({ endsOn, resumesOn }: Shortened, calendarDay: (day: string) => string): string {
  if (endsOn === null) return resumesOn === null ? 'is replaced' : `begins on ${calendarDay(resumesOn)}`
  const end = `ends on ${calendarDay(endsOn)}`
  return resumesOn === null ? end : `${end}, and holds again from ${calendarDay(resumesOn)}`
}

export const inputOf = ({ minQuantity, price, currency, validFrom, validTo }: NewPrice) => ({
  minQuantity,
  price,
  currency,
  validFrom,
  validTo,
})

/**
 * The errors of the new price, the last one that was sent: `prices.1.validTo` of two prices is that of `validTo`. An error of
 * another price has no field, so the error of the price names it.
 */
export function errorsOf(error: unknown, sent: readonly SupplierPriceInput[] = []): FieldErrors {
  return Object.fromEntries(
    Object.entries(fieldErrors(error)).flatMap(([path, message]) => {
      const [list, index, field = 'price'] = path.split('.')
      const at = Number(index)
      const { price, currency, minQuantity } = sent[at] ?? {}
      if (list !== 'prices') return []
      if (at === sent.length - 1) return [[field, message]]
      return [['price', `The price ${price} ${currency} from ${minQuantity}: ${field} ${message}`]]
    }),
  )
}
