import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { requestPage } from '../../api/request.ts'
import { variantParts } from '../../api/variant-parts.ts'
import { useFormat } from '../../components/shop/format.ts'

type Stock = Readonly<Record<string, number>>

/** A product's stock at the source location: null if it is not known, undefined until it is read. */
export type SourceStockOf = (variantId: string) => number | null | undefined

/** Reads the stock of all products of a form at the source location. */
export function useSourceStock(
  lines: readonly { variantId: string }[],
  locationId: string | null,
): SourceStockOf {
  const ids = [...new Set(lines.map(({ variantId }) => variantId))]
  const { data, isError } = useQuery({
    queryKey: ['stock-levels', 'at', locationId, ids],
    queryFn: ({ signal }) => readLevels(ids, locationId ?? '', signal),
    staleTime: 30_000,
    enabled: locationId !== null && ids.length > 0,
    // an added product does not hide the numbers of the others
    placeholderData: (before, query) => (query?.queryKey[2] === locationId ? before : undefined),
  })
  return (variantId) => (locationId === null || isError ? null : data?.[variantId])
}

async function readLevels(ids: readonly string[], locationId: string, signal: AbortSignal): Promise<Stock> {
  const pages = await Promise.all(
    variantParts(ids).map((part) =>
      requestPage('GET /stock-levels', {
        query: { variantIds: part.join(','), locationId, limit: part.length },
        signal,
      }),
    ),
  )
  const levels = pages.flatMap(({ records }) => records)
  return Object.fromEntries([
    ...ids.map((id) => [id, 0] as const),
    ...levels.map(({ variantId, currentStock }) => [variantId, currentStock] as const),
  ])
}

/** The stock of a product at the source location, marked when it is below the quantity to transfer. */
export function SourceStock({
  stock,
  quantity,
}: {
  stock: ReturnType<SourceStockOf>
  quantity: number | ''
}) {
  const { count } = useFormat()
  if (stock === null) return '—'
  if (stock === undefined) return <Skeleton height={12} width={32} display="inline-block" />
  const isShort = Number(quantity) > stock
  return (
    <Text span inherit c={isShort ? 'var(--mantine-color-error)' : undefined} fw={isShort ? 600 : undefined}>
      {isShort ? `only ${count(stock)}` : count(stock)}
    </Text>
  )
}
