import { type Static, Type } from '@sinclair/typebox'
import {
  CalendarDay,
  Currency,
  choices,
  Day,
  Gid,
  Id,
  ListOf,
  Money,
  Nullable,
  pageFields,
  Quantity,
  Strict,
  Text,
  Timestamp,
  Version,
  Whole,
} from './common.ts'
import { LeadTimeDays } from './suppliers.ts'

const Pieces = Whole(1, 1_000_000)

const Rank = Whole(1, 99)

/** A price of one piece, from `minQuantity` pieces on. Days are the shop's, both included; null: without a limit. */
export const SupplierPriceInput = Strict({
  minQuantity: Type.Optional(Quantity),
  price: Money(4),
  currency: Type.Optional(Currency),
  validFrom: Type.Optional(Nullable(CalendarDay)),
  validTo: Type.Optional(Nullable(CalendarDay)),
})
export type SupplierPriceInput = Static<typeof SupplierPriceInput>

/** The fields that a row of a price list may have. */
export const packagingFields = {
  packSize: Pieces,
  minimumQuantity: Nullable(Quantity),
  quantityMultiple: Pieces,
  leadTimeDays: Nullable(LeadTimeDays),
  rank: Rank,
}

const optionalFields = {
  supplierSku: Type.Optional(Nullable(Text(200))),
  supplierTitle: Type.Optional(Nullable(Text(500))),
  packSize: Type.Optional(packagingFields.packSize),
  minimumQuantity: Type.Optional(packagingFields.minimumQuantity),
  quantityMultiple: Type.Optional(packagingFields.quantityMultiple),
  leadTimeDays: Type.Optional(packagingFields.leadTimeDays),
  rank: Type.Optional(packagingFields.rank),
  isActive: Type.Optional(Type.Boolean({ rule: 'must be true or false' })),
  packBarcode: Type.Optional(Nullable(Text(100))),
  /** The full list. */
  prices: Type.Optional(ListOf(SupplierPriceInput, 0, 100, 'prices')),
}

export const SupplierProductInput = Strict({ variantId: Gid('ProductVariant'), ...optionalFields })
export type SupplierProductInput = Static<typeof SupplierProductInput>

/** With `version`, the update fails with `stale_version` when another request has changed the product since. */
export const SupplierProductPatch = Strict({
  ...Type.Partial(SupplierProductInput).properties,
  version: Type.Optional(Version),
})
export type SupplierProductPatch = Static<typeof SupplierProductPatch>

/**
 * A row with `id` changes this supplier product, another one that of the same variant and supplier SKU, if there is
 * one. `price` is the new price from today on, for the smallest quantity that has a price.
 */
const SupplierProductRow = Strict({
  id: Type.Optional(Id),
  ...SupplierProductInput.properties,
  price: Type.Optional(Money(4)),
  currency: Type.Optional(Currency),
  version: Type.Optional(Version),
})
export type SupplierProductRow = Static<typeof SupplierProductRow>

export const SupplierProductRows = Strict({
  products: ListOf(SupplierProductRow, 1, 1000, 'products'),
})
export type SupplierProductRows = Static<typeof SupplierProductRows>

export const SavedSupplierProducts = Type.Object({
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
})
export type SavedSupplierProducts = Static<typeof SavedSupplierProducts>

/** `typed` in the admin or by the API, `import` from a price list. `order` and `receipt` are reserved: no price has them yet. */
export const SupplierPriceSource = choices('typed', 'import', 'order', 'receipt')

export const SupplierPrice = Type.Object({
  id: Id,
  minQuantity: Type.Integer(),
  price: Type.Number(),
  currency: Type.String(),
  validFrom: Nullable(Day),
  validTo: Nullable(Day),
  source: SupplierPriceSource,
})
export type SupplierPrice = Static<typeof SupplierPrice>

export const SupplierProduct = Type.Object({
  id: Id,
  supplierId: Id,
  supplierName: Type.String(),
  variantId: Type.String(),
  sku: Type.String(),
  title: Type.String({ description: 'The product, and the variant where there are several' }),
  supplierSku: Type.String(),
  supplierTitle: Type.String(),
  packSize: Type.Integer({ description: 'Pieces in a pack' }),
  minimumQuantity: Nullable(Type.Integer({ description: 'Pieces' })),
  quantityMultiple: Type.Integer({ description: 'Pieces' }),
  leadTimeDays: Nullable(Type.Integer({ description: "Null: the supplier's" })),
  rank: Type.Integer({ description: '1: preferred among the suppliers of the variant' }),
  isActive: Type.Boolean(),
  packBarcode: Type.String(),
  price: Nullable(Type.Number({ description: "Today's price of one piece, for the smallest quantity" })),
  priceMinQuantity: Nullable(Type.Integer({ description: 'The quantity from which `price` holds' })),
  currency: Type.String({ description: "Of `price` and `lastCost`; without a price the supplier's" }),
  prices: Type.Array(SupplierPrice),
  lastCost: Nullable(
    Type.Number({
      description: "Of the last order that was sent to the supplier, after the line's discount",
    }),
  ),
  lastCostAt: Nullable(Timestamp),
  version: Type.Integer(),
})
export type SupplierProduct = Static<typeof SupplierProduct>

export const SupplierProductFilter = Strict({ search: Type.Optional(Text(200)), ...pageFields })
export type SupplierProductFilter = Static<typeof SupplierProductFilter>

export const SupplierProductParams = Strict({ id: Id, supplierProductId: Id })
