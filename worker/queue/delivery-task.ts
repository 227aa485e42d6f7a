import { type Db, isUnavailable } from '../../shared/db/db.ts'
import {
  failDelivery,
  lockDeliveries,
  type Settlement,
  settleDeliveries,
  type WebhookDelivery,
} from '../../shared/domain/exchange/webhooks/deliveries.ts'
import { enqueueSuspects } from '../../shared/domain/kit/operations/job-crashes.ts'
import { inInstalledShop } from '../../shared/domain/records/shops/shops.ts'
import { PlatformError, TokenRevokedError } from '../../shared/platform/errors.ts'
import type { Delivery, DeliveryJob } from '../../shared/queue/jobs.ts'
import { type Attempt, defineTask, type Services, type TaskDefinition } from './task.ts'

/** Deliveries of one shop, in one attempt of a job. */
export type DeliveryBatch = {
  services: Services
  shopId: number
  deliveryIds: readonly number[]
  attempt: Attempt
  /** The batch failed, and this is one delivery of it. */
  isAlone: boolean
}

/** Applies deliveries of one shop in a transaction. Returns how each ended; those that it omits stay unsettled. */
export type ApplyDeliveries = (
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
) => Promise<Settlement[]>

/**
 * A task for webhook deliveries. For each shop in the payload:
 * 1. `applyBatch` applies all deliveries of the shop in one transaction, and returns how each ended.
 * 2. When it fails because of a delivery, it is called with each delivery alone: a bad one blocks no other.
 * 3. A delivery that failed is retried; after the last attempt, or without access to the shop, it is `failed`.
 *
 * Without the database, the deliveries of the other shops fail without being tried.
 */
export function defineDeliveryTask(
  job: DeliveryJob,
  applyBatch: (batch: DeliveryBatch) => Promise<readonly Settlement[]>,
): TaskDefinition {
  return defineTask(
    job,
    async (services, entries, attempt) => {
      const failures = new Map<Delivery, unknown>()
      let outage: unknown
      for (const [shopId, ofShop] of Map.groupBy(entries, (entry) => entry.shopId)) {
        const apply = async (part: readonly Delivery[], isAlone: boolean) => {
          const deliveryIds = part.map(({ deliveryId }) => deliveryId)
          logRejected(services, shopId, await applyBatch({ services, shopId, deliveryIds, attempt, isAlone }))
        }
        const failed = outage
          ? failAll(ofShop, outage)
          : await applyTogetherOrAlone(ofShop, apply, attempt.signal)
        for (const [entry, error] of failed) {
          failures.set(entry, error)
          if (isWithoutDatabase(error)) outage = error
          const isFinal = attempt.isLast || error instanceof TokenRevokedError
          if (isFinal) await failDelivery(services.db, shopId, entry.deliveryId)
        }
      }
      return entries.map(async (entry) => {
        const error = failures.get(entry)
        if (failures.has(entry) && !(error instanceof TokenRevokedError)) throw error
      })
    },
    (services, entries) => abandonDeliveries(services, job, entries),
  )
}

/** Locks, applies and settles the deliveries in one transaction. Changes nothing after the shop has uninstalled the app. */
export async function applyInTransaction(
  batch: DeliveryBatch,
  apply: ApplyDeliveries,
): Promise<readonly Settlement[]> {
  const { db } = batch.services
  const settlements = await inInstalledShop(db, batch.shopId, (tx) => applyAndSettle(tx, batch, apply))
  return settlements ?? []
}

/** The caller has locked the shop. */
export async function applyAndSettle(
  tx: Db,
  { services, shopId, deliveryIds }: DeliveryBatch,
  apply: ApplyDeliveries,
): Promise<readonly Settlement[]> {
  const deliveries = await lockDeliveries(tx, shopId, deliveryIds)
  if (deliveries.length === 0) return []
  const settlements = await apply(tx, shopId, services.gidNamespace, deliveries)
  await settleDeliveries(tx, shopId, settlements)
  return settlements
}

/**
 * Returns the deliveries that failed, with their errors. Without the platform or the database, the others are not tried. Throws when
 * the worker stops, so that the queue hands the whole job back.
 */
async function applyTogetherOrAlone(
  entries: readonly Delivery[],
  apply: (entries: readonly Delivery[], isAlone: boolean) => Promise<void>,
  signal: AbortSignal,
): Promise<[Delivery, unknown][]> {
  const failed: [Delivery, unknown][] = []
  try {
    await apply(entries, false)
    return failed
  } catch (error) {
    signal.throwIfAborted()
    if (entries.length === 1 || !mayBeCausedByOneDelivery(error)) return failAll(entries, error)
  }
  for (const [at, entry] of entries.entries()) {
    try {
      await apply([entry], true)
    } catch (error) {
      signal.throwIfAborted()
      if (!mayBeCausedByOneDelivery(error)) return [...failed, ...failAll(entries.slice(at), error)]
      failed.push([entry, error])
    }
  }
  return failed
}

const failAll = (entries: readonly Delivery[], error: unknown) =>
  entries.map((entry): [Delivery, unknown] => [entry, error])

function mayBeCausedByOneDelivery(error: unknown): boolean {
  if (error instanceof PlatformError) return error.kind === 'rejected'
  return !(error instanceof TokenRevokedError) && !isWithoutDatabase(error)
}

/** A statement that takes too long may succeed for fewer deliveries. The connection to the platform has the same network errors. */
function isWithoutDatabase(error: unknown): boolean {
  const isStatementTimeout = error instanceof Error && 'code' in error && error.code === '57014'
  return !isStatementTimeout && !(error instanceof PlatformError) && isUnavailable(error)
}

function logRejected({ log }: Services, shopId: number, settlements: readonly Settlement[]): void {
  const rejected = settlements.filter(({ state }) => state === 'rejected')
  if (rejected.length > 0) log.warn({ shopId, rejected }, 'deliveries rejected')
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
