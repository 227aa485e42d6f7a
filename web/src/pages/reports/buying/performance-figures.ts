import type { SupplierPerformance } from '../../../../../shared/schemas/reports.ts'
import type { Format } from '../../../components/shop/formats.ts'

type PerformanceFigure = {
  name: string
  meaning: string
  /** Says when the figure will be available. */
  unknown: string
  /** Null while the figure is not available. */
  formatValue: (performance: SupplierPerformance) => string | null
}

/** The figures of a supplier, for the report and for the page of the supplier. */
export function performanceFigures(format: Format): PerformanceFigure[] {
  const percent = (value: number | null) => (value === null ? null : format.percent(value / 100))
  return [
    {
      name: 'Lead time',
      meaning: 'Median days from sending an order to its first receipt.',
      unknown: 'Available after the first receipt of an order.',
      formatValue: ({ leadTimeDays }) => (leadTimeDays === null ? null : format.days(leadTimeDays)),
    },
    {
      name: 'On time',
      meaning: 'Share of due order lines that arrived in full by their due date.',
      unknown:
        'Available when an order is due: on its expected date, or after the supplier’s stated lead time.',
      formatValue: ({ onTimePercent }) => percent(onTimePercent),
    },
    {
      name: 'Fill rate',
      meaning: 'Share of the pieces on due or closed order lines that arrived.',
      unknown: 'Available when an order is due or closed.',
      formatValue: ({ fillRatePercent }) => percent(fillRatePercent),
    },
    {
      name: 'Rejected',
      meaning: 'Share of the pieces that arrived and were rejected.',
      unknown: 'Available after the first receipt of an order.',
      formatValue: ({ rejectedPercent }) => percent(rejectedPercent),
    },
    {
      name: 'Price drift',
      meaning: 'Change in unit cost from the previous order of each product to the latest.',
      unknown: 'Available after a product is ordered a second time.',
      formatValue: ({ priceDriftPercent: drift }) =>
        drift === null ? null : `${drift > 0 ? '+' : ''}${format.percent(drift / 100)}`,
    },
    {
      name: 'Returned',
      meaning: 'Share of the pieces that arrived and went back to the supplier.',
      unknown: 'Available after the first receipt of an order.',
      formatValue: ({ returnedPercent }) => percent(returnedPercent),
    },
  ]
}
