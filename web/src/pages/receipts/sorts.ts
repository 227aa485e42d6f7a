import type { ReceiptSort } from '../../../../shared/schemas/receipts.ts'

export const sorts: readonly { value: ReceiptSort; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'order', label: 'Order, lowest number first' },
  { value: '-order', label: 'Order, highest number first' },
  { value: 'supplier', label: 'Supplier, A to Z' },
  { value: '-supplier', label: 'Supplier, Z to A' },
  { value: 'state', label: 'State, drafts first' },
  { value: '-state', label: 'State, reversed first' },
  { value: 'location', label: 'Location, A to Z' },
  { value: '-location', label: 'Location, Z to A' },
]
