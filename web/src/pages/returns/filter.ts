import type { SupplierReturnSort, SupplierReturnState } from '../../../../shared/schemas/supplier-returns.ts'
import { readPositive, readSearch, readSort } from '../../components/tables/address.ts'

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
  return {
    ...(state && { state }),
    ...readPositive('supplierId', search.supplierId),
    ...readSearch(search),
    ...readSort(search, ['supplier', 'state']),
  }
}

/** What a new return begins with: a receipt, or a supplier. */
export const readOrigin = (search: Record<string, unknown>): { supplierId?: number; receiptId?: number } => ({
  ...readPositive('supplierId', search.supplierId),
  ...readPositive('receiptId', search.receiptId),
})
