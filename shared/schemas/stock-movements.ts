import { type Static, Type } from '@sinclair/typebox'
import { choices, countField, dateFields, Gid, Id, pairFields, Strict, Text, Timestamp } from './common.ts'

/**
 * The cause of a movement:
 * - `platform`: a change on the platform, such as a sale or an edit in its admin
 * - `discard`: reverts a change that the platform did not accept
 * - `repair`: makes the sum of the movements equal to the level again
 * - the others: a document or a person's change
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
  'supplier_return',
)
export type StockMovementKind = Static<typeof StockMovementKind>

/** By the instant of the movement; the newest first without a sort. */
export const StockMovementSort = choices('newest', 'oldest')
export type StockMovementSort = Static<typeof StockMovementSort>

export const StockMovementFilter = Strict({
  variantId: Type.Optional(Gid('ProductVariant')),
  locationId: Type.Optional(Gid('Location')),
  kind: Type.Optional(StockMovementKind),
  reference: Type.Optional(
    Type.Unsafe<string>({
      ...Text(100, 1),
      description: 'The document that caused it, as in stock_count/7; fast with a kind and dates',
    }),
  ),
  search: Type.Optional(Text(200)),
  sort: Type.Optional(StockMovementSort),
  ...dateFields,
  ...pairFields,
  ...countField,
})
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
  reason: Type.String({ description: 'Entered by the merchant' }),
  reference: Type.String({ description: 'The document that caused it, as in purchase_order/42; else empty' }),
  referenceName: Type.String({ description: 'The number of that document, as in PO-00042, if it has one' }),
  isOpening: Type.Boolean({
    description: 'The stock that the platform had when the app read the level first',
  }),
  actor: Type.String({ description: 'The person; empty for movements by the platform or by the service' }),
  occurredAt: Timestamp,
})
export type StockMovement = Static<typeof StockMovement>
