import { type Static, Type } from '@sinclair/typebox'
import { Gid, Nullable, pageFields, Strict, Text } from './common.ts'

export const ProductFilter = Strict({
  search: Type.Optional(Text(200)),
  ...pageFields,
})
export type ProductFilter = Static<typeof ProductFilter>

export const ProductVariant = Type.Object({
  variantId: Gid('ProductVariant'),
  sku: Type.String(),
  title: Type.String({ description: 'Empty for the only variant of a product' }),
  barcode: Type.String(),
  price: Nullable(Type.Number()),
  currentStock: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Total of all locations; null when the platform does not track its stock',
  }),
})

export const ProductListItem = Type.Object({
  productId: Gid('Product'),
  title: Type.String(),
  status: Type.String({ description: 'Status on the platform: active, draft, archived' }),
  variants: Type.Array(ProductVariant),
})
export type ProductListItem = Static<typeof ProductListItem>
