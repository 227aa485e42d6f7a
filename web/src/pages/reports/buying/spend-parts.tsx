import { Text } from '@mantine/core'
import type { ProcurementSpend } from '../../../../../shared/schemas/reports.ts'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { RowLink } from '../../../components/tables/row-link.tsx'
import { RowTable } from '../../../components/tables/row-table.tsx'
import { ChartCard } from '../charts/chart-card.tsx'
import { MonthBars, RankedBars } from '../charts/lazy.ts'
import classes from '../reports.module.css'

const chartHeight = 240
/** The label of the chart names this number. */
const maxBars = 7

export function SpendByMonth({ months }: { months: ProcurementSpend['byMonth'] | undefined }) {
  const format = useFormat()
  return (
    <div className={classes.results}>
      <ChartCard
        title="By month"
        label="Bar chart of spend by month."
        height={chartHeight}
        isPending={months === undefined}
      >
        <MonthBars months={months ?? []} height={chartHeight} />
      </ChartCard>
      <Card isFlush>
        <RowTable
          label="Spend by month"
          columns={[
            { name: 'Month', cell: ({ month }) => format.month(month) },
            { name: 'Spend', cell: ({ spend }) => format.money(spend), isNumber: true },
          ]}
          rows={months?.toReversed() ?? []}
          keyOf={({ month }) => month}
          isPending={months === undefined}
        />
      </Card>
    </div>
  )
}

export function SpendBySupplier({ suppliers }: { suppliers: ProcurementSpend['bySupplier'] | undefined }) {
  const format = useFormat()
  const topSuppliers = suppliers?.slice(0, maxBars) ?? []
  return (
    <div className={classes.results}>
      <ChartCard
        title="By supplier"
        label="Bar chart of spend by supplier, for the seven with the highest spend."
        height={chartHeight}
        isPending={suppliers === undefined}
      >
        <RankedBars
          rows={topSuppliers.map(({ supplierName, spend }) => ({ name: supplierName, value: spend }))}
          label="Spend"
          formatValue={format.shortMoney}
          height={chartHeight}
        />
      </ChartCard>
      <Card isFlush>
        <RowTable
          label="Spend by supplier"
          columns={[
            {
              name: 'Supplier',
              cell: ({ supplierId, supplierName }) => (
                <RowLink to="/suppliers/$id" params={{ id: supplierId }}>
                  {supplierName}
                </RowLink>
              ),
            },
            { name: 'Orders', cell: ({ orderCount }) => format.count(orderCount), isNumber: true },
            {
              name: 'Spend',
              cell: ({ spend, ordersWithoutRate }) => (
                <div>
                  {format.money(spend)}
                  {ordersWithoutRate > 0 && (
                    <Text size="xs">{`+ ${format.many(ordersWithoutRate, 'order')} without rate`}</Text>
                  )}
                </div>
              ),
              isNumber: true,
            },
          ]}
          rows={suppliers ?? []}
          keyOf={({ supplierId }) => supplierId}
          isPending={suppliers === undefined}
        />
      </Card>
    </div>
  )
}
