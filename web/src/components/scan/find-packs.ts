import type { VariantMatches } from '../../../../shared/schemas/variants.ts'
import { request } from '../../api/request.ts'

type FoundPack = VariantMatches[number]['variants'][number]

/**
 * The products of which a supplier's pack has this barcode, with the pieces of the pack (`packSize`), and without quantities. To be
 * asked when no product itself has the code. With `supplierId`, `costPrice` is that of the supplier.
 */
export async function findPacks(text: string, supplierId?: number): Promise<readonly FoundPack[]> {
  const [match] = await request('POST /variants/find', {
    body: { codes: [text.trim()], packs: true, ...(supplierId !== undefined && { supplierId }) },
  })
  return match?.variants ?? []
}
