import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { LostSale } from '../../../../../shared/schemas/planning.ts'
import { listQuery } from '../../../api/queries.ts'
import { Choices } from '../../../components/forms/choices.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { lostPeriods, readLostSaleFilter } from '../filter.ts'
import { useReportAddress } from '../report-address.ts'
import { ReportList, ReportSearch } from '../report-list.tsx'
import { ReportPage } from '../report-page.tsx'

const route = getRouteApi('/reports/lost-sales')

const columnsOf = (format: Format): Column<LostSale>[] => [
  {
    name: 'Product',
    cell: ({ title, sku, variantId }) => <ProductName title={title} sku={sku} variantId={variantId} />,
  },
  {
    name: 'Without stock',
    cell: ({ daysWithoutStock, daysKnown }) =>
      `${format.count(daysWithoutStock)} of ${format.days(daysKnown)}`,
    isNumber: true,
  },
  { name: 'Sold', cell: ({ soldUnits }) => format.count(soldUnits), isNumber: true },
  { name: 'Not sold', cell: ({ lostUnits }) => format.count(lostUnits), isNumber: true },
  {
    name: 'Lost revenue',
    cell: ({ lostRevenue }) => (lostRevenue === null ? '—' : format.money(lostRevenue)),
    isNumber: true,
  },
]

/** What was not sold for lack of stock. */
export function LostSaleReport() {
  const { filter: chosen, setFilter, show } = useReportAddress(route, readLostSaleFilter)
  const { period = '90d' } = chosen
  const filter = { ...chosen, period }
  const format = useFormat()
  const query = useInfiniteQuery(listQuery('GET /reports/lost-sales', { query: { ...filter, count: true } }))
  const days = Number.parseInt(period, 10)
  return (
    <ReportPage
      title="Lost sales"
      meaning={
        <p>
          Products that had no stock at any location in the last {format.days(days)} before today. Each of
          these days counts what the forecast expected for it, or, without a forecast, what the product sells
          on a day in stock. Revenue is at the current price, and is “—” without one.
        </p>
      }
      actions={<CsvButton path="/reports/lost-sales" query={filter} name="lost-sales" />}
      filters={
        <>
          <Choices
            label="Period"
            options={lostPeriods.map((value) => ({ name: format.days(Number.parseInt(value, 10)), value }))}
            value={period}
            onChange={(chosen) => setFilter({ period: chosen })}
          />
          <ReportSearch value={filter} onChange={setFilter} />
        </>
      }
      isStale={query.isPlaceholderData}
    >
      <ReportList
        list="lost-sales"
        label="Lost sales"
        query={query}
        columns={columnsOf(format)}
        keyOf={({ variantId }) => variantId}
        filter={filter}
        onChange={setFilter}
        onShow={show}
        empty={{
          title: 'No sales were lost',
          text: `No product that sells was without stock in the last ${format.days(days)}. The report is updated every night.`,
        }}
      />
    </ReportPage>
  )
}
