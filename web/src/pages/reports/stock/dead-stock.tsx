import { Choices } from '../../../components/forms/choices.tsx'
import { deadStockDays, readDeadStockFilter } from '../filter.ts'
import { report } from '../report.tsx'
import { productColumn } from '../report-rows.tsx'

export const DeadStockReport = report({
  path: '/reports/dead-stock',
  title: 'Dead stock',
  read: readDeadStockFilter,
  fill: (chosen) => ({ ...chosen, days: chosen.days ?? 90 }),
  isOfProducts: true,
  hasCount: true,
  meaning: ({ filter, format }) => (
    <p>
      Products in stock without a sale in the last {format.days(filter.days)}, including today: never sold
      first, then the longest without a sale. Products that are newer, and those whose sales are not known for
      that long, are left out. Value is that of the pieces on hand at their average cost, and is “—” while
      that is unknown.
    </p>
  ),
  filters: ({ filter, format, setFilter }) => (
    <Choices
      label="Not sold for"
      options={deadStockDays.map((value) => ({ name: format.days(value), value }))}
      value={filter.days}
      onChange={(days) => setFilter({ days })}
    />
  ),
  columns: (format) => [
    productColumn,
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
  ],
  keyOf: ({ variantId }) => variantId,
  empty: ({ filter, format }) => ({
    title: 'No dead stock',
    text: `All products in stock sold in the last ${format.days(filter.days)}, or are newer, or their sales are not known for that long.`,
  }),
})
