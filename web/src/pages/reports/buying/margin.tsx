import { Choices } from '../../../components/forms/choices.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import { readMarginFilter } from '../filter.ts'
import { PeriodFilter } from '../period-filter.tsx'
import { daysOf, daysOr30 } from '../periods.ts'
import { report } from '../report.tsx'

/** What sales earned after what the goods cost. */
export const MarginReport = report({
  path: '/reports/margin',
  title: 'Margin',
  read: readMarginFilter,
  ask: (filter, today) => ({ ...filter, ...daysOr30(filter, today) }),
  isOfProducts: true,
  meaning: () => (
    <p>
      Revenue of the pieces sold in this period, after discounts, without tax and without returns, less their
      average cost at the time of the sale. Pieces of unknown cost are counted apart, and are in neither cost
      nor margin. Sales and returns of the last 7, 30 and 90 days count a few seconds after they happen.
    </p>
  ),
  filters: ({ filter, asked, setFilter }) => (
    <>
      <PeriodFilter value={daysOf(asked)} onChange={setFilter} without="All time" />
      <Choices
        label="Rows"
        options={[
          { name: 'By variant', value: undefined },
          { name: 'By product', value: 'product' as const },
        ]}
        value={filter.groupBy}
        onChange={(groupBy) => setFilter({ groupBy })}
      />
    </>
  ),
  columns: (format) => [
    {
      name: 'Product',
      cell: ({ title, sku, variantId }) =>
        variantId === null ? title : <ProductName title={title} sku={sku} variantId={variantId} />,
    },
    { name: 'Sold', cell: ({ netUnits }) => format.count(netUnits), isNumber: true },
    { name: 'Revenue', cell: ({ revenue }) => format.money(revenue), isNumber: true },
    { name: 'Cost', cell: ({ cost }) => (cost === null ? '—' : format.money(cost)), isNumber: true },
    { name: 'Margin', cell: ({ margin }) => (margin === null ? '—' : format.money(margin)), isNumber: true },
    {
      name: 'Margin %',
      cell: ({ marginPercent }) => (marginPercent === null ? '—' : format.percent(marginPercent / 100)),
      isNumber: true,
    },
    { name: 'Unknown cost', cell: ({ uncostedUnits }) => format.count(uncostedUnits), isNumber: true },
  ],
  keyOf: ({ productId, variantId }) => variantId ?? productId,
  empty: () => ({ title: 'No sales in these days', text: 'Choose other dates.' }),
})
