import type { ReorderRuleSort } from '../../../../../shared/schemas/reorder-rules.ts'

export const sorts: readonly { value: ReorderRuleSort; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'title', label: 'Product, A to Z' },
  { value: '-title', label: 'Product, Z to A' },
  { value: 'sku', label: 'SKU, A to Z' },
  { value: '-sku', label: 'SKU, Z to A' },
]
