import type { ReorderRuleSort } from '../../../../../shared/schemas/reorder-rules.ts'
import { type ProductFilter, readProductFilter } from '../../../components/pickers/product-filter.ts'
import { readSearch } from '../../../components/tables/search-text.ts'

/** Kept in the URL, so that links and the back button restore it. */
export type RuleFilter = {
  search?: string
  supplierId?: number
  variantId?: string
  sort?: ReorderRuleSort
} & ProductFilter

const variantPattern = /^gid:\/\/[a-z]+\/ProductVariant\/[1-9]\d{0,19}$/

export function readRuleFilter(params: Record<string, unknown>): RuleFilter {
  const sort = /^(oldest|-?(title|sku))$/.test(String(params.sort)) && (params.sort as ReorderRuleSort)
  const supplierId = Number(params.supplierId)
  const variantId = String(params.variantId)
  return {
    ...readSearch(params),
    ...(Number.isSafeInteger(supplierId) && supplierId > 0 && { supplierId }),
    ...(variantPattern.test(variantId) && { variantId }),
    ...(sort && { sort }),
    ...readProductFilter(params),
  }
}
