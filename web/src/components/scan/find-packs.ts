import type { VariantMatches } from '../../../../shared/schemas/variants.ts'
import { request } from '../../api/request.ts'
import { codeOf } from './codes.ts'

type FoundPack = VariantMatches[number]['variants'][number]

/**
 * The products of which a supplier's pack has this barcode, with the pieces of the pack (`packSize`), and without quantities. To be
 * asked when no product itself has the code. With `supplierId`, `costPrice` is that of the supplier.
 */
export async function findPacks(text: string, supplierId?: number): Promise<readonly FoundPack[]> {
  // some scanners add leading zeros, and the second form is without them
  const codes = [...new Set([text.trim(), codeOf(text)])]
  const matches = await request('POST /variants/find', {
    body: { codes, packs: true, ...(supplierId !== undefined && { supplierId }) },
  })
  return matches.find(({ count }) => count > 0)?.variants ?? []
}
