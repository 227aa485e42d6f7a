import { Text } from '@mantine/core'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { Card } from '../../../components/layout/card.tsx'
import { Facts } from '../../../components/layout/detail.tsx'
import { TextLink } from '../../../components/layout/link-button.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { EmailStatusBadge } from '../../../components/tables/status-badge.tsx'
import { Destination } from './destination.tsx'

export function OrderSummary({ order }: { order: PurchaseOrder }) {
  const format = useFormat()
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
          ['Subtotal', format.money(order.subtotal)],
          ['Tax', format.money(order.tax)],
          ['Total', <strong key="total">{format.money(order.total)}</strong>],
        ]}
      />
    </Card>
  )
}
