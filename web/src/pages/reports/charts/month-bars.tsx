import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { useFormat } from '../../../components/shop/format.ts'

type Props = { months: readonly { month: string; spend: number }[]; height: number }

export function MonthBars({ months, height }: Props) {
  const format = useFormat()
  return (
    <BarChart
      h={height}
      data={months.map(({ month, spend }) => ({ month: format.month(month), spend }))}
      dataKey="month"
      series={[{ name: 'spend', label: 'Spend', color: 'accent.7' }]}
      valueFormatter={format.money}
      yAxisProps={{ width: 'auto', tickFormatter: format.shortMoney }}
      barChartProps={{ margin: { top: 10, left: 10 } }}
      maxBarWidth={48}
      tickLine="none"
      accessibilityLayer={false}
    />
  )
}
