import type { SupplierReturn } from '../../../../shared/schemas/supplier-returns.ts'
import type { Format } from '../../components/shop/formats.ts'
import { returnStateName } from './return-looks.ts'

/** One line for each change that another user has made. */
export function differencesOf(base: SupplierReturn, theirs: SupplierReturn, { count }: Format): string[] {
  const linesOf = ({ lines }: SupplierReturn) =>
    lines.map(({ title, quantity, reason }) => `${count(quantity)} × ${title} (${reason})`).join(', ')
  const fields = [
    ['State', returnStateName(base.state), returnStateName(theirs.state)],
    ['Taken from', base.locationName, theirs.locationName],
    ['Supplier’s return number', base.supplierReference, theirs.supplierReference],
    ['Notes', base.notes, theirs.notes],
    ['Products', linesOf(base), linesOf(theirs)],
  ] as const
  return fields.flatMap(([name, before, now]) =>
    before === now ? [] : [`${name}: ${before || 'nothing'} → ${now || 'nothing'}`],
  )
}
