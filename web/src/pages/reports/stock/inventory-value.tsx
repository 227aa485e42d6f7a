import { Text } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { InventoryValue } from '../../../../../shared/schemas/reports.ts'
import { listing } from '../../../api/queries.ts'
import { requestWhole } from '../../../api/request.ts'
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
  { name: 'Of unknown cost', cell: ({ uncostedQuantity }) => format.count(uncostedQuantity), isNumber: true },
  { name: 'Value', cell: ({ value }) => format.money(value), isNumber: true },
]

export function InventoryValueReport() {
  const { startDate, endDate } = route.useSearch()
  const navigate = route.useNavigate()
  const last30Days = useLast30Days()
  const days = startDate || endDate ? { startDate, endDate } : last30Days
  const query = useInfiniteQuery(listing('GET /reports/inventory-value', { query: days }))
  return (
    <ReportPage
      title="Inventory value"
      meaning={
        <p>
          Pieces in stock at the cost that was paid on their last receipt. Pieces of unknown cost are counted,
          and not in the value. Each day is written down at night; today is as it is now.
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
          title: 'Nothing was written down in these days',
          text: 'Choose later days: there is a value for each day since the app was installed.',
        }}
      />
    </ReportPage>
  )
}

const chartHeight = 280
/** Of 250 rows each: more than a year of ten locations. */
const maxPages = 16

function ValueChart({ days }: { days: Days }) {
  const format = useFormat()
  const { data, isPending } = useQuery({
    queryKey: ['reports', 'inventory-value', 'whole', days],
    queryFn: ({ signal }) => requestWhole('GET /reports/inventory-value', { query: days, signal }, maxPages),
    placeholderData: keepPreviousData,
  })
  const values = useMemo(() => toValueDays(data?.records ?? []), [data])
  const first = values.days[0]?.date
  // of one day there is no line, and when it fails the table says so
  if (!isPending && values.days.length < 2) return null
  return (
    <ChartCard
      title="By location"
      label="What the stock was worth day by day, as an area for each location."
      height={chartHeight + legendHeight}
      isPending={isPending}
      note={
        data?.isWhole === false &&
        first && (
          <Text size="sm" c="dimmed" mt="xs">
            The drawing begins on {format.calendarDay(first)}: choose fewer days to see those before.
          </Text>
        )
      }
    >
      <ValueAreas values={values} height={chartHeight} />
    </ChartCard>
  )
}
