import { type Static, Type } from '@sinclair/typebox'
import { choices, dateFields, Gid, Id, PairCursor, pageFields, Timestamp } from './common.ts'

/**
 * Why a level has moved: `platform` is what the platform did (sales, edits in its admin), `discard` takes back a change
 * that the platform did not take over, `repair` makes the ledger fit its level again; the others are documents and
 * people's changes.
 */
export const StockMovementKind = choices(
  'platform',
  'receipt',
  'reversal',
  'transfer',
  'count',
  'set',
  'delta',
  'discard',
  'repair',
)
export type StockMovementKind = Static<typeof StockMovementKind>

export const StockMovementFilter = Type.Object(
  {
    variantId: Type.Optional(Gid('ProductVariant')),
    locationId: Type.Optional(Gid('Location')),
    kind: Type.Optional(StockMovementKind),
    ...dateFields,
    limit: pageFields.limit,
    cursor: Type.Optional(PairCursor),
  },
  { additionalProperties: false },
)
export type StockMovementFilter = Static<typeof StockMovementFilter>

export const StockMovement = Type.Object({
  id: Id,
  variantId: Gid('ProductVariant'),
  sku: Type.String(),
  title: Type.String(),
  locationId: Gid('Location'),
  locationName: Type.String(),
  kind: StockMovementKind,
  previousQuantity: Type.Integer(),
  newQuantity: Type.Integer(),
  delta: Type.Integer(),
  reason: Type.String({ description: "The merchant's words" }),
  reference: Type.String({ description: 'The document behind it, as in purchase_order/42; else empty' }),
  actor: Type.String({ description: 'The person; empty where the platform or the service itself moved it' }),
  occurredAt: Timestamp,
})
export type StockMovement = Static<typeof StockMovement>
