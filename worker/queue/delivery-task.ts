import type { Db } from '../../shared/db/db.ts'
import { enqueueSuspects } from '../../shared/domain/operations/job-crashes.ts'
import { lockInstalledShop } from '../../shared/domain/shops/shops.ts'
import {
  failDelivery,
  lockAdditionalDeliveries,
  lockDeliveries,
  type Settlement,
  settleDeliveries,
  type WebhookDelivery,
} from '../../shared/domain/webhooks/deliveries.ts'
import { TokenRevokedError } from '../../shared/platform/errors.ts'
import { enqueue } from '../../shared/queue/enqueue.ts'
import type { Delivery, DeliveryJob, WebhookTopic } from '../../shared/queue/jobs.ts'
import { type Attempt, defineTask, type Run, type Services, type TaskDefinition } from './task.ts'

/** Applies deliveries of one shop in a transaction. Returns how each ended; those that it omits stay unsettled. */
export type ApplyDeliveries = (
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
) => Promise<Settlement[]>

export type DeliveryTaskOptions = {
  /** Reads what the deliveries need from the platform. The returned function stores it in their transaction. */
  fetch?: (
    services: Services,
    shopId: number,
    deliveryIds: readonly number[],
    attempt: Attempt,
  ) => Promise<(tx: Db) => Promise<void>>
  /** The task may end the installation, so it locks the shop exclusively. */
  isEnding?: boolean
  unsettledJob?: DeliveryJob
  /** For small and frequent webhooks: a job also applies other waiting deliveries of this topic in its transaction. */
  batchTopic?: WebhookTopic
}

/**
 * A task for the webhook deliveries of a topic. For each shop in the payload:
 * 1. `fetch` reads from the platform, before the transaction.
 * 2. One transaction locks, applies and settles the deliveries, with `batchTopic` additional ones: each applies once.
 * 3. When that fails, it repeats without the additional ones, then with each delivery alone: a bad one blocks no other.
 * 4. A delivery that still fails is retried; after the last attempt, or without access to the shop, it is `failed`.
 */
export function defineDeliveryTask(
  job: DeliveryJob,
  apply: ApplyDeliveries,
  options: DeliveryTaskOptions = {},
): TaskDefinition {
  const abandon = (services: Services, entries: readonly Delivery[]) =>
    abandonDeliveries(services, job, entries)
  const run: Run<Delivery[]> = async (services, entries, attempt) => {
    const failures = new Map<Delivery, unknown>()
    for (const [shopId, ofShop] of Map.groupBy(entries, (entry) => entry.shopId)) {
      // only a fresh job batches: others may contain a delivery that crashes the process
      const batchTopic = attempt.isFresh ? options.batchTopic : undefined
      const failed = await applyToShop({ services, shopId, apply, options, attempt, batchTopic }, ofShop)
      for (const [entry, error] of failed) {
        failures.set(entry, error)
        const isFinal = attempt.isLast || error instanceof TokenRevokedError
        if (isFinal) await failDelivery(services.db, shopId, entry.deliveryId)
      }
    }
    return entries.map(async (entry) => {
      const error = failures.get(entry)
      if (failures.has(entry) && !(error instanceof TokenRevokedError)) throw error
    })
  }
  return defineTask(job, run, abandon)
}

/** One delivery of the list crashes the process: each gets its own job, so that the other deliveries are applied. */
async function abandonDeliveries(
  { db }: Services,
  job: DeliveryJob,
  entries: readonly Delivery[],
): Promise<boolean> {
  const [first, ...others] = entries
  if (others.length > 0) {
    await enqueueSuspects(
      db,
      job,
      entries.map((entry) => [entry]),
    )
    return true
  }
  if (first) await failDelivery(db, first.shopId, first.deliveryId)
  return false
}

type Batch = {
  services: Services
  shopId: number
  apply: ApplyDeliveries
  options: DeliveryTaskOptions
  attempt: Attempt
  batchTopic: WebhookTopic | undefined
}

async function applyToShop(batch: Batch, entries: readonly Delivery[]): Promise<[Delivery, unknown][]> {
  try {
    await applyTogether(
      batch,
      entries.map(({ deliveryId }) => deliveryId),
    )
    return []
  } catch (error) {
    if (batch.batchTopic) return applyToShop({ ...batch, batchTopic: undefined }, entries)
    const [first, ...others] = entries
    if (first && others.length === 0) return [[first, error]]
    const failures: [Delivery, unknown][] = []
    for (const entry of entries) failures.push(...(await applyToShop(batch, [entry])))
    return failures
  }
}

async function applyTogether(batch: Batch, ids: readonly number[]) {
  const { services, shopId, apply, options, attempt, batchTopic } = batch
  const store = await options.fetch?.(services, shopId, ids, attempt)
  const settlements = await services.db.transaction(async (tx) => {
    if (!(await lockInstalledShop(tx, shopId, options))) return []
    await store?.(tx)
    const own = await lockDeliveries(tx, shopId, ids)
    if (own.length === 0) return []
    const additional = batchTopic ? await lockAdditionalDeliveries(tx, shopId, batchTopic, own) : []
    const deliveries = [...own, ...additional]
    const settled = await apply(tx, shopId, services.gidNamespace, deliveries)
    await settleDeliveries(tx, shopId, settled)
    if (options.unsettledJob) await enqueueUnsettled(tx, shopId, options.unsettledJob, own, settled)
    return settled
  })
  const rejected = settlements.filter(({ state }) => state === 'rejected')
  if (rejected.length > 0) services.log.warn({ shopId, rejected }, 'deliveries rejected')
}

async function enqueueUnsettled(
  tx: Db,
  shopId: number,
  job: DeliveryJob,
  own: readonly WebhookDelivery[],
  settled: readonly Settlement[],
): Promise<void> {
  const settledIds = new Set(settled.map(({ id }) => id))
  const unsettled = own.filter(({ id }) => !settledIds.has(id))
  if (unsettled.length === 0) return
  await enqueue(
    tx,
    job,
    unsettled.map(({ id }) => ({ shopId, deliveryId: id })),
  )
}
