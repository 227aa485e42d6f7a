import { type Static, Type } from '@sinclair/typebox'
import { choices, Gid, Id, List, Money, Nullable, pairFields, Strict, Text, Timestamp } from './common.ts'
import { hideStock, ProductVariant, productSearch } from './products.ts'
import { ReorderRule } from './reorder-rules.ts'
import { SalesVelocity } from './reports.ts'
import { StockLevel } from './stock-levels.ts'

/**
 * With `supplierId`, the variants have the cost of a new order line of that supplier. `low` keeps those with stock at or
 * below the point of a reorder rule: `all` of the shop, or those that their rule orders from the `supplier`.
 */
export const VariantFilter = Strict({
  ...productSearch,
  supplierId: Type.Optional(Id),
  hideStock,
  low: Type.Optional(choices('all', 'supplier')),
  ...pairFields,
})
export type VariantFilter = Static<typeof VariantFilter>

/** A variant that can be put on a line of a document. */
export const VariantListItem = Type.Object({
  ...Type.Pick(ProductVariant, ['variantId', 'sku', 'barcode', 'costPrice', 'isTracked', 'currentStock'])
    .properties,
  productId: Gid('Product'),
  title: Type.String({ description: 'The product, and the variant where there are several' }),
  pictureUrl: Type.Union([Type.String(), Type.Null()], {
    description: 'A small picture of the product on the servers of the platform',
  }),
  soldPerDay: Type.Union([Type.Number(), Type.Null()], {
    description: 'Mean of the last 30 days; null until it is computed',
  }),
  suggestedQuantity: Type.Union([Type.Integer(), Type.Null()], {
    description: 'What its reorder rules suggest; null when its stock is not low, and with `hideStock`',
  }),
})
export type VariantListItem = Static<typeof VariantListItem>

/** Variants with one code that are listed; more of them are only counted. */
export const maxSameCode = 10

const codeRule = 'must be a list of 1 to 500 SKUs or barcodes'

/** With `supplierId`, the variants have the cost of a new order line of that supplier. */
export const VariantCodes = Strict({
  codes: Type.Array(Text(255, 1), { minItems: 1, maxItems: 500, rule: codeRule }),
  supplierId: Type.Optional(Id),
  packs: Type.Optional(
    Type.Boolean({
      description:
        "Codes that are no SKU and no barcode may be the barcode of a supplier's pack: see `packSize`",
    }),
  ),
})
export type VariantCodes = Static<typeof VariantCodes>

export const VariantWithCode = Type.Object({
  ...Type.Pick(VariantListItem, [
    'variantId',
    'productId',
    'sku',
    'barcode',
    'title',
    'costPrice',
    'isTracked',
  ]).properties,
  packSize: Type.Integer({
    description: 'Pieces in the pack whose barcode the code is; 1 for a SKU or a barcode of the product',
  }),
})

/** In the order of the request, one entry per code. */
export const VariantMatches = List(
  Type.Object({
    code: Type.String(),
    count: Type.Integer({ description: 'Variants with the code; 0: none' }),
    variants: Type.Unsafe<readonly Static<typeof VariantWithCode>[]>(
      Type.Array(VariantWithCode, { description: `The first ${maxSameCode} of them` }),
    ),
  }),
)
export type VariantMatches = Static<typeof VariantMatches>

/** The number that ends the id of a variant: 123 of gid://<namespace>/ProductVariant/123. It may exceed the safe integers. */
export const VariantParams = Strict({
  id: Type.String({
    pattern: '^[1-9]\\d{0,19}$',
    rule: 'must be the number that ends the id of a product variant, as in 123',
  }),
})

/**
 * The origin of a unit cost:
 * - `platform`: the cost of the item in the shop's admin
 * - `receipt`: the price of the last received order line
 * - `import`, `manual`: a file, or a person
 */
export const CostSource = choices('platform', 'receipt', 'import', 'manual')

/** The velocity of one period; null until it is computed, and while the platform does not track the stock. */
const PeriodVelocity = Nullable(Type.Omit(SalesVelocity, ['variantId', 'sku', 'title', 'currentStock']))

const VariantOnOrder = Type.Object({
  purchaseOrderId: Id,
  poNumber: Type.String(),
  quantity: Type.Integer({ description: 'Outstanding pieces' }),
  expectedAt: Type.Union([Timestamp, Type.Null()], {
    description: "The expected date, else the date of sending plus the supplier's lead time",
  }),
  isLate: Type.Boolean(),
})

/** A supplier of an order line or a reorder rule of the variant. */
const VariantSupplier = Type.Object({
  supplierId: Id,
  supplierName: Type.String(),
  leadTimeDays: Nullable(Type.Integer()),
  lastCostPrice: Nullable(Type.Number()),
  lastCostCurrency: Nullable(Type.String()),
  lastOrderedAt: Nullable(Timestamp),
  orderCount: Type.Integer({ description: 'Orders with the variant that are not cancelled' }),
})

export const Variant = Type.Object({
  variantId: Gid('ProductVariant'),
  productId: Gid('Product'),
  sku: Type.String(),
  barcode: Type.String(),
  title: Type.String({ description: 'The product, and the variant where there are several' }),
  vendor: Type.String(),
  productType: Type.String(),
  tags: List(Type.String()),
  price: Nullable(Type.Number()),
  unitCost: Nullable(Type.Number()),
  costSource: Nullable(CostSource),
  costAt: Type.Union([Timestamp, Type.Null()], { description: 'The time of the cost at its origin' }),
  weightGrams: Type.Union([Type.Number(), Type.Null()], {
    description: 'Of one piece, as entered in the shop; null: none',
  }),
  isTracked: Type.Boolean({ description: 'The platform tracks its stock' }),
  isDeleted: Type.Boolean({ description: 'The platform does not have it any more' }),
  levels: List(StockLevel),
  onOrder: List(VariantOnOrder),
  velocity: Type.Object({ '7d': PeriodVelocity, '30d': PeriodVelocity, '90d': PeriodVelocity }),
  rules: List(ReorderRule),
  suppliers: List(VariantSupplier),
})
export type Variant = Static<typeof Variant>

/** `null` takes the platform's cost again. */
export const VariantPatch = Strict({ unitCost: Type.Optional(Nullable(Money(4))) })
export type VariantPatch = Static<typeof VariantPatch>

export const UpdatedVariant = Type.Pick(Variant, ['variantId', 'unitCost', 'costSource', 'costAt'])
export type UpdatedVariant = Static<typeof UpdatedVariant>
