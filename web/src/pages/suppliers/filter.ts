import type { SupplierSort } from '../../../../shared/schemas/suppliers.ts'
import { readSearch, readSort } from '../../components/tables/address.ts'

export type SupplierFilter = { search?: string; archived?: true; sort?: SupplierSort }

/** The filter of the list in the URL. */
export function readSupplierFilter(given: Record<string, unknown>): SupplierFilter {
  return {
    ...readSearch(given),
    ...((given.archived === true || given.archived === 'true') && { archived: true }),
    ...readSort(given, ['name']),
  }
}
