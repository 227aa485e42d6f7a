import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { AbcClass, AbcVariant } from '../../../../../shared/schemas/reports.ts'
import { listing } from '../../../api/queries.ts'
import { Choices } from '../../../components/forms/choices.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { DataList } from '../../../components/tables/data-list.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { Badge, type Look } from '../../../components/tables/status-badge.tsx'
import { ChartCard } from '../charts/chart-card.tsx'
import { legendHeight, Pareto } from '../charts/lazy.ts'
import { abcClasses } from '../filter.ts'
import { ReportPage } from '../report-page.tsx'

const route = getRouteApi('/reports/abc')

const looks: Record<AbcClass, Look> = { A: ['A', 'good'], B: ['B', 'info'], C: ['C', 'quiet'] }

const maxBars = 20
const chartHeight = 280

const columnsOf = (format: ReturnType<typeof useFormat>): Column<AbcVariant>[] => [
  { name: 'Product', cell: ({ title, sku }) => <ProductName title={title} sku={sku} /> },
  { name: 'Class', cell: ({ abcClass }) => <Badge look={looks[abcClass]} /> },
  { name: 'Sold', cell: ({ unitsSold }) => format.count(unitsSold), isNumber: true },
  { name: 'Revenue', cell: ({ revenue }) => format.money(revenue), isNumber: true },
  { name: 'Share', cell: ({ share }) => format.percent(share), isNumber: true },
  { name: 'Share so far', cell: ({ cumulativeShare }) => format.percent(cumulativeShare), isNumber: true },
]

export function AbcReport() {
  const { class: chosenClass } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(listing('GET /reports/abc', { query: { class: chosenClass } }))
  const earning = query.data?.pages[0]?.records.filter(({ revenue }) => revenue > 0).slice(0, maxBars)
  return (
    <ReportPage
      title="ABC classes"
      meaning={
        <p>
          Products by what 90 days of sales are worth at the price of now. Those that make up the first 80 %
          are A, those up to 95 % B, the rest C. Classes change at night.
        </p>
      }
      actions={<CsvButton path="/reports/abc" query={{ class: chosenClass }} name="abc" />}
      filters={
        <Choices
          label="Class"
          options={[
            { name: 'All', value: undefined },
            ...abcClasses.map((value) => ({ name: value, value })),
          ]}
          value={chosenClass}
          onChange={(chosen) =>
            navigate({ search: (now) => ({ ...now, class: chosen }), resetScroll: false })
          }
        />
      }
      isStale={query.isPlaceholderData}
    >
      {earning?.length !== 0 && !query.error && (
        <ChartCard
          title="What earns most"
          label="Revenue as a bar for each product, and the share of all that they make up together as a line."
          height={chartHeight + legendHeight}
          isPending={query.isPending}
        >
          <Pareto variants={earning ?? []} height={chartHeight} />
        </ChartCard>
      )}
      <DataList
        label="Products by what they earn"
        query={query}
        columns={columnsOf(useFormat())}
        keyOf={({ variantId }) => variantId}
        empty={
          chosenClass
            ? { title: `No product is in class ${chosenClass}`, text: 'Choose another class.' }
            : {
                title: 'No classes yet',
                text: 'They are worked out in the night after your products were read.',
              }
        }
      />
    </ReportPage>
  )
}
