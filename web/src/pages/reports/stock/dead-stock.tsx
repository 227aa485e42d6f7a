import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { DeadStock } from '../../../../../shared/schemas/reports.ts'
import { listQuery } from '../../../api/queries.ts'
import { Choices } from '../../../components/forms/choices.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { DataList } from '../../../components/tables/data-list.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { deadStockDays } from '../filter.ts'
import { ReportPage } from '../report-page.tsx'

const route = getRouteApi('/reports/dead-stock')

const columnsOf = (format: ReturnType<typeof useFormat>): Column<DeadStock>[] => [
  { name: 'Product', cell: ({ title, sku }) => <ProductName title={title} sku={sku} /> },
  { name: 'In stock', cell: ({ currentStock }) => format.count(currentStock), isNumber: true },
  {
    name: 'Unit cost',
    cell: ({ unitCost }) => (unitCost === null ? '—' : format.cost(unitCost)),
    isNumber: true,
  },
  { name: 'Value', cell: ({ value }) => (value === null ? '—' : format.money(value)), isNumber: true },
  {
    name: 'Last sold',
    cell: ({ lastSoldAt }) => (lastSoldAt === null ? 'Never' : format.day(lastSoldAt)),
  },
  {
    name: 'Days since sale',
    cell: ({ daysSinceSold }) => (daysSinceSold === null ? '—' : format.count(daysSinceSold)),
    isNumber: true,
  },
]

export function DeadStockReport() {
  const { days = 90 } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(listQuery('GET /reports/dead-stock', { query: { days } }))
  const format = useFormat()
  return (
    <ReportPage
      title="Dead stock"
      meaning={
        <p>
          Products in stock without a sale in the last {format.days(days)}, including today: never sold first,
          then the longest without a sale. Value uses the unit cost of the last receipt, and is “—” before the
          first receipt.
        </p>
      }
      actions={<CsvButton path="/reports/dead-stock" query={{ days }} name="dead-stock" />}
      filters={
        <Choices
          label="Not sold for"
          options={deadStockDays.map((value) => ({ name: format.days(value), value }))}
          value={days}
          onChange={(chosen) => navigate({ search: (now) => ({ ...now, days: chosen }), resetScroll: false })}
        />
      }
      isStale={query.isPlaceholderData}
    >
      <DataList
        label="Dead stock"
        query={query}
        columns={columnsOf(format)}
        keyOf={({ variantId }) => variantId}
        empty={{
          title: 'No dead stock',
          text: `All products in stock sold in the last ${format.days(days)}. New products are included after the nightly update.`,
        }}
      />
    </ReportPage>
  )
}
