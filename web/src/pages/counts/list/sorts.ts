import type { StockCountSort } from '../../../../../shared/schemas/stock-counts.ts'

export const sorts: readonly { value: StockCountSort; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'location', label: 'Location, A to Z' },
  { value: '-location', label: 'Location, Z to A' },
  { value: 'status', label: 'Status, open first' },
  { value: '-status', label: 'Status, ended first' },
]
