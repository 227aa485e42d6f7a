import type { Adjustment } from '../../../../../shared/schemas/reports.ts'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { readAdjustmentFilter } from '../filter.ts'
import { PeriodFilter } from '../period-filter.tsx'
import { daysOf } from '../periods.ts'
import { report } from '../report.tsx'
import { productColumn } from '../report-rows.tsx'

// the report holds only movements of these kinds
const kinds: Partial<Record<Adjustment['kind'], string>> = { set: 'Set', delta: 'Adjusted', count: 'Counted' }

export const AdjustmentReport = report({
  path: '/reports/adjustments',
  title: 'Adjustments',
  read: readAdjustmentFilter,
  isOfProducts: true,
  hasCount: true,
  meaning: () => (
    <p>Stock that people set, adjusted or counted. Sales, receipts and transfers are in Stock history.</p>
  ),
  filters: ({ filter, setFilter }) => <PeriodFilter value={daysOf(filter)} onChange={setFilter} />,
  columns: (format) => [
    productColumn,
    { name: 'Location', cell: ({ locationName }) => locationName },
    { name: 'Type', cell: ({ kind }) => kinds[kind] ?? kind },
    { name: 'Before', cell: ({ previousQuantity }) => format.count(previousQuantity), isNumber: true },
    { name: 'Change', cell: ({ adjustment }) => format.change(adjustment), isNumber: true },
    { name: 'After', cell: ({ newQuantity }) => format.count(newQuantity), isNumber: true },
    { name: 'Reason', cell: ({ reason }) => reason || '—' },
    { name: 'When', cell: ({ createdAt }) => format.dateTime(createdAt) },
  ],
  keyOf: ({ id }) => id,
  empty: ({ filter: { startDate, endDate } }) =>
    startDate !== undefined || endDate !== undefined
      ? { title: 'No adjustments in this period', text: 'Choose other dates.' }
      : {
          title: 'No adjustments yet',
          text: 'Stock that people set, adjust or count is listed here.',
          action: <LinkButton to="/stock">Go to stock</LinkButton>,
        },
})
