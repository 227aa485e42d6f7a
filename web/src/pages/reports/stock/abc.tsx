import type { AbcClass, AbcVariant } from '../../../../../shared/schemas/reports.ts'
import { Choices } from '../../../components/forms/choices.tsx'
import type { Look } from '../../../components/tables/looks.ts'
import { Badge } from '../../../components/tables/status-badge.tsx'
import { ChartCard } from '../charts/chart-card.tsx'
import { legendHeight, Pareto } from '../charts/lazy.ts'
import { abcClasses, readAbcFilter } from '../filter.ts'
import { report } from '../report.tsx'
import { productColumn } from '../report-rows.tsx'

const looks: Record<AbcClass, Look> = { A: ['A', 'good'], B: ['B', 'info'], C: ['C', 'quiet'] }

const maxBars = 20
const chartHeight = 280

export const AbcReport = report({
  path: '/reports/abc',
  title: 'ABC classes',
  label: 'Products by revenue',
  read: readAbcFilter,
  isOfProducts: true,
  meaning: () => (
    <p>
      Products by revenue: what the orders of the last 90 days brought after discounts, without what was
      cancelled. A: top 80 % of revenue. B: next 15 %. C: the rest. “—”: fewer than 7 days of sales are known.
      Updated nightly.
    </p>
  ),
  filters: ({ filter, setFilter }) => (
    <Choices
      label="Class"
      options={[{ name: 'All', value: undefined }, ...abcClasses.map((value) => ({ name: value, value }))]}
      value={filter.class}
      onChange={(chosen) => setFilter({ class: chosen })}
    />
  ),
  columns: (format) => [
    productColumn,
    { name: 'Class', cell: ({ abcClass }) => (abcClass === null ? '—' : <Badge look={looks[abcClass]} />) },
    { name: 'Sold', cell: ({ unitsSold }) => format.count(unitsSold), isNumber: true },
    { name: 'Revenue', cell: ({ revenue }) => format.money(revenue), isNumber: true },
    { name: 'Share', cell: ({ share }) => format.percent(share), isNumber: true },
    {
      name: 'Cumulative share',
      cell: ({ cumulativeShare }) => format.percent(cumulativeShare),
      isNumber: true,
    },
  ],
  keyOf: ({ variantId }) => variantId,
  above: ({ data, error, isPending }) =>
    !error && <TopProducts first={data?.pages[0]?.records} isPending={isPending} />,
  empty: ({ filter }) =>
    filter.class
      ? { title: `No products in class ${filter.class}`, text: 'Choose another class, or clear a filter.' }
      : {
          title: 'No classes yet',
          text: 'Classes are calculated in the first nightly update after your products are imported.',
        },
})

type TopProps = { first: readonly AbcVariant[] | undefined; isPending: boolean }

/** The first page has the products with the highest revenue. */
function TopProducts({ first, isPending }: TopProps) {
  const sold = first?.filter(({ revenue }) => revenue > 0)
  if (sold?.length === 0) return null
  return (
    <ChartCard
      title={sold && sold.length > maxBars ? `Top ${maxBars} products by revenue` : 'Top products by revenue'}
      label="Chart of revenue by product as bars, and of the cumulative share of total revenue as a line."
      height={chartHeight + legendHeight}
      isPending={isPending}
    >
      <Pareto variants={sold?.slice(0, maxBars) ?? []} height={chartHeight} />
    </ChartCard>
  )
}
