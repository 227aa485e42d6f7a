import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Id } from '../schemas/common.ts'

/** A kind of background work: its name in the queue, what it is told, and how often it is tried. */
export type Job<P extends TSchema = TSchema> = { name: string; payload: P; maxAttempts: number }

/** Payloads carry ids, and no state: the task reads the current state, so that it may run late and run twice. */
function defineJob<P extends TSchema>(name: string, payload: P, maxAttempts: number): Job<P> {
  return { name, payload, maxAttempts }
}

const Delivery = Type.Object({ shopId: Id, deliveryId: Id })
export type Delivery = Static<typeof Delivery>
const Deliveries = Type.Array(Delivery, { minItems: 1 })
export type DeliveryJob = Job<typeof Deliveries>

/**
 * A job for a list of webhook deliveries, so that those which arrive together are applied together: its payload is
 * the list, and entries that fail are tried again without the others.
 */
const defineDeliveryJob = (name: string): DeliveryJob => defineJob(name, Deliveries, 12)

/** Every job there is. Domain functions enqueue them, `worker/tasks/<name>.ts` does them. */
export const jobs = {
  /** 12 attempts, the last about 16 hours after the first (the queue waits e^attempt seconds, at most e^10). */
  sendPurchaseOrder: defineJob('send-purchase-order', Type.Object({ shopId: Id, outgoingMailId: Id }), 12),
  applyOrders: defineDeliveryJob('apply-orders'),
  applyProducts: defineDeliveryJob('apply-products'),
  applyInventoryLevels: defineDeliveryJob('apply-inventory-levels'),
  uninstallShop: defineDeliveryJob('uninstall-shop'),
  /** Applies the stock of items that the catalogue does not know yet, once the platform has told what they are. */
  fetchInventoryItems: defineDeliveryJob('fetch-inventory-items'),
  /** Reads a product with all its variants, however many. */
  syncProduct: defineJob('sync-product', Type.Object({ shopId: Id, productGid: Type.String() }), 12),
  /** Reads the whole shop, a slice at a time: each slice that ends enqueues the next. */
  syncCatalog: defineJob('sync-catalog', Type.Object({ shopId: Id, catalogSyncId: Id }), 12),
  /** Compares the shop's stock with the platform, a slice at a time, each behind the last variant of the one before. */
  reconcileStock: defineJob(
    'reconcile-stock',
    Type.Object({ shopId: Id, afterVariantId: Type.Optional(Id) }),
    12,
  ),
  /** Checks that every level of a shop is the sum of its movements, a slice at a time. */
  verifyStock: defineJob('verify-stock', Type.Object({ shopId: Id, afterVariantId: Type.Optional(Id) }), 6),
  /**
   * Computes the points of a shop's automatic reorder rules, a slice at a time; of all of them, or of those that were
   * not computed yet.
   */
  recomputeReorderPoints: defineJob(
    'recompute-reorder-points',
    Type.Object({
      shopId: Id,
      afterRuleId: Type.Optional(Id),
      isOnlyNew: Type.Optional(Type.Boolean()),
    }),
    6,
  ),
  /**
   * Tells the platform of the shop's own changes of stock, all that wait. 14 attempts: the last is more than a day
   * after the first, when the platform may have forgotten what it was asked.
   */
  pushStock: defineJob('push-stock', Type.Object({ shopId: Id }), 14),
  /**
   * Computes how fast variants sell: those that were sold since the last time, or all of the shop. The two differ in
   * what they do, so a job for all never waits under the key of the others, which would replace it.
   */
  recomputeSalesVelocity: defineJob(
    'recompute-sales-velocity',
    Type.Object({ shopId: Id, isWhole: Type.Optional(Type.Boolean()) }),
    6,
  ),
  /** Writes down what the shop's stock is worth today. */
  snapshotInventoryValue: defineJob('snapshot-inventory-value', Type.Object({ shopId: Id }), 6),
  /** Writes down how many of what the shop has, so that nobody has to count all of it. */
  tallyShop: defineJob('tally-shop', Type.Object({ shopId: Id }), 6),
  /** Looks at all reorder rules of a shop, a slice at a time, each behind the last rule of the one before. */
  checkLowStock: defineJob('check-low-stock', Type.Object({ shopId: Id, afterRuleId: Type.Optional(Id) }), 6),
  /** Tells of a shop's orders that should have arrived. */
  checkOverduePurchaseOrders: defineJob('check-overdue-purchase-orders', Type.Object({ shopId: Id }), 6),
  /** Makes sure that the platform sends the shop's news. */
  repairWebhookSubscriptions: defineJob('repair-webhook-subscriptions', Type.Object({ shopId: Id }), 6),
  /** Removes what is left of a shop that has uninstalled the app, a batch at a time. */
  removeShopData: defineJob('remove-shop-data', Type.Object({ shopId: Id }), 25),
  /** Removes what has been kept for long enough, of every shop. */
  prune: defineJob('prune', Type.Object({}), 12),
}

/** The webhooks we take (specification, "Topics and handling"), and the jobs that apply them. */
export const webhookJobs = {
  ORDERS_CREATE: jobs.applyOrders,
  PRODUCTS_UPDATE: jobs.applyProducts,
  INVENTORY_LEVELS_UPDATE: jobs.applyInventoryLevels,
  APP_UNINSTALLED: jobs.uninstallShop,
}
export type WebhookTopic = keyof typeof webhookJobs
