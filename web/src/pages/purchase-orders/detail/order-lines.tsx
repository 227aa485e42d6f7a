import { Text } from '@mantine/core'
import type { PurchaseOrder, PurchaseOrderLineItem } from '../../../../../shared/schemas/purchase-orders.ts'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { ProductName } from '../../../components/tables/product-name.tsx'
import { type Column, RowTable } from '../../../components/tables/row-table.tsx'

export function OrderLines({ order }: { order: PurchaseOrder }) {
  const format = useFormat()
  const isSent = order.status !== 'draft'
  const receiptColumns: Column<PurchaseOrderLineItem>[] = [
    { name: 'Received', cell: ({ receivedQuantity }) => format.count(receivedQuantity), isNumber: true },
    {
      name: 'Outstanding',
      cell: ({ outstandingQuantity }) => format.count(outstandingQuantity),
      isNumber: true,
    },
  ]
  const columns: Column<PurchaseOrderLineItem>[] = [
    {
      name: 'Product',
      cell: ({ title, sku, variantId }) => <ProductName title={title} sku={sku} variantId={variantId} />,
    },
    { name: 'Ordered', cell: ({ quantity }) => format.count(quantity), isNumber: true },
    ...(isSent ? receiptColumns : []),
    { name: 'Unit cost', cell: ({ costPrice }) => format.cost(costPrice), isNumber: true },
    { name: 'Total', cell: (line) => format.money(line.lineTotal), isNumber: true },
  ]
  return (
    <Card title="Lines" isFlush>
      {order.lineItems.length === 0 ? (
        <Text c="dimmed" p="md" pt={0}>
          No lines yet. Edit the order to add lines.
        </Text>
      ) : (
        <RowTable label="Lines" columns={columns} rows={order.lineItems} keyOf={({ id }) => id} />
      )}
    </Card>
  )
}
