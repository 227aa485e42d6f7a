import { Text } from '@mantine/core'
import type { OpenToBuy } from '../../../../../shared/schemas/planning.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { TextLink } from '../../../components/layout/link-button.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { type Column, RowTable } from '../../../components/tables/row-table.tsx'
import { figureReport } from '../report.tsx'

/** What was ordered and received by month, and what the forecast needs. */
export const OpenToBuyReport = figureReport({
  path: '/reports/open-to-buy',
  title: 'Open to buy',
  read: () => ({}),
  meaning: () => (
    <p>
      Value of goods by month, without tax: orders by the month in which you sent them, goods by the month in
      which they arrived or are expected, and what the forecast expects to sell, at the average cost. Goods
      are expected on the promised day moved by the delay of their supplier’s last orders, as in{' '}
      <TextLink to="/reports/arrivals" inherit>
        Arrivals
      </TextLink>
      . The current month’s need begins today. A budget counts by its days, with tax. Open to buy is what the
      budget leaves after the orders that you sent in the month, and after drafts in the current month.
    </p>
  ),
  content: ({ data, error, refetch }) =>
    data ? <Months report={data} /> : error && <ErrorNotice error={error} onRetry={refetch} />,
})

function Months({
  report: { months, forecastUntil, uncostedUnits, withoutDateValue, withoutRateCount, withoutCostCount },
}: {
  report: OpenToBuy
}) {
  const format = useFormat()
  const money = (amount: number) => (amount === 0 ? '—' : format.money(amount))
  const columns: Column<OpenToBuy['months'][number]>[] = [
    { name: 'Month', cell: ({ month }) => format.month(month) },
    { name: 'Ordered', cell: ({ orderedValue }) => money(orderedValue), isNumber: true },
    { name: 'Received', cell: ({ receivedValue }) => money(receivedValue), isNumber: true },
    { name: 'Still to arrive', cell: ({ arrivingValue }) => money(arrivingValue), isNumber: true },
    {
      name: 'Forecast need',
      cell: ({ forecastNeed }) => (forecastNeed === null ? '—' : format.money(forecastNeed)),
      isNumber: true,
    },
    {
      name: 'Budget',
      cell: ({ budget }) => (budget === null ? '—' : format.money(budget)),
      isNumber: true,
    },
    {
      name: 'Open to buy',
      cell: ({ openToBuy }) => (openToBuy === null ? '—' : format.money(openToBuy)),
      isNumber: true,
    },
  ]
  const hasBudget = months.some(({ budget }) => budget !== null)
  return (
    <>
      <Card isFlush>
        <RowTable label="Open to buy" columns={columns} rows={months} keyOf={({ month }) => month} />
      </Card>
      <div>
        {!hasBudget && (
          <Text size="sm" c="dimmed">
            Enter a{' '}
            <TextLink to="/buying-budgets" inherit>
              budget
            </TextLink>{' '}
            to see how much you may still buy in each month.
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {forecastUntil === null
            ? 'The need shows after the first night with a forecast, which needs four weeks of sales.'
            : `The forecast reaches until ${format.calendarDay(forecastUntil)}. Months that end later have no need yet.`}
        </Text>
        {uncostedUnits > 0 && (
          <Text size="sm" c="dimmed">
            {format.many(Math.round(uncostedUnits), 'piece')} of the forecast have no known cost and are left
            out. Enter the unit cost of these products.
          </Text>
        )}
        {withoutDateValue > 0 && (
          <Text size="sm" c="dimmed">
            {format.money(withoutDateValue)} are on their way without a date. Enter an expected date, or a
            lead time of the supplier.
          </Text>
        )}
        {withoutRateCount > 0 && (
          <Text size="sm" c="dimmed">
            {format.many(withoutRateCount, 'order')} without an exchange rate{' '}
            {withoutRateCount === 1 ? 'is' : 'are'} left out.
          </Text>
        )}
        {withoutCostCount > 0 && (
          <Text size="sm" c="dimmed">
            {format.many(withoutCostCount, 'order')} with lines without a cost: these lines are left out.
          </Text>
        )}
      </div>
    </>
  )
}
