import { type Static, Type } from '@sinclair/typebox'
import { Gid, Id, ListOf, Nullable, pairFields, Quantity, Strict } from './common.ts'

export const TransferSuggestionFilter = Strict({
  sourceLocationId: Type.Optional(Gid('Location')),
  destinationLocationId: Type.Optional(Gid('Location')),
  ...pairFields,
})
export type TransferSuggestionFilter = Static<typeof TransferSuggestionFilter>

/** Goods of one location that another one needs. A reorder rule that two locations can supply is on two rows. */
export const TransferSuggestion = Type.Object({
  ruleId: Id,
  variantId: Type.String(),
  sku: Type.String(),
  title: Type.String(),
  sourceLocationId: Type.String(),
  sourceLocationName: Type.String(),
  destinationLocationId: Type.String(),
  destinationLocationName: Type.String(),
  quantity: Type.Integer({ description: 'To move, in whole packs' }),
  packSize: Type.Integer({ description: 'Of the preferred supplier; 1 without one' }),
  currentStock: Type.Integer({ description: 'Available at the destination' }),
  incoming: Type.Integer({
    description: 'To the destination: on order, in transit, and in planned transfers',
  }),
  reorderPoint: Type.Integer({ description: 'Of the destination' }),
  sourceStock: Type.Integer({ description: 'Available at the source, without what is planned to leave it' }),
  sourceReorderPoint: Nullable(
    Type.Integer({ description: 'Null when the source has no rule: then all of its stock can be moved' }),
  ),
  sourceLastsDays: Nullable(
    Type.Integer({
      description:
        'Until the source is at its own reorder point, as fast as it sold in 90 days; null without sales',
    }),
  ),
})
export type TransferSuggestion = Static<typeof TransferSuggestion>

const DraftItem = Strict({
  variantId: Gid('ProductVariant'),
  sourceLocationId: Gid('Location'),
  destinationLocationId: Gid('Location'),
  quantity: Quantity,
})

/** Each item becomes one of a transfer, with this quantity. */
export const TransferDraftsInput = Strict({ items: ListOf(DraftItem, 1, 1000, 'items') })
export type TransferDraftsInput = Static<typeof TransferDraftsInput>

export const TransferDrafts = Type.Object({
  transfers: Type.Array(
    Type.Object({
      id: Id,
      sourceLocationId: Type.String(),
      sourceLocationName: Type.String(),
      destinationLocationId: Type.String(),
      destinationLocationName: Type.String(),
      itemCount: Type.Integer(),
      quantity: Type.Integer({ description: 'Pieces of all items' }),
    }),
  ),
})
export type TransferDrafts = Static<typeof TransferDrafts>
