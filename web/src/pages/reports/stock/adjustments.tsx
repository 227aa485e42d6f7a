import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Adjustment } from '../../../../../shared/schemas/reports.ts'
import { listQuery } from '../../../api/queries.ts'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { readAdjustmentFilter } from '../filter.ts'
import { PeriodFilter } from '../period-filter.tsx'
import { useReportAddress } from '../report-address.ts'
import { ReportList, ReportSearch } from '../report-list.tsx'
import { ReportPage } from '../report-page.tsx'

const route = getRouteApi('/reports/adjustments')

// the report holds only movements of these kinds
const kinds: Partial<Record<Adjustment['kind'], string>> = { set: 'Set', delta: 'Adjusted', count: 'Counted' }

const columnsOf = (format: Format): Column<Adjustment>[] => [
  {
    name: 'Product',
    cell: ({ title, sku, variantId }) => <ProductName title={title} sku={sku} variantId={variantId} />,
  },
  { name: 'Location', cell: ({ locationName }) => locationName },
  { name: 'Type', cell: ({ kind }) => kinds[kind] ?? kind },
  { name: 'Before', cell: ({ previousQuantity }) => format.count(previousQuantity), isNumber: true },
  { name: 'Change', cell: ({ adjustment }) => format.change(adjustment), isNumber: true },
  { name: 'After', cell: ({ newQuantity }) => format.count(newQuantity), isNumber: true },
  { name: 'Reason', cell: ({ reason }) => reason || '—' },
  { name: 'When', cell: ({ createdAt }) => format.dateTime(createdAt) },
]

export function AdjustmentReport() {
  const { filter, setFilter, show } = useReportAddress(route, readAdjustmentFilter)
  const { startDate, endDate } = filter
  const query = useInfiniteQuery(listQuery('GET /reports/adjustments', { query: { ...filter, count: true } }))
  const isOfDays = startDate !== undefined || endDate !== undefined
  return (
    <ReportPage
      title="Adjustments"
      meaning={
        <p>Stock that people set, adjusted or counted. Sales, receipts and transfers are in Stock history.</p>
      }
      actions={<CsvButton path="/reports/adjustments" query={filter} name="adjustments" />}
      filters={
        <>
          <PeriodFilter value={{ startDate, endDate }} onChange={setFilter} />
          <ReportSearch value={filter} onChange={setFilter} />
        </>
      }
      isStale={query.isPlaceholderData}
    >
      <ReportList
        list="adjustments"
        label="Adjustments"
        query={query}
        columns={columnsOf(useFormat())}
        keyOf={({ id }) => id}
        filter={filter}
        onChange={setFilter}
        onShow={show}
        empty={
          isOfDays
            ? { title: 'No adjustments in this period', text: 'Choose other dates.' }
            : {
                title: 'No adjustments yet',
                text: 'Stock that people set, adjust or count is listed here.',
                action: <LinkButton to="/stock">Go to stock</LinkButton>,
              }
        }
      />
    </ReportPage>
  )
}
