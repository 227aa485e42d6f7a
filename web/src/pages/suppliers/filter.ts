import type { SupplierSort } from '../../../../shared/schemas/suppliers.ts'
import { readSearch } from '../../components/tables/search-text.ts'

export type SupplierFilter = { search?: string; archived?: true; sort?: SupplierSort }

/** The filter of the list in the URL. */
export function readSupplierFilter(given: Record<string, unknown>): SupplierFilter {
  const sort = /^(oldest|-?name)$/.test(String(given.sort)) && (given.sort as SupplierSort)
  return {
    ...readSearch(given),
    ...((given.archived === true || given.archived === 'true') && { archived: true }),
    ...(sort && { sort }),
  }
}
