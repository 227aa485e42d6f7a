import { type ProductFilter, readProductFilter } from '../../../components/pickers/product-filter.ts'

/** Kept in the URL, so that links and the back button restore it. */
type RuleFilter = { search?: string; supplierId?: number; variantId?: string } & ProductFilter

const variantPattern = /^gid:\/\/[a-z]+\/ProductVariant\/[1-9]\d{0,19}$/

export function readRuleFilter(params: Record<string, unknown>): RuleFilter {
  // the router parses digits in the URL as a number
  const search = ['string', 'number'].includes(typeof params.search)
    ? String(params.search).slice(0, 200)
    : ''
  const supplierId = Number(params.supplierId)
  const variantId = String(params.variantId)
  return {
    ...(search !== '' && { search }),
    ...(Number.isSafeInteger(supplierId) && supplierId > 0 && { supplierId }),
    ...(variantPattern.test(variantId) && { variantId }),
    ...readProductFilter(params),
  }
}
