import { request } from '../../../api/request.ts'
import { findByCode } from '../../../components/scan/find-by-code.ts'
import type { FoundProduct } from './state.ts'

/** The products with this SKU or barcode, else those of which a supplier's pack has the barcode. The answers have no quantities. */
export async function findProduct(code: string, text: string): Promise<FoundProduct[]> {
  const found = await findByCode(code)
  return found.length > 0 ? found : findPacks([text, code])
}

/** The first code that a pack has decides: some scanners add leading zeros, and `codes[1]` is without them. */
async function findPacks(codes: readonly string[]): Promise<FoundProduct[]> {
  const matches = await request('POST /variants/find', {
    body: { codes: [...new Set(codes)], packs: true },
  })
  const { variants = [] } = matches.find(({ count }) => count > 0) ?? {}
  return variants.map(({ variantId, sku, barcode, title, isTracked, packSize }) => ({
    ...{ variantId, sku, barcode, title, isTracked, pieces: packSize },
  }))
}
