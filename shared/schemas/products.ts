import { type Static, Type } from '@sinclair/typebox'
import { Gid, Id, List, Nullable, pageFields, Strict, Text } from './common.ts'

/** Choose the products of a list or report. The texts are compared exactly; the platform's admin has them. */
export const productFields = {
  vendor: Type.Optional(Text(255, 1)),
  productType: Type.Optional(Text(255, 1)),
  tag: Type.Optional(Text(255, 1)),
}
/** Search for products and choose among them. */
export const productSearch = { search: Type.Optional(Text(200)), ...productFields }

export type ProductFields = { vendor?: string; productType?: string; tag?: string }

export const hideStock = Type.Optional(
  Type.Boolean({ description: 'Leaves out quantities, for a page on which a person counts blind' }),
)

/** With `supplierId`, the variants have the cost of a new order line of that supplier. */
export const ProductFilter = Strict({
  ...productSearch,
  supplierId: Type.Optional(Id),
  hideStock,
  ...pageFields,
})
export type ProductFilter = Static<typeof ProductFilter>

export const ProductVariant = Type.Object({
  variantId: Gid('ProductVariant'),
  sku: Type.String(),
  title: Type.String({ description: 'Empty for the only variant of a product' }),
  barcode: Type.String(),
  price: Nullable(Type.Number()),
  costPrice: Type.Union([Type.Number(), Type.Null()], {
    description:
      'Cost of a new order line: price or last price of the supplier in the query, in its currency, else the unit cost',
  }),
  isTracked: Type.Boolean({ description: 'The platform tracks its stock' }),
  currentStock: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'Total of all locations; null when the platform does not track its stock, and with `hideStock`',
  }),
})

export const ProductListItem = Type.Object({
  productId: Gid('Product'),
  title: Type.String(),
  status: Type.String({ description: 'Status on the platform: active, draft, archived' }),
  vendor: Type.String(),
  productType: Type.String(),
  tags: List(Type.String()),
  variants: Type.Array(ProductVariant),
})
export type ProductListItem = Static<typeof ProductListItem>

/** The values that the products of the shop have, at most 1 000 of each, in alphabetical order. */
export const ProductFacets = Type.Object({
  vendors: List(Type.String()),
  productTypes: List(Type.String()),
  tags: List(Type.String()),
})
export type ProductFacets = Static<typeof ProductFacets>
