import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp } from './common.ts'

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
