import { randomUUID } from 'node:crypto'
import type { FaultScript } from '../faults.ts'
import type { Deliveries } from './deliveries.ts'
import type { Delivery } from './delivery.ts'

export type Posted = Pick<Delivery, 'shop' | 'topic' | 'address' | 'subscriptionId' | 'body' | 'eventId'>

/** Puts what is to be told into the deliveries, unless a fault has other plans for it. */
export type Outbox = { post: (posted: Posted) => void }

/** Those that are held for the others of their group go out alone when no other comes. */
const patienceMs = 2000
const gapMs = 100

export function createOutbox(deliveries: Deliveries, faults: FaultScript): Outbox {
  let held: Delivery[] = []

  return {
    post(posted) {
      const delivery = makeDelivery(posted)
      const fault = faults.nextDelivery(posted.shop, posted.topic)
      if (fault?.fault === 'drop') delivery.state = 'dropped'
      if (fault?.fault === 'delay') delivery.nextAt += fault.delayMs ?? 1000
      if (fault?.fault === 'wrong-signature') delivery.isForged = true
      if (fault?.fault === 'reorder') delivery.nextAt += patienceMs
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

function makeDelivery(posted: Posted): Delivery {
  const now = new Date()
  return {
    ...posted,
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
