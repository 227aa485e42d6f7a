import { Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { StockTransferListItem } from '../../../../../shared/schemas/stock-transfers.ts'
import { listQuery } from '../../../api/queries.ts'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { DataList } from '../../../components/tables/data-list.tsx'
import { Filters } from '../../../components/tables/filters.tsx'
import { useColumnChoice } from '../../../components/tables/list/column-choice.tsx'
import { DocumentBulkActions } from '../../../components/tables/list/document-bulk.tsx'
import { FilterChips } from '../../../components/tables/list/filter-chips.tsx'
import { queryOf, SavedViews } from '../../../components/tables/list/saved-views.tsx'
import { RowLink } from '../../../components/tables/row-link.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { SearchField } from '../../../components/tables/search-field.tsx'
import { StatusLink, StatusLinks } from '../../../components/tables/status-links.tsx'
import { TransferStatusBadge, transferStatusName } from '../transfer-status.tsx'
import { readTransferFilter, statuses, type TransferFilter } from './filter.ts'
import { sorts } from './sorts.ts'

const route = getRouteApi('/transfers')

export function TransferList() {
  const filter = readTransferFilter(route.useSearch())
  const { status, search, sort } = filter
  const query = useInfiniteQuery(listQuery('GET /stock-transfers', { query: { ...filter, count: true } }))
  const navigate = route.useNavigate()
  const choice = useColumnChoice('transfers', columns(useFormat()))
  const create = (
    <LinkButton to="/transfers/new" leftSection={<IconPlus size={16} />}>
      Create transfer
    </LinkButton>
  )
  return (
    <PageBody>
      <PageHeader
        title="Transfers"
        actions={
          <>
            <CsvButton path="/stock-transfers" query={filter} name="transfers" />
            <LinkButton to="/transfers/suggestions" variant="default">
              Suggestions
            </LinkButton>
            {create}
          </>
        }
      />
      <StatusLinks>
        {[undefined, ...statuses].map((option) => (
          <StatusLink
            key={option ?? 'all'}
            to="/transfers"
            search={{ ...filter, status: option }}
            isChosen={option === status}
          >
            {option ? transferStatusName(option) : 'All'}
          </StatusLink>
        ))}
      </StatusLinks>
      <Filters>
        <SearchField
          label="Search transfers"
          placeholder="Number, note, location or product"
          value={search}
          onSearch={(search, options) => navigate({ search: (now) => ({ ...now, search }), ...options })}
        />
      </Filters>
      <FilterChips<TransferFilter>
        filters={[['search', 'Search', search]]}
        onChange={(change) => navigate({ search: (now) => ({ ...now, ...change }) })}
      />
      <DataList
        label="Transfers"
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
            navigate({ search: (now) => ({ ...now, sort: chosen as TransferFilter['sort'] }) }),
        }}
        bulk={{
          nameOf: ({ id }) => `Transfer #${id}`,
          actions: (selection) => (
            <DocumentBulkActions
              selection={selection}
              path="/stock-transfers"
              noun="transfer"
              canCancel={({ status }) => status === 'pending'}
              others="they have been shipped or have ended."
            />
          ),
        }}
        views={
          <SavedViews
            list="transfers"
            now={{ query: queryOf(filter), columns: choice.chosen }}
            onShow={(view) => {
              choice.choose(view.columns)
              void navigate({
                search: readTransferFilter(Object.fromEntries(new URLSearchParams(view.query))),
              })
            }}
          />
        }
        empty={
          search
            ? {
                title: `No results for “${search}”`,
                text: 'Clear the search or try another number or product.',
              }
            : status
              ? { title: 'No transfers with this status', text: 'Choose another status.' }
              : {
                  title: 'No transfers yet',
                  text: 'Create a transfer to move stock between your locations.',
                  action: create,
                }
        }
      />
    </PageBody>
  )
}

const columns = (format: ReturnType<typeof useFormat>): Column<StockTransferListItem>[] => [
  {
    name: 'Transfer',
    cell: ({ id }) => (
      <RowLink to="/transfers/$id" params={{ id }}>
        #{id}
      </RowLink>
    ),
    sorts: ['newest', 'oldest'],
  },
  { name: 'From', cell: ({ sourceLocationName }) => sourceLocationName, sorts: ['source', '-source'] },
  {
    name: 'To',
    cell: ({ destinationLocationName }) => destinationLocationName,
    sorts: ['destination', '-destination'],
  },
  {
    name: 'Status',
    cell: ({ status, inTransit, shipped }) => (
      <div>
        <TransferStatusBadge status={status} />
        {inTransit > 0 && (
          <Text size="xs" c="dimmed">
            In transit: {format.count(inTransit)} of {format.count(shipped)}
          </Text>
        )}
      </div>
    ),
    sorts: ['status', '-status'],
  },
  { name: 'Lines', cell: ({ itemCount }) => format.count(itemCount), isNumber: true },
  { name: 'Pieces', cell: ({ quantity }) => format.count(quantity), isNumber: true },
  { name: 'Created', cell: ({ createdAt }) => format.day(createdAt) },
]
