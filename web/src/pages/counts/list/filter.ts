import type { StockCountSort, StockCountStatus } from '../../../../../shared/schemas/stock-counts.ts'
import { readGid, readSearch, readSort } from '../../../components/tables/address.ts'

export const statuses: readonly StockCountStatus[] = ['draft', 'submitted', 'cancelled']

export type CountFilter = {
  status?: StockCountStatus
  locationId?: string
  search?: string
  sort?: StockCountSort
}

export function readCountFilter(search: Record<string, unknown>): CountFilter {
  const status = statuses.find((known) => known === search.status)
  return {
    ...(status && { status }),
    ...readGid('locationId', 'Location', search.locationId),
    ...readSearch(search),
    ...readSort(search, ['location', 'status']),
  }
}

/** `show: 'open'` lists only the products that are not counted yet. */
export type RowFilter = { show?: 'open'; search?: string }

export const readRowFilter = (search: Record<string, unknown>): RowFilter => ({
  ...(search.show === 'open' && { show: 'open' }),
  ...readSearch(search),
})
