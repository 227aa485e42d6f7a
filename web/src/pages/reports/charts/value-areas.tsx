import '@mantine/charts/styles.css'
import { AreaChart } from '@mantine/charts'
import { useFormat } from '../../../components/shop/format.ts'
import { Legend } from './legend.tsx'
import { Tip } from './tip.tsx'
import type { ValueDays } from './value-days.ts'

type Props = { values: ValueDays; height: number }

/** Each has a contrast of at least 3:1 on white; the dashes distinguish the series without colour. */
const looks = [
  { color: '#1f56b3', dashes: 'none' },
  { color: '#b45309', dashes: '7 3' },
  { color: '#0f766e', dashes: '2 3' },
  { color: '#9d174d', dashes: '10 3 2 3' },
  { color: '#4d5560', dashes: '4 4' },
] as const

const lookOf = (at: number) => looks[at] ?? looks[0]

/** The stock value of each location by day, as stacked areas. */
export function ValueAreas({ values: { days, locations }, height }: Props) {
  const format = useFormat()
  return (
    <>
      <AreaChart
        h={height}
        data={days.map((day) => ({ at: Date.parse(day.date), day, ...day.values }))}
        dataKey="at"
        type="stacked"
        series={locations.map((_, at) => ({
          name: String(at),
          color: lookOf(at).color,
          strokeDasharray: lookOf(at).dashes,
        }))}
        curveType="linear"
        withDots={false}
        fillOpacity={0.25}
        yAxisProps={{ width: 'auto', tickFormatter: format.shortMoney }}
        areaChartProps={{ margin: { top: 10, left: 10 } }}
        xAxisProps={{
          type: 'number',
          scale: 'time',
          domain: ['dataMin', 'dataMax'],
          tickFormatter: (at: number) => format.calendarDay(new Date(at).toISOString().slice(0, 10)),
          minTickGap: 24,
        }}
        tooltipProps={{
          content: ({ payload }) => {
            const day: ValueDays['days'][number] | undefined = payload?.[0]?.payload.day
            if (!day) return null
            const lines = locations.map((name, at) => `${name}: ${format.money(day.values[at] ?? 0)}`)
            return <Tip title={format.calendarDay(day.date)} lines={lines} />
          },
        }}
        tickLine="none"
        accessibilityLayer={false}
      />
      <Legend
        marks={locations.map((name, at) => ({
          name,
          color: lookOf(at).color,
          kind: 'line',
          dashes: lookOf(at).dashes,
        }))}
      />
    </>
  )
}
