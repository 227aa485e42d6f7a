import type { StockCountSort, StockCountStatus } from '../../../../../shared/schemas/stock-counts.ts'
import { readSearch } from '../../../components/tables/search-text.ts'

export const statuses: readonly StockCountStatus[] = ['draft', 'submitted', 'cancelled']

export type CountFilter = { status?: StockCountStatus; search?: string; sort?: StockCountSort }

export function readCountFilter(search: Record<string, unknown>): CountFilter {
  const status = statuses.find((known) => known === search.status)
  const sort = /^(oldest|-?(location|status))$/.test(String(search.sort)) && (search.sort as StockCountSort)
  return { ...(status && { status }), ...readSearch(search), ...(sort && { sort }) }
}

/** `show: 'open'` lists only the products that are not counted yet. */
export type RowFilter = { show?: 'open'; search?: string }

export const readRowFilter = ({ show, search }: Record<string, unknown>): RowFilter => ({
  ...(show === 'open' && { show }),
  // the router parses digits in the URL as a number
  ...((typeof search === 'string' || typeof search === 'number') &&
    search !== '' && { search: String(search) }),
})
