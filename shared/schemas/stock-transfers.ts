import { type Static, Type } from '@sinclair/typebox'
import {
  choices,
  Gid,
  Id,
  idsField,
  ListOf,
  LongText,
  Nullable,
  Quantity,
  Strict,
  sortedFields,
  sortsBy,
  Text,
  Timestamp,
  Version,
  Whole,
} from './common.ts'

export const StockTransferStatus = choices('pending', 'in_transit', 'partial', 'completed', 'cancelled')
export type StockTransferStatus = Static<typeof StockTransferStatus>

export const StockTransferItemInput = Strict({ variantId: Gid('ProductVariant'), quantity: Quantity })
export type StockTransferItemInput = Static<typeof StockTransferItemInput>

const transferFields = {
  items: ListOf(StockTransferItemInput, 1, 500, 'items'),
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
    version: Version,
  }),
)
export type StockTransferPatch = Static<typeof StockTransferPatch>

/**
 * By number, by the name of a location, or by status in the order of `StockTransferStatus`; a minus sorts in descending order. Within a
 * location or status, the newest comes first.
 */
export const StockTransferSort = sortsBy('source', 'destination', 'status')
export type StockTransferSort = Static<typeof StockTransferSort>

export const StockTransferFilter = Strict({
  status: Type.Optional(StockTransferStatus),
  sourceLocationId: Type.Optional(Gid('Location')),
  destinationLocationId: Type.Optional(Gid('Location')),
  ...idsField('transfers'),
  search: Type.Optional(Text(200)),
  ...sortedFields(StockTransferSort),
})
export type StockTransferFilter = Static<typeof StockTransferFilter>

export const StockTransferSelection = Strict({
  ids: ListOf(Id, 1, 100, 'ids of transfers'),
})
export type StockTransferSelection = Static<typeof StockTransferSelection>

export const CancelledStockTransfers = Type.Object({ cancelled: Type.Integer() })
export type CancelledStockTransfers = Static<typeof CancelledStockTransfers>

/** The pieces of a line, or of an event. */
const transferCounts = {
  shipped: Type.Integer(),
  received: Type.Integer(),
  lost: Type.Integer(),
  damaged: Type.Integer(),
  returned: Type.Integer({ description: 'Back at the source' }),
}

const StockTransferItem = Type.Object({
  variantId: Type.String(),
  sku: Type.String(),
  barcode: Type.String({ description: 'Of the product, as it is now' }),
  title: Type.String({ description: 'The product, and the variant where there are several' }),
  quantity: Type.Integer({ description: 'Planned' }),
  ...transferCounts,
  inTransit: Type.Integer({ description: 'shipped - received - lost - damaged - returned' }),
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
  isPlanEnded: Type.Boolean({
    description: 'Closed, completed or cancelled: what was not shipped stays at the source',
  }),
  version: Type.Integer(),
})
export type StockTransfer = Static<typeof StockTransfer>

export const StockTransferListItem = Type.Object({
  ...Type.Pick(StockTransfer, [
    'id',
    'sourceLocationId',
    'sourceLocationName',
    'destinationLocationId',
    'destinationLocationName',
    'status',
    'itemCount',
  ]).properties,
  quantity: Type.Integer({ description: 'Pieces that are planned, of all items' }),
  shipped: Type.Integer(),
  inTransit: Type.Integer(),
  createdAt: Timestamp,
})
export type StockTransferListItem = Static<typeof StockTransferListItem>

export const CreatedStockTransfer = Type.Pick(StockTransfer, ['id', 'status', 'createdAt'])
export type CreatedStockTransfer = Static<typeof CreatedStockTransfer>

export const UpdatedStockTransfer = Type.Object({
  ...StockTransfer.properties,
  alreadyApplied: Type.Boolean({ description: 'The step was done before; this request moved no stock' }),
})
export type UpdatedStockTransfer = Static<typeof UpdatedStockTransfer>

const maxItems = 500
const itemsRule = 'must be a list of 1 to 500 items'

