import { type Static, Type } from '@sinclair/typebox'
import { Gid, PairCursor, pageFields, Strict, Text } from './common.ts'

export const StockLevelFilter = Strict({
  variantId: Type.Optional(Gid('ProductVariant')),
  locationId: Type.Optional(Gid('Location')),
  search: Type.Optional(Text(200)),
  limit: pageFields.limit,
  cursor: Type.Optional(PairCursor),
})
export type StockLevelFilter = Static<typeof StockLevelFilter>

export const StockLevel = Type.Object({
  variantId: Gid('ProductVariant'),
  sku: Type.String(),
  title: Type.String({ description: 'The product, and the variant where there are several' }),
  currentStock: Type.Integer(),
  pendingQuantity: Type.Integer({ description: 'Pieces of it that the platform has not confirmed yet' }),
  locationId: Gid('Location'),
  locationName: Type.String(),
})
export type StockLevel = Static<typeof StockLevel>
