import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { StockGap } from '../../../../../shared/schemas/planning.ts'
import { listQuery } from '../../../api/queries.ts'
import { readProductSearch } from '../../../components/pickers/product-filter.ts'
import { useFormat } from '../../../components/shop/format.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { useReportAddress } from '../report-address.ts'
import { ReportList, ReportSearch } from '../report-list.tsx'
import { ReportPage } from '../report-page.tsx'
import { CureText } from './cure-text.tsx'

const route = getRouteApi('/reports/stock-gaps')

const columnsOf = (format: Format): Column<StockGap>[] => [
  {
    name: 'Product',
    cell: ({ title, sku, variantId, locationName }) => (
      <div>
        <ProductName title={title} sku={sku} variantId={variantId} />
        {locationName !== null && <Text size="xs">At {locationName}</Text>}
      </div>
    ),
  },
  { name: 'Available', cell: ({ available }) => format.count(available), isNumber: true },
  { name: 'Runs out', cell: ({ gapOn }) => format.calendarDay(gapOn), width: 120 },
  {
    name: 'Next arrival',
    cell: ({ nextArrivalOn }) => (nextArrivalOn === null ? 'None' : format.calendarDay(nextArrivalOn)),
    width: 130,
  },
  { name: 'Missing', cell: ({ missingUnits }) => format.count(missingUnits), isNumber: true },
  {
    name: 'Lost revenue',
    cell: ({ lostRevenue }) => (lostRevenue === null ? '—' : format.money(lostRevenue)),
    isNumber: true,
  },
  { name: 'Cheapest cure', cell: (gap) => <CureText gap={gap} variantId={gap.variantId} />, width: 300 },
]

/** What runs out before goods arrive. */
export function StockGapReport() {
  const { filter, setFilter, show } = useReportAddress(route, readProductSearch)
  const format = useFormat()
  const query = useInfiniteQuery(listQuery('GET /reports/stock-gaps', { query: filter }))
  return (
    <ReportPage
      title="Stock gaps"
      meaning={
        <p>
          Products that run out before their next order or transfer arrives, or, when nothing is on its way,
          before you could order them at the next review. Orders count on the day on which their supplier
          usually delivers. The cheapest option has the lowest sum of lost revenue and purchase cost. New gaps
          are found every night; a product’s own page computes its gap at once.
        </p>
      }
      actions={<CsvButton path="/reports/stock-gaps" query={filter} name="stock-gaps" />}
      filters={<ReportSearch value={filter} onChange={setFilter} />}
      isStale={query.isPlaceholderData}
    >
      <ReportList
        list="stock-gaps"
        label="Stock gaps"
        query={query}
        columns={columnsOf(format)}
        keyOf={({ variantId, locationId }) => `${variantId} ${locationId}`}
        filter={filter}
        onChange={setFilter}
        onShow={show}
        empty={{
          title: 'No product runs out too early',
          text: 'Gaps are found every night, for products with a forecast. A forecast needs four weeks of sales.',
        }}
      />
    </ReportPage>
  )
}
