import { type Static, Type } from '@sinclair/typebox'
import { dateFields, Id, PairCursor, pageFields, Timestamp } from './common.ts'
import { StockMovement } from './stock-movements.ts'

export const AdjustmentFilter = Type.Object(
  { ...dateFields, limit: pageFields.limit, cursor: Type.Optional(PairCursor) },
  { additionalProperties: false },
)
export type AdjustmentFilter = Static<typeof AdjustmentFilter>

/** A level that people set, changed or counted (specification, Adjustment); what follows `createdAt` is ours. */
export const Adjustment = Type.Object({
  id: Id,
  ...Type.Pick(StockMovement, ['variantId', 'sku', 'previousQuantity', 'newQuantity']).properties,
  adjustment: Type.Integer({ description: 'New minus previous quantity' }),
  reason: Type.String(),
  createdAt: Timestamp,
  ...Type.Pick(StockMovement, ['title', 'locationId', 'locationName', 'kind', 'actor']).properties,
})
export type Adjustment = Static<typeof Adjustment>
