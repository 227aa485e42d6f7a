import { Center, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { InventoryValue } from '../../../../../shared/schemas/reports.ts'
import { requestAll } from '../../../api/request.ts'
import { Choices } from '../../../components/forms/choices.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { DayField } from '../../../components/pickers/day-field.tsx'
import type { Days } from '../../../components/pickers/days.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { ChartCard } from '../charts/chart-card.tsx'
import { legendHeight, ValueAreas } from '../charts/lazy.ts'
import { toValueDays } from '../charts/value-days.ts'
import { readValueFilter } from '../filter.ts'
import { PeriodFilter } from '../period-filter.tsx'
import { daysOf, daysOr30 } from '../periods.ts'
import { report } from '../report.tsx'

export const InventoryValueReport = report({
  path: '/reports/inventory-value',
  title: 'Inventory value',
  label: 'Inventory value by day and location',
  read: readValueFilter,
  ask: (filter, today) => ({
    ...(filter.asOf ? { asOf: filter.asOf } : daysOr30(filter, today)),
    ...(filter.basis && { basis: filter.basis }),
  }),
  meaning: () => (
    <p>
      Pieces on hand at their average cost, or at their last cost. Pieces in transit count at the location
      that sent them. Pieces of unknown cost are not in the value. One value per day, of the end of the day;
      today is live. Choose one day to see its value exactly, at either cost.
    </p>
  ),
  filters: ({ filter: { asOf, basis }, asked, today, show }) => (
    <>
      <PeriodFilter value={daysOf(asked)} onChange={show} without="All time" />
      <DayField
        label="Value at the end of"
        value={asOf}
        max={today}
        onChange={(day) => show(day ? { asOf: day, basis } : {})}
      />
      {asOf && (
        <Choices
          label="Cost"
          options={[
            { name: 'Average cost', value: undefined },
            { name: 'Last cost', value: 'last' as const },
          ]}
          value={basis}
          onChange={(cost) => show({ asOf, basis: cost })}
        />
      )}
    </>
  ),
  columns: (format) => [
    { name: 'Day', cell: ({ date }) => format.calendarDay(date) },
    { name: 'Location', cell: ({ locationName }) => locationName },
    { name: 'Pieces', cell: ({ quantity }) => format.count(quantity), isNumber: true },
    { name: 'Unknown cost', cell: ({ uncostedQuantity }) => format.count(uncostedQuantity), isNumber: true },
    { name: 'Value', cell: ({ value }) => format.money(value), isNumber: true },
  ],
  keyOf: ({ date, locationId }) => `${date} ${locationId}`,
  above: ({ data, isPlaceholderData, hasNextPage }, { filter: { asOf }, asked }) =>
    asOf ? (
      !isPlaceholderData &&
      !hasNextPage && <Total rows={data?.pages.flatMap(({ records }) => records) ?? []} />
    ) : (
      <ValueChart days={daysOf(asked)} />
    ),
  empty: () => ({
    title: 'No values recorded for these dates',
    text: 'Choose later dates. Values are recorded daily since you installed the app.',
  }),
})

/** The value of all locations; a shop with more locations than a page sees it after it has loaded them all. */
function Total({ rows }: { rows: readonly InventoryValue[] }) {
  const format = useFormat()
  if (rows.length < 2) return null
  const sum = (read: (row: InventoryValue) => number) => rows.reduce((total, row) => total + read(row), 0)
  return (
    <Card title="All locations">
      <Text fw={600}>
        {format.money(sum(({ value }) => value))} ·{' '}
        {format.many(
          sum(({ quantity }) => quantity),
          'piece',
        )}
      </Text>
    </Card>
  )
}

const chartTitle = 'By location'
const chartHeight = 280
/** Pages of 250 rows: 16 of them hold one year of ten locations (3,650 rows). */
const maxPages = 16

/** Reads all pages, since the chart needs every day; the table below loads page by page. */
function ValueChart({ days }: { days: Days }) {
  const format = useFormat()
  const { data, isPending } = useQuery({
    queryKey: ['reports', 'inventory-value', 'whole', days],
    queryFn: ({ signal }) => requestAll('GET /reports/inventory-value', { query: days, signal }, maxPages),
    placeholderData: keepPreviousData,
  })
  const values = useMemo(() => toValueDays(data?.records ?? []), [data])
  const first = values.days[0]?.date
  // the table shows the error of a failed request
  if (!isPending && !data) return null
  if (!isPending && values.days.length < 2)
    return (
      <Card title={chartTitle}>
        <Center h={chartHeight + legendHeight}>
          <Text c="dimmed">The chart needs the values of two days.</Text>
        </Center>
      </Card>
    )
  return (
    <ChartCard
      title={chartTitle}
      label="Area chart of stock value by day and location."
      height={chartHeight + legendHeight}
      isPending={isPending}
      note={
        data?.isComplete === false &&
        first && (
          <Text size="sm" c="dimmed" mt="xs">
            The chart starts on {format.calendarDay(first)}. Choose a shorter period to see earlier days.
          </Text>
        )
      }
    >
      <ValueAreas values={values} height={chartHeight} />
    </ChartCard>
  )
}
