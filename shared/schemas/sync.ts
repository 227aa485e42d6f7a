import { type Static, Type } from '@sinclair/typebox'
import { choices, Id, Nullable, pageFields, Timestamp } from './common.ts'

/** What is read of a shop, in this order. */
export const SyncPhase = Type.Union([
  Type.Literal('locations'),
  Type.Literal('products'),
  Type.Literal('levels'),
  Type.Literal('orders'),
])
export type SyncPhase = Static<typeof SyncPhase>

/** How many records were read. */
export const SyncCounts = Type.Object({
  locations: Type.Integer(),
  products: Type.Integer(),
  variants: Type.Integer(),
  levels: Type.Integer(),
  orders: Type.Integer(),
})
export type SyncCounts = Static<typeof SyncCounts>

/** How the shop and the service are in step. */
export const Sync = Type.Object({
  state: Type.Union(
    [Type.Literal('none'), Type.Literal('running'), Type.Literal('done'), Type.Literal('failed')],
    { description: 'Of the newest reading of the whole shop; `none` before the first' },
  ),
  phase: Nullable(SyncPhase),
  counts: SyncCounts,
  reason: Type.String({ description: 'A sentence for the merchant when something could not be read' }),
  startedAt: Nullable(Timestamp),
  finishedAt: Nullable(Timestamp),
  lastWebhookAt: Nullable(Timestamp),
  failedDeliveries: Type.Integer({ description: 'News of the platform that could not be applied' }),
})
export type Sync = Static<typeof Sync>

/** `failed`: it is not tried again by itself. `ignored` and `rejected` tell nothing that can be used. */
export const DeliveryState = choices('received', 'applied', 'ignored', 'rejected', 'failed')
export type DeliveryState = Static<typeof DeliveryState>

/** Without `state` what has failed is listed. */
export const DeliveryFilter = Type.Object(
  { state: Type.Optional(DeliveryState), ...pageFields },
  { additionalProperties: false },
)
export type DeliveryFilter = Static<typeof DeliveryFilter>

/** News of the platform, without what is in it. */
export const Delivery = Type.Object({
  id: Id,
  topic: Type.String({ description: 'As in ORDERS_CREATE' }),
  state: DeliveryState,
  reason: Type.String({ description: 'Why it was not applied; else empty' }),
  receivedAt: Timestamp,
  settledAt: Nullable(Timestamp),
})
export type Delivery = Static<typeof Delivery>

export const ReplayedDelivery = Type.Pick(Delivery, ['id', 'state'])
export type ReplayedDelivery = Static<typeof ReplayedDelivery>

export const ReplayedDeliveries = Type.Object({
  replayed: Type.Integer({ description: 'How many are applied again; at most 1 000 at once' }),
})
export type ReplayedDeliveries = Static<typeof ReplayedDeliveries>
