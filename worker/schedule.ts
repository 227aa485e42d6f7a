import cron from 'node-cron'
import type { Db } from '../shared/db/db.ts'
import { claimSlot } from '../shared/domain/operations/schedule.ts'
import { enqueue, enqueueForEveryShop } from '../shared/queue/enqueue.ts'
import { jobs } from '../shared/queue/jobs.ts'
import type { Log } from '../shared/telemetry/log.ts'

export type Timer = {
  name: string
  /** The time of day in UTC, as in 03:15. */
  at: string
  /** Adds the jobs of a slot, in the transaction that claims it. */
  enqueue: (tx: Db) => Promise<unknown>
}

/** All work that is done once a day. The night hours of most shops lie after 02:00 UTC. */
export const timers: readonly Timer[] = [
  {
    name: 'snapshot-inventory-value',
    at: '00:30',
    enqueue: (tx) => enqueueForEveryShop(tx, jobs.snapshotInventoryValue),
  },
  {
    name: 'repair-webhook-subscriptions',
    at: '02:15',
    enqueue: (tx) => enqueueForEveryShop(tx, jobs.repairWebhookSubscriptions),
  },
  {
    name: 'recompute-sales-velocity',
    at: '02:30',
    enqueue: (tx) => enqueueForEveryShop(tx, jobs.recomputeSalesVelocity, { isWhole: true }),
  },
  { name: 'reconcile-stock', at: '02:45', enqueue: (tx) => enqueueForEveryShop(tx, jobs.reconcileStock) },
  { name: 'verify-stock', at: '03:15', enqueue: (tx) => enqueueForEveryShop(tx, jobs.verifyStock) },
  {
    name: 'recompute-reorder-points',
    at: '03:30',
    enqueue: (tx) => enqueueForEveryShop(tx, jobs.recomputeReorderPoints),
  },
  { name: 'prune', at: '04:00', enqueue: (tx) => enqueue(tx, jobs.prune, {}) },
  { name: 'check-low-stock', at: '05:00', enqueue: (tx) => enqueueForEveryShop(tx, jobs.checkLowStock) },
  {
    name: 'check-overdue-purchase-orders',
    at: '05:15',
    enqueue: (tx) => enqueueForEveryShop(tx, jobs.checkOverduePurchaseOrders),
  },
  { name: 'tally-shop', at: '05:30', enqueue: (tx) => enqueueForEveryShop(tx, jobs.tallyShop) },
]

/** The last time before `now` that a timer was due. */
export function lastSlot({ at }: Pick<Timer, 'at'>, now: Date): Date {
  const slot = new Date(`${now.toISOString().slice(0, 10)}T${at}:00Z`)
  if (slot > now) slot.setUTCDate(slot.getUTCDate() - 1)
  return slot
}

/**
 * Hands over what is due and nobody has claimed yet, also when that was while no worker ran. One timer that fails
 * does not hold up the others; throws the first error at the end.
 */
export async function tick(db: Db, all: readonly Timer[], now: Date): Promise<void> {
  const errors: unknown[] = []
  for (const timer of all) {
    await db
      .transaction(async (tx) => {
        if (await claimSlot(tx, timer.name, lastSlot(timer, now))) await timer.enqueue(tx)
      })
      .catch((error: unknown) => errors.push(error))
  }
  if (errors.length > 0) throw errors[0]
}

/**
 * Every worker runs this clock. It looks every five minutes, and once at the start, so that a slot is at most that
 * late and none is lost with a worker or its database. Answers what stops it.
 */
export function startSchedule(db: Db, log: Log): () => Promise<void> {
  const look = () =>
    tick(db, timers, new Date()).catch((err: unknown) => log.warn({ err }, 'schedule failed'))
  const clock = cron.schedule('*/5 * * * *', look, { timezone: 'UTC', noOverlap: true })
  void look()
  return async () => {
    await clock.destroy()
  }
}
