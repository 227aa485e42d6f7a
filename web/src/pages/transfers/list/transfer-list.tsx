import { Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { StockTransferListItem } from '../../../../../shared/schemas/stock-transfers.ts'
import { listQuery } from '../../../api/queries.ts'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { useLocationName } from '../../../components/pickers/location-name.ts'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { Filters } from '../../../components/tables/filters.tsx'
import { DocumentBulkActions } from '../../../components/tables/list/document-bulk.tsx'
import { FilterChips } from '../../../components/tables/list/filter-chips.tsx'
import { useListAddress } from '../../../components/tables/list/list-address.ts'
import { ListRows } from '../../../components/tables/list/list-rows.tsx'
import { RowLink } from '../../../components/tables/row-link.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { SearchField } from '../../../components/tables/search-field.tsx'
import { StatusLink, StatusLinks } from '../../../components/tables/status-links.tsx'
import { TransferStatusBadge, transferStatusName } from '../transfer-status.tsx'
import { readTransferFilter, statuses, type TransferFilter } from './filter.ts'
import { sorts } from './sorts.ts'

const route = getRouteApi('/transfers')

export function TransferList() {
  const address = useListAddress(route, readTransferFilter)
  const { filter, isFiltered, setFilter } = address
  const { search, sourceLocationId, destinationLocationId } = filter
  const source = useLocationName(sourceLocationId)
  const destination = useLocationName(destinationLocationId)
  const query = useInfiniteQuery(listQuery('GET /stock-transfers', { query: { ...filter, count: true } }))
  const create = (
    <LinkButton to="/transfers/new" leftSection={<IconPlus size={16} />}>
      Create a transfer
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
      <TransferStatuses filter={filter} />
      <Filters>
        <SearchField
          label="Search transfers"
          placeholder="Number, note, location or product"
          value={search}
          onSearch={(search, options) => setFilter({ search }, options)}
        />
        <LocationPicker
          label="From"
          placeholder="All locations"
          value={sourceLocationId ?? null}
          onChange={(id) => setFilter({ sourceLocationId: id ?? undefined })}
          isClearable
        />
        <LocationPicker
          label="To"
          placeholder="All locations"
          value={destinationLocationId ?? null}
          onChange={(id) => setFilter({ destinationLocationId: id ?? undefined })}
          isClearable
        />
      </Filters>
      <FilterChips<TransferFilter>
        filters={[
          ['search', 'Search', search],
          ['sourceLocationId', 'From', source],
          ['destinationLocationId', 'To', destination],
        ]}
        onChange={setFilter}
      />
      <ListRows
        list="transfers"
        address={address}
        label="Transfers"
        query={query}
        columns={columns(useFormat())}
        keyOf={({ id }) => id}
        sorts={sorts}
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
        empty={
          search
            ? {
                title: `No results for “${search}”`,
                text: 'Clear the search or try another number or product.',
              }
            : isFiltered
              ? { title: 'No transfers match these filters', text: 'Choose another status or location.' }
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

const columns = (format: Format): Column<StockTransferListItem>[] => [
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

const TransferStatuses = ({ filter }: { filter: TransferFilter }) => (
  <StatusLinks>
    {[undefined, ...statuses].map((option) => (
      <StatusLink
        key={option ?? 'all'}
        to="/transfers"
        search={{ ...filter, status: option }}
        isChosen={option === filter.status}
      >
        {option ? transferStatusName(option) : 'All'}
      </StatusLink>
    ))}
  </StatusLinks>
)
