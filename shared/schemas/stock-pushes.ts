import { type Static, Type } from '@sinclair/typebox'
import { choices, Gid, Id, pageFields, Strict, Timestamp } from './common.ts'

/** `sending`: the request to the platform is running. Confirmed pushes are not listed. */
export const StockPushState = choices('queued', 'sending', 'failed')
export type StockPushState = Static<typeof StockPushState>

export const StockPushFilter = Strict({ ...pageFields, state: Type.Optional(StockPushState) })
export type StockPushFilter = Static<typeof StockPushFilter>

/** A stock change that the platform has not confirmed yet. */
export const StockPush = Type.Object({
  id: Id,
  state: StockPushState,
  reference: Type.String({
    description:
      'The document that caused it, as in purchase_order/42; stock_push/42 for several, empty without one',
  }),
  error: Type.String({ description: 'A sentence for the merchant when the push failed; else empty' }),
  createdAt: Timestamp,
  lineCount: Type.Integer(),
  /** The first ten lines. */
  lines: Type.Array(
    Type.Object({
      variantId: Gid('ProductVariant'),
      sku: Type.String(),
      title: Type.String({ description: 'The product, and the variant where there are several' }),
      locationId: Gid('Location'),
      locationName: Type.String(),
      delta: Type.Integer({ description: 'Pieces that the push adds; negative when it removes some' }),
    }),
  ),
})
export type StockPush = Static<typeof StockPush>

/** A failed push after a person has retried or discarded it. */
export const DecidedStockPush = Type.Object({ id: Id, state: choices('queued', 'discarded') })
export type DecidedStockPush = Static<typeof DecidedStockPush>
