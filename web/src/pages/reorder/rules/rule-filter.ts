import type { ReorderRuleSort } from '../../../../../shared/schemas/reorder-rules.ts'
import { type ProductFilter, readProductFilter } from '../../../components/pickers/product-filter.ts'
import { readGid, readPositive, readSearch, readSort } from '../../../components/tables/address.ts'

/** Kept in the URL, so that links and the back button restore it. */
export type RuleFilter = {
  search?: string
  supplierId?: number
  variantId?: string
  sort?: ReorderRuleSort
} & ProductFilter

export function readRuleFilter(params: Record<string, unknown>): RuleFilter {
  return {
    ...readSearch(params),
    ...readPositive('supplierId', params.supplierId),
    ...readGid('variantId', 'ProductVariant', params.variantId),
    ...readSort(params, ['title', 'sku']),
    ...readProductFilter(params),
  }
}
