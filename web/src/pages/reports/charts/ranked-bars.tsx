import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'

type Props = {
  rows: readonly { name: string; value: number }[]
  /** What is counted. */
  label: string
  write: (value: number) => string
  height: number
}

const maxLetters = 22
const shortened = (name: string) =>
  name.length > maxLetters ? `${name.slice(0, maxLetters - 1).trimEnd()}…` : name

/** Names with their numbers, each number at the end of its bar. */
export const RankedBars = ({ rows, label, write, height }: Props) => (
  <BarChart
    h={height}
    data={rows.map(({ name, value }) => ({ name, value }))}
    dataKey="name"
    orientation="vertical"
    series={[{ name: 'value', label, color: 'accent.7' }]}
    valueFormatter={write}
    withBarValueLabel
    withXAxis={false}
    yAxisProps={{ width: 'auto', tickFormatter: shortened, interval: 0 }}
    barChartProps={{ margin: { top: 0, bottom: 0, left: 10, right: 76 } }}
    maxBarWidth={20}
    gridAxis="none"
    barLabelColor="dark.9"
    accessibilityLayer={false}
  />
)
