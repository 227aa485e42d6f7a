import { Text } from '@mantine/core'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { Card } from '../../../components/layout/card.tsx'
import { Facts } from '../../../components/layout/detail.tsx'
import { TextLink } from '../../../components/layout/link-button.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { EmailStatusBadge } from '../../../components/tables/status-badge.tsx'
import { Destination } from './destination.tsx'
import { SupplierMinimum } from './supplier-minimum.tsx'

export function OrderSummary({ order }: { order: PurchaseOrder }) {
  const format = useFormat(order.currency)
  const email = (
    <>
      <EmailStatusBadge status={order.emailStatus} />
      {order.emailRecipient && <Text size="xs">{order.emailRecipient}</Text>}
      {order.emailReason && (
        <Text size="sm" c="dimmed">
          {order.emailReason}
        </Text>
      )}
    </>
  )
  const supplier = (
    <TextLink to="/suppliers/$id" params={{ id: order.supplierId }} size="sm">
      {order.supplierName}
    </TextLink>
  )
  return (
    <Card title="Summary">
      <Facts
        facts={[
          ['Supplier', supplier],
          ['Deliver to', <Destination key="destination" order={order} />],
          ['Expected on', format.day(order.expectedAt)],
          ...(order.status === 'draft' ? [] : [['E-mail', email] as const]),
          ...(order.reference ? [['Reference', order.reference] as const] : []),
          ...(order.supplierReference ? [['Supplier’s reference', order.supplierReference] as const] : []),
          ...(order.revision > 0 ? [['Revision', String(order.revision)] as const] : []),
          ...(order.rate === 1
            ? []
            : [['Exchange rate', order.rate === null ? 'Not entered' : String(order.rate)] as const]),
          ['Subtotal', format.money(order.subtotal)],
          ...(order.discount > 0 ? [['Discount', format.money(-order.discount)] as const] : []),
          ['Tax', format.money(order.tax)],
          ['Total', <strong key="total">{format.money(order.total)}</strong>],
        ]}
      />
      {order.status === 'draft' && <SupplierMinimum order={order} />}
    </Card>
  )
}
