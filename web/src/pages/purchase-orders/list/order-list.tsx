import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { PurchaseOrderBulkOutcome } from '../../../../../shared/schemas/purchase-orders.ts'
import { listQuery } from '../../../api/queries.ts'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { useListAddress } from '../../../components/tables/list/list-address.ts'
import { ListRows } from '../../../components/tables/list/list-rows.tsx'
import { FailedOrders, OrderBulkActions } from './bulk-actions.tsx'
import { readOrderFilter, requestFilter, sorts } from './filter.ts'
import { orderColumns } from './order-columns.tsx'
import { OrderFilters } from './order-filters.tsx'

const route = getRouteApi('/purchase-orders')

export function OrderList() {
  const address = useListAddress(route, readOrderFilter)
  const { filter, isFiltered, setFilter } = address
  const asked = requestFilter(filter)
  const query = useInfiniteQuery(listQuery('GET /purchase-orders', { query: { ...asked, count: true } }))
  const [failed, setFailed] = useState<PurchaseOrderBulkOutcome['failed']>([])
  return (
    <PageBody>
      <PageHeader
        title="Purchase orders"
        actions={
          <>
            <CsvButton path="/purchase-orders" query={asked} name="purchase-orders" />
            <LinkButton
              to="/purchase-orders/new"
              search={{ supplierId: filter.supplierId }}
              leftSection={<IconPlus size={16} />}
            >
              Create an order
            </LinkButton>
          </>
        }
      />
      <OrderFilters filter={filter} onChange={setFilter} />
      <ListRows
        list="purchase-orders"
        address={address}
        asked={asked}
        label="Purchase orders"
        query={query}
        columns={orderColumns(useFormat())}
        keyOf={({ id }) => id}
        sorts={sorts}
        bulk={{
          nameOf: ({ poNumber }) => poNumber,
          actions: (selection) => <OrderBulkActions selection={selection} onFailed={setFailed} />,
        }}
        empty={
          isFiltered
            ? {
                title: 'No matching orders',
                text: 'Choose another status or supplier, or search for something else.',
              }
            : {
                title: 'No purchase orders yet',
                text: 'Create an order to buy from a supplier. The supplier gets it by e-mail as a PDF.',
                action: <LinkButton to="/purchase-orders/new">Create an order</LinkButton>,
              }
        }
      />
      <FailedOrders failed={failed} onClose={() => setFailed([])} />
    </PageBody>
  )
}
