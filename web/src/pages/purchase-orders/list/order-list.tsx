import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { listQuery } from '../../../api/queries.ts'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { DataList } from '../../../components/tables/data-list.tsx'
import { DocumentFilters } from '../../../components/tables/document-filters.tsx'
import { orderStatusName } from '../../../components/tables/status-badge.tsx'
import { StatusLink, StatusLinks } from '../../../components/tables/status-links.tsx'
import { stageNames, statuses } from './filter.ts'
import { orderColumns } from './order-columns.tsx'

const route = getRouteApi('/purchase-orders')

export function OrderList() {
  const { status, stage, supplierId, search } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(
    listQuery('GET /purchase-orders', { query: { status, stage, supplierId, search } }),
  )
  const isFiltered = [status, stage, supplierId, search].some((filter) => filter !== undefined)
  return (
    <PageBody>
      <PageHeader
        title="Purchase orders"
        actions={
          <>
            <CsvButton
              path="/purchase-orders"
              query={{ status, stage, supplierId, search }}
              name="purchase-orders"
            />
            <LinkButton
              to="/purchase-orders/new"
              search={{ supplierId }}
              leftSection={<IconPlus size={16} />}
            >
              Create order
            </LinkButton>
          </>
        }
      />
      <DocumentFilters
        filter={{ search, supplierId }}
        onChange={(change, options) => navigate({ search: (now) => ({ ...now, ...change }), ...options })}
        searchLabel="Search orders"
        placeholder="Number, supplier, SKU or notes"
      >
        <StatusLinks>
          {stage && (
            <StatusLink to="/purchase-orders" search={{ stage, supplierId, search }} isChosen>
              {stageNames[stage]}
            </StatusLink>
          )}
          {[undefined, ...statuses].map((option) => (
            <StatusLink
              key={option ?? 'all'}
              to="/purchase-orders"
              search={{ status: option, supplierId, search }}
              isChosen={option === status && stage === undefined}
            >
              {option ? orderStatusName(option) : 'All'}
            </StatusLink>
          ))}
        </StatusLinks>
      </DocumentFilters>
      <DataList
        label="Purchase orders"
        query={query}
        columns={orderColumns(useFormat())}
        keyOf={({ id }) => id}
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
    </PageBody>
  )
}
