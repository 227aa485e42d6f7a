import { Text } from '@mantine/core'
import type { StockLevel } from '../../../../shared/schemas/stock-levels.ts'
import type { Variant } from '../../../../shared/schemas/variants.ts'
import { Card } from '../../components/layout/card.tsx'
import { TextLink } from '../../components/layout/link-button.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { type Column, RowTable } from '../../components/tables/row-table.tsx'
import { placeColumn, quantityColumns } from '../stock/levels/level-columns.tsx'

/** The stock of a variant by location. */
export function VariantLevels({
  variant: { variantId, levels, isTracked, isDeleted },
}: {
  variant: Variant
}) {
  const format = useFormat()
  const columns: Column<StockLevel>[] = [placeColumn, ...quantityColumns(format)]
  const total = levels.reduce((sum, { currentStock }) => sum + currentStock, 0)
  const reason = isDeleted
    ? 'Your shop has deleted this product.'
    : isTracked
      ? 'No stock yet. Once your shop stocks the product at a location, you’ll see it here.'
      : 'Your shop does not track the stock of this product. Turn tracking on in the product’s settings.'
  return (
    <Card
      title={levels.length > 1 ? `Stock: ${format.count(total)} available` : 'Stock'}
      isFlush={levels.length > 0}
      action={
        levels.length > 0 && (
          <TextLink to="/stock" search={{ variantId }} size="sm">
            Adjust
          </TextLink>
        )
      }
    >
      {levels.length === 0 ? (
        <Text c="dimmed">{reason}</Text>
      ) : (
        <RowTable
          label="Stock by location"
          columns={columns}
          rows={levels}
          keyOf={({ locationId }) => locationId}
        />
      )}
    </Card>
  )
}

const periods = [
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
] as const

type Sales = { name: string; velocity: NonNullable<Variant['velocity']['7d']> }

/** The sales of a variant in three periods. */
export function VariantSales({ velocity }: Pick<Variant, 'velocity'>) {
  const { count } = useFormat()
  const rows = periods.flatMap(([period, name]): Sales[] => {
    const ofPeriod = velocity[period]
    return ofPeriod ? [{ name, velocity: ofPeriod }] : []
  })
  const columns: Column<Sales>[] = [
    { name: 'Last', cell: ({ name }) => name },
    { name: 'Sold', cell: (sales) => count(sales.velocity.unitsSold), isNumber: true },
    { name: 'Returned', cell: (sales) => count(sales.velocity.returnedUnits), isNumber: true },
    { name: 'Per day', cell: (sales) => count(sales.velocity.avgDailySales), isNumber: true },
    {
      name: 'Days of stock',
      cell: ({ velocity: { daysOfStockRemaining: days } }) => (days === null ? '—' : count(days)),
      isNumber: true,
    },
    { name: 'Days known', cell: ({ velocity: { periodDays } }) => count(periodDays), isNumber: true },
  ]
  return (
    <Card title="Sales" isFlush={rows.length > 0}>
      {rows.length === 0 ? (
        <Text c="dimmed">No sales data yet. It is calculated after the first sale, and every night.</Text>
      ) : (
        <RowTable label="Sales by period" columns={columns} rows={rows} keyOf={({ name }) => name} />
      )}
    </Card>
  )
}
