/** What the rules are limited to. It stands in the address, so that a link and the back button know it. */
type RuleFilter = { search?: string; supplierId?: number; variantId?: string }

const variantPattern = /^gid:\/\/[a-z]+\/ProductVariant\/[1-9]\d{0,19}$/

export function readRuleFilter(address: Record<string, unknown>): RuleFilter {
  // the router reads words that are a number as one
  const search = ['string', 'number'].includes(typeof address.search)
    ? String(address.search).slice(0, 200)
    : ''
  const supplierId = Number(address.supplierId)
  const variantId = String(address.variantId)
  return {
    ...(search !== '' && { search }),
    ...(Number.isSafeInteger(supplierId) && supplierId > 0 && { supplierId }),
    ...(variantPattern.test(variantId) && { variantId }),
  }
}
