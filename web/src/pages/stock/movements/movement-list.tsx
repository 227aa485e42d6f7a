import { Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { StockLevel } from '../../../../../shared/schemas/stock-levels.ts'
import { listQuery } from '../../../api/queries.ts'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { DateRange } from '../../../components/pickers/date-range.tsx'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { DataList } from '../../../components/tables/data-list.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { keyOf } from '../levels/adjustment.ts'
import { kinds, type MovementFilter } from '../levels/filter.ts'
import { kindNames } from '../levels/kind-names.ts'
import { quantityColumns } from '../levels/level-columns.tsx'
import { VariantFilter } from '../levels/variant-filter.tsx'
import classes from '../stock.module.css'
import { movementColumns } from './movement-columns.tsx'

const route = getRouteApi('/stock/history')

export function MovementList() {
  const { variantId, locationId, kind, startDate, endDate } = route.useSearch()
  const filter = { variantId, locationId, kind, startDate, endDate }
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(listQuery('GET /stock-movements', { query: filter }))
  const setFilter = (change: MovementFilter) =>
    navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false })
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
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
            <CsvButton path="/stock-movements" query={filter} name="stock-history" />
          </>
        }
      />
      <div className={classes.filters}>
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
            onChange={(days) => setFilter({ startDate: days.startDate, endDate: days.endDate })}
          />
        </div>
      </div>
      {variantId !== undefined && <CurrentLevels variantId={variantId} locationId={locationId} />}
      <DataList
        label="Stock history"
        query={query}
        columns={movementColumns(useFormat(), filter)}
        keyOf={({ id }) => id}
        empty={
          isFiltered
            ? {
                title: 'No stock changes match these filters',
                text: 'Choose other dates or clear a filter.',
                action: (
                  <LinkButton to="/stock/history" variant="default">
                    Clear all filters
                  </LinkButton>
                ),
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
