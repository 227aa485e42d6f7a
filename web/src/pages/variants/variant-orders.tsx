import { Text } from '@mantine/core'
import type { Variant } from '../../../../shared/schemas/variants.ts'
import { Card } from '../../components/layout/card.tsx'
import { TextLink } from '../../components/layout/link-button.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { OrderLink } from '../../components/tables/row-link.tsx'
import { type Column, RowTable } from '../../components/tables/row-table.tsx'
import { Badge } from '../../components/tables/status-badge.tsx'

/** What is on its way, by order and date. */
export function VariantOrders({ onOrder }: Pick<Variant, 'onOrder'>) {
  const { count, day } = useFormat()
  const columns: Column<Variant['onOrder'][number]>[] = [
    {
      name: 'Order',
      cell: ({ purchaseOrderId, poNumber }) => <OrderLink id={purchaseOrderId} poNumber={poNumber} />,
    },
    {
      name: 'Expected',
      cell: ({ expectedAt, isLate }) => (
        <>
          {expectedAt === null ? 'No date' : day(expectedAt)} {isLate && <Badge look={['Late', 'bad']} />}
        </>
      ),
    },
    { name: 'Outstanding', cell: ({ quantity }) => count(quantity), isNumber: true },
  ]
  return (
    <Card title="On its way" isFlush={onOrder.length > 0}>
      {onOrder.length === 0 ? (
        <Text c="dimmed">
          Nothing is on order.{' '}
          <TextLink to="/purchase-orders/new" search={{}} inherit>
            Create an order
          </TextLink>
        </Text>
      ) : (
        <RowTable
          label="Orders on their way"
          columns={columns}
          rows={onOrder}
          keyOf={({ purchaseOrderId }) => purchaseOrderId}
        />
      )}
    </Card>
  )
}

/** The suppliers of the variant, with their last prices. */
export function VariantSuppliers({ suppliers, variantId }: Pick<Variant, 'suppliers' | 'variantId'>) {
  const { count, costIn, day, days } = useFormat()
  const columns: Column<Variant['suppliers'][number]>[] = [
    {
      name: 'Supplier',
      cell: ({ supplierId, supplierName }) => (
        <TextLink to="/suppliers/$id" params={{ id: supplierId }} underline="hover" inherit>
          {supplierName}
        </TextLink>
      ),
    },
    {
      name: 'Last price',
      cell: ({ lastCostPrice, lastCostCurrency }) =>
        lastCostPrice === null ? '—' : costIn(lastCostPrice, lastCostCurrency ?? undefined),
      isNumber: true,
    },
    { name: 'Last ordered', cell: ({ lastOrderedAt }) => day(lastOrderedAt) },
    { name: 'Orders', cell: ({ orderCount }) => count(orderCount), isNumber: true },
    {
      name: 'Lead time',
      cell: ({ leadTimeDays }) => (leadTimeDays === null ? '—' : days(leadTimeDays)),
      isNumber: true,
    },
  ]
  return (
    <Card
      title="Suppliers"
      isFlush={suppliers.length > 0}
      action={
        suppliers.length > 0 && (
          <TextLink to="/reports/price-history" search={{ variantId }}>
            Price history
          </TextLink>
        )
      }
    >
      {suppliers.length === 0 ? (
        <Text c="dimmed">No supplier yet. Order the product, or choose a supplier in its reorder rule.</Text>
      ) : (
        <RowTable
          label="Suppliers"
          columns={columns}
          rows={suppliers}
          keyOf={({ supplierId }) => supplierId}
        />
      )}
    </Card>
  )
}
