import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'

type Props = {
  rows: readonly { name: string; value: number }[]
  /** The name of the value. */
  label: string
  formatValue: (value: number) => string
  height: number
}

const maxNameLength = 22
const shortened = (name: string) =>
  name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1).trimEnd()}…` : name

export const RankedBars = ({ rows, label, formatValue, height }: Props) => (
  <BarChart
    h={height}
    data={rows.map(({ name, value }) => ({ name, value }))}
    dataKey="name"
    orientation="vertical"
    series={[{ name: 'value', label, color: 'accent.7' }]}
    valueFormatter={formatValue}
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
