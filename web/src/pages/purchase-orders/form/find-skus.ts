import { requestPage } from '../../../api/request.ts'
import type { AddedLine } from './added-lines.ts'

type Variant = AddedLine['variant']
const maxConcurrent = 4

/**
 * Finds variants by SKU, with their cost from the supplier. The keys of the result are lower case. Of several variants
 * with one SKU it takes the first.
 */
export async function findSkus(
  skus: readonly string[],
  supplierId: number | null,
): Promise<Map<string, Variant>> {
  const queue = [...new Set(skus.map((sku) => sku.toLowerCase()))]
  const found = new Map<string, Variant>()
  const workers = Array.from({ length: maxConcurrent }, async () => {
    for (let sku = queue.pop(); sku !== undefined; sku = queue.pop()) {
      const variant = await findSku(sku, supplierId ?? undefined)
      if (variant) found.set(sku, variant)
    }
  })
  await Promise.all(workers)
  return found
}

async function findSku(sku: string, supplierId: number | undefined): Promise<Variant | undefined> {
  const { records } = await requestPage('GET /products', { query: { search: sku, limit: 50, supplierId } })
  for (const { productId, title, variants } of records) {
    const variant = variants.find((candidate) => candidate.sku.toLowerCase() === sku)
    if (!variant) continue
    const fullTitle = variant.title ? `${title} - ${variant.title}` : title
    const { variantId, costPrice } = variant
    return { productId, variantId, sku: variant.sku, title: fullTitle, costPrice }
  }
  return undefined
}
