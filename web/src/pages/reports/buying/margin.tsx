import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Margin } from '../../../../../shared/schemas/reports.ts'
import { listQuery } from '../../../api/queries.ts'
import { Choices } from '../../../components/forms/choices.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { readMarginFilter } from '../filter.ts'
import { PeriodFilter, useLast30Days } from '../period-filter.tsx'
import { useReportAddress } from '../report-address.ts'
import { ReportList, ReportSearch } from '../report-list.tsx'
import { ReportPage } from '../report-page.tsx'

const route = getRouteApi('/reports/margin')

const columnsOf = (format: Format): Column<Margin>[] => [
  {
    name: 'Product',
    cell: ({ title, sku, variantId }) =>
      variantId === null ? title : <ProductName title={title} sku={sku} variantId={variantId} />,
  },
  { name: 'Sold', cell: ({ netUnits }) => format.count(netUnits), isNumber: true },
  { name: 'Revenue', cell: ({ revenue }) => format.money(revenue), isNumber: true },
  { name: 'Cost', cell: ({ cost }) => (cost === null ? '—' : format.money(cost)), isNumber: true },
  { name: 'Margin', cell: ({ margin }) => (margin === null ? '—' : format.money(margin)), isNumber: true },
  {
    name: 'Margin %',
    cell: ({ marginPercent }) => (marginPercent === null ? '—' : format.percent(marginPercent / 100)),
    isNumber: true,
  },
  { name: 'Unknown cost', cell: ({ uncostedUnits }) => format.count(uncostedUnits), isNumber: true },
]

/** What sales earned after what the goods cost. */
export function MarginReport() {
  const { filter: chosen, setFilter, show } = useReportAddress(route, readMarginFilter)
  const { startDate, endDate, groupBy } = chosen
  const last30Days = useLast30Days()
  const days = startDate || endDate ? { startDate, endDate } : last30Days
  const filter = { ...chosen, ...days }
  const query = useInfiniteQuery(listQuery('GET /reports/margin', { query: filter }))
  return (
    <ReportPage
      title="Margin"
      meaning={
        <p>
          Revenue of the pieces sold in this period, after discounts, without tax and without returns, less
          their average cost at the time of the sale. Pieces of unknown cost are counted apart, and are in
          neither cost nor margin. Sales and returns of the last 7, 30 and 90 days count a few seconds after
          they happen.
        </p>
      }
      actions={<CsvButton path="/reports/margin" query={filter} name="margin" />}
      filters={
        <>
          <PeriodFilter value={days} onChange={setFilter} without="All time" />
          <Choices
            label="Rows"
            options={[
              { name: 'By variant', value: undefined },
              { name: 'By product', value: 'product' as const },
            ]}
            value={groupBy}
            onChange={(rows) => setFilter({ groupBy: rows })}
          />
          <ReportSearch value={chosen} onChange={setFilter} />
        </>
      }
      isStale={query.isPlaceholderData}
    >
      <ReportList
        list="margin"
        label="Margin"
        query={query}
        columns={columnsOf(useFormat())}
        keyOf={({ productId, variantId }) => variantId ?? productId}
        filter={chosen}
        onChange={setFilter}
        onShow={show}
        empty={{ title: 'No sales in these days', text: 'Choose other dates.' }}
      />
    </ReportPage>
  )
}
