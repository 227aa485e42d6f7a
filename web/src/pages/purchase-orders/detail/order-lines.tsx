import { Group, Text } from '@mantine/core'
import type { PurchaseOrder, PurchaseOrderLineItem } from '../../../../../shared/schemas/purchase-orders.ts'
import { PrintLabels } from '../../../components/labels/print-labels.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { ProductName } from '../../../components/tables/product-name.tsx'
import { type Column, RowTable } from '../../../components/tables/row-table.tsx'
import { OrderWarnings } from './order-warnings.tsx'
import { SuggestLines } from './suggest-lines.tsx'

export function OrderLines({ order }: { order: PurchaseOrder }) {
  const format = useFormat(order.currency)
  const isSent = order.status !== 'draft'
  const receiptColumns: Column<PurchaseOrderLineItem>[] = [
    {
      name: 'Received',
      cell: ({ receivedQuantity, rejectedQuantity, creditedQuantity }) => (
        <div>
          {format.count(receivedQuantity)}
          {rejectedQuantity > 0 && <Small>{`${format.count(rejectedQuantity)} rejected`}</Small>}
          {creditedQuantity > 0 && <Small>{`${format.count(creditedQuantity)} credited`}</Small>}
        </div>
      ),
      isNumber: true,
    },
    {
      name: 'Outstanding',
      cell: ({ outstandingQuantity }) => format.count(outstandingQuantity),
      isNumber: true,
    },
  ]
  const columns: Column<PurchaseOrderLineItem>[] = [
    {
      name: 'Product',
      cell: ({ title, sku, supplierSku, variantId }) => (
        <div>
          <ProductName title={title} sku={sku} variantId={variantId} />
          {supplierSku && <Small>{`Supplier SKU ${supplierSku}`}</Small>}
        </div>
      ),
    },
    {
      name: 'Ordered',
      cell: ({ quantity, packs, packSize, roundedUpBy }) => (
        <div>
          {quantity === 0 ? 'Not entered' : format.count(quantity)}
          {packSize > 1 && quantity > 0 && (
            <Small>
              {packs === null ? `packs of ${packSize}` : `${format.many(packs, 'pack')} × ${packSize}`}
            </Small>
          )}
          {roundedUpBy > 0 && <Small>{`rounded up by ${format.count(roundedUpBy)}`}</Small>}
        </div>
      ),
      isNumber: true,
    },
    ...(isSent ? receiptColumns : []),
    {
      name: 'Unit cost',
      cell: ({ costPrice, discountPercent, taxRate }) => (
        <div>
          {costPrice === null ? (isSent ? 'To be agreed' : 'Not entered') : format.cost(costPrice)}
          {discountPercent > 0 && <Small>{`less ${discountPercent}%`}</Small>}
          {taxRate > 0 && <Small>{`plus ${taxRate}% tax`}</Small>}
        </div>
      ),
      isNumber: true,
    },
    {
      name: 'Total',
      cell: ({ lineTotal }) => (lineTotal === null ? '—' : format.money(lineTotal)),
      isNumber: true,
    },
  ]
  return (
    <Card
      title="Lines"
      isFlush
      action={
        <Group gap="xs">
          {!isSent && <SuggestLines order={order} />}
          {order.lineItems.length > 0 && <PrintLabels size="xs" source={{ purchaseOrderId: order.id }} />}
        </Group>
      }
    >
      {order.warnings.length > 0 && <OrderWarnings order={order} />}
      {order.lineItems.length === 0 ? (
        <Text c="dimmed" p="md" pt={0}>
          No lines yet. Edit the order to add lines, or fill it with suggestions.
        </Text>
      ) : (
        <RowTable label="Lines" columns={columns} rows={order.lineItems} keyOf={({ id }) => id} />
      )}
    </Card>
  )
}

const Small = ({ children }: { children: string }) => (
  <Text size="xs" c="dimmed">
    {children}
  </Text>
)
