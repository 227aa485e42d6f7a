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

/** Says what became of the e-mail: an order that the supplier did not get looks sent otherwise. */
function sentText({ emailRecipient, emailStatus }: PurchaseOrder): string {
  const to = emailRecipient ? ` to ${emailRecipient}` : ''
  if (emailStatus === 'failed') return `Sent, but the e-mail${to} was not delivered`
  if (emailStatus === 'unknown') return `Sent, but the e-mail${to} is not confirmed`
  return `Sent${to}`
}

function eventsOf(
  order: PurchaseOrder,
  receipts: readonly Receipt[],
  count: (number: number) => string,
): TimelineEvent[] {
  const events: TimelineEvent[] = [{ at: order.createdAt, text: 'Created' }]
  if (order.sentAt) events.push({ at: order.sentAt, text: sentText(order) })
  for (const { createdAt, postedAt, reversedAt, locationName, lineItems } of receipts) {
    const quantity = count(lineItems.reduce((sum, line) => sum + line.quantity, 0))
    events.push({ at: postedAt ?? createdAt, text: `${quantity} received at ${locationName}` })
    if (reversedAt) events.push({ at: reversedAt, text: `Receipt of ${quantity} reversed` })
  }
  const cancelled = order.lineItems.reduce((sum, line) => sum + line.cancelledQuantity, 0)
  if (order.closedAt) {
    const pieces = `${count(cancelled)} ${cancelled === 1 ? 'piece' : 'pieces'} cancelled`
    events.push({ at: order.closedAt, text: `Closed: ${pieces}` })
  } else if (order.status === 'cancelled') events.push({ at: order.updatedAt, text: 'Cancelled' })
  return events
}
