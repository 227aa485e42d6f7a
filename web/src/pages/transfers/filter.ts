import type { StockTransferStatus } from '../../../../shared/schemas/stock-transfers.ts'

export const statuses: readonly StockTransferStatus[] = [
  'pending',
  'in_transit',
  'partial',
  'completed',
  'cancelled',
]

export function readTransferFilter(search: Record<string, unknown>): { status?: StockTransferStatus } {
  const status = statuses.find((known) => known === search.status)
  return status ? { status } : {}
}
