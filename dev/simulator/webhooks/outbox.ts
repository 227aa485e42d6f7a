import { randomUUID } from 'node:crypto'
import type { FaultScript, Mishap } from '../faults.ts'
import type { Deliveries } from './deliveries.ts'
import type { Delivery } from './delivery.ts'

export type OutgoingWebhook = Pick<
  Delivery,
  'shop' | 'topic' | 'address' | 'subscriptionId' | 'body' | 'eventId'
>

/** Adds webhooks to the deliveries, after applying the next scripted fault. */
export type Outbox = { post: (webhook: OutgoingWebhook) => void }

/** A `reorder` group is sent after this time, even when it is incomplete. */
const maxHoldMs = 2000
const gapMs = 100

export function createOutbox(deliveries: Deliveries, faults: FaultScript): Outbox {
  let held: Delivery[] = []

  function postUnreliably(delivery: Delivery, { isLost, delayMs, repeatDelayMs }: Mishap): void {
    const { nextAt } = delivery
    deliveries.add({ ...delivery, nextAt: nextAt + delayMs, state: isLost ? 'dropped' : 'pending' })
    if (!isLost && repeatDelayMs !== null)
      deliveries.add({ ...delivery, id: randomUUID(), nextAt: nextAt + repeatDelayMs })
  }

  return {
    post(webhook) {
      const delivery = makeDelivery(webhook)
      const fault = faults.nextDelivery(webhook.shop, webhook.topic)
      if (fault?.fault === 'drop') delivery.state = 'dropped'
      if (fault?.fault === 'delay') delivery.nextAt += fault.delayMs ?? 1000
      if (fault?.fault === 'wrong-signature') delivery.isForged = true
      if (fault?.fault === 'reorder') delivery.nextAt += maxHoldMs
      const mishap = fault ? undefined : faults.nextMishap(webhook.shop, webhook.topic)
      if (mishap) return postUnreliably(delivery, mishap)
      deliveries.add(delivery)
      if (fault?.fault === 'duplicate') deliveries.add({ ...delivery, id: randomUUID() })
      if (fault?.fault !== 'reorder') return
      held.push(delivery)
      if (fault.times > 1) return
      for (const [index, late] of held.toReversed().entries())
        deliveries.reschedule(late, Date.now() + index * gapMs)
      held = []
    },
  }
}

function makeDelivery(webhook: OutgoingWebhook): Delivery {
  const now = new Date()
  return {
    ...webhook,
    id: randomUUID(),
    webhookId: randomUUID(),
    triggeredAt: `${now.toISOString().slice(0, -1)}000000Z`,
    state: 'pending',
    attempts: 0,
    nextAt: now.getTime(),
    lastAnswer: null,
    isForged: false,
  }
}
