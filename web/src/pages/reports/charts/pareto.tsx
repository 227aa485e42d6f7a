import '@mantine/charts/styles.css'
import { CompositeChart } from '@mantine/charts'
import type { AbcVariant } from '../../../../../shared/schemas/reports.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { Legend } from './legend.tsx'
import { Tip } from './tip.tsx'

/** Each has a contrast of at least 3:1 on white. */
const colors = { revenue: '#1f56b3', share: '#b45309' } as const

type Props = { variants: readonly AbcVariant[]; height: number }

/** Revenue of each product as bars, and the cumulative share as a line. */
export function Pareto({ variants, height }: Props) {
  const format = useFormat()
  return (
    <>
      <CompositeChart
        h={height}
        data={variants.map((variant) => ({ ...variant, name: variant.sku || variant.title }))}
        dataKey="name"
        series={[
          { name: 'revenue', color: colors.revenue, type: 'bar' },
          { name: 'cumulativeShare', color: colors.share, type: 'line', yAxisId: 'right' },
        ]}
        curveType="linear"
        withRightYAxis
        yAxisProps={{ width: 'auto', tickFormatter: format.shortMoney }}
        rightYAxisProps={{ domain: [0, 1], tickFormatter: format.percent }}
        tooltipProps={{
          content: ({ payload }) => {
            const variant: AbcVariant | undefined = payload?.[0]?.payload
            if (!variant) return null
            const { title, revenue, cumulativeShare } = variant
            const share = `${format.percent(cumulativeShare)} cumulative`
            return <Tip title={title} lines={[format.money(revenue), share]} />
          },
        }}
        maxBarWidth={40}
        tickLine="none"
        composedChartProps={{ margin: { top: 10, left: 10 } }}
        accessibilityLayer={false}
      />
      <Legend
        marks={[
          { name: 'Revenue', color: colors.revenue, kind: 'bar' },
          { name: 'Cumulative share', color: colors.share, kind: 'line' },
        ]}
      />
    </>
  )
}
