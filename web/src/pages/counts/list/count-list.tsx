import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { StockCountListItem } from '../../../../../shared/schemas/stock-counts.ts'
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
import { Badge } from '../../../components/tables/status-badge.tsx'
import { StatusLink, StatusLinks } from '../../../components/tables/status-links.tsx'
import { CountStatusBadge, countStatusName } from './count-status.tsx'
import { type CountFilter, readCountFilter, statuses } from './filter.ts'
import { sorts } from './sorts.ts'

const route = getRouteApi('/counts')

export function CountList() {
  const address = useListAddress(route, readCountFilter)
  const { filter, isFiltered, setFilter } = address
  const { status, search, locationId } = filter
  const location = useLocationName(locationId)
  const query = useInfiniteQuery(listQuery('GET /stock-counts', { query: { ...filter, count: true } }))
  const start = (
    <LinkButton to="/counts/new" leftSection={<IconPlus size={16} />}>
      Start a count
    </LinkButton>
  )
  return (
    <PageBody>
      <PageHeader
        title="Counts"
        actions={
          <>
            <LinkButton variant="default" to="/counts/plans">
              Plans
            </LinkButton>
            <CsvButton path="/stock-counts" query={filter} name="counts" />
            {start}
          </>
        }
      />
      <StatusLinks>
        {[undefined, ...statuses].map((option) => (
          <StatusLink
            key={option ?? 'all'}
            to="/counts"
            search={{ ...filter, status: option }}
            isChosen={option === status}
          >
            {option ? countStatusName(option) : 'All'}
          </StatusLink>
        ))}
      </StatusLinks>
      <Filters>
        <SearchField
          label="Search counts"
          placeholder="Number, note, location or product"
          value={search}
          onSearch={(search, options) => setFilter({ search }, options)}
        />
        <LocationPicker
          label="Location"
          placeholder="All locations"
          value={locationId ?? null}
          onChange={(id) => setFilter({ locationId: id ?? undefined })}
          isClearable
        />
      </Filters>
      <FilterChips<CountFilter>
        filters={[
          ['search', 'Search', search],
          ['locationId', 'Location', location],
        ]}
        onChange={setFilter}
      />
      <ListRows
        list="counts"
        address={address}
        label="Counts"
        query={query}
        columns={columns(useFormat())}
        keyOf={({ id }) => id}
        sorts={sorts}
        bulk={{
          nameOf: ({ id }) => `Count #${id}`,
          actions: (selection) => (
            <DocumentBulkActions
              selection={selection}
              path="/stock-counts"
              noun="count"
              canCancel={({ status }) => status === 'draft'}
              others="they have ended."
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
              ? { title: 'No counts match these filters', text: 'Choose another status or location.' }
              : {
                  title: 'No counts yet',
                  text: 'Count the stock at a location, with a scanner or by hand. You can keep selling while you count.',
                  action: start,
                }
        }
      />
    </PageBody>
  )
}

const columns = (format: Format): Column<StockCountListItem>[] => [
  {
    name: 'Count',
    cell: ({ id }) => (
      <RowLink to="/counts/$id" params={{ id }}>
        #{id}
      </RowLink>
    ),
    sorts: ['newest', 'oldest'],
  },
  { name: 'Location', cell: ({ locationName }) => locationName, sorts: ['location', '-location'] },
  {
    name: 'Status',
    cell: ({ phase, blind }) => (
      <>
        <CountStatusBadge phase={phase} /> {blind && <Badge look={['Blind', 'quiet']} />}
      </>
    ),
    sorts: ['status', '-status'],
  },
  { name: 'Products', cell: ({ itemCount }) => format.count(itemCount), isNumber: true },
  {
    name: 'Accuracy',
    cell: ({ accuracy }) => (accuracy === null ? '—' : format.percent(accuracy)),
    isNumber: true,
  },
  {
    name: 'Difference in value',
    cell: ({ varianceValue }) => (varianceValue === null ? '—' : format.money(varianceValue)),
    isNumber: true,
  },
  { name: 'Started', cell: ({ createdAt }) => format.day(createdAt) },
]
