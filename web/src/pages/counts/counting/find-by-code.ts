import { requestPage } from '../../../api/request.ts'
import type { Found } from '../offline/state.ts'
import { carries, codeOf } from './codes.ts'

const maxPages = 5

/** The products that carry a code. The search finds it within titles, too, so more than a page may have to be read. */
export async function findByCode(text: string): Promise<Found[]> {
  const code = codeOf(text)
  let next: string | undefined
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await requestPage('GET /products', { query: { search: code, limit: 100 }, next })
    const found = page.records.flatMap(({ title, variants }) =>
      variants
        .filter((variant) => carries(variant, code))
        .map(({ variantId, sku, barcode, title: own, currentStock }) => ({
          variantId,
          sku,
          barcode,
          title: own ? `${title} - ${own}` : title,
          isTracked: currentStock !== null,
        })),
    )
    if (found.length > 0 || !page.next) return found
    next = page.next
  }
  return []
}
