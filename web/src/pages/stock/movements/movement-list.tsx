import { Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { listing } from '../../../api/queries.ts'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { DateRange } from '../../../components/pickers/date-range.tsx'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { DataList } from '../../../components/tables/data-list.tsx'
import { kindNames, kinds, type MovementFilter } from '../levels/filter.ts'
import { VariantFilter } from '../levels/variant-filter.tsx'
import classes from '../stock.module.css'
import { movementColumns } from './movement-columns.tsx'

const route = getRouteApi('/stock/history')

/** How stock came to what it is. */
export function MovementList() {
  const { variantId, locationId, kind, startDate, endDate } = route.useSearch()
  const filter = { variantId, locationId, kind, startDate, endDate }
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(listing('GET /stock-movements', { query: filter }))
  const limitTo = (change: MovementFilter) =>
    navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false })
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return (
    <PageBody>
      <PageHeader
        title="Stock history"
        back={{ to: '/stock', name: 'Stock' }}
        actions={<CsvButton path="/stock-movements" query={filter} name="stock-history" />}
      />
      <div className={classes.filters}>
        <VariantFilter variantId={variantId} onChange={(id) => limitTo({ variantId: id })} />
        <LocationPicker
          label="Location"
          placeholder="All locations"
          value={locationId ?? null}
          onChange={(id) => limitTo({ locationId: id ?? undefined })}
          isClearable
        />
        <Select
          label="What"
          placeholder="Everything"
          data={kinds.map((value) => ({ value, label: kindNames[value] }))}
          value={kind ?? null}
          onChange={(value) => limitTo({ kind: kinds.find((known) => known === value) })}
          clearable
          allowDeselect={false}
          checkIconPosition="right"
        />
        <div className={classes.days}>
          <DateRange
            value={{ startDate, endDate }}
            onChange={(days) => limitTo({ startDate: days.startDate, endDate: days.endDate })}
          />
        </div>
      </div>
      <DataList
        label="Stock history"
        query={query}
        columns={movementColumns(useFormat(), filter)}
        keyOf={({ id }) => id}
        empty={
          isFiltered
            ? {
                title: 'Nothing moved like this',
                text: 'Choose other days, or let one of the other filters go.',
                action: (
                  <LinkButton to="/stock/history" variant="default">
                    Show everything
                  </LinkButton>
                ),
              }
            : {
                title: 'Nothing has moved yet',
                text: 'Every sale, receipt, transfer, count and adjustment is listed here, with who did it and why.',
              }
        }
      />
    </PageBody>
  )
}
