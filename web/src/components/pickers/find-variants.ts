import type { ProductListItem } from '../../../../shared/schemas/products.ts'
import { requestPage } from '../../api/request.ts'
import { codeOf, hasCode } from '../scan/codes.ts'
import { findPacks } from '../scan/find-packs.ts'
import type { PickedVariant } from './picked-variant.ts'

/** Limits the search to products of a supplier, or hides their stock. */
export type VariantScope = { supplierId?: number | undefined; hideStock?: boolean | undefined }

/** `isExact`: its SKU or barcode is the search text. */
export type FoundVariant = PickedVariant & { isExact: boolean }

const maxPages = 5

/** `pieces` of one scan: more than 1 for the barcode of a pack. */
export type NamedVariant = { variant: PickedVariant; pieces: number }

/**
 * The product that a code or a text names, with certainty: the only one with this SKU or barcode, else (with `packs`) the only one
 * of which a pack has the barcode, or the only result of a text that is no barcode. Else why there is none.
 */
export async function findOne(
  text: string,
  scope: VariantScope,
  { packs }: { packs: boolean },
): Promise<NamedVariant | 'none' | 'several' | 'several packs'> {
  const code = codeOf(text)
  let results: FoundVariant[] = []
  let next: string | undefined
  // the search matches titles, too, so the match may be on a later page
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await requestPage('GET /products', {
      query: { search: code, limit: 100, ...scope },
      next,
    })
    results = [...results, ...variantsOf(page.records, code)]
    next = page.next
    if (!next || results.some(({ isExact }) => isExact)) break
  }
  const exact = results.filter(({ isExact }) => isExact)
  if (exact.length > 0) return onlyOne(exact)
  const [pack, ...others] = packs ? await findPacks(text, scope.supplierId) : []
  if (pack && others.length > 0) return 'several packs'
  if (pack) {
    const { packSize, ...variant } = pack
    return { variant: { ...variant, currentStock: null }, pieces: packSize }
  }
  return isBarcode(code) ? 'none' : onlyOne(results)
}

const onlyOne = ([variant, ...others]: readonly FoundVariant[]) => {
  if (!variant) return 'none'
  return others.length === 0 ? { variant, pieces: 1 } : 'several'
}

const isBarcode = (code: string) => /^\d{8,}$/.test(code)

/** The API returns whole products. Of their variants, those with the code come first, then those that contain the text. */
export function variantsOf(products: readonly ProductListItem[], search: string): FoundVariant[] {
  const text = search.toLowerCase()
  const code = codeOf(search)
  const all = products.flatMap(({ productId, title, variants }) =>
    variants.map((variant) => ({
      productId,
      variantId: variant.variantId,
      sku: variant.sku,
      title: variant.title ? `${title} - ${variant.title}` : title,
      barcode: variant.barcode,
      isTracked: variant.isTracked,
      currentStock: variant.currentStock,
      costPrice: variant.costPrice,
      isExact: hasCode(variant, code),
      isMatch: [variant.sku, variant.barcode, variant.title].some((value) =>
        value.toLowerCase().includes(text),
      ),
    })),
  )
  const rankOf = ({ isExact, isMatch }: (typeof all)[number]) => (isExact ? 0 : isMatch ? 1 : 2)
  return all.toSorted((a, b) => rankOf(a) - rankOf(b))
}