/** Without `items`, all that is left to ship. Several entries for one variant are added up. */
export const TransferShipment = Nullable(
  Strict(
    {
      items: Type.Optional(Type.Array(StockTransferItemInput, { minItems: 1, maxItems, rule: itemsRule })),
      allowNegative: Type.Optional(
        Type.Boolean({ description: 'Allows the level at the source to fall below zero' }),
      ),
    },
    { rule: 'must be an object' },
  ),
)
export type TransferShipment = Static<typeof TransferShipment>

const Pieces = Whole(0, 1_000_000_000)

/** What became of pieces in transit; the rest stays in transit. Several entries for one variant are added up. */
export const TransferReceipt = Strict({
  items: Type.Array(
    Strict({
      variantId: Gid('ProductVariant'),
      received: Pieces,
      lost: Type.Optional(Pieces),
      damaged: Type.Optional(Pieces),
    }),
    { minItems: 1, maxItems, rule: itemsRule },
  ),
})
export type TransferReceipt = Static<typeof TransferReceipt>

/**
 * `items` says what became of some pieces in transit, `rest` of all others. With `version`, the closing fails with `stale_version`
 * after a change by another request.
 */
export const TransferClosing = Nullable(
  Strict(
    {
      rest: Type.Optional(choices('returned', 'lost')),
      version: Type.Optional(Version),
      items: Type.Optional(
        Type.Array(
          Strict({
            variantId: Gid('ProductVariant'),
            returned: Type.Optional(Pieces),
            lost: Type.Optional(Pieces),
            damaged: Type.Optional(Pieces),
          }),
          { minItems: 1, maxItems, rule: itemsRule },
        ),
      ),
    },
    { rule: 'must be an object' },
  ),
)
export type TransferClosing = Static<typeof TransferClosing>

/** `status` is that of the transfer; `eventId` names the event in its history. */
export const TransferStep = Type.Object({ id: Id, status: StockTransferStatus, eventId: Id })
export type TransferStep = Static<typeof TransferStep>

/** What a person did with a transfer. An event cannot be edited, only reversed. */
export const TransferEvent = Type.Object({
  id: Id,
  kind: choices('ship', 'receive', 'close', 'complete', 'cancel'),
  actor: Type.String(),
  occurredAt: Timestamp,
  reversedAt: Nullable(Timestamp),
  reversedBy: Type.String({ description: 'Empty unless the event is reversed' }),
  lossValue: Nullable(
    Type.Number({
      description: "Book cost of the lost and damaged pieces, in the shop's currency; null if unknown",
    }),
  ),
  items: Type.Array(
    Type.Object({
      variantId: Type.String(),
      sku: Type.String(),
      title: Type.String(),
      ...transferCounts,
    }),
  ),
})
export type TransferEvent = Static<typeof TransferEvent>

export const TransferEventParams = Strict({ id: Id, eventId: Id })

/** `allowNegative` lets stock fall below zero. */
export const TransferReversal = Nullable(
  Strict({ allowNegative: Type.Optional(Type.Boolean()) }, { rule: 'must be an object' }),
)

export const ReversedTransferEvent = Type.Object({
  id: Id,
  transferId: Id,
  status: StockTransferStatus,
  reversedAt: Timestamp,
  alreadyApplied: Type.Boolean({
    description: 'The event was reversed before; this request changed nothing',
  }),
})
export type ReversedTransferEvent = Static<typeof ReversedTransferEvent>

/** A code of a product. One scan of it counts `packSize` pieces: 1, or those of the pack whose barcode it is. */
export const TransferCode = Type.Object({
  code: Type.String({ description: 'In lower case' }),
  kind: choices('barcode', 'sku', 'pack'),
  variantId: Type.String(),
  packSize: Type.Integer(),
})
export type TransferCode = Static<typeof TransferCode>

export const TransferCodes = Type.Object({
  codes: Type.Array(TransferCode, { description: 'The best kind first' }),
})
export type TransferCodes = Static<typeof TransferCodes>
