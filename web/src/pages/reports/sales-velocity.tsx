import { Text } from '@mantine/core'
import type { SalesPeriod, SalesVelocity } from '../../../../shared/schemas/reports.ts'
import { Choices } from '../../components/forms/choices.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { Badge } from '../../components/tables/status-badge.tsx'
import { ChartCard } from './charts/chart-card.tsx'
import { RankedBars, rankedBarsHeight } from './charts/lazy.ts'
import { readSalesFilter, salesPeriods } from './filter.ts'
import { report } from './report.tsx'
import { productColumn } from './report-rows.tsx'

const periodNames: Record<SalesPeriod, string> = { '7d': '7 days', '30d': '30 days', '90d': '90 days' }

const daysOf: Record<SalesPeriod, number> = { '7d': 7, '30d': 30, '90d': 90 }

const maxBars = 10
/** Fewer days say too little about a product. */
const minKnownDays = 7

export const SalesVelocityReport = report({
  path: '/reports/sales-velocity',
  title: 'Sales velocity',
  read: readSalesFilter,
  fill: (chosen) => ({ ...chosen, period: chosen.period ?? '30d' }),
  isOfProducts: true,
  csvName: ({ period }) => `sales-velocity-${period}`,
  meaning: ({ filter }) => (
    <p>
      Sold: pieces ordered in the last {periodNames[filter.period]}, including today, without those cancelled
      before they were shipped. Returned pieces stay sold. Per day: sold pieces divided by the days known, at
      least {minKnownDays}: those since the first stock or sale of a new product, and since your shop’s sales
      are known. Days of stock: current stock divided by sales per day. “—” means no sales in the period.
    </p>
  ),
  filters: ({ filter, setFilter }) => (
    <Choices
      label="Period"
      options={salesPeriods.map((value) => ({ name: periodNames[value], value }))}
      value={filter.period}
      onChange={(period) => setFilter({ period })}
    />
  ),
  columns: (format, { period }) => [
    productColumn,
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
          `${periodDays} of ${daysOf[period]}`
        ),
    },
  ],
  keyOf: ({ variantId }) => variantId,
  above: ({ data, error, isPending }, { filter: { period } }) => (
    <>
      <KnownDays since={data?.pages[0]?.records[0]?.knownSince ?? null} days={daysOf[period]} />
      {!error && <BestSellers first={data?.pages[0]?.records} period={period} isPending={isPending} />}
    </>
  ),
  empty: () => ({
    title: 'No sales data yet',
    text: 'You’ll see a product here after its first sale, or after the nightly update that follows its import.',
  }),
})

/** Whole days from an instant to now. */
const daysSince = (instant: string) => Math.floor((Date.now() - Date.parse(instant)) / 86_400_000)

function KnownDays({ since, days }: { since: string | null; days: number }) {
  const format = useFormat()
  const knownDays = since === null ? days : daysSince(since)
  if (knownDays >= days) return null
  return (
    <Text role="note">
      {knownDays} of {days} days known: the sales of your shop are known since {format.day(since)}.
    </Text>
  )
}

type BestSellerProps = {
  first: readonly SalesVelocity[] | undefined
  period: SalesPeriod
  isPending: boolean
}

/** The list is sorted by pieces sold, so its first page has them. */
function BestSellers({ first, period, isPending }: BestSellerProps) {
  const format = useFormat()
  const sold = first?.filter(({ unitsSold }) => unitsSold > 0).slice(0, maxBars)
  if (sold?.length === 0) return null
  const chartHeight = rankedBarsHeight(sold?.length ?? maxBars)
  return (
    <ChartCard
      title="Best sellers"
      label={`Bar chart of pieces sold by product in the last ${periodNames[period]}.`}
      height={chartHeight}
      isPending={isPending}
    >
      <RankedBars
        rows={(sold ?? []).map(({ title, unitsSold }) => ({ name: title, value: unitsSold }))}
        label="Sold"
        formatValue={format.count}
        height={chartHeight}
      />
    </ChartCard>
  )
}
