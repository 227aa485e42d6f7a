import { type Static, Type } from '@sinclair/typebox'
import { Gid, Id, Nullable } from './common.ts'

/** A rule whose stock is at or below its point. Days are days in the shop's time zone. */
export const ReorderSuggestion = Type.Object({
  variantId: Type.String(),
  sku: Type.String(),
  title: Type.String({ description: 'The product, and the variant where there are several' }),
  currentStock: Type.Integer(),
  reorderPoint: Type.Integer(),
  reorderQuantity: Type.Integer(),
  supplierId: Nullable(Id),
  supplierName: Nullable(Type.String()),
  productId: Type.String(),
  ruleId: Id,
  locationId: Nullable(Type.String({ description: 'Null: all locations together' })),
  locationName: Nullable(Type.String()),
  onOrder: Type.Integer({ description: 'Outstanding of orders that suppliers have' }),
  inTransit: Type.Integer({ description: 'On the way from one location to another' }),
  position: Type.Integer({ description: 'In stock, on order and in transit together' }),
  suggestedQuantity: Type.Integer({ description: '0 when what is on its way is enough' }),
  inDraft: Type.Integer({ description: 'In orders that no supplier has yet' }),
  avgDailySales: Type.Number({ description: 'Of the last 30 days' }),
  leadTimeDays: Type.Integer(),
  stockoutDate: Nullable(Type.String({ description: 'As in 2026-03-01; null when nothing sells' })),
  orderByDate: Nullable(
    Type.String({ description: 'The lead time before what is on hand and on its way is sold' }),
  ),
  explanation: Type.String({ description: 'In words, with the numbers to check it' }),
})
export type ReorderSuggestion = Static<typeof ReorderSuggestion>

/** Variants stand for all of their rules. With neither variants nor rules: all that is suggested. */
export const ReorderDraftsInput = Nullable(
  Type.Object(
    {
      variantIds: Type.Optional(
        Type.Array(Gid('ProductVariant'), {
          maxItems: 1000,
          rule: 'must be a list of at most 1000 variants',
        }),
      ),
      ruleIds: Type.Optional(
        Type.Array(Id, { maxItems: 1000, rule: 'must be a list of at most 1000 reorder rules' }),
      ),
    },
    { additionalProperties: false, rule: 'must be an object' },
  ),
)
export type ReorderDraftsInput = Static<typeof ReorderDraftsInput>

export const ReorderDraft = Type.Object({
  id: Id,
  poNumber: Type.String(),
  supplierId: Id,
  supplierName: Type.String(),
  destinationLocationName: Nullable(Type.String({ description: 'Null: where the rules name no location' })),
  total: Type.Number(),
  lineItemCount: Type.Integer(),
})
export type ReorderDraft = Static<typeof ReorderDraft>

export const SkippedSuggestion = Type.Object({
  variantId: Type.String(),
  title: Type.String(),
  reason: Type.String({ description: 'A sentence for the merchant' }),
})
export type SkippedSuggestion = Static<typeof SkippedSuggestion>

export const ReorderDrafts = Type.Object({
  purchaseOrders: Type.Array(ReorderDraft),
  skipped: Type.Array(SkippedSuggestion),
})
export type ReorderDrafts = Static<typeof ReorderDrafts>
