import { request } from '../../../api/request.ts'
import type { Match } from './found-lines.ts'

/** The API's limit of SKUs in one request. */
const maxCodes = 500

/**
 * Finds the products of SKUs or barcodes, with their cost from the supplier: one request for each 500. A match with
 * several products is for the merchant to decide.
 */
export async function findSkus(
  codes: readonly string[],
  supplierId: number | null,
): Promise<ReadonlyMap<string, Match>> {
  const wanted = [...new Set(codes)]
  const found = new Map<string, Match>()
  for (let at = 0; at < wanted.length; at += maxCodes) {
    const matches = await request('POST /variants/find', {
      body: { codes: wanted.slice(at, at + maxCodes), ...(supplierId !== null && { supplierId }) },
    })
    for (const match of matches) found.set(match.code, match)
  }
  return found
}
