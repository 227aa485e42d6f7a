import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReceiptListItem } from '../../../../shared/schemas/receipts.ts'
import { listQuery } from '../../api/queries.ts'
import { LinkButton } from '../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { useFormat } from '../../components/shop/format.ts'
import type { Format } from '../../components/shop/formats.ts'
import { CsvButton } from '../../components/tables/csv-button.tsx'
import { DocumentFilters } from '../../components/tables/document-filters.tsx'
import { DocumentChips } from '../../components/tables/list/document-chips.tsx'
import { ExportSelected } from '../../components/tables/list/export-selected.tsx'
import { useListAddress } from '../../components/tables/list/list-address.ts'
import { ListRows } from '../../components/tables/list/list-rows.tsx'
import { RowLink } from '../../components/tables/row-link.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { StatusLink, StatusLinks } from '../../components/tables/status-links.tsx'
import { readReceiptFilter, states } from './filter.ts'
import { ReceiptStateBadge, receiptStateName } from './receipt-state.tsx'
import { sorts } from './sorts.ts'

const route = getRouteApi('/receipts')

/** The receipts of all orders, and of goods without an order. */
export function ReceiptList() {
  const address = useListAddress(route, readReceiptFilter)
  const { filter, isFiltered, setFilter } = address
  const { state, supplierId, search } = filter
  const query = useInfiniteQuery(listQuery('GET /receipts', { query: { ...filter, count: true } }))
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
        onChange={setFilter}
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
      <DocumentChips filter={{ search, supplierId }} onChange={setFilter} />
      <ListRows
        list="receipts"
        address={address}
        label="Receipts"
        query={query}
        columns={columns(useFormat())}
        keyOf={({ id }) => id}
        sorts={sorts}
        bulk={{
          nameOf: ({ id }) => `Receipt #${id}`,
          actions: ({ rows }) => (
            <ExportSelected path="/receipts" name="receipts" ids={rows.map(({ id }) => id)} />
          ),
        }}
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

const columns = (format: Format): Column<ReceiptListItem>[] => [
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
  { name: 'Supplier', cell: ({ supplierName }) => supplierName ?? '—', sorts: ['supplier', '-supplier'] },
  { name: 'State', cell: ({ state }) => <ReceiptStateBadge state={state} />, sorts: ['state', '-state'] },
  { name: 'Delivery note', cell: ({ deliveryNote }) => deliveryNote || '—' },
  { name: 'Accepted', cell: ({ accepted }) => format.count(accepted), isNumber: true },
  { name: 'Rejected', cell: ({ rejected }) => format.count(rejected), isNumber: true },
  { name: 'Location', cell: ({ locationName }) => locationName, sorts: ['location', '-location'] },
  { name: 'Date', cell: ({ postedAt, createdAt }) => format.day(postedAt ?? createdAt) },
]
