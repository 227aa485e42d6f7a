import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { DeadStock } from '../../../../../shared/schemas/reports.ts'
import { listQuery } from '../../../api/queries.ts'
import { Choices } from '../../../components/forms/choices.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { deadStockDays, readDeadStockFilter } from '../filter.ts'
import { useReportAddress } from '../report-address.ts'
import { ReportList, ReportSearch } from '../report-list.tsx'
import { ReportPage } from '../report-page.tsx'

const route = getRouteApi('/reports/dead-stock')

const columnsOf = (format: Format): Column<DeadStock>[] => [
  {
    name: 'Product',
    cell: ({ title, sku, variantId }) => <ProductName title={title} sku={sku} variantId={variantId} />,
  },
  { name: 'Available', cell: ({ currentStock }) => format.count(currentStock), isNumber: true },
  { name: 'On hand', cell: ({ onHand }) => format.count(onHand), isNumber: true },
  {
    name: 'Unit cost',
    cell: ({ unitCost }) => (unitCost === null ? '—' : format.cost(unitCost)),
    isNumber: true,
  },
  { name: 'Value', cell: ({ value }) => (value === null ? '—' : format.money(value)), isNumber: true },
  {
    name: 'Last sold',
    cell: ({ lastSoldAt, knownSince }) => {
      if (lastSoldAt !== null) return format.day(lastSoldAt)
      return knownSince === null ? 'Never' : `Not since ${format.day(knownSince)}`
    },
  },
  {
    name: 'Days since sale',
    cell: ({ daysSinceSold }) => (daysSinceSold === null ? '—' : format.count(daysSinceSold)),
    isNumber: true,
  },
]

export function DeadStockReport() {
  const { filter: chosen, setFilter, show } = useReportAddress(route, readDeadStockFilter)
  const { days = 90 } = chosen
  const filter = { ...chosen, days }
  const query = useInfiniteQuery(listQuery('GET /reports/dead-stock', { query: { ...filter, count: true } }))
  const format = useFormat()
  return (
    <ReportPage
      title="Dead stock"
      meaning={
        <p>
          Products in stock without a sale in the last {format.days(days)}, including today: never sold first,
          then the longest without a sale. Products that are newer, and those whose sales are not known for
          that long, are left out. Value is that of the pieces on hand at their average cost, and is “—” while
          that is unknown.
        </p>
      }
      actions={<CsvButton path="/reports/dead-stock" query={filter} name="dead-stock" />}
      filters={
        <>
          <Choices
            label="Not sold for"
            options={deadStockDays.map((value) => ({ name: format.days(value), value }))}
            value={days}
            onChange={(chosen) => setFilter({ days: chosen })}
          />
          <ReportSearch value={filter} onChange={setFilter} />
        </>
      }
      isStale={query.isPlaceholderData}
    >
      <ReportList
        list="dead-stock"
        label="Dead stock"
        query={query}
        columns={columnsOf(format)}
        keyOf={({ variantId }) => variantId}
        filter={filter}
        onChange={setFilter}
        onShow={show}
        empty={{
          title: 'No dead stock',
          text: `All products in stock sold in the last ${format.days(days)}, or are newer, or their sales are not known for that long.`,
        }}
      />
    </ReportPage>
  )
}
