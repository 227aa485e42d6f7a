import { Text } from '@mantine/core'
import type { Dashboard } from '../../../../shared/schemas/dashboard.ts'
import { Card } from '../../components/layout/card.tsx'
import { TextLink } from '../../components/layout/link-button.tsx'
import { OrderTotal } from '../../components/tables/order-total.tsx'
import { OrderLink } from '../../components/tables/row-link.tsx'
import { type Column, RowTable } from '../../components/tables/row-table.tsx'
import { OrderStatusBadge } from '../../components/tables/status-badge.tsx'
import classes from './home.module.css'

type Order = Dashboard['recentPOs'][number]

/** The newest orders, in any status. */
export function RecentOrders({ orders }: { orders: readonly Order[] }) {
  const columns: Column<Order>[] = [
    {
      name: 'Order',
      cell: ({ id, poNumber }) => <OrderLink id={id} poNumber={poNumber} />,
    },
    { name: 'Supplier', cell: ({ supplier }) => supplier },
    { name: 'Status', cell: (order) => <OrderStatusBadge {...order} /> },
    { name: 'Total', cell: (order) => <OrderTotal {...order} />, isNumber: true },
  ]
  return (
    <Card isFlush title="Recent orders" action={<TextLink to="/purchase-orders">All orders</TextLink>}>
      {orders.length === 0 ? (
        <Text c="dimmed" className={classes.none}>
          No orders yet. <TextLink to="/purchase-orders/new">Create an order</TextLink> to buy from a
          supplier.
        </Text>
      ) : (
        <RowTable label="Recent orders" columns={columns} rows={orders} keyOf={({ id }) => id} />
      )}
    </Card>
  )
}
