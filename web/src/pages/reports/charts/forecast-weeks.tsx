import '@mantine/charts/styles.css'
import { CompositeChart } from '@mantine/charts'
import { useFormat } from '../../../components/shop/format.ts'
import { Legend } from './legend.tsx'
import { Tip } from './tip.tsx'

/** Each has a contrast of at least 3:1 on white; the dashes distinguish the series without colour. */
const colors = {
  sold: '#1f56b3',
  expected: '#b45309',
  band: '#b45309',
  arrival: '#0f766e',
  gap: '#b3261e',
} as const

export type ForecastWeek = {
  /** Its Monday. */
  week: string
  sold: number | null
  expected: number | null
  band: [number, number] | null
  /** Of 7, in a past week. */
  daysWithoutStock: number
  /** Pieces that arrive in the week. */
  arriving: number
  isGap: boolean
  /** What to do about the gap, in a few words. */
  cure: string | null
}

type Props = { weeks: readonly ForecastWeek[]; height: number }

/** What was sold and what is expected by week, with the weeks of arrivals and of the gap as vertical lines. */
export function ForecastWeeks({ weeks, height }: Props) {
  const format = useFormat()
  const nameOf = ({ week }: ForecastWeek) => format.calendarDay(week)
  return (
    <>
      <CompositeChart
        h={height}
        data={weeks.map((week) => ({ ...week, name: nameOf(week), shown: week }))}
        dataKey="name"
        series={[
          { name: 'band', color: colors.band, type: 'area', strokeDasharray: '1 4' },
          { name: 'sold', color: colors.sold, type: 'line' },
          { name: 'expected', color: colors.expected, type: 'line', strokeDasharray: '7 3' },
        ]}
        curveType="linear"
        withDots={false}
        connectNulls={false}
        yAxisProps={{ width: 'auto', allowDecimals: false }}
        xAxisProps={{ minTickGap: 24 }}
        referenceLines={weeks.flatMap((week) => [
          ...(week.arriving > 0 ? [{ x: nameOf(week), color: colors.arrival }] : []),
          ...(week.isGap ? [{ x: nameOf(week), color: colors.gap }] : []),
        ])}
        tooltipProps={{
          content: ({ payload }) => {
            const week: ForecastWeek | undefined = payload?.[0]?.payload.shown
            if (!week) return null
            const { sold, expected, band, daysWithoutStock, arriving, isGap, cure } = week
            const lines = [
              ...(sold === null ? [] : [`Sold: ${format.count(sold)}`]),
              ...(daysWithoutStock > 0 ? [`${format.days(daysWithoutStock)} without stock`] : []),
              ...(expected === null ? [] : [`Expected: ${format.count(expected)}`]),
              ...(band === null ? [] : [`Likely: ${format.count(band[0])} to ${format.count(band[1])}`]),
              ...(arriving > 0 ? [`Arrives: ${format.count(arriving)}`] : []),
              ...(isGap ? ['Stock runs out'] : []),
              ...(cure === null ? [] : [cure]),
            ]
            return <Tip title={`Week of ${nameOf(week)}`} lines={lines} />
          },
        }}
        tickLine="none"
        composedChartProps={{ margin: { top: 10, left: 10 } }}
        accessibilityLayer={false}
      />
      <Legend
        marks={[
          { name: 'Sold', color: colors.sold, kind: 'line' },
          { name: 'Expected', color: colors.expected, kind: 'line', dashes: '7 3' },
          { name: 'Likely range', color: colors.band, kind: 'line', dashes: '1 4' },
          { name: 'An order arrives', color: colors.arrival, kind: 'bar' },
          { name: 'Stock runs out', color: colors.gap, kind: 'bar' },
        ]}
      />
    </>
  )
}
