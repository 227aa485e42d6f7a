import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { SalesVelocity } from '../../../../shared/schemas/reports.ts'
import { listQuery } from '../../api/queries.ts'
import { Choices } from '../../components/forms/choices.tsx'
import { useFormat } from '../../components/shop/format.ts'
import type { Format } from '../../components/shop/formats.ts'
import { CsvButton } from '../../components/tables/csv-button.tsx'
import { ProductName } from '../../components/tables/product-name.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { Badge } from '../../components/tables/status-badge.tsx'
import { ChartCard } from './charts/chart-card.tsx'
import { RankedBars, rankedBarsHeight } from './charts/lazy.ts'
import { readSalesFilter, salesPeriods } from './filter.ts'
import { useReportAddress } from './report-address.ts'
import { ReportList, ReportSearch } from './report-list.tsx'
import { ReportPage } from './report-page.tsx'

const route = getRouteApi('/reports/sales-velocity')

const periodNames = { '7d': '7 days', '30d': '30 days', '90d': '90 days' } as const

const daysOf = { '7d': 7, '30d': 30, '90d': 90 } as const

const maxBars = 10
/** Fewer days say too little about a product. */
const minKnownDays = 7

const columnsOf = (format: Format, days: number): Column<SalesVelocity>[] => [
  {
    name: 'Product',
    cell: ({ title, sku, variantId }) => <ProductName title={title} sku={sku} variantId={variantId} />,
  },
  { name: 'Sold', cell: ({ unitsSold }) => format.count(unitsSold), isNumber: true },
  { name: 'Returned', cell: ({ returnedUnits }) => format.count(returnedUnits), isNumber: true },
  { name: 'Per day', cell: ({ avgDailySales }) => format.count(avgDailySales), isNumber: true },
  { name: 'Available', cell: ({ currentStock }) => format.count(currentStock), isNumber: true },
  {
    name: 'Days of stock',
    cell: ({ daysOfStockRemaining: days }) => (days === null ? '—' : format.count(days)),
    isNumber: true,
  },
  {
    name: 'Days known',
    cell: ({ periodDays, confidence }) =>
      confidence === 'low' ? (
        <Badge look={[`Fewer than ${minKnownDays}`, 'waiting']} />
      ) : (
        `${periodDays} of ${days}`
      ),
  },
]

/** Whole days from an instant to now. */
const daysSince = (instant: string) => Math.floor((Date.now() - Date.parse(instant)) / 86_400_000)

export function SalesVelocityReport() {
  const { filter: chosen, setFilter, show } = useReportAddress(route, readSalesFilter)
  const { period = '30d' } = chosen
  const filter = { ...chosen, period }
  const query = useInfiniteQuery(listQuery('GET /reports/sales-velocity', { query: filter }))
  const format = useFormat()
  const days = daysOf[period]
  const knownSince = query.data?.pages[0]?.records[0]?.knownSince ?? null
  const knownDays = knownSince === null ? days : daysSince(knownSince)
  // the list is sorted by pieces sold
  const bestSellers = query.data?.pages[0]?.records.filter(({ unitsSold }) => unitsSold > 0).slice(0, maxBars)
  const chartHeight = rankedBarsHeight(bestSellers?.length ?? maxBars)
  return (
    <ReportPage
      title="Sales velocity"
      meaning={
        <p>
          Sold: pieces ordered in the last {periodNames[period]}, including today, without those cancelled
          before they were shipped. Returned pieces stay sold. Per day: sold pieces divided by the days known,
          at least {minKnownDays}: those since the first stock or sale of a new product, and since your shop’s
          sales are known. Days of stock: current stock divided by sales per day. “—” means no sales in the
          period.
        </p>
      }
      actions={<CsvButton path="/reports/sales-velocity" query={filter} name={`sales-velocity-${period}`} />}
      filters={
        <>
          <Choices
            label="Period"
            options={salesPeriods.map((value) => ({ name: periodNames[value], value }))}
            value={period}
            onChange={(chosen) => setFilter({ period: chosen })}
          />
          <ReportSearch value={filter} onChange={setFilter} />
        </>
      }
      isStale={query.isPlaceholderData}
    >
      {knownDays < days && (
        <Text role="note">
          {knownDays} of {days} days known: the sales of your shop are known since {format.day(knownSince)}.
        </Text>
      )}
      {bestSellers?.length !== 0 && !query.error && (
        <ChartCard
          title="Best sellers"
          label={`Bar chart of pieces sold by product in the last ${periodNames[period]}.`}
          height={chartHeight}
          isPending={query.isPending}
        >
          <RankedBars
            rows={(bestSellers ?? []).map(({ title, unitsSold }) => ({ name: title, value: unitsSold }))}
            label="Sold"
            formatValue={format.count}
            height={chartHeight}
          />
        </ChartCard>
      )}
      <ReportList
        list="sales-velocity"
        label="Sales velocity"
        query={query}
        columns={columnsOf(format, days)}
        keyOf={({ variantId }) => variantId}
        filter={filter}
        onChange={setFilter}
        onShow={show}
        empty={{
          title: 'No sales data yet',
          text: 'You’ll see a product here after its first sale, or after the nightly update that follows its import.',
        }}
      />
    </ReportPage>
  )
}
