import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { listing } from '../../api/queries.ts'
import { DataList } from '../../components/data-list.tsx'
import { useFormat } from '../../components/format.ts'
import { PageBody, PageHeader } from '../../components/page.tsx'
import { SupplierPicker } from '../../components/supplier-picker.tsx'
import { orderColumns } from './order-columns.tsx'

const route = getRouteApi('/purchase-orders')

export function OrderList() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  const { status, supplierId } = filter
  const query = useInfiniteQuery(listing('GET /purchase-orders', { query: { status, supplierId } }))
  const isFiltered = status !== undefined || supplierId !== undefined
  return (
    <PageBody>
      <PageHeader title="Purchase orders" />
      <SupplierPicker
        label="Supplier"
        placeholder="All"
        value={supplierId ?? null}
        onChange={(id) => navigate({ search: (now) => ({ ...now, supplierId: id ?? undefined }) })}
        isClearable
      />
      <DataList
        label="Purchase orders"
        query={query}
        columns={orderColumns(useFormat())}
        keyOf={({ id }) => id}
        empty={
          isFiltered
            ? { title: 'No order like this', text: 'Choose another status or supplier.' }
            : { title: 'No purchase orders yet', text: 'Create one to order goods from a supplier.' }
        }
      />
    </PageBody>
  )
}
