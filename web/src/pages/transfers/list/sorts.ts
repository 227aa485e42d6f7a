import type { StockTransferSort } from '../../../../../shared/schemas/stock-transfers.ts'

export const sorts: readonly { value: StockTransferSort; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'source', label: 'From, A to Z' },
  { value: '-source', label: 'From, Z to A' },
  { value: 'destination', label: 'To, A to Z' },
  { value: '-destination', label: 'To, Z to A' },
  { value: 'status', label: 'Status, planned first' },
  { value: '-status', label: 'Status, ended first' },
]
