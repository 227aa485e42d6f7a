import cron from 'node-cron'
import type { Db } from '../shared/db/db.ts'
import { claimSlot } from '../shared/domain/operations/schedule.ts'
import { requestDueRepairs } from '../shared/domain/shops/subscriptions.ts'
import { startDueSyncs } from '../shared/domain/sync/due.ts'
import { enqueue, enqueueForEveryShop } from '../shared/queue/enqueue.ts'
import { jobs } from '../shared/queue/jobs.ts'
import type { Log } from '../shared/telemetry/log.ts'

type Timer = {
  name: string
  /** UTC, as 03:15. */
  at: string
  /** Every hour at the minute of `at`, not once a day. */
  isHourly?: boolean
  enqueue: (tx: Db) => Promise<unknown>
}

/** The daily and hourly work. After 02:00 UTC it is night for most shops. */
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
  // the first slot after the upgrade to this release reads the orders of shops that an earlier release has installed
  { name: 'read-orders', at: '02:00', enqueue: (tx) => enqueueForEveryShop(tx, jobs.readOrders) },
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
  { name: 'start-due-syncs', at: '00:20', isHourly: true, enqueue: startDueSyncs },
  { name: 'request-due-repairs', at: '00:40', isHourly: true, enqueue: requestDueRepairs },
  { name: 'prune', at: '04:00', enqueue: (tx) => enqueue(tx, jobs.prune, {}) },
  { name: 'project-deliveries', at: '04:15', enqueue: (tx) => enqueue(tx, jobs.projectDeliveries, {}) },
  { name: 'check-low-stock', at: '05:00', enqueue: (tx) => enqueueForEveryShop(tx, jobs.checkLowStock) },
  {
    name: 'check-overdue-purchase-orders',
    at: '05:15',
    enqueue: (tx) => enqueueForEveryShop(tx, jobs.checkOverduePurchaseOrders),
  },
]

/** The last time at or before `now` when the timer was due. */
export function lastSlot({ at, isHourly }: Pick<Timer, 'at' | 'isHourly'>, now: Date): Date {
  const slot = new Date(`${now.toISOString().slice(0, 10)}T${at}:00Z`)
  if (isHourly) slot.setUTCHours(now.getUTCHours())
  if (slot > now) slot.setTime(slot.getTime() - (isHourly ? 3_600_000 : 86_400_000))
  return slot
}

/**
 * Enqueues the jobs of each timer whose last slot is not claimed yet, also of a slot when no worker was running. A timer
 * that fails does not block the others; the first error is thrown at the end.
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
 * Runs `tick` at the start and every five minutes, in every worker. So a slot is at most five minutes late, and none is
 * lost when a worker or the database is down. Returns the function that stops it.
 */
export function startSchedule(db: Db, log: Log): () => Promise<void> {
  const runTick = () =>
    tick(db, timers, new Date()).catch((err: unknown) => log.warn({ err }, 'schedule failed'))
  const clock = cron.schedule('*/5 * * * *', runTick, { timezone: 'UTC', noOverlap: true })
  void runTick()
  return async () => {
    await clock.destroy()
  }
}
