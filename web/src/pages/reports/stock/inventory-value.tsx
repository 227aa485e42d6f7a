import { Text } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { InventoryValue } from '../../../../../shared/schemas/reports.ts'
import { listQuery } from '../../../api/queries.ts'
import { requestAll } from '../../../api/request.ts'
import type { Days } from '../../../components/pickers/date-range.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { DataList } from '../../../components/tables/data-list.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { ChartCard } from '../charts/chart-card.tsx'
import { legendHeight, ValueAreas } from '../charts/lazy.ts'
import { toValueDays } from '../charts/value-days.ts'
import { PeriodFilter, useLast30Days } from '../period-filter.tsx'
import { ReportPage } from '../report-page.tsx'

const route = getRouteApi('/reports/inventory-value')

const columnsOf = (format: ReturnType<typeof useFormat>): Column<InventoryValue>[] => [
  { name: 'Day', cell: ({ date }) => format.calendarDay(date) },
  { name: 'Location', cell: ({ locationName }) => locationName },
  { name: 'Pieces', cell: ({ quantity }) => format.count(quantity), isNumber: true },
  { name: 'Unknown cost', cell: ({ uncostedQuantity }) => format.count(uncostedQuantity), isNumber: true },
  { name: 'Value', cell: ({ value }) => format.money(value), isNumber: true },
]

export function InventoryValueReport() {
  const { startDate, endDate } = route.useSearch()
  const navigate = route.useNavigate()
  const last30Days = useLast30Days()
  const days = startDate || endDate ? { startDate, endDate } : last30Days
  const query = useInfiniteQuery(listQuery('GET /reports/inventory-value', { query: days }))
  return (
    <ReportPage
      title="Inventory value"
      meaning={
        <p>
          Pieces in stock at their unit cost. Pieces of unknown cost are not in the value. One value per day,
          recorded overnight. Today is live.
        </p>
      }
      actions={<CsvButton path="/reports/inventory-value" query={days} name="inventory-value" />}
      filters={
        <PeriodFilter
          value={days}
          onChange={(chosen) => navigate({ search: (now) => ({ ...now, ...chosen }), resetScroll: false })}
          without="All time"
        />
      }
      isStale={query.isPlaceholderData}
    >
      <ValueChart days={days} />
      <DataList
        label="Inventory value by day and location"
        query={query}
        columns={columnsOf(useFormat())}
        keyOf={({ date, locationId }) => `${date} ${locationId}`}
        empty={{
          title: 'No values recorded for these dates',
          text: 'Choose later dates. Values are recorded daily since you installed the app.',
        }}
      />
    </ReportPage>
  )
}

const chartHeight = 280
/** Pages of 250 rows: 16 of them hold one year of ten locations (3,650 rows). */
const maxPages = 16

/** Reads all pages, since the chart needs every day; the table below loads page by page. */
function ValueChart({ days }: { days: Days }) {
  const format = useFormat()
  const { data, isPending } = useQuery({
    queryKey: ['reports', 'inventory-value', 'whole', days],
    queryFn: ({ signal }) => requestAll('GET /reports/inventory-value', { query: days, signal }, maxPages),
    placeholderData: keepPreviousData,
  })
  const values = useMemo(() => toValueDays(data?.records ?? []), [data])
  const first = values.days[0]?.date
  // one day makes no line, and the table shows the error of a failed request
  if (!isPending && values.days.length < 2) return null
  return (
    <ChartCard
      title="By location"
      label="Area chart of stock value by day and location."
      height={chartHeight + legendHeight}
      isPending={isPending}
      note={
        data?.isComplete === false &&
        first && (
          <Text size="sm" c="dimmed" mt="xs">
            The chart starts on {format.calendarDay(first)}. Choose a shorter period to see earlier days.
          </Text>
        )
      }
    >
      <ValueAreas values={values} height={chartHeight} />
    </ChartCard>
  )
}
