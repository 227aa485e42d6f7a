import { type Static, Type } from '@sinclair/typebox'
import { choices, Gid, Id, LongText, Nullable, pageFields, Quantity, Strict, Timestamp } from './common.ts'

export const StockTransferStatus = choices('pending', 'in_transit', 'completed', 'cancelled')
export type StockTransferStatus = Static<typeof StockTransferStatus>

export const StockTransferItemInput = Strict({ variantId: Gid('ProductVariant'), quantity: Quantity })
export type StockTransferItemInput = Static<typeof StockTransferItemInput>

const transferFields = {
  items: Type.Array(StockTransferItemInput, {
    minItems: 1,
    maxItems: 500,
    rule: 'must be a list of 1 to 500 items',
  }),
  notes: Type.Optional(Nullable(LongText(5000))),
}

export const StockTransferInput = Strict({
  sourceLocationId: Gid('Location'),
  destinationLocationId: Gid('Location'),
  ...transferFields,
})
export type StockTransferInput = Static<typeof StockTransferInput>

/**
 * `items` is the full new list. With `version`, the update fails with `stale_version` after a change by another
 * request.
 */
export const StockTransferPatch = Type.Partial(
  Strict({
    status: StockTransferStatus,
    ...transferFields,
    allowNegative: Type.Boolean({ description: 'Allows the level at the source to fall below zero' }),
    version: Type.Integer({ minimum: 1, rule: 'must be the version that was read' }),
  }),
)
export type StockTransferPatch = Static<typeof StockTransferPatch>

export const StockTransferFilter = Strict({ status: Type.Optional(StockTransferStatus), ...pageFields })
export type StockTransferFilter = Static<typeof StockTransferFilter>

const StockTransferItem = Type.Object({
  variantId: Type.String(),
  sku: Type.String(),
  title: Type.String({ description: 'The product, and the variant where there are several' }),
  quantity: Type.Integer(),
  sourceBin: Type.String({ description: 'Where it lies at the source; empty: no bin' }),
  destinationBin: Type.String(),
})

export const StockTransfer = Type.Object({
  id: Id,
  sourceLocationId: Type.String(),
  sourceLocationName: Type.String(),
  destinationLocationId: Type.String(),
  destinationLocationName: Type.String(),
  status: StockTransferStatus,
  itemCount: Type.Integer(),
  items: Type.Array(StockTransferItem),
  notes: Type.String(),
  createdBy: Type.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  shippedAt: Nullable(Timestamp),
  completedAt: Nullable(Timestamp),
  cancelledAt: Nullable(Timestamp),
  version: Type.Integer(),
})
export type StockTransfer = Static<typeof StockTransfer>

export const StockTransferListItem = Type.Pick(StockTransfer, [
  'id',
  'sourceLocationId',
  'sourceLocationName',
  'destinationLocationId',
  'destinationLocationName',
  'status',
  'itemCount',
  'createdAt',
])
export type StockTransferListItem = Static<typeof StockTransferListItem>

export const CreatedStockTransfer = Type.Pick(StockTransfer, ['id', 'status', 'createdAt'])
export type CreatedStockTransfer = Static<typeof CreatedStockTransfer>

export const UpdatedStockTransfer = Type.Object({
  ...StockTransfer.properties,
  alreadyApplied: Type.Boolean({ description: 'The step was done before; this request moved no stock' }),
})
export type UpdatedStockTransfer = Static<typeof UpdatedStockTransfer>
