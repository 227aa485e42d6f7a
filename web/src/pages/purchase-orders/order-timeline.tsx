import { Text } from '@mantine/core'
import type { PurchaseOrder } from '../../../../shared/schemas/purchase-orders.ts'
import type { Receipt } from '../../../../shared/schemas/receipts.ts'
import { Card } from '../../components/card.tsx'
import { useFormat } from '../../components/format.ts'
import classes from './order-detail.module.css'

type Step = { at: string | null; what: string }

/** What happened to the order, the newest last. */
export function OrderTimeline({ order, receipts }: { order: PurchaseOrder; receipts: readonly Receipt[] }) {
  const { moment, day, count } = useFormat()
  const steps = stepsOf(order, receipts, count).sort((a, b) => String(a.at).localeCompare(String(b.at)))
  const isComing = order.status === 'sent' || order.status === 'partial'
  return (
    <Card title="Timeline">
      <ol className={classes.timeline}>
        {steps.map(({ at, what }) => (
          <li key={`${at} ${what}`}>
            {what}
            <Text size="xs" c="dimmed">
              {moment(at)}
            </Text>
          </li>
        ))}
        {isComing && order.expectedAt && <li>Expected on {day(order.expectedAt)}</li>}
      </ol>
    </Card>
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
