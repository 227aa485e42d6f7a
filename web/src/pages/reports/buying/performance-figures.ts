import type { SupplierPerformance } from '../../../../../shared/schemas/reports.ts'
import type { useFormat } from '../../../components/shop/format.ts'

type PerformanceFigure = {
  name: string
  /** How it comes about. */
  meaning: string
  /** What has to happen before it is known. */
  unknown: string
  /** Null where nobody knows it yet. */
  write: (performance: SupplierPerformance) => string | null
}

/** What is said of a supplier, in the report and on its own page. */
export function performanceFigures(format: ReturnType<typeof useFormat>): PerformanceFigure[] {
  const percent = (of: number | null) => (of === null ? null : format.percent(of / 100))
  return [
    {
      name: 'Lead time',
      meaning: 'From sending an order to its first receipt: half of the orders took no longer.',
      unknown: 'Known when the first goods of an order have arrived.',
      write: ({ leadTimeDays }) => (leadTimeDays === null ? null : format.days(leadTimeDays)),
    },
    {
      name: 'On time',
      meaning: 'Of the lines that are due by now, those of which all pieces were there when they were due.',
      unknown: 'Known when an order is due: by its own day, or by the lead time that the supplier states.',
      write: ({ onTimePercent }) => percent(onTimePercent),
    },
    {
      name: 'Fill rate',
      meaning: 'Of the pieces that are due or closed, those that arrived.',
      unknown: 'Known when an order is due, or nothing more of it is to come.',
      write: ({ fillRatePercent }) => percent(fillRatePercent),
    },
    {
      name: 'Price drift',
      meaning: 'What each product cost the last time, against the time before.',
      unknown: 'Known when a product was ordered for the second time.',
      write: ({ priceDriftPercent: drift }) =>
        drift === null ? null : `${drift > 0 ? '+' : ''}${format.percent(drift / 100)}`,
    },
  ]
}
