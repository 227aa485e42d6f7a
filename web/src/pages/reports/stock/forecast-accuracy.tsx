import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ForecastAccuracyTotal } from '../../../../../shared/schemas/forecasts.ts'
import { readQuery } from '../../../api/queries.ts'
import { Card } from '../../../components/layout/card.tsx'
import { readProductSearch } from '../../../components/pickers/product-filter.ts'
import { useFormat } from '../../../components/shop/format.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { report } from '../report.tsx'
import { productColumn } from '../report-rows.tsx'

export const ForecastAccuracyReport = report({
  path: '/reports/forecast-accuracy',
  title: 'Forecast accuracy',
  label: 'Forecast accuracy by product',
  read: readProductSearch,
  isOfProducts: true,
  meaning: () => (
    <p>
      What was forecast for the last four complete weeks when they began, and what sold. Sales are raised for
      days without stock; products in stock on fewer than 16 of the 28 days are left out. The total counts
      each product by its price.
    </p>
  ),
  columns: (format) => [
    productColumn,
    { name: 'Forecast', cell: ({ forecastUnits }) => format.count(forecastUnits), isNumber: true },
    {
      name: 'Sold',
      cell: ({ actualUnits, daysInStock }) =>
        daysInStock === 28 ? (
          format.count(actualUnits)
        ) : (
          <>
            {format.count(actualUnits)}
            <Text size="xs" c="dimmed">
              in stock on {daysInStock} of 28 days
            </Text>
          </>
        ),
      isNumber: true,
    },
    { name: 'Difference', cell: ({ errorUnits }) => format.change(errorUnits), isNumber: true },
    {
      name: 'Worth',
      cell: ({ errorValue }) => (errorValue === null ? '—' : format.money(Math.abs(errorValue))),
      isNumber: true,
    },
    {
      name: 'Off by',
      cell: ({ wape, actualUnits }) =>
        wape === null ? (actualUnits === 0 ? 'Nothing sold' : '—') : format.percent(wape),
      isNumber: true,
    },
  ],
  keyOf: ({ variantId }) => variantId,
  useTotal: (query) => useQuery(readQuery('GET /reports/forecast-accuracy/total', { query })).data,
  above: (_, { format }, total) =>
    total?.from &&
    total.to && (
      <Total total={total} title={`${format.calendarDay(total.from)} to ${format.calendarDay(total.to)}`} />
    ),
  empty: ({ format }, total) => ({
    title: 'No forecast can be judged yet',
    text: total?.readyOn
      ? `The forecast needs four weeks of sales to be compared with. See the first result on ${format.calendarDay(total.readyOn)}.`
      : 'The forecast needs four weeks of sales. It is made at night, once your sales are read.',
  }),
})

function Total({ title, total }: { title: string; total: ForecastAccuracyTotal }) {
  const format = useFormat()
  return (
    <Card title={title}>
      <Text fw={600}>{sentenceOf(total, format)}</Text>
      <Text size="sm" c="dimmed">
        {format.many(total.variantCount, 'product')} compared
        {total.outOfStockCount > 0 &&
          `, ${format.count(total.outOfStockCount)} left out: not enough in stock`}
        .
      </Text>
    </Card>
  )
}

/** As in: Last month's forecasts were off by 18 %: they expected 5 % too much. */
function sentenceOf({ wape, bias, trend }: ForecastAccuracyTotal, format: Format): string {
  if (wape === null || bias === null) return 'Nothing was sold in these weeks.'
  const by = format.percent(Math.abs(bias))
  const direction =
    trend === 'too_high'
      ? `they expected ${by} more than was sold`
      : trend === 'too_low'
        ? `they expected ${by} less than was sold`
        : 'too high for some products and too low for others, but right in total'
  return `Last month’s forecasts were off by ${format.percent(wape)}: ${direction}.`
}
