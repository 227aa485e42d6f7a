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
import { DataList } from '../../../components/tables/data-list.tsx'
import { useColumnChoice } from '../../../components/tables/list/column-choice.tsx'
import { queryOf, SavedViews } from '../../../components/tables/list/saved-views.tsx'
import { FailedOrders, OrderBulkActions } from './bulk-actions.tsx'
import { type OrderFilter, readOrderFilter, requestFilter, sorts } from './filter.ts'
import { orderColumns } from './order-columns.tsx'
import { OrderFilters } from './order-filters.tsx'

const route = getRouteApi('/purchase-orders')

export function OrderList() {
  const filter = readOrderFilter(route.useSearch())
  const { sort, ...filters } = filter
  const navigate = route.useNavigate()
  const asked = requestFilter(filter)
  const query = useInfiniteQuery(listQuery('GET /purchase-orders', { query: { ...asked, count: true } }))
  const choice = useColumnChoice('purchase-orders', orderColumns(useFormat()))
  const [failed, setFailed] = useState<PurchaseOrderBulkOutcome['failed']>([])
  const isFiltered = Object.keys(filters).length > 0
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
              Create order
            </LinkButton>
          </>
        }
      />
      <OrderFilters
        filter={filter}
        onChange={(change, options) => navigate({ search: (now) => ({ ...now, ...change }), ...options })}
      />
      <DataList
        label="Purchase orders"
        query={query}
        columns={choice.shown}
        keyOf={({ id }) => id}
        hasBar
        choice={choice}
        sort={{
          value: sort,
          first: 'newest',
          options: sorts,
          onSort: (chosen) =>
            navigate({ search: (now) => ({ ...now, sort: chosen as OrderFilter['sort'] }) }),
        }}
        views={
          <SavedViews
            list="purchase-orders"
            now={{ query: queryOf(asked), columns: choice.chosen }}
            onShow={(view) => {
              choice.choose(view.columns)
              void navigate({ search: readOrderFilter(Object.fromEntries(new URLSearchParams(view.query))) })
            }}
          />
        }
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
                action: <LinkButton to="/purchase-orders/new">Create order</LinkButton>,
              }
        }
      />
      <FailedOrders failed={failed} onClose={() => setFailed([])} />
    </PageBody>
  )
}
