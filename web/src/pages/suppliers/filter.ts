import { readSearch } from '../../components/tables/search-text.ts'

type SupplierFilter = { search?: string; archived?: true }

/** The filter of the list in the URL. */
export const readSupplierFilter = (given: Record<string, unknown>): SupplierFilter => ({
  ...readSearch(given),
  ...((given.archived === true || given.archived === 'true') && { archived: true }),
})
