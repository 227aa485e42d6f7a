import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReceiptListItem } from '../../../../shared/schemas/receipts.ts'
import { listQuery } from '../../api/queries.ts'
import { LinkButton } from '../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { CsvButton } from '../../components/tables/csv-button.tsx'
import { DataList } from '../../components/tables/data-list.tsx'
import { DocumentFilters } from '../../components/tables/document-filters.tsx'
import { useColumnChoice } from '../../components/tables/list/column-choice.tsx'
import { DocumentChips } from '../../components/tables/list/document-chips.tsx'
import { ExportSelected } from '../../components/tables/list/export-selected.tsx'
import { queryOf, SavedViews } from '../../components/tables/list/saved-views.tsx'
import { RowLink } from '../../components/tables/row-link.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { StatusLink, StatusLinks } from '../../components/tables/status-links.tsx'
import { type ReceiptFilter, readReceiptFilter, states } from './filter.ts'
import { ReceiptStateBadge, receiptStateName } from './receipt-state.tsx'
import { sorts } from './sorts.ts'

const route = getRouteApi('/receipts')

/** The receipts of all orders, and of goods without an order. */
export function ReceiptList() {
  const filter = readReceiptFilter(route.useSearch())
  const { sort, ...chosen } = filter
  const { state, supplierId, search } = chosen
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(listQuery('GET /receipts', { query: { ...filter, count: true } }))
  const choice = useColumnChoice('receipts', columns(useFormat()))
  const isFiltered = Object.keys(chosen).length > 0
  const create = (
    <LinkButton to="/receipts/new" leftSection={<IconPlus size={16} />}>
      Receive without an order
    </LinkButton>
  )
  return (
    <PageBody>
      <PageHeader
        title="Receipts"
        actions={
          <>
            <CsvButton path="/receipts" query={filter} name="receipts" />
            <LinkButton to="/returns" variant="default">
              Returns
            </LinkButton>
            {create}
          </>
        }
      />
      <DocumentFilters
        filter={{ search, supplierId }}
        onChange={(change, options) => navigate({ search: (now) => ({ ...now, ...change }), ...options })}
        searchLabel="Search receipts"
        placeholder="Delivery note"
      >
        <StatusLinks>
          {[undefined, ...states].map((option) => (
            <StatusLink
              key={option ?? 'all'}
              to="/receipts"
              search={{ ...filter, state: option }}
              isChosen={option === state}
            >
              {option ? receiptStateName(option) : 'All'}
            </StatusLink>
          ))}
        </StatusLinks>
      </DocumentFilters>
      <DocumentChips
        filter={{ search, supplierId }}
        onChange={(change) => navigate({ search: (now) => ({ ...now, ...change }) })}
      />
      <DataList
        label="Receipts"
        query={query}
        columns={choice.shown}
        keyOf={({ id }) => id}
        hasBar
        choice={choice}
        sort={{
          value: sort,
          first: 'newest',
          options: sorts,
          onSort: (next) => navigate({ search: (now) => ({ ...now, sort: next as ReceiptFilter['sort'] }) }),
        }}
        bulk={{
          nameOf: ({ id }) => `Receipt #${id}`,
          actions: ({ rows }) => (
            <ExportSelected path="/receipts" name="receipts" ids={rows.map(({ id }) => id)} />
          ),
        }}
        views={
          <SavedViews
            list="receipts"
            now={{ query: queryOf(filter), columns: choice.chosen }}
            onShow={(view) => {
              choice.choose(view.columns)
              void navigate({
                search: readReceiptFilter(Object.fromEntries(new URLSearchParams(view.query))),
              })
            }}
          />
        }
        empty={
          isFiltered
            ? { title: 'No receipts match', text: 'Choose another filter, or clear the search.' }
            : {
                title: 'No receipts yet',
                text: 'Open a sent order and choose Receive. Goods without an order are received here.',
                action: create,
              }
        }
      />
    </PageBody>
  )
}

const columns = (format: ReturnType<typeof useFormat>): Column<ReceiptListItem>[] => [
  {
    name: 'Receipt',
    cell: ({ id }) => (
      <RowLink to="/receipts/$id" params={{ id }}>
        #{id}
      </RowLink>
    ),
    sorts: ['newest', 'oldest'],
  },
  { name: 'Order', cell: ({ poNumber }) => poNumber ?? 'Without an order', sorts: ['-order', 'order'] },
  { name: 'Supplier', cell: ({ supplierName }) => supplierName ?? '–', sorts: ['supplier', '-supplier'] },
  { name: 'State', cell: ({ state }) => <ReceiptStateBadge state={state} />, sorts: ['state', '-state'] },
  { name: 'Delivery note', cell: ({ deliveryNote }) => deliveryNote || '–' },
  { name: 'Accepted', cell: ({ accepted }) => format.count(accepted), isNumber: true },
  { name: 'Rejected', cell: ({ rejected }) => format.count(rejected), isNumber: true },
  { name: 'Location', cell: ({ locationName }) => locationName, sorts: ['location', '-location'] },
  { name: 'Date', cell: ({ postedAt, createdAt }) => format.day(postedAt ?? createdAt) },
]
