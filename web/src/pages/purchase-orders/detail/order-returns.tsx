import { useInfiniteQuery } from '@tanstack/react-query'
import { listQuery } from '../../../api/queries.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { DataList } from '../../../components/tables/data-list.tsx'
import { returnColumns } from '../../returns/return-columns.tsx'

/** The returns of goods that the order's receipts brought; nothing while there are none. */
export function OrderReturns({ orderId }: { orderId: number }) {
  const query = useInfiniteQuery(listQuery('GET /supplier-returns', { query: { purchaseOrderId: orderId } }))
  const columns = returnColumns(useFormat()).filter(({ name }) => name !== 'Supplier' && name !== 'Order')
  if (!query.data?.pages[0]?.records.length) return null
  return (
    <DataList
      title="Returns"
      label="Returns of this order"
      query={query}
      columns={columns}
      keyOf={({ id }) => id}
      empty={{ title: 'No returns', text: 'Create one from a receipt.' }}
    />
  )
}
