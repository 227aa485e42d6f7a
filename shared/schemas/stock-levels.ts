import { type Static, Type } from '@sinclair/typebox'
import { choices, countField, Gid, Nullable, pageFields, Strict, Text, VariantGids } from './common.ts'
import { productFields } from './products.ts'

/** Two numbers; in the order of bins, also the bin; in another sort its name and the values of the last level. */
const LevelCursor = Type.String({
  pattern: '^((0|[1-9]\\d{0,15})-[1-9]\\d{0,14}(-[\\w-]{1,300})?|-?[a-zA-Z]{1,20}\\.[a-zA-Z0-9_-]{4,4000})$',
  rule: 'must come from the Link header of a page',
})

/** A minus sorts in descending order. */
export const StockLevelSort = choices('bin', 'sku', '-sku', 'title', '-title', 'available', '-available')
export type StockLevelSort = Static<typeof StockLevelSort>

/** `out`: nothing is available there. `low`: at or below the reorder point of a rule of the location, or of all locations together. */
export const StockState = choices('out', 'low')
export type StockState = Static<typeof StockState>

export const StockLevelFilter = Strict({
  variantId: Type.Optional(Gid('ProductVariant')),
  variantIds: Type.Optional(VariantGids),
  locationId: Type.Optional(Gid('Location')),
  search: Type.Optional(Text(200)),
  stock: Type.Optional(StockState),
  ...productFields,
  limit: pageFields.limit,
  sort: Type.Optional(
    Type.Unsafe<StockLevelSort>({
      ...StockLevelSort,
      description: 'Of a product, or the order of bins; the newest products first without it',
    }),
  ),
  cursor: Type.Optional(LevelCursor),
  ...countField,
})
export type StockLevelFilter = Static<typeof StockLevelFilter>

export const StockLevel = Type.Object({
  variantId: Gid('ProductVariant'),
  sku: Type.String(),
  barcode: Type.String(),
  title: Type.String({ description: 'The product, and the variant where there are several' }),
  currentStock: Type.Integer({ description: 'Available: what can be sold' }),
  onHand: Nullable(
    Type.Integer({
      description:
        'On the shelf: available + committed + unavailable; null until the platform was asked once',
    }),
  ),
  committed: Nullable(Type.Integer({ description: 'In orders that are not shipped yet' })),
  unavailable: Nullable(
    Type.Integer({ description: 'Damaged, in quality control, safety stock, or reserved' }),
  ),
  onTheWay: Type.Integer({
    description: 'To this location: outstanding on sent orders, and in transit from other locations',
  }),
  pendingQuantity: Type.Integer({ description: 'Pieces of it that the platform has not confirmed yet' }),
  locationId: Gid('Location'),
  locationName: Type.String(),
  bin: Type.String({ description: 'Where it lies in the location; empty: no bin' }),
  unitCost: Nullable(Type.Number({ description: "In the shop's currency; null when it is not known" })),
})
export type StockLevel = Static<typeof StockLevel>
