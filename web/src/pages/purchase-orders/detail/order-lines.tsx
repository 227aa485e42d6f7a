import { Text } from '@mantine/core'
import type { PurchaseOrder, PurchaseOrderLineItem } from '../../../../../shared/schemas/purchase-orders.ts'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { ProductName } from '../../../components/tables/product-name.tsx'
import { type Column, RowTable } from '../../../components/tables/row-table.tsx'

/** What is ordered, and how much of it has come. */
export function OrderLines({ order }: { order: PurchaseOrder }) {
  const format = useFormat()
  const isOnItsWay = order.status !== 'draft'
  const received: Column<PurchaseOrderLineItem>[] = [
    { name: 'Received', cell: ({ receivedQuantity }) => format.count(receivedQuantity), isNumber: true },
    { name: 'To come', cell: ({ outstandingQuantity }) => format.count(outstandingQuantity), isNumber: true },
  ]
  const columns: Column<PurchaseOrderLineItem>[] = [
    {
      name: 'Product',
      cell: ({ title, sku }) => <ProductName title={title} sku={sku} />,
    },
    { name: 'Ordered', cell: ({ quantity }) => format.count(quantity), isNumber: true },
    ...(isOnItsWay ? received : []),
    { name: 'Cost', cell: ({ costPrice }) => format.cost(costPrice), isNumber: true },
    { name: 'Total', cell: (line) => format.money(line.lineTotal), isNumber: true },
  ]
  return (
    <Card title="Lines" isFlush>
      {order.lineItems.length === 0 ? (
        <Text c="dimmed" p="md" pt={0}>
          Nothing yet. Edit the order to add lines.
        </Text>
      ) : (
        <RowTable label="Lines" columns={columns} rows={order.lineItems} keyOf={({ id }) => id} />
      )}
    </Card>
  )
}
