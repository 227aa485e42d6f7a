import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { listQuery } from '../../../api/queries.ts'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { SupplierPicker } from '../../../components/pickers/supplier-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { DataList } from '../../../components/tables/data-list.tsx'
import { SearchField } from '../../../components/tables/search-field.tsx'
import { orderStatusName } from '../../../components/tables/status-badge.tsx'
import { StatusLink, StatusLinks } from '../../../components/tables/status-links.tsx'
import { stageNames, statuses } from './filter.ts'
import { orderColumns } from './order-columns.tsx'
import classes from './order-list.module.css'

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
      <div className={classes.filters}>
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
        <div className={classes.supplier}>
          <SearchField
            label="Search orders"
            placeholder="Number, supplier, SKU or notes"
            value={search ?? ''}
            onSearch={(text) =>
              navigate({
                search: (now) => ({ ...now, search: text || undefined }),
                // replaces the history entry while typing, so that Back leaves the search in one step
                replace: search !== undefined,
              })
            }
          />
        </div>
        <div className={classes.supplier}>
          <SupplierPicker
            label="Supplier"
            placeholder="All suppliers"
            value={supplierId ?? null}
            onChange={(id) => navigate({ search: (now) => ({ ...now, supplierId: id ?? undefined }) })}
            isClearable
          />
        </div>
      </div>
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
