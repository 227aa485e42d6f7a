import { requestPage } from '../../api/request.ts'
import { codeOf, hasCode } from './codes.ts'
import { findPacks } from './find-packs.ts'
import type { FoundProduct } from './state.ts'

const maxPages = 5

/**
 * The products with this SKU or barcode, else those of which a supplier's pack has the barcode. The answers have no quantities,
 * since the page of a blind count uses them.
 */
export async function findByCode(text: string): Promise<Required<FoundProduct>[]> {
  const found = await findProducts(codeOf(text))
  if (found.length > 0) return found
  return (await findPacks(text)).map(({ variantId, sku, barcode, title, isTracked, packSize }) => ({
    ...{ variantId, sku, barcode, title, isTracked, pieces: packSize },
  }))
}

/** The search matches titles too, so the match may be on a later page. */
async function findProducts(code: string): Promise<Required<FoundProduct>[]> {
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
          pieces: 1,
        })),
    )
    if (found.length > 0 || !page.next) return found
    next = page.next
  }
  return []
}
