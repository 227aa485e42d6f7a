import { type Static, Type } from '@sinclair/typebox'
import { choices, Gid, Id, ListOf, Nullable, pairFields, Strict } from './common.ts'
import { productSearch } from './products.ts'

export const ReorderSuggestionFilter = Strict({
  ...productSearch,
  ...pairFields,
})
export type ReorderSuggestionFilter = Static<typeof ReorderSuggestionFilter>

/** A reorder rule with stock at or below its point. Dates are days in the shop's time zone. */
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
  locationId: Nullable(Type.String({ description: 'Null: the total of all locations' })),
  locationName: Nullable(Type.String()),
  onOrder: Type.Integer({ description: 'Outstanding pieces of orders that were sent' }),
  inTransit: Type.Integer({ description: 'Pieces in transfers that were shipped' }),
  position: Type.Integer({ description: 'Sum of stock, on order and in transit' }),
  suggestedQuantity: Type.Integer({ description: '0 when what arrives in time is enough' }),
  inDraft: Type.Integer({ description: 'Pieces in draft orders' }),
  drafts: Type.Array(Type.Object({ id: Id, poNumber: Type.String() }), {
    description: 'The draft orders with these pieces',
  }),
  avgDailySales: Type.Number({ description: 'Mean of the days in stock of the last 30 days' }),
  leadTimeDays: Type.Integer(),
  stockoutDate: Nullable(Type.String({ description: 'Day, as in 2026-03-01; null when there are no sales' })),
  orderByDate: Nullable(
    Type.String({
      description: 'The day on which the position is sold out, minus the lead time; as in 2026-03-01',
    }),
  ),
  supplierSku: Type.String(),
  packSize: Type.Integer({ description: 'Pieces in a pack of the supplier' }),
  unitCost: Nullable(
    Type.Number({ description: 'Of the suggested quantity at the supplier; null when it is not known' }),
  ),
  currency: Type.String({ description: 'Of the supplier; ISO 4217' }),
  roundedUpBy: Type.Integer({ description: 'Pieces that fill packs, multiple and minimum of the supplier' }),
  explanation: Type.String({ description: 'Sentences with the numbers of the calculation' }),
  method: Type.String({
    description:
      'The model of the forecast that dates and quantities come from; `30d` without a usable forecast',
  }),
  wape: Nullable(Type.Number({ description: 'Mean error of the forecast, as a share of the demand' })),
  gapOn: Nullable(
    Type.String({
      description: 'The first day without enough stock if nothing more is ordered; null: not soon',
    }),
  ),
  gapUntil: Nullable(
    Type.String({
      description: 'The next day with stock; null: nothing that is on its way ends the gap, or there is none',
    }),
  ),
  arrivingInGap: Type.Integer({
    description:
      'Pieces of orders and transfers that arrive after `gapOn`, up to `gapUntil`; they count, since a new order would not arrive earlier',
  }),
  lateOnOrder: Type.Integer({
    description:
      'Pieces on order that arrive after the stock is sold out and after a new order would; they do not count',
  }),
  inTimePosition: Type.Integer({
    description: 'The position without late pieces, compared to the reorder point',
  }),
  confidence: choices('normal', 'low'),
})
export type ReorderSuggestion = Static<typeof ReorderSuggestion>

/** A variant selects all of its rules. Without variants and rules, all suggestions are selected. */
export const ReorderDraftsInput = Nullable(
  Strict(
    {
      variantIds: Type.Optional(ListOf(Gid('ProductVariant'), 0, 1000, 'variants')),
      ruleIds: Type.Optional(ListOf(Id, 0, 1000, 'reorder rules')),
    },
    { rule: 'must be an object' },
  ),
)
export type ReorderDraftsInput = Static<typeof ReorderDraftsInput>

export const ReorderDraft = Type.Object({
  id: Id,
  poNumber: Type.String(),
  supplierId: Id,
  supplierName: Type.String(),
  destinationLocationName: Nullable(Type.String({ description: 'Null when the rules have no location' })),
  total: Type.Number(),
  lineItemCount: Type.Integer(),
  currency: Type.String(),
  unknownCosts: Type.Integer({ description: 'Lines without a cost' }),
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
