import { useQueries } from '@tanstack/react-query'
import type { SupplierTerms } from '../../../../../shared/schemas/purchase-orders.ts'
import { readQuery } from '../../../api/queries.ts'

export type LineTerms = SupplierTerms['variants'][number]

/** Limit of the endpoint. */
const maxVariants = 100

/** How a supplier sells the products of an order, by variant; empty until a supplier is chosen. */
export function useLineTerms(
  supplierId: number | null,
  currency: string | undefined,
  variantIds: readonly string[],
): ReadonlyMap<string, LineTerms> {
  const ids = [...new Set(variantIds)].sort()
  const parts = supplierId === null ? [] : chunks(ids)
  return useQueries({
    queries: parts.map((part) => ({
      ...readQuery('GET /suppliers/:id/terms', {
        params: { id: supplierId ?? 0 },
        query: { variantIds: part.join(','), ...(currency && /^[A-Z]{3}$/.test(currency) && { currency }) },
      }),
      staleTime: 30_000,
    })),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => data?.variants.map((terms) => [terms.variantId, terms]) ?? [])),
  })
}

const chunks = (ids: readonly string[]) =>
  Array.from({ length: Math.ceil(ids.length / maxVariants) }, (_, at) =>
    ids.slice(at * maxVariants, (at + 1) * maxVariants),
  )

/** The supplier's price of a piece at a quantity; undefined when the catalogue has none. */
export const priceAt = (terms: LineTerms | undefined, quantity: number | '') =>
  terms?.breaks.findLast(({ minQuantity }) => minQuantity <= Number(quantity))?.price
