import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Id } from '../schemas/common.ts'

/** A kind of background job: its name in the queue, the schema of its payload, and its maximum number of attempts. */
export type Job<P extends TSchema = TSchema> = { name: string; payload: P; maxAttempts: number }

/** A payload holds ids and no state. The task reads the current state, so it may run late and run twice. */
function defineJob<P extends TSchema>(name: string, payload: P, maxAttempts: number): Job<P> {
  return { name, payload, maxAttempts }
}

const Delivery = Type.Object({ shopId: Id, deliveryId: Id })
export type Delivery = Static<typeof Delivery>
const Deliveries = Type.Array(Delivery, { minItems: 1 })
export type DeliveryJob = Job<typeof Deliveries>

/** A job that applies a list of webhook deliveries together. Only failed entries are retried. */
const defineDeliveryJob = (name: string): DeliveryJob => defineJob(name, Deliveries, 12)

/**
 * All jobs. Domain functions enqueue them; `worker/tasks/` runs them. A job whose payload has an optional `after…Id`
 * has a time budget: when that is used up, it enqueues the rest with this cursor.
 */
export const jobs = {
  /** The last of 12 attempts is about 16 hours after the first (graphile-worker waits e^attempt s, at most e^10 s). */
  sendPurchaseOrder: defineJob('send-purchase-order', Type.Object({ shopId: Id, outgoingMailId: Id }), 12),
  applyOrders: defineDeliveryJob('apply-orders'),
  applyProducts: defineDeliveryJob('apply-products'),
  applyInventoryLevels: defineDeliveryJob('apply-inventory-levels'),
  uninstallShop: defineDeliveryJob('uninstall-shop'),
  /** Fetches inventory items that the catalogue does not know yet, then applies their stock levels. */
  fetchInventoryItems: defineDeliveryJob('fetch-inventory-items'),
  syncProduct: defineJob('sync-product', Type.Object({ shopId: Id, productGid: Type.String() }), 12),
  syncCatalog: defineJob('sync-catalog', Type.Object({ shopId: Id, catalogSyncId: Id }), 12),
  /** Compares the shop's stock levels with the platform. */
  reconcileStock: defineJob(
    'reconcile-stock',
    Type.Object({ shopId: Id, afterVariantId: Type.Optional(Id) }),
    12,
  ),
  /** Checks that every level is the sum of its movements. */
  verifyStock: defineJob('verify-stock', Type.Object({ shopId: Id, afterVariantId: Type.Optional(Id) }), 6),
  /** Computes a shop's automatic reorder rules, within a time budget: all, or only those not computed yet. */
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
   * Sends the shop's queued stock changes to the platform. The last of 14 attempts is more than a day after the first,
   * when the platform may have forgotten the idempotency key.
   */
  pushStock: defineJob('push-stock', Type.Object({ shopId: Id }), 14),
  /**
   * Computes the sales velocity of the variants that were sold since the last run, or of all. A job for all has no key,
   * because a job for the sold ones would replace it.
   */
  recomputeSalesVelocity: defineJob(
    'recompute-sales-velocity',
    Type.Object({ shopId: Id, isWhole: Type.Optional(Type.Boolean()) }),
    6,
  ),
  snapshotInventoryValue: defineJob('snapshot-inventory-value', Type.Object({ shopId: Id }), 6),
  /** Stores the shop's counts for the dashboard, which would be slow to count on each request. */
  checkLowStock: defineJob('check-low-stock', Type.Object({ shopId: Id, afterRuleId: Type.Optional(Id) }), 6),
  checkOverduePurchaseOrders: defineJob('check-overdue-purchase-orders', Type.Object({ shopId: Id }), 6),
  /** Creates missing webhook subscriptions of the shop. */
  repairWebhookSubscriptions: defineJob('repair-webhook-subscriptions', Type.Object({ shopId: Id }), 6),
  /** Removes the data of a shop that has uninstalled the app. */
  removeShopData: defineJob('remove-shop-data', Type.Object({ shopId: Id }), 25),
  /** Removes expired records of every shop. */
  prune: defineJob('prune', Type.Object({}), 12),
}

/**
 * The webhook topics that the app subscribes to (specification, "Topics and handling"), and the jobs that apply them.
 */
export const webhookJobs = {
  ORDERS_CREATE: jobs.applyOrders,
  PRODUCTS_UPDATE: jobs.applyProducts,
  INVENTORY_LEVELS_UPDATE: jobs.applyInventoryLevels,
  APP_UNINSTALLED: jobs.uninstallShop,
}
export type WebhookTopic = keyof typeof webhookJobs
