import type { Db } from '../../shared/db/db.ts'
import { enqueueSuspects } from '../../shared/domain/operations/job-crashes.ts'
import { lockInstalledShop } from '../../shared/domain/shops/shops.ts'
import {
  failDelivery,
  type Settlement,
  settleDeliveries,
  takeDeliveries,
  takeFurtherDeliveries,
  type WebhookDelivery,
} from '../../shared/domain/webhooks/deliveries.ts'
import { TokenRevokedError } from '../../shared/platform/errors.ts'
import { enqueue } from '../../shared/queue/enqueue.ts'
import type { Delivery, DeliveryJob, WebhookTopic } from '../../shared/queue/jobs.ts'
import { type Attempt, defineTask, type Run, type Services, type TaskDefinition } from './task.ts'

/** Applies deliveries of one shop in a transaction and says how each ended; those it leaves out go on waiting. */
export type ApplyDeliveries = (
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
) => Promise<Settlement[]>

export type DeliveryTaskOptions = {
  /** Asks the platform for what is needed; what it answers is stored in the transaction that applies the deliveries. */
  fetch?: (
    services: Services,
    shopId: number,
    deliveryIds: readonly number[],
    attempt: Attempt,
  ) => Promise<(tx: Db) => Promise<void>>
  /** Whether it may end the installation, which then nobody else may hold. */
  isEnding?: boolean
  /** The job for those that `apply` has left out. */
  leftTo?: DeliveryJob
  /** For news that is small and comes in crowds: a job applies with its own deliveries what else waits of this topic. */
  takesAlong?: WebhookTopic
}

/**
 * A task for the deliveries of a topic: those of a shop are applied together, and when that fails one by one, so that
 * a bad one never holds up the rest. What is applied is marked in the same transaction, so twice is once. One whose
 * job has used its attempts, or whose shop gives us no access any more, is marked as failed.
 */
export function defineDeliveryTask(
  job: DeliveryJob,
  apply: ApplyDeliveries,
  options: DeliveryTaskOptions = {},
): TaskDefinition {
  const giveUp = (services: Services, entries: readonly Delivery[]) =>
    giveUpDeliveries(services, job, entries)
  const run: Run<Delivery[]> = async (services, entries, attempt) => {
    const failures = new Map<Delivery, unknown>()
    for (const [shopId, ofShop] of Map.groupBy(entries, (entry) => entry.shopId)) {
      const takesAlong = attempt.isFresh ? options.takesAlong : undefined
      const failed = await applyToShop({ services, shopId, apply, options, attempt, takesAlong }, ofShop)
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
  return defineTask(job, run, giveUp)
}

/** One of a list has killed the process: each gets a job of its own, so that the others are applied. */
async function giveUpDeliveries(
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

type Work = {
  services: Services
  shopId: number
  apply: ApplyDeliveries
  options: DeliveryTaskOptions
  attempt: Attempt
  takesAlong: WebhookTopic | undefined
}

/** Answers the entries that could not be applied, each with its error. */
async function applyToShop(work: Work, entries: readonly Delivery[]): Promise<[Delivery, unknown][]> {
  try {
    await applyTogether(
      work,
      entries.map(({ deliveryId }) => deliveryId),
    )
    return []
  } catch (error) {
    if (work.takesAlong) return applyToShop({ ...work, takesAlong: undefined }, entries)
    const [first, ...others] = entries
    if (first && others.length === 0) return [[first, error]]
    const failures: [Delivery, unknown][] = []
    for (const entry of entries) failures.push(...(await applyToShop(work, [entry])))
    return failures
  }
}

async function applyTogether(work: Work, ids: readonly number[]) {
  const { services, shopId, apply, options, attempt, takesAlong } = work
  const store = await options.fetch?.(services, shopId, ids, attempt)
  const settlements = await services.db.transaction(async (tx) => {
    if (!(await lockInstalledShop(tx, shopId, options))) return []
    await store?.(tx)
    const own = await takeDeliveries(tx, shopId, ids)
    if (own.length === 0) return []
    const further = takesAlong ? await takeFurtherDeliveries(tx, shopId, takesAlong, own) : []
    const deliveries = [...own, ...further]
    const settled = await apply(tx, shopId, services.gidNamespace, deliveries)
    await settleDeliveries(tx, shopId, settled)
    if (options.leftTo) await leave(tx, shopId, options.leftTo, own, settled)
    return settled
  })
  const rejected = settlements.filter(({ state }) => state === 'rejected')
  if (rejected.length > 0) services.log.warn({ shopId, rejected }, 'deliveries rejected')
}

/** What was taken along is left to its own job. */
async function leave(
  tx: Db,
  shopId: number,
  job: DeliveryJob,
  own: readonly WebhookDelivery[],
  settled: readonly Settlement[],
): Promise<void> {
  const settledIds = new Set(settled.map(({ id }) => id))
  const left = own.filter(({ id }) => !settledIds.has(id))
  if (left.length === 0) return
  await enqueue(
    tx,
    job,
    left.map(({ id }) => ({ shopId, deliveryId: id })),
  )
}
