import { readOrdersSoon } from '../../../shared/domain/sales/reading.ts'
import { recordCheck } from '../../../shared/domain/shops/subscriptions.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { repairSubscriptions } from '../../platform/webhook-subscriptions.ts'
import { defineTask } from '../../queue/task.ts'

/**
 * Adds missing webhook subscriptions of the shop, and records the check. Orders whose webhooks may have been missed are
 * read at once. Fails when the platform refuses some.
 */
export const repairWebhookSubscriptions = defineTask(
  jobs.repairWebhookSubscriptions,
  async ({ db, adminApi, webhookUrl }, { shopId }, { signal }) => {
    const { objections, added } = await repairSubscriptions(adminApi(shopId), webhookUrl, signal)
    await recordCheck(db, shopId, objections.length === 0)
    if (added.some((topic) => topic.startsWith('ORDERS_'))) await readOrdersSoon(db, shopId)
    if (objections.length > 0) throw new Error(`Webhook subscriptions are missing. ${objections.join('; ')}`)
  },
)
