import { Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ForecastAccuracy, ForecastAccuracyTotal } from '../../../../../shared/schemas/forecasts.ts'
import { listQuery, readQuery } from '../../../api/queries.ts'
import { Card } from '../../../components/layout/card.tsx'
import { readProductSearch } from '../../../components/pickers/product-filter.ts'
import { useFormat } from '../../../components/shop/format.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { useReportAddress } from '../report-address.ts'
import { ReportList, ReportSearch } from '../report-list.tsx'
import { ReportPage } from '../report-page.tsx'

const route = getRouteApi('/reports/forecast-accuracy')

const columnsOf = (format: Format): Column<ForecastAccuracy>[] => [
  {
    name: 'Product',
    cell: ({ title, sku, variantId }) => <ProductName title={title} sku={sku} variantId={variantId} />,
  },
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
]

export function ForecastAccuracyReport() {
  const { filter, setFilter, show } = useReportAddress(route, readProductSearch)
  const format = useFormat()
  const query = useInfiniteQuery(listQuery('GET /reports/forecast-accuracy', { query: filter }))
  const { data: total } = useQuery(readQuery('GET /reports/forecast-accuracy/total', { query: filter }))
  return (
    <ReportPage
      title="Forecast accuracy"
      meaning={
        <p>
          What was forecast for the last four complete weeks when they began, and what sold. Sales are raised
          for days without stock; products in stock on fewer than 16 of the 28 days are left out. The total
          counts each product by its price.
        </p>
      }
      actions={<CsvButton path="/reports/forecast-accuracy" query={filter} name="forecast-accuracy" />}
      filters={<ReportSearch value={filter} onChange={setFilter} />}
      isStale={query.isPlaceholderData}
    >
      {total?.from && total.to && (
        <Card title={`${format.calendarDay(total.from)} to ${format.calendarDay(total.to)}`}>
          <Text fw={600}>{sentenceOf(total, format)}</Text>
          <Text size="sm" c="dimmed">
            {format.many(total.variantCount, 'product')} compared
            {total.outOfStockCount > 0 &&
              `, ${format.count(total.outOfStockCount)} left out: not enough in stock`}
            .
          </Text>
        </Card>
      )}
      <ReportList
        list="forecast-accuracy"
        label="Forecast accuracy by product"
        query={query}
        columns={columnsOf(format)}
        keyOf={({ variantId }) => variantId}
        filter={filter}
        onChange={setFilter}
        onShow={show}
        empty={{
          title: 'No forecast can be judged yet',
          text: total?.readyOn
            ? `The forecast needs four weeks of sales to be compared with. See the first result on ${format.calendarDay(total.readyOn)}.`
            : 'The forecast needs four weeks of sales. It is made at night, once your sales are read.',
        }}
      />
    </ReportPage>
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
