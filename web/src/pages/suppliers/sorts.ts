import type { SupplierSort } from '../../../../shared/schemas/suppliers.ts'

export const sorts: readonly { value: SupplierSort; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'name', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
]
