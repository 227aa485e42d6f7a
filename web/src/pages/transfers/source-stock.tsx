import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { requestPage } from '../../api/request.ts'
import { useFormat } from '../../components/shop/format.ts'

type Props = {
  variantId: string
  locationId: string | null
  quantity: number | ''
}

/** The stock of a product at the source location, marked when it is below the quantity to transfer. */
export function SourceStock({ variantId, locationId, quantity }: Props) {
  const { count } = useFormat()
  const { data, isError } = useQuery({
    queryKey: ['stock-levels', 'at', locationId, variantId],
    queryFn: ({ signal }) => readLevel(variantId, locationId ?? '', signal),
    staleTime: 30_000,
    enabled: locationId !== null,
  })
  if (locationId === null || isError) return '—'
  if (data === undefined) return <Skeleton height={12} width={32} display="inline-block" />
  const isShort = Number(quantity) > data
  return (
    <Text span inherit c={isShort ? 'var(--mantine-color-error)' : undefined} fw={isShort ? 600 : undefined}>
      {isShort ? `only ${count(data)}` : count(data)}
    </Text>
  )
}

async function readLevel(variantId: string, locationId: string, signal: AbortSignal): Promise<number> {
  const query = { variantId, locationId, limit: 1 }
  const { records } = await requestPage('GET /stock-levels', { query, signal })
  return records[0]?.currentStock ?? 0
}
