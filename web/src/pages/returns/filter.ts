import type { SupplierReturnSort, SupplierReturnState } from '../../../../shared/schemas/supplier-returns.ts'
import { readSearch } from '../../components/tables/search-text.ts'

export const states: readonly SupplierReturnState[] = ['draft', 'shipped', 'credited', 'cancelled']

export type ReturnFilter = {
  state?: SupplierReturnState
  supplierId?: number
  search?: string
  sort?: SupplierReturnSort
}

/** The filter in the URL. */
export function readReturnFilter(search: Record<string, unknown>): ReturnFilter {
  const state = states.find((known) => known === search.state)
  const sort =
    /^(oldest|-?(supplier|state))$/.test(String(search.sort)) && (search.sort as SupplierReturnSort)
  return {
    ...(state && { state }),
    ...readId('supplierId', search.supplierId),
    ...readSearch(search),
    ...(sort && { sort }),
  }
}

/** What a new return begins with: a receipt, or a supplier. */
export const readOrigin = (search: Record<string, unknown>): { supplierId?: number; receiptId?: number } => ({
  ...readId('supplierId', search.supplierId),
  ...readId('receiptId', search.receiptId),
})

function readId<Name extends string>(name: Name, value: unknown): { [name in Name]?: number } {
  const id = Number(value)
  return Number.isSafeInteger(id) && id > 0 ? ({ [name]: id } as { [name in Name]?: number }) : {}
}
