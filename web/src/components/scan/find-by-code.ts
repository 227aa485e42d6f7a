import { requestPage } from '../../api/request.ts'
import { codeOf, hasCode } from './codes.ts'
import type { Product } from './state.ts'

/** `isTracked` is false for a product whose stock the platform does not track. */
type FoundProduct = Product & { isTracked: boolean }

const maxPages = 5

/**
 * The products with this SKU or barcode. The search matches titles too, so the match may be on a later page. The answer has no
 * quantities, since the page of a blind count uses it.
 */
export async function findByCode(text: string): Promise<FoundProduct[]> {
  const code = codeOf(text)
  let next: string | undefined
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await requestPage('GET /products', {
      query: { search: code, limit: 100, hideStock: true },
      next,
    })
    const found = page.records.flatMap(({ title, variants }) =>
      variants
        .filter((variant) => hasCode(variant, code))
        .map(({ variantId, sku, barcode, title: variantTitle, isTracked }) => ({
          variantId,
          sku,
          barcode,
          title: variantTitle ? `${title} - ${variantTitle}` : title,
          isTracked,
        })),
    )
    if (found.length > 0 || !page.next) return found
    next = page.next
  }
  return []
}
