import type { Db } from '../../../shared/db/db.ts'
import {
  lockAdditionalDeliveries,
  type Settlement,
  type WebhookDelivery,
} from '../../../shared/domain/exchange/webhooks/deliveries.ts'
import { applyInventoryLevels as apply } from '../../../shared/domain/exchange/webhooks/inventory-levels-update.ts'
import { enqueue } from '../../../shared/queue/enqueue.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { type ApplyDeliveries, applyInTransaction, defineDeliveryTask } from '../../queue/delivery-task.ts'

/**
 * Applies stock levels that changed on the platform. The webhooks are small and frequent, so a job also applies further
 * waiting ones of its shop. Those that name unknown items or locations get a job that reads these first.
 */
export const applyInventoryLevels = defineDeliveryTask(jobs.applyInventoryLevels, async (batch) => {
  // only a fresh job applies further ones: others may contain a delivery that crashes the process
  if (batch.attempt.isFresh && !batch.isAlone) {
    try {
      return await applyInTransaction(batch, applyLevels({ isWithAdditional: true }))
    } catch {
      // one of the further ones may be the cause
    }
  }
  return applyInTransaction(batch, applyLevels({ isWithAdditional: false }))
})

const applyLevels =
  ({ isWithAdditional }: { isWithAdditional: boolean }): ApplyDeliveries =>
  async (tx, shopId, namespace, own) => {
    const additional = isWithAdditional
      ? await lockAdditionalDeliveries(tx, shopId, 'INVENTORY_LEVELS_UPDATE', own)
      : []
    const settlements = await apply(tx, shopId, namespace, [...own, ...additional])
    await fetchUnsettled(tx, shopId, own, settlements)
    return settlements
  }

async function fetchUnsettled(
  tx: Db,
  shopId: number,
  own: readonly WebhookDelivery[],
  settlements: readonly Settlement[],
): Promise<void> {
  const settled = new Set(settlements.map(({ id }) => id))
  const unsettled = own.filter(({ id }) => !settled.has(id)).map(({ id }) => ({ shopId, deliveryId: id }))
  if (unsettled.length > 0) await enqueue(tx, jobs.fetchInventoryItems, unsettled)
}
