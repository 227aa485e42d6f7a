import type { Db } from '../shared/db.ts'
import { holdInstalledShop } from '../shared/domain/shops.ts'
import {
  failDelivery,
  type Settlement,
  settleDeliveries,
  takeDeliveries,
  type WebhookDelivery,
} from '../shared/domain/webhook-deliveries.ts'
import type { Delivery, DeliveryJob } from '../shared/jobs.ts'
import { defineTask, type Services, type TaskDefinition } from './task.ts'

/** Applies deliveries of one shop in a transaction and says how each ended; those it leaves out stay as they are. */
export type ApplyDeliveries = (
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
) => Promise<Settlement[]>

/**
 * A task for the deliveries of a topic: those of a shop are applied together, and when that fails one by one, so that
 * a bad one never holds up the rest. What is applied is marked in the same transaction, so twice is once.
 */
export function defineDeliveryTask(job: DeliveryJob, apply: ApplyDeliveries): TaskDefinition {
  return defineTask(job, async (services, entries, { isLast }) => {
    const failures = new Map<Delivery, unknown>()
    for (const [shopId, ofShop] of Map.groupBy(entries, (entry) => entry.shopId)) {
      for (const [entry, error] of await applyToShop(services, shopId, ofShop, apply)) {
        failures.set(entry, error)
        if (isLast) await failDelivery(services.db, shopId, entry.deliveryId)
      }
    }
    return entries.map(async (entry) => {
      if (failures.has(entry)) throw failures.get(entry)
    })
  })
}

/** Answers the entries that could not be applied, each with its error. */
async function applyToShop(
  services: Services,
  shopId: number,
  entries: readonly Delivery[],
  apply: ApplyDeliveries,
): Promise<[Delivery, unknown][]> {
  try {
    await services.db.transaction(async (tx) => {
      if (!(await holdInstalledShop(tx, shopId))) return
      const ids = entries.map(({ deliveryId }) => deliveryId)
      const deliveries = await takeDeliveries(tx, shopId, ids)
      await settleDeliveries(tx, shopId, await apply(tx, shopId, services.gidNamespace, deliveries))
    })
    return []
  } catch (error) {
    const [first, ...others] = entries
    if (first && others.length === 0) return [[first, error]]
    const failures: [Delivery, unknown][] = []
    for (const entry of entries) failures.push(...(await applyToShop(services, shopId, [entry], apply)))
    return failures
  }
}
