import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { DeadStock } from '../../../../../shared/schemas/reports.ts'
import { listing } from '../../../api/queries.ts'
import { Choices } from '../../../components/forms/choices.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { DataList } from '../../../components/tables/data-list.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { deadAfter } from '../filter.ts'
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
    name: 'Days ago',
    cell: ({ daysSinceSold }) => (daysSinceSold === null ? '—' : format.count(daysSinceSold)),
    isNumber: true,
  },
]

export function DeadStockReport() {
  const { days = 90 } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(listing('GET /reports/dead-stock', { query: { days } }))
  const format = useFormat()
  return (
    <ReportPage
      title="Dead stock"
      meaning={
        <p>
          What is in stock and was not sold in the last {format.days(days)}, today included: never sold first,
          then sold longest ago. Its value is at the cost that was paid last, and not known before something
          was received.
        </p>
      }
      actions={<CsvButton path="/reports/dead-stock" query={{ days }} name="dead-stock" />}
      filters={
        <Choices
          label="Not sold for"
          options={deadAfter.map((value) => ({ name: format.days(value), value }))}
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
          text: `All that is in stock was sold in the last ${format.days(days)}. Products that are new are looked at in the night after.`,
        }}
      />
    </ReportPage>
  )
}
