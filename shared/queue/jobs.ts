import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Id } from '../schemas/common.ts'

/** Due jobs with a smaller number run first: those that a person waits for, webhooks, stock changes, work in the background. */
export const priorities = { person: -10, webhooks: 0, pushes: 5, background: 10 } as const

export type Job<P extends TSchema = TSchema> = {
  name: string
  payload: P
  maxAttempts: number
  priority: keyof typeof priorities
  /** Its jobs read many rows or pages, or there are thousands of them, so they never take all concurrency slots of a worker. */
  isBulk: boolean
}

/** A payload holds ids and no state. The task reads the current state, so it may run late and run twice. */
export function defineJob<P extends TSchema>(
  name: string,
  payload: P,
  maxAttempts: number,
  { priority = 'webhooks', isBulk = false }: Partial<Pick<Job, 'priority' | 'isBulk'>> = {},
): Job<P> {
  return { name, payload, maxAttempts, priority, isBulk }
}

/** A person watches its progress. */
const watched = { priority: 'person', isBulk: true } as const
/** A person does not wait for it: the work of the night, of each hour, and after an uninstall. */
const background = { priority: 'background', isBulk: true } as const

const Delivery = Type.Object({ shopId: Id, deliveryId: Id })
export type Delivery = Static<typeof Delivery>
const Deliveries = Type.Array(Delivery, { minItems: 1 })
export type DeliveryJob = Job<typeof Deliveries>

/** A job that applies a list of webhook deliveries together. Only failed entries are retried. */
const defineDeliveryJob = (name: string, isBulk = false): DeliveryJob =>
  defineJob(name, Deliveries, 12, { isBulk })

/** A job with an optional `after…Id` has a time budget: when it is used up, it enqueues the rest with this cursor. */
export const jobs = {
  /** The last of 12 attempts is about 16 hours after the first (graphile-worker waits e^attempt s, at most e^10 s). */
  sendPurchaseOrder: defineJob('send-purchase-order', Type.Object({ shopId: Id, outgoingMailId: Id }), 12, {
    priority: 'person',
  }),
  applyOrders: defineDeliveryJob('apply-orders'),
  applyOrderDeletions: defineDeliveryJob('apply-order-deletions'),
  /** Reads orders that changed since the last reading; the position is in the table `sales_reading`. */
  readOrders: defineJob('read-orders', Type.Object({ shopId: Id, afterPageId: Type.Optional(Id) }), 12, {
    isBulk: true,
  }),
  applyProducts: defineDeliveryJob('apply-products'),
  applyProductDeletions: defineDeliveryJob('apply-product-deletions'),
  applyInventoryItems: defineDeliveryJob('apply-inventory-items'),
  applyLocations: defineDeliveryJob('apply-locations'),
  applyLocationDeletions: defineDeliveryJob('apply-location-deletions'),
  applyInventoryLevels: defineDeliveryJob('apply-inventory-levels'),
  uninstallShop: defineDeliveryJob('uninstall-shop'),
  recordDataRequests: defineDeliveryJob('record-data-requests'),
  redactCustomers: defineDeliveryJob('redact-customers'),
  projectDeliveries: defineJob('project-deliveries', Type.Object({}), 12, background),
  /** An import of products on the platform adds thousands of the next two, which wait for its answers. */
  fetchInventoryItems: defineDeliveryJob('fetch-inventory-items', true),
  syncProduct: defineJob(
    'sync-product',
    Type.Object({ shopId: Id, productGid: Type.String() }),
    12,
    background,
  ),
  syncCatalog: defineJob('sync-catalog', Type.Object({ shopId: Id, catalogSyncId: Id }), 12, watched),
  /** Starts the sync of a shop that is due (`shared/domain/exchange/sync/due.ts`). */
  startDueSync: defineJob('start-due-sync', Type.Object({ shopId: Id }), 6, background),
  reconcileStock: defineJob(
    'reconcile-stock',
    Type.Object({ shopId: Id, afterVariantId: Type.Optional(Id) }),
    12,
    background,
  ),
  /** Reads the levels that `enqueueReadLevels` has requested (`shared/domain/ledgers/stock/platform/read-requests.ts`). */
  readLevels: defineJob('read-levels', Type.Object({ shopId: Id }), 12),
  verifyStock: defineJob(
    'verify-stock',
    Type.Object({ shopId: Id, afterVariantId: Type.Optional(Id) }),
    6,
    background,
  ),
  /** Sends the costs of the table `cost_push`. */
  pushCosts: defineJob('push-costs', Type.Object({ shopId: Id }), 12, { priority: 'pushes' }),
  verifyCosts: defineJob(
    'verify-costs',
    Type.Object({ shopId: Id, afterVariantId: Type.Optional(Id) }),
    6,
    background,
  ),
  recomputeReorderPoints: defineJob(
    'recompute-reorder-points',
    Type.Object({
      shopId: Id,
      afterRuleId: Type.Optional(Id),
      isOnlyNew: Type.Optional(Type.Boolean()),
      /** Only these rules, since earlier sales or forecasts of their variants changed. */
      ruleIds: Type.Optional(Type.Array(Id, { minItems: 1 })),
    }),
    6,
    background,
  ),
  /** The last of 14 attempts is over a day later, when the platform may have forgotten the idempotency key. */
  pushStock: defineJob('push-stock', Type.Object({ shopId: Id }), 14, { priority: 'pushes' }),
  /** A job for all variants has no key, because a job for the sold ones would replace it. */
  recomputeSalesVelocity: defineJob(
    'recompute-sales-velocity',
    Type.Object({ shopId: Id, isWhole: Type.Optional(Type.Boolean()) }),
    6,
    background,
  ),
  /** What the margin report shows of its usual periods. The velocity of all variants enqueues it. */
  recomputeMargins: defineJob('recompute-margins', Type.Object({ shopId: Id }), 6, background),
  /** Rolls up the demand to yesterday, then enqueues the forecasts. */
  rollUpDemand: defineJob(
    'roll-up-demand',
    Type.Object({ shopId: Id, afterVariantId: Type.Optional(Id) }),
    6,
    background,
  ),
  recomputeForecasts: defineJob(
    'recompute-forecasts',
    Type.Object({ shopId: Id, afterVariantId: Type.Optional(Id) }),
    6,
    background,
  ),
  /** What the reports of gaps, overstock and lost sales show. The forecasts enqueue it, and the night after its other jobs. */
  recomputePlanning: defineJob(
    'recompute-planning',
    Type.Object({
      shopId: Id,
      afterVariantId: Type.Optional(Id),
      /** Only the variants of this order, whose expected date was changed. */
      purchaseOrderId: Type.Optional(Id),
    }),
    6,
    background,
  ),
  snapshotInventoryValue: defineJob('snapshot-inventory-value', Type.Object({ shopId: Id }), 6, background),
  checkLowStock: defineJob(
    'check-low-stock',
    Type.Object({ shopId: Id, afterRuleId: Type.Optional(Id) }),
    6,
    background,
  ),
  makePlannedCounts: defineJob('make-planned-counts', Type.Object({ shopId: Id }), 6, background),
  checkOverduePurchaseOrders: defineJob(
    'check-overdue-purchase-orders',
    Type.Object({ shopId: Id }),
    6,
    background,
  ),
  /** Computes the daily digest of a shop, and enqueues its mails. */
  makeDigest: defineJob('make-digest', Type.Object({ shopId: Id, digestId: Id }), 12),
  sendDigest: defineJob('send-digest', Type.Object({ shopId: Id, digestMailId: Id }), 12),
  /** Before the first sync, so that what changes during it comes as a webhook. */
  repairWebhookSubscriptions: defineJob('repair-webhook-subscriptions', Type.Object({ shopId: Id }), 6, {
    priority: 'person',
  }),
  exportShop: defineJob('export-shop', Type.Object({ shopId: Id, exportId: Id }), 4, watched),
  removeShopData: defineJob('remove-shop-data', Type.Object({ shopId: Id }), 25, background),
  /** Does what the state of the import asks for: reads the file, makes the dry run, imports, or reverts. */
  workOnImport: defineJob('work-on-import', Type.Object({ shopId: Id, importId: Id }), 6, watched),
  prune: defineJob('prune', Type.Object({}), 12, background),
}

