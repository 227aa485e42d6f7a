import { type Static, Type } from '@sinclair/typebox'
import {
  choices,
  countField,
  dateFields,
  Gid,
  Id,
  Nullable,
  pairFields,
  Strict,
  Text,
  Timestamp,
} from './common.ts'

/** By the instant of the adjustment; the newest first without a sort. */
export const PastAdjustmentSort = choices('newest', 'oldest')
export type PastAdjustmentSort = Static<typeof PastAdjustmentSort>

export const PastAdjustmentFilter = Strict({
  variantId: Type.Optional(Gid('ProductVariant')),
  search: Type.Optional(Text(200)),
  sort: Type.Optional(PastAdjustmentSort),
  ...dateFields,
  ...pairFields,
  ...countField,
})
export type PastAdjustmentFilter = Static<typeof PastAdjustmentFilter>

/** What another system corrected before the shop moved in. */
export const PastAdjustment = Type.Object({
  id: Id,
  variantId: Type.String(),
  sku: Type.String(),
  title: Type.String(),
  locationName: Nullable(Type.String()),
  adjustedAt: Timestamp,
  quantity: Type.Integer({ description: 'Pieces; below 0 when there were fewer' }),
  previousQuantity: Nullable(Type.Integer()),
  newQuantity: Nullable(Type.Integer()),
  reason: Type.String(),
  notes: Type.String(),
})
export type PastAdjustment = Static<typeof PastAdjustment>
