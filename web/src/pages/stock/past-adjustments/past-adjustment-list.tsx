import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { PastAdjustment } from '../../../../../shared/schemas/past-adjustments.ts'
import { listQuery } from '../../../api/queries.ts'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { DateRange } from '../../../components/pickers/date-range.tsx'
import { requestDays } from '../../../components/pickers/days.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { ageSorts } from '../../../components/tables/list/age-sorts.ts'
import { FilterChips } from '../../../components/tables/list/filter-chips.tsx'
import { useListAddress } from '../../../components/tables/list/list-address.ts'
import { ListRows } from '../../../components/tables/list/list-rows.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { SearchField } from '../../../components/tables/search-field.tsx'
import { type PastFilter, readPastFilter } from '../levels/filter.ts'
import classes from '../stock.module.css'

const route = getRouteApi('/stock/past-adjustments')

/** What the merchant's earlier app corrected. It moved no stock here. */
export function PastAdjustmentList() {
  const { dateTime, count, change, calendarDay } = useFormat()
  const address = useListAddress(route, readPastFilter, { keepsScroll: true })
  const { filter, isFiltered, setFilter } = address
  const { search, startDate, endDate } = filter
  const asked = requestDays(filter)
  const query = useInfiniteQuery(listQuery('GET /past-adjustments', { query: { ...asked, count: true } }))
  const columns: Column<PastAdjustment>[] = [
    {
      name: 'Product',
      cell: ({ title, sku, variantId }) => <ProductName title={title} sku={sku} variantId={variantId} />,
    },
    { name: 'When', cell: ({ adjustedAt }) => dateTime(adjustedAt), sorts: ['newest', 'oldest'] },
    { name: 'Location', cell: ({ locationName }) => locationName ?? '—' },
    {
      name: 'Change',
      isNumber: true,
      cell: ({ quantity, previousQuantity, newQuantity }) => (
        <div>
          <strong>{change(quantity)}</strong>
          {previousQuantity !== null && newQuantity !== null && (
            <Text size="xs" c="dimmed">
              {count(previousQuantity)} → {count(newQuantity)}
            </Text>
          )}
        </div>
      ),
    },
    { name: 'Reason', cell: ({ reason, notes }) => [reason, notes].filter(Boolean).join(' · ') || '—' },
  ]
  return (
    <PageBody>
      <PageHeader
        title="Past adjustments"
        back={{ to: '/stock/history', name: 'Stock history' }}
        actions={<CsvButton path="/past-adjustments" query={asked} name="past-adjustments" />}
      />
      <div className={classes.filters}>
        <SearchField
          label="Search"
          placeholder="Title, SKU or barcode"
          value={search}
          onSearch={(search, options) => setFilter({ search }, options)}
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
      <FilterChips<PastFilter>
        filters={[
          ['search', 'Search', search],
          ['startDate', 'From', startDate && calendarDay(startDate)],
          ['endDate', 'Until', endDate && calendarDay(endDate)],
        ]}
        onChange={setFilter}
      />
      <ListRows
        list="past-adjustments"
        address={address}
        asked={asked}
        label="Past adjustments"
        query={query}
        columns={columns}
        keyOf={({ id }) => id}
        sorts={ageSorts}
        empty={
          isFiltered
            ? { title: 'No past adjustments match', text: 'Choose other dates or clear the search.' }
            : {
                title: 'No past adjustments',
                text: 'Adjustments of an earlier app come with its files, on the page Move in. Those made here are in the stock history.',
              }
        }
      />
    </PageBody>
  )
}