/** The processed topics, and the jobs that apply them. Those of the specification ("Topics and handling") come first. */
export const webhookJobs = {
  ORDERS_CREATE: jobs.applyOrders,
  PRODUCTS_UPDATE: jobs.applyProducts,
  INVENTORY_LEVELS_UPDATE: jobs.applyInventoryLevels,
  APP_UNINSTALLED: jobs.uninstallShop,
  ORDERS_UPDATED: jobs.applyOrders,
  ORDERS_DELETE: jobs.applyOrderDeletions,
  PRODUCTS_CREATE: jobs.applyProducts,
  PRODUCTS_DELETE: jobs.applyProductDeletions,
  INVENTORY_ITEMS_UPDATE: jobs.applyInventoryItems,
  LOCATIONS_CREATE: jobs.applyLocations,
  LOCATIONS_UPDATE: jobs.applyLocations,
  LOCATIONS_ACTIVATE: jobs.applyLocations,
  LOCATIONS_DEACTIVATE: jobs.applyLocations,
  LOCATIONS_DELETE: jobs.applyLocationDeletions,
  CUSTOMERS_DATA_REQUEST: jobs.recordDataRequests,
  CUSTOMERS_REDACT: jobs.redactCustomers,
}
export type WebhookTopic = keyof typeof webhookJobs

/** About customers' rights. The platform sends them to every app without a subscription, and accepts none. */
export const complianceTopics: readonly WebhookTopic[] = ['CUSTOMERS_DATA_REQUEST', 'CUSTOMERS_REDACT']

export const subscribedTopics = (Object.keys(webhookJobs) as WebhookTopic[]).filter(
  (topic) => !complianceTopics.includes(topic),
)

/** The topics that the specification requires. A platform may refuse the others: nightly jobs read what these webhooks contain. */
export const requiredTopics: readonly WebhookTopic[] = [
  'ORDERS_CREATE',
  'PRODUCTS_UPDATE',
  'INVENTORY_LEVELS_UPDATE',
  'APP_UNINSTALLED',
]
