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
import { DataList } from '../../../components/tables/data-list.tsx'
import { ageSorts } from '../../../components/tables/list/age-sorts.ts'
import { useColumnChoice } from '../../../components/tables/list/column-choice.tsx'
import { FilterChips } from '../../../components/tables/list/filter-chips.tsx'
import { queryOf, SavedViews } from '../../../components/tables/list/saved-views.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { SearchField } from '../../../components/tables/search-field.tsx'
import { type PastFilter, readPastFilter } from '../levels/filter.ts'
import classes from '../stock.module.css'

const route = getRouteApi('/stock/past-adjustments')

type Change = { [name in keyof PastFilter]: PastFilter[name] | undefined }

/** What the merchant's earlier app corrected. It moved no stock here. */
export function PastAdjustmentList() {
  const { dateTime, count, change, calendarDay } = useFormat()
  const { sort, ...filter } = readPastFilter(route.useSearch())
  const { search, startDate, endDate } = filter
  const navigate = route.useNavigate()
  const setFilter = (changed: Change, replace = false) =>
    navigate({ search: (now) => ({ ...now, ...changed }), replace, resetScroll: false })
  const asked = { ...requestDays(filter), sort }
  const query = useInfiniteQuery(listQuery('GET /past-adjustments', { query: { ...asked, count: true } }))
  const columns: Column<PastAdjustment>[] = [
    {
      name: 'Product',
      cell: ({ title, sku, variantId }) => <ProductName title={title} sku={sku} variantId={variantId} />,
    },
    { name: 'When', cell: ({ adjustedAt }) => dateTime(adjustedAt), sorts: ['newest', 'oldest'] },
    { name: 'Location', cell: ({ locationName }) => locationName ?? '–' },
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
    { name: 'Reason', cell: ({ reason, notes }) => [reason, notes].filter(Boolean).join(' · ') || '–' },
  ]
  const choice = useColumnChoice('past-adjustments', columns)
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
          onSearch={(search, { replace }) => setFilter({ search }, replace)}
        />
        <div className={classes.days}>
          <DateRange
            value={{ startDate, endDate }}
            onChange={(days) => setFilter(days, startDate !== undefined || endDate !== undefined)}
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
      <DataList
        label="Past adjustments"
        query={query}
        columns={choice.shown}
        keyOf={({ id }) => id}
        hasBar
        choice={choice}
        sort={{
          value: sort,
          first: 'newest',
          options: ageSorts,
          onSort: (chosen) => setFilter({ sort: chosen === 'oldest' ? chosen : undefined }),
        }}
        views={
          <SavedViews
            list="past-adjustments"
            now={{ query: queryOf(asked), columns: choice.chosen }}
            onShow={(view) => {
              choice.choose(view.columns)
              void navigate({ search: readPastFilter(Object.fromEntries(new URLSearchParams(view.query))) })
            }}
          />
        }
        empty={
          Object.keys(filter).length > 0
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
