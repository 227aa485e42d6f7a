import { Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { movementKindWords as kindNames } from '../../../../../shared/schemas/kind-words.ts'
import type { StockLevel } from '../../../../../shared/schemas/stock-levels.ts'
import { listQuery } from '../../../api/queries.ts'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { DateRange } from '../../../components/pickers/date-range.tsx'
import { requestDays } from '../../../components/pickers/days.ts'
import { useLocationName } from '../../../components/pickers/location-name.ts'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { DataList } from '../../../components/tables/data-list.tsx'
import { ageSorts } from '../../../components/tables/list/age-sorts.ts'
import { FilterChips } from '../../../components/tables/list/filter-chips.tsx'
import { useListAddress } from '../../../components/tables/list/list-address.ts'
import { ListRows } from '../../../components/tables/list/list-rows.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { SearchField } from '../../../components/tables/search-field.tsx'
import { useVariantTitle } from '../../../components/tables/variant-title.ts'
import { keyOf } from '../levels/adjustment.ts'
import { kinds, type MovementFilter, readMovementFilter } from '../levels/filter.ts'
import { quantityColumns } from '../levels/level-columns.tsx'
import { VariantFilter } from '../levels/variant-filter.tsx'
import classes from '../stock.module.css'
import { movementColumns } from './movement-columns.tsx'

const route = getRouteApi('/stock/history')

export function MovementList() {
  const address = useListAddress(route, readMovementFilter, { keepsScroll: true })
  const { filter, isFiltered, setFilter } = address
  const { search, variantId, locationId, kind, startDate, endDate } = filter
  const asked = requestDays(filter)
  const query = useInfiniteQuery(listQuery('GET /stock-movements', { query: { ...asked, count: true } }))
  const format = useFormat()
  const { calendarDay } = format
  const place = useLocationName(locationId)
  const product = useVariantTitle(variantId)
  return (
    <PageBody>
      <PageHeader
        title="Stock history"
        back={{ to: '/stock', name: 'Stock' }}
        actions={
          <>
            <LinkButton to="/stock/past-adjustments" variant="default">
              Past adjustments
            </LinkButton>
            <CsvButton path="/stock-movements" query={asked} name="stock-history" />
          </>
        }
      />
      <div className={classes.filters}>
        <SearchField
          label="Search"
          placeholder="Title, SKU or barcode"
          value={search}
          onSearch={(search, options) => setFilter({ search }, options)}
        />
        <VariantFilter variantId={variantId} onChange={(id) => setFilter({ variantId: id })} />
        <LocationPicker
          label="Location"
          placeholder="All locations"
          value={locationId ?? null}
          onChange={(id) => setFilter({ locationId: id ?? undefined })}
          isClearable
        />
        <Select
          label="Change type"
          placeholder="All types"
          data={kinds.map((value) => ({ value, label: kindNames[value] }))}
          value={kind ?? null}
          onChange={(value) => setFilter({ kind: kinds.find((known) => known === value) })}
          clearable
          allowDeselect={false}
          checkIconPosition="right"
        />
        <div className={classes.days}>
          <DateRange
            value={{ startDate, endDate }}
            onChange={(days) =>
              setFilter(days, { replace: startDate !== undefined || endDate !== undefined })
            }
          />
        </div>
      </div>
      <FilterChips<MovementFilter>
        filters={[
          ['search', 'Search', search],
          ['variantId', 'Product', product],
          ['locationId', 'Location', place],
          ['kind', 'Change type', kind && kindNames[kind]],
          ['startDate', 'From', startDate && calendarDay(startDate)],
          ['endDate', 'Until', endDate && calendarDay(endDate)],
        ]}
        onChange={setFilter}
      />
      {variantId !== undefined && <CurrentLevels variantId={variantId} locationId={locationId} />}
      <ListRows
        list="stock-history"
        address={address}
        asked={asked}
        label="Stock history"
        query={query}
        columns={movementColumns(format, filter)}
        keyOf={({ id }) => id}
        sorts={ageSorts}
        empty={
          isFiltered
            ? {
                title: 'No stock changes match these filters',
                text: 'Choose other dates or clear a filter.',
              }
            : {
                title: 'No stock changes yet',
                text: 'You’ll see every sale, receipt, transfer, count and adjustment here, with its user and reason.',
              }
        }
      />
    </PageBody>
  )
}

/** The stock of the chosen product now, by location. */
function CurrentLevels({ variantId, locationId }: { variantId: string; locationId: string | undefined }) {
  const query = useInfiniteQuery(listQuery('GET /stock-levels', { query: { variantId, locationId } }))
  const place: Column<StockLevel> = { name: 'Location', cell: ({ locationName }) => locationName }
  return (
    <DataList
      title="Now"
      label="Stock now"
      query={query}
      columns={[place, ...quantityColumns(useFormat())]}
      keyOf={keyOf}
      empty={{ title: 'No stock', text: 'Your shop does not track this product, or stocks it nowhere.' }}
    />
  )
}
