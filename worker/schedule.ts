import cron from 'node-cron'
import type { Db } from '../shared/db/db.ts'
import { startDueSyncs } from '../shared/domain/exchange/sync/due.ts'
import { claimSlot, findUnclaimed } from '../shared/domain/kit/operations/schedule.ts'
import { claimNights } from '../shared/domain/records/shops/nights.ts'
import { requestDueRepairs } from '../shared/domain/records/shops/subscriptions.ts'
import { claimDigests } from '../shared/domain/views/digest/claim.ts'
import { enqueue, enqueueForShops } from '../shared/queue/enqueue.ts'
import { type Job, jobs } from '../shared/queue/jobs.ts'
import type { Log } from '../shared/telemetry/log.ts'

type Timer = {
  name: string
  /** UTC: daily, as 03:15; or every hour, as *:15. */
  at: string
  enqueue: (tx: Db, now: Date) => Promise<unknown>
}

type NightlyJob = { job: Job; minutes: number; fields?: object }

/** The work of a shop's night: minutes after its midnight, and after the hour at which a worker sees the new date. */
export const nightly: readonly NightlyJob[] = [
  { job: jobs.snapshotInventoryValue, minutes: 0 },
  { job: jobs.repairWebhookSubscriptions, minutes: 15 },
  { job: jobs.readOrders, minutes: 20 },
  { job: jobs.recomputeSalesVelocity, minutes: 30, fields: { isWhole: true } },
  { job: jobs.reconcileStock, minutes: 40 },
  // after levels whose webhooks were lost are read, since they show which location has sold
  { job: jobs.rollUpDemand, minutes: 60 },
  { job: jobs.verifyStock, minutes: 75 },
  { job: jobs.verifyCosts, minutes: 80 },
  { job: jobs.recomputeReorderPoints, minutes: 90 },
  // after the reorder points of the night are known; the forecasts enqueue it, too
  { job: jobs.recomputePlanning, minutes: 120 },
  // after the classes of the night are known (recompute-sales-velocity)
  { job: jobs.makePlannedCounts, minutes: 150 },
  { job: jobs.checkLowStock, minutes: 180 },
]

export const timers: readonly Timer[] = [
  { name: 'start-nights', at: '*:00', enqueue: startNights },
  {
    name: 'check-overdue-purchase-orders',
    at: '*:10',
    enqueue: (tx) => enqueueForShops(tx, jobs.checkOverduePurchaseOrders),
  },
  // four times an hour: the hours of some time zones begin at a half or a quarter
  ...['00', '15', '30', '45'].map((minute) => ({
    name: `start-digests-${minute}`,
    at: `*:${minute}`,
    enqueue: claimDigests,
  })),
  { name: 'start-due-syncs', at: '*:20', enqueue: startDueSyncs },
  { name: 'request-due-repairs', at: '*:40', enqueue: requestDueRepairs },
  { name: 'prune', at: '04:00', enqueue: (tx) => enqueue(tx, jobs.prune, {}) },
  { name: 'project-deliveries', at: '04:15', enqueue: (tx) => enqueue(tx, jobs.projectDeliveries, {}) },
]

/** Enqueues the nightly jobs of the shops where a new date has begun (`shared/domain/records/shops/nights.ts`). */
async function startNights(tx: Db, now: Date): Promise<void> {
  const shopIds = await claimNights(tx, now)
  if (shopIds.length === 0) return
  for (const { job, minutes, fields } of nightly) {
    await enqueueForShops(tx, job, { shopIds, inMinutes: minutes, ...(fields && { fields }) })
  }
}

/** The last time at or before `now` when the timer was due. */
export function lastSlot({ at }: Pick<Timer, 'at'>, now: Date): Date {
  const isHourly = at.startsWith('*')
  const [day = '', hour] = now.toISOString().split(/[T:]/)
  const slot = new Date(`${day}T${isHourly ? at.replace('*', `${hour}`) : at}:00Z`)
  if (slot > now) slot.setUTCHours(slot.getUTCHours() - (isHourly ? 1 : 24))
  return slot
}

/**
 * Enqueues the jobs of each timer whose last slot is not claimed yet, also of a slot when no worker was running. A timer
 * that fails does not block the others; the first error is thrown at the end.
 */
export async function tick(db: Db, all: readonly Timer[], now: Date): Promise<void> {
  const errors: unknown[] = []
  const due = all.map((timer) => ({ ...timer, slot: lastSlot(timer, now) }))
  const unclaimed = await findUnclaimed(db, due)
  for (const timer of due.filter(({ name }) => unclaimed.has(name))) {
    await db
      .transaction(async (tx) => {
        // another worker may have claimed it meanwhile
        if (await claimSlot(tx, timer)) await timer.enqueue(tx, now)
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
