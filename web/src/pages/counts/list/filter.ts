import type { StockCountStatus } from '../../../../../shared/schemas/stock-counts.ts'

export const statuses: readonly StockCountStatus[] = ['draft', 'submitted', 'cancelled']

/** What the list is limited to, as the address says. */
export function readCountFilter(search: Record<string, unknown>): { status?: StockCountStatus } {
  const status = statuses.find((known) => known === search.status)
  return status ? { status } : {}
}

/** Which of a count's products are shown while it is under way. */
export type RowFilter = { show?: 'open'; search?: string }

export const readRowFilter = ({ show, search }: Record<string, unknown>): RowFilter => ({
  ...(show === 'open' && { show }),
  // the router reads digits in an address as a number
  ...((typeof search === 'string' || typeof search === 'number') &&
    search !== '' && { search: String(search) }),
})
