import { Text } from '@mantine/core'
import type { PurchaseOrder } from '../../../../shared/schemas/purchase-orders.ts'
import { Card } from '../../components/card.tsx'
import { useFormat } from '../../components/format.ts'
import { TextLink } from '../../components/link-button.tsx'
import { EmailStatusBadge } from '../../components/status-badge.tsx'
import classes from './order-detail.module.css'

/** The order in short: who, where, when, how much, and what became of the e-mail. */
export function OrderSummary({ order }: { order: PurchaseOrder }) {
  const format = useFormat()
  return (
    <Card title="Summary">
      <dl className={classes.facts}>
        <dt>Supplier</dt>
        <dd>
          <TextLink to="/suppliers/$id" params={{ id: order.supplierId }} size="sm">
            {order.supplierName}
          </TextLink>
        </dd>
        <dt>Arrives at</dt>
        <dd>{order.destinationLocationName ?? 'Primary location'}</dd>
        <dt>Expected on</dt>
        <dd>{format.day(order.expectedAt)}</dd>
        {order.status !== 'draft' && (
          <>
            <dt>E-mail</dt>
            <dd>
              <EmailStatusBadge status={order.emailStatus} />
              {order.emailRecipient && <Text size="xs">{order.emailRecipient}</Text>}
              {order.emailReason && (
                <Text size="sm" c="dimmed">
                  {order.emailReason}
                </Text>
              )}
            </dd>
          </>
        )}
        <dt>Subtotal</dt>
        <dd>{format.money(order.subtotal)}</dd>
        <dt>Tax</dt>
        <dd>{format.money(order.tax)}</dd>
        <dt>Total</dt>
        <dd>
          <strong>{format.money(order.total)}</strong>
        </dd>
      </dl>
    </Card>
  )
}
