import { type Static, Type } from '@sinclair/typebox'
import { choices, Gid, Id, pageFields, Timestamp } from './common.ts'

/** `sending`: the platform is being asked. What it has taken is not listed any more. */
export const StockPushState = choices('queued', 'sending', 'failed')
export type StockPushState = Static<typeof StockPushState>

export const StockPushFilter = Type.Object(
  { ...pageFields, state: Type.Optional(StockPushState) },
  { additionalProperties: false },
)
export type StockPushFilter = Static<typeof StockPushFilter>

/** A change of stock that the platform has not taken over yet. */
export const StockPush = Type.Object({
  id: Id,
  state: StockPushState,
  reference: Type.String({ description: 'The document behind it, as in purchase_order/42' }),
  error: Type.String({ description: 'A sentence for the merchant when it was not taken' }),
  createdAt: Timestamp,
  lineCount: Type.Integer(),
  /** The first ten. */
  lines: Type.Array(
    Type.Object({
      variantId: Gid('ProductVariant'),
      sku: Type.String(),
      title: Type.String({ description: 'The product, and the variant where there are several' }),
      locationId: Gid('Location'),
      locationName: Type.String(),
      delta: Type.Integer({ description: 'Pieces: more when positive, fewer when negative' }),
    }),
  ),
})
export type StockPush = Static<typeof StockPush>

/** What a person has decided about a change that failed. */
export const DecidedStockPush = Type.Object({ id: Id, state: choices('queued', 'discarded') })
export type DecidedStockPush = Static<typeof DecidedStockPush>
