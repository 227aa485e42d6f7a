import type { Db } from '../../../shared/db/db.ts'
import { startSync } from '../../../shared/domain/exchange/sync/sync.ts'
import { readOrdersSoon } from '../../../shared/domain/ledgers/sales/reading.ts'
import { inInstalledShop } from '../../../shared/domain/records/shops/shops.ts'
import { recordCheck } from '../../../shared/domain/records/shops/subscriptions.ts'
import { enqueue } from '../../../shared/queue/enqueue.ts'
import { jobs, type WebhookTopic } from '../../../shared/queue/jobs.ts'
import { repairSubscriptions } from '../../platform/webhook-subscriptions.ts'
import { defineTask } from '../../queue/task.ts'

/**
 * Adds missing webhook subscriptions of the shop, records the check, and reads what the added ones may have missed. Fails
 * when the platform refuses one that the specification requires; the refusal of another one is only logged.
 */
export const repairWebhookSubscriptions = defineTask(
  jobs.repairWebhookSubscriptions,
  async ({ db, adminApi, webhookUrl, log }, { shopId }, { signal }) => {
    const { added, requiredErrors, optionalErrors } = await repairSubscriptions(
      adminApi(shopId),
      webhookUrl,
      signal,
    )
    if (optionalErrors.length > 0) log.warn({ shopId, optionalErrors }, 'webhook subscriptions refused')
    await inInstalledShop(db, shopId, async (tx) => {
      const isFirst = await recordCheck(tx, shopId, requiredErrors.length === 0)
      // the installation has started a sync already
      if (!isFirst) await readMissed(tx, shopId, added)
    })
    if (added.some(isOfOrders)) await readOrdersSoon(db, shopId)
    if (requiredErrors.length > 0)
      throw new Error(`Webhook subscriptions are missing. ${requiredErrors.join('; ')}`)
  },
)

const isOfOrders = (topic: WebhookTopic) => topic.startsWith('ORDERS_')

/** Levels alone are compared as every night; all else is read by a sync. An uninstallation cannot be missed. */
async function readMissed(tx: Db, shopId: number, added: readonly WebhookTopic[]): Promise<void> {
  const missed = added.filter((topic) => topic !== 'APP_UNINSTALLED' && !isOfOrders(topic))
  if (missed.some((topic) => topic !== 'INVENTORY_LEVELS_UPDATE')) {
    await startSync(tx, shopId, 'repair')
  } else if (missed.length > 0) {
    await enqueue(tx, jobs.reconcileStock, { shopId })
  }
}
