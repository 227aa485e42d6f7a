import { type Static, Type } from '@sinclair/typebox'
import { choices, Gid, Id, LongText, Nullable, pageFields, Strict, Timestamp } from './common.ts'

export const StockCountStatus = choices('draft', 'submitted', 'cancelled')
export type StockCountStatus = Static<typeof StockCountStatus>

/** The counted quantity of a variant. 0 is a count; null means not counted yet. */
export const StockCountItemInput = Strict({
  variantId: Gid('ProductVariant'),
  countedQuantity: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      rule: 'must be a whole number from 0 to 1 000 000 000, or null',
    }),
  ),
  countedAt: Type.Optional(
    Nullable(
      Type.Unsafe<string>({
        ...Timestamp,
        description: 'Time of the count, when it was made offline and sent later; null means now',
      }),
    ),
  ),
})
export type StockCountItemInput = Static<typeof StockCountItemInput>

const countFields = {
  items: Type.Array(StockCountItemInput, { maxItems: 5000, rule: 'must be a list of at most 5000 items' }),
  notes: Type.Optional(Nullable(LongText(5000))),
}

export const StockCountInput = Strict({ locationId: Gid('Location'), ...countFields })
export type StockCountInput = Static<typeof StockCountInput>

/** `items` holds the new and changed items. Items that it omits do not change. */
export const StockCountPatch = Type.Partial(
  Strict({
    status: StockCountStatus,
    ...countFields,
    acceptStale: Type.Boolean({
      description:
        'Submits numbers that could not be compared with the platform for two minutes; `staleItemCount` counts them',
    }),
  }),
)
export type StockCountPatch = Static<typeof StockCountPatch>

export const StockCountFilter = Strict({ status: Type.Optional(StockCountStatus), ...pageFields })
export type StockCountFilter = Static<typeof StockCountFilter>

export const StockCountItem = Type.Object({
  variantId: Type.String(),
  sku: Type.String(),
  title: Type.String({ description: 'The product, and the variant where there are several' }),
  barcode: Type.String(),
  bin: Type.String({ description: 'Where it lies at the location; empty: no bin' }),
  countedQuantity: Nullable(Type.Integer()),
  expectedQuantity: Type.Integer({
    description:
      'On hand at the time of the count; an estimate while `readAt` is null. Without a number: on hand now',
  }),
  countedAt: Nullable(Timestamp),
  readAt: Nullable(
    Type.Unsafe<string>({
      ...Timestamp,
      description: 'When the platform was asked for the expected quantity, after the number was stored',
    }),
  ),
  variance: Nullable(
    Type.Integer({ description: 'Counted minus expected; of a draft, null until it is read' }),
  ),
})
export type StockCountItem = Static<typeof StockCountItem>

export const StockCount = Type.Object({
  id: Id,
  locationId: Type.String(),
  locationName: Type.String(),
  status: StockCountStatus,
  itemCount: Type.Integer(),
  notes: Type.String(),
  items: Type.Array(StockCountItem),
  createdBy: Type.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  submittedAt: Nullable(Timestamp),
  submittedBy: Nullable(Type.String()),
  cancelledAt: Nullable(Timestamp),
  staleItemCount: Type.Integer({
    description: 'Numbers that were submitted with `acceptStale`, without a word of the platform',
  }),
})
export type StockCount = Static<typeof StockCount>

export const StockCountListItem = Type.Pick(StockCount, [
  'id',
  'locationId',
  'locationName',
  'status',
  'itemCount',
  'createdAt',
])
export type StockCountListItem = Static<typeof StockCountListItem>

export const CreatedStockCount = Type.Pick(StockCount, ['id', 'status', 'locationId', 'createdAt'])
export type CreatedStockCount = Static<typeof CreatedStockCount>

export const UpdatedStockCount = Type.Object({
  ...StockCount.properties,
  alreadyApplied: Type.Boolean({
    description: 'The count was submitted or cancelled before; this request moved no stock',
  }),
})
export type UpdatedStockCount = Static<typeof UpdatedStockCount>
