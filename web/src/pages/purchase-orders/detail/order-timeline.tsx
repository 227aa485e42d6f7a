import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import type { Receipt } from '../../../../../shared/schemas/receipts.ts'
import { type Step, Timeline } from '../../../components/layout/detail.tsx'
import { useFormat } from '../../../components/shop/format.ts'

/** What happened to the order, and when the rest of it is expected. */
export function OrderTimeline({ order, receipts }: { order: PurchaseOrder; receipts: readonly Receipt[] }) {
  const { day, count } = useFormat()
  const isComing = order.status === 'sent' || order.status === 'partial'
  return (
    <Timeline
      steps={stepsOf(order, receipts, count)}
      next={isComing && order.expectedAt && `Expected on ${day(order.expectedAt)}`}
    />
  )
}

function stepsOf(
  order: PurchaseOrder,
  receipts: readonly Receipt[],
  count: (number: number) => string,
): Step[] {
  const to = order.emailRecipient ? ` to ${order.emailRecipient}` : ''
  const steps: Step[] = [{ at: order.createdAt, what: 'Created' }]
  if (order.sentAt) steps.push({ at: order.sentAt, what: `Sent${to}` })
  for (const { createdAt, reversedAt, locationName, lineItems } of receipts) {
    const pieces = count(lineItems.reduce((sum, { quantity }) => sum + quantity, 0))
    steps.push({ at: createdAt, what: `${pieces} received at ${locationName}` })
    if (reversedAt) steps.push({ at: reversedAt, what: `Receipt of ${pieces} taken back` })
  }
  if (order.status === 'cancelled') steps.push({ at: order.updatedAt, what: 'Cancelled' })
  return steps
}
