import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { AbcClass, AbcVariant } from '../../../../../shared/schemas/reports.ts'
import { listQuery } from '../../../api/queries.ts'
import { Choices } from '../../../components/forms/choices.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import type { Look } from '../../../components/tables/looks.ts'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { Badge } from '../../../components/tables/status-badge.tsx'
import { ChartCard } from '../charts/chart-card.tsx'
import { legendHeight, Pareto } from '../charts/lazy.ts'
import { abcClasses, readAbcFilter } from '../filter.ts'
import { useReportAddress } from '../report-address.ts'
import { ReportList, ReportSearch } from '../report-list.tsx'
import { ReportPage } from '../report-page.tsx'

const route = getRouteApi('/reports/abc')

const looks: Record<AbcClass, Look> = { A: ['A', 'good'], B: ['B', 'info'], C: ['C', 'quiet'] }

const maxBars = 20
const chartHeight = 280

const columnsOf = (format: Format): Column<AbcVariant>[] => [
  {
    name: 'Product',
    cell: ({ title, sku, variantId }) => <ProductName title={title} sku={sku} variantId={variantId} />,
  },
  { name: 'Class', cell: ({ abcClass }) => (abcClass === null ? '—' : <Badge look={looks[abcClass]} />) },
  { name: 'Sold', cell: ({ unitsSold }) => format.count(unitsSold), isNumber: true },
  { name: 'Revenue', cell: ({ revenue }) => format.money(revenue), isNumber: true },
  { name: 'Share', cell: ({ share }) => format.percent(share), isNumber: true },
  {
    name: 'Cumulative share',
    cell: ({ cumulativeShare }) => format.percent(cumulativeShare),
    isNumber: true,
  },
]

export function AbcReport() {
  const { filter, setFilter, show } = useReportAddress(route, readAbcFilter)
  const { class: chosenClass } = filter
  const query = useInfiniteQuery(listQuery('GET /reports/abc', { query: filter }))
  const sold = query.data?.pages[0]?.records.filter(({ revenue }) => revenue > 0)
  const topProducts = sold?.slice(0, maxBars)
  return (
    <ReportPage
      title="ABC classes"
      meaning={
        <p>
          Products by revenue: what the orders of the last 90 days brought after discounts, without what was
          cancelled. A: top 80 % of revenue. B: next 15 %. C: the rest. “—”: fewer than 7 days of sales are
          known. Updated nightly.
        </p>
      }
      actions={<CsvButton path="/reports/abc" query={filter} name="abc" />}
      filters={
        <>
          <Choices
            label="Class"
            options={[
              { name: 'All', value: undefined },
              ...abcClasses.map((value) => ({ name: value, value })),
            ]}
            value={chosenClass}
            onChange={(chosen) => setFilter({ class: chosen })}
          />
          <ReportSearch value={filter} onChange={setFilter} />
        </>
      }
      isStale={query.isPlaceholderData}
    >
      {topProducts?.length !== 0 && !query.error && (
        <ChartCard
          title={
            sold && sold.length > maxBars ? `Top ${maxBars} products by revenue` : 'Top products by revenue'
          }
          label="Chart of revenue by product as bars, and of the cumulative share of total revenue as a line."
          height={chartHeight + legendHeight}
          isPending={query.isPending}
        >
          <Pareto variants={topProducts ?? []} height={chartHeight} />
        </ChartCard>
      )}
      <ReportList
        list="abc"
        label="Products by revenue"
        query={query}
        columns={columnsOf(useFormat())}
        keyOf={({ variantId }) => variantId}
        filter={filter}
        onChange={setFilter}
        onShow={show}
        empty={
          chosenClass
            ? {
                title: `No products in class ${chosenClass}`,
                text: 'Choose another class, or clear a filter.',
              }
            : {
                title: 'No classes yet',
                text: 'Classes are calculated in the first nightly update after your products are imported.',
              }
        }
      />
    </ReportPage>
  )
}
