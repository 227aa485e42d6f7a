import { type Static, Type } from '@sinclair/typebox'
import { choices, Id, Nullable, pageFields, Strict, Timestamp } from './common.ts'

/** The phases of a catalogue sync, in this order. */
export const SyncPhase = Type.Union([
  Type.Literal('locations'),
  Type.Literal('products'),
  Type.Literal('levels'),
  Type.Literal('orders'),
])
export type SyncPhase = Static<typeof SyncPhase>

/**
 * What started a sync:
 * - `installation`, `merchant`
 * - `upgrade`: this release reads fields that the previous release did not
 * - `weekly`: the last sync is a week old
 * - `repair`: webhook subscriptions were missing
 */
export const SyncCause = choices('installation', 'merchant', 'upgrade', 'weekly', 'repair')
export type SyncCause = Static<typeof SyncCause>

/** The numbers of records that the sync has read. */
export const SyncCounts = Type.Object({
  locations: Type.Integer(),
  products: Type.Integer(),
  variants: Type.Integer(),
  levels: Type.Integer(),
  orders: Type.Integer(),
})
export type SyncCounts = Static<typeof SyncCounts>

/** Since when the sales of the shop are known, and the reading of orders that changed. */
export const SyncedSales = Type.Object({
  knownSince: Nullable(Timestamp),
  knownDays: Nullable(
    Type.Integer({ description: 'Days of the last 90 whose sales are known; null until that is determined' }),
  ),
  readUntil: Nullable(
    Type.String({ format: 'date-time', description: 'All changes of orders up to here were read' }),
  ),
  readingSince: Nullable(
    Type.String({ format: 'date-time', description: 'When the reading under way began; else null' }),
  ),
  ordersRead: Type.Integer({ description: 'By the reading under way, else by the last one' }),
})
export type SyncedSales = Static<typeof SyncedSales>

/** The state of the data exchange with the platform. */
export const Sync = Type.Object({
  state: Type.Union(
    [Type.Literal('none'), Type.Literal('running'), Type.Literal('done'), Type.Literal('failed')],
    { description: 'State of the newest catalogue sync; `none` before the first' },
  ),
  phase: Nullable(SyncPhase),
  cause: Nullable(SyncCause),
  counts: SyncCounts,
  reason: Type.String({
    description:
      'A sentence for the merchant when records could not be read, also of a finished sync; else empty',
  }),
  startedAt: Nullable(Timestamp),
  finishedAt: Nullable(Timestamp),
  lastWebhookAt: Nullable(Timestamp),
  failedDeliveries: Type.Integer({ description: 'Platform updates that failed' }),
  unreadVariants: Type.Integer({
    description: 'Variants whose stock on hand the worker still reads after an update of the app; else 0',
  }),
  sales: SyncedSales,
})
export type Sync = Static<typeof Sync>

/** `failed`: not retried automatically. `ignored` and `rejected`: the payload is of no use, or it is invalid. */
export const DeliveryState = choices('received', 'applied', 'ignored', 'rejected', 'failed')
export type DeliveryState = Static<typeof DeliveryState>

/** `state` defaults to `failed`. */
export const DeliveryFilter = Strict({ state: Type.Optional(DeliveryState), ...pageFields })
export type DeliveryFilter = Static<typeof DeliveryFilter>

/** A webhook delivery of the platform, without its payload. */
export const Delivery = Type.Object({
  id: Id,
  topic: Type.String({ description: 'Webhook topic, as in ORDERS_CREATE' }),
  state: DeliveryState,
  reason: Type.String({ description: 'The reason why it was not applied; else empty' }),
  receivedAt: Timestamp,
  settledAt: Nullable(Timestamp),
})
export type Delivery = Static<typeof Delivery>

export const ReplayedDelivery = Type.Pick(Delivery, ['id', 'state'])
export type ReplayedDelivery = Static<typeof ReplayedDelivery>

export const ReplayedDeliveries = Type.Object({
  replayed: Type.Integer({
    description: 'Number of updates that are applied again; at most 1 000 per request',
  }),
})
