import { readSearch } from '../../components/tables/search-text.ts'

import type { SupplierSort } from '../../../../shared/schemas/suppliers.ts'

export type SupplierFilter = { search?: string; archived?: true; sort?: SupplierSort }

export const sorts: readonly { value: SupplierSort; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'name', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
]

/** The filter of the list in the URL. */
export function readSupplierFilter(given: Record<string, unknown>): SupplierFilter {
  const sort = sorts.find(({ value }) => value === given.sort && value !== 'newest')?.value
  return {
    ...readSearch(given),
    ...((given.archived === true || given.archived === 'true') && { archived: true }),
    ...(sort && { sort }),
  }
}
