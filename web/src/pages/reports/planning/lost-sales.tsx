import { Choices } from '../../../components/forms/choices.tsx'
import { lostPeriods, readLostSaleFilter } from '../filter.ts'
import { report } from '../report.tsx'
import { productColumn } from '../report-rows.tsx'

const daysOf = (period: string) => Number.parseInt(period, 10)

/** What was not sold for lack of stock. */
export const LostSaleReport = report({
  path: '/reports/lost-sales',
  title: 'Lost sales',
  read: readLostSaleFilter,
  fill: (chosen) => ({ ...chosen, period: chosen.period ?? '90d' }),
  isOfProducts: true,
  hasCount: true,
  meaning: ({ filter, format }) => (
    <p>
      Products that had no stock at any location in the last {format.days(daysOf(filter.period))} before
      today. Each of these days counts what the forecast expected for it, or, without a forecast, what the
      product sells on a day in stock. Revenue is at the current price, and is “—” without one.
    </p>
  ),
  filters: ({ filter, format, setFilter }) => (
    <Choices
      label="Period"
      options={lostPeriods.map((value) => ({ name: format.days(daysOf(value)), value }))}
      value={filter.period}
      onChange={(period) => setFilter({ period })}
    />
  ),
  columns: (format) => [
    productColumn,
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
  ],
  keyOf: ({ variantId }) => variantId,
  empty: ({ filter, format }) => ({
    title: 'No sales were lost',
    text: `No product that sells was without stock in the last ${format.days(daysOf(filter.period))}. The report is updated every night.`,
  }),
})
