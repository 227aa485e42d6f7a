import { useInfiniteQuery } from '@tanstack/react-query'
import { listQuery } from '../../api/queries.ts'
import { useFormat } from '../../components/shop/format.ts'
import { DataList } from '../../components/tables/data-list.tsx'
import { movementColumns } from '../stock/movements/movement-columns.tsx'

/** Every movement of the stock of a variant, newest first. */
export function VariantHistory({ variantId }: { variantId: string }) {
  const query = useInfiniteQuery(listQuery('GET /stock-movements', { query: { variantId } }))
  return (
    <DataList
      title="History"
      label="History"
      query={query}
      columns={movementColumns(useFormat(), { variantId })}
      keyOf={({ id }) => id}
      empty={{
        title: 'No stock changes yet',
        text: 'You’ll see every sale, receipt, transfer, count and adjustment of this product here.',
      }}
    />
  )
}
