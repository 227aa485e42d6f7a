import { useInfiniteQuery } from '@tanstack/react-query'
import type {
  PurchaseOrder,
  PurchaseOrderMail,
  PurchaseOrderRevision,
} from '../../../../../shared/schemas/purchase-orders.ts'
import type { Receipt } from '../../../../../shared/schemas/receipts.ts'
import { listQuery } from '../../../api/queries.ts'
import { Timeline, type TimelineEvent } from '../../../components/layout/detail.tsx'
import { byUser } from '../../../components/shop/by-user.ts'
import { useFormat } from '../../../components/shop/format.ts'
import type { Format } from '../../../components/shop/formats.ts'

export function OrderTimeline({ order, receipts }: { order: PurchaseOrder; receipts: readonly Receipt[] }) {
  const format = useFormat()
  const revisions = useInfiniteQuery({
    ...listQuery('GET /purchase-orders/:id/revisions', { params: { id: order.id }, query: {} }),
    enabled: order.revision > 0,
  })
  const isAwaitingReceipt = order.status === 'sent' || order.status === 'partial'
  return (
    <Timeline
      events={[
        ...eventsOf(order, receipts, format),
        ...(revisions.data?.pages.flatMap(({ records }) => records.map(revisionEvent)) ?? []),
      ]}
      next={isAwaitingReceipt && order.expectedAt && `Expected on ${format.day(order.expectedAt)}`}
    />
  )
}

const revisionEvent = ({ id, createdAt, createdBy }: PurchaseOrderRevision): TimelineEvent => ({
  at: createdAt,
  text: `Revision ${id}${byUser(createdBy)}`,
})

/** The outcome of the e-mail: without it, an order that the supplier did not get would look sent. */
function mailText(verb: string, { recipients, status, createdBy }: PurchaseOrderMail): string {
  const to = recipients.length > 0 ? ` to ${recipients.join(', ')}` : ''
  if (status === 'failed') return `${verb}${byUser(createdBy)}, but the e-mail${to} was not delivered`
  if (status === 'unknown') return `${verb}${byUser(createdBy)}, but the e-mail${to} is not confirmed`
  return `${verb}${to}${byUser(createdBy)}`
}

/** The oldest mail is that of sending, unless the order has more than its page lists. */
function mailEvents({ sentAt, mails, isImported }: PurchaseOrder): TimelineEvent[] {
  const [first, ...later] = mails.toReversed()
  const sent: TimelineEvent[] = sentAt
    ? [{ at: sentAt, text: first && !isImported ? mailText('Sent', first) : 'Sent' }]
    : []
  return [
    ...sent,
    ...(isImported && first ? [first, ...later] : later).map((mail) => ({
      at: mail.createdAt,
      text: mailText(mail.kind === 'revision' ? 'Revision e-mailed' : 'E-mailed again', mail),
    })),
  ]
}

function eventsOf(
  order: PurchaseOrder,
  receipts: readonly Receipt[],
  { count, many }: Format,
): TimelineEvent[] {
  const events = [{ at: order.createdAt, text: `Created${byUser(order.createdBy)}` }, ...mailEvents(order)]
  for (const { createdAt, postedAt, postedBy, reversedAt, reversedBy, locationName, lineItems } of receipts) {
    const quantity = count(lineItems.reduce((sum, line) => sum + line.quantity, 0))
    const received = `${quantity} received at ${locationName}${byUser(postedBy)}`
    events.push({ at: postedAt ?? createdAt, text: received })
    if (reversedAt) {
      events.push({ at: reversedAt, text: `Receipt of ${quantity} reversed${byUser(reversedBy)}` })
    }
  }
  const cancelled = order.lineItems.reduce((sum, line) => sum + line.cancelledQuantity, 0)
  if (order.closedAt) {
    const text = `Closed${byUser(order.closedBy)}: ${many(cancelled, 'piece')} cancelled`
    events.push({ at: order.closedAt, text })
  }
  if (order.cancelledAt) {
    events.push({ at: order.cancelledAt, text: `Cancelled${byUser(order.cancelledBy)}` })
  }
  return events
}
