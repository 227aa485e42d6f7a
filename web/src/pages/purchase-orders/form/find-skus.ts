import { requestPage } from '../../../api/request.ts'
import type { Added } from './added-lines.ts'

type Variant = Added['variant']
const atOnce = 4

/** The products of SKUs, by the SKU in small letters. An SKU that several products have is the first one's. */
export async function findSkus(skus: readonly string[]): Promise<Map<string, Variant>> {
  const wanted = [...new Set(skus.map((sku) => sku.toLowerCase()))]
  const found = new Map<string, Variant>()
  const seekers = Array.from({ length: atOnce }, async () => {
    for (let sku = wanted.pop(); sku !== undefined; sku = wanted.pop()) {
      const variant = await findSku(sku)
      if (variant) found.set(sku, variant)
    }
  })
  await Promise.all(seekers)
  return found
}

async function findSku(sku: string): Promise<Variant | undefined> {
  const { records } = await requestPage('GET /products', { query: { search: sku, limit: 50 } })
  for (const { productId, title, variants } of records) {
    const variant = variants.find((one) => one.sku.toLowerCase() === sku)
    if (!variant) continue
    const whole = variant.title ? `${title} — ${variant.title}` : title
    return { productId, variantId: variant.variantId, sku: variant.sku, title: whole }
  }
  return undefined
}
