import { useInfiniteQuery } from '@tanstack/react-query'
import type { Supplier } from '../../../../shared/schemas/suppliers.ts'
import { listQuery } from '../../api/queries.ts'
import { LinkButton } from '../../components/layout/link-button.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { DataList } from '../../components/tables/data-list.tsx'
import { orderColumns } from '../purchase-orders/list/order-columns.tsx'
import { returnColumns } from '../returns/return-columns.tsx'
import { Performance } from './performance.tsx'

type Props = { supplier: Supplier }

/** The performance, orders and returns of a supplier, also of an archived one. */
export const SupplierDocuments = ({ supplier }: Props) => (
  <>
    <Performance supplierId={supplier.id} />
    <Orders supplier={supplier} />
    <Returns supplier={supplier} />
  </>
)

function Orders({ supplier: { id } }: Props) {
  const query = useInfiniteQuery(listQuery('GET /purchase-orders', { query: { supplierId: id } }))
  const columns = orderColumns(useFormat()).filter(({ name }) => name !== 'Supplier')
  return (
    <DataList
      title="Orders"
      label="Orders of this supplier"
      query={query}
      columns={columns}
      keyOf={(order) => order.id}
      empty={{ title: 'No orders yet', text: 'You’ll see the orders to this supplier here.' }}
    />
  )
}

function Returns({ supplier: { id, archivedAt } }: Props) {
  const query = useInfiniteQuery(listQuery('GET /supplier-returns', { query: { supplierId: id } }))
  const columns = returnColumns(useFormat()).filter(({ name }) => name !== 'Supplier')
  const create = (
    <LinkButton variant="default" to="/returns/new" search={{ supplierId: id }}>
      Create a return
    </LinkButton>
  )
  return (
    <DataList
      title="Returns"
      label="Returns to this supplier"
      query={query}
      columns={columns}
      keyOf={(one) => one.id}
      empty={{
        title: 'No returns yet',
        text:
          archivedAt === null
            ? 'Create one for goods that go back to this supplier.'
            : 'No goods have gone back to this supplier.',
        ...(archivedAt === null && { action: create }),
      }}
    />
  )
}
