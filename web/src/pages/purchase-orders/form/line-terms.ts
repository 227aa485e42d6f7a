import { useQueries, useQuery } from '@tanstack/react-query'
import { isCurrency as isKnownCurrency } from '../../../../../shared/schemas/currency-codes.ts'
import { readQuery } from '../../../api/queries.ts'
import { variantParts } from '../../../api/variant-parts.ts'
import { useLookup } from '../../../components/forms/lookups.ts'
import type { DraftLine } from './draft.ts'
import type { TermsByVariant } from './line-prices.ts'

/** A currency that is being typed is not complete, and the API refuses an unknown one. */
export const isCurrency = (text: string | undefined) => text !== undefined && isKnownCurrency(text)

/** What an order begins with at a supplier in a currency, or in the supplier's own when none is given. */
export const useOrderTerms = (supplierId: number | null, currency: string) =>
  useQuery({
    ...readQuery('GET /suppliers/:id/terms', {
      params: { id: supplierId ?? 0 },
      query: isCurrency(currency) ? { currency } : {},
    }),
    enabled: supplierId !== null,
    staleTime: 30_000,
  })

/**
 * How a supplier sells the products of an order, by variant; empty until a supplier is chosen. The page does not save until it
 * is known whether the prices of typed quantities follow them.
 */
export function useLineTerms(
  supplierId: number | null,
  currency: string | undefined,
  lines: readonly DraftLine[],
): { terms: TermsByVariant; isPending: boolean } {
  const ids = [...new Set(lines.map(({ variantId }) => variantId))].sort()
  const parts = supplierId === null ? [] : variantParts(ids)
  const result = useQueries({
    queries: parts.map((part) => ({
      ...readQuery('GET /suppliers/:id/terms', {
        params: { id: supplierId ?? 0 },
        query: { variantIds: part.join(','), ...(isCurrency(currency) && { currency }) },
      }),
      staleTime: 30_000,
    })),
    combine: (results) => ({
      terms: new Map(
        results.flatMap(({ data }) => data?.variants.map((terms) => [terms.variantId, terms]) ?? []),
      ),
      isPending: results.some(({ isPending }) => isPending),
    }),
  })
  const isOpen = ({ variantId, costPrice, pricedAt }: DraftLine) =>
    costPrice !== undefined && pricedAt !== undefined && !result.terms.has(variantId)
  useLookup(result.isPending && lines.some(isOpen) ? 'prices' : null)
  return result
}
