import type { SupplierReturnSort } from '../../../../shared/schemas/supplier-returns.ts'

export const sorts: readonly { value: SupplierReturnSort; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'supplier', label: 'Supplier, A to Z' },
  { value: '-supplier', label: 'Supplier, Z to A' },
  { value: 'state', label: 'State, drafts first' },
  { value: '-state', label: 'State, cancelled first' },
]
