import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import type { Receipt } from '../../../../../shared/schemas/receipts.ts'
import { Timeline, type TimelineEvent } from '../../../components/layout/detail.tsx'
import { useFormat } from '../../../components/shop/format.ts'

export function OrderTimeline({ order, receipts }: { order: PurchaseOrder; receipts: readonly Receipt[] }) {
  const { day, count } = useFormat()
  const isAwaitingReceipt = order.status === 'sent' || order.status === 'partial'
  return (
    <Timeline
      events={eventsOf(order, receipts, count)}
      next={isAwaitingReceipt && order.expectedAt && `Expected on ${day(order.expectedAt)}`}
    />
  )
}

function eventsOf(
  order: PurchaseOrder,
  receipts: readonly Receipt[],
  count: (number: number) => string,
): TimelineEvent[] {
  const to = order.emailRecipient ? ` to ${order.emailRecipient}` : ''
  const events: TimelineEvent[] = [{ at: order.createdAt, text: 'Created' }]
  if (order.sentAt) events.push({ at: order.sentAt, text: `Sent${to}` })
  for (const { createdAt, postedAt, reversedAt, locationName, lineItems } of receipts) {
    const quantity = count(lineItems.reduce((sum, line) => sum + line.quantity, 0))
    events.push({ at: postedAt ?? createdAt, text: `${quantity} received at ${locationName}` })
    if (reversedAt) events.push({ at: reversedAt, text: `Receipt of ${quantity} reversed` })
  }
  if (order.status === 'cancelled') events.push({ at: order.updatedAt, text: 'Cancelled' })
  return events
}
