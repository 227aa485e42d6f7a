import { type Static, Type } from '@sinclair/typebox'
import {
  Amount,
  CalendarDay,
  choices,
  countField,
  Day,
  dateFields,
  Gid,
  Id,
  List,
  Nullable,
  pageFields,
  pairFields,
  SortCursor,
  Strict,
  Text,
  Timestamp,
  Whole,
} from './common.ts'
import { productFields, productSearch } from './products.ts'
import { StockMovement } from './stock-movements.ts'

const variantFields = { variantId: Gid('ProductVariant'), sku: Type.String(), title: Type.String() }

export const AdjustmentFilter = Strict({
  search: Type.Optional(Text(200)),
  ...dateFields,
  ...productFields,
  ...pairFields,
  ...countField,
})
export type AdjustmentFilter = Static<typeof AdjustmentFilter>

/** A change of a level by a person (specification, Adjustment). The fields after `createdAt` are additions. */
export const Adjustment = Type.Object({
  id: Id,
  ...Type.Pick(StockMovement, ['variantId', 'sku', 'previousQuantity', 'newQuantity']).properties,
  adjustment: Type.Integer({ description: 'New minus previous quantity' }),
  reason: Type.String({
    description: 'Entered by the merchant; of a count its number, as in Stock count #12',
  }),
  createdAt: Timestamp,
  ...Type.Pick(StockMovement, ['title', 'locationId', 'locationName', 'kind', 'actor']).properties,
})
export type Adjustment = Static<typeof Adjustment>

/** `sent`: the totals of orders by the day of sending. `received`: what arrived, by the day of its receipt. */
export const SpendBasis = choices('sent', 'received')
export type SpendBasis = Static<typeof SpendBasis>

export const ProcurementSpendFilter = Strict({
  ...dateFields,
  supplierId: Type.Optional(Id),
  basis: Type.Optional(SpendBasis),
})
export type ProcurementSpendFilter = Static<typeof ProcurementSpendFilter>

const SupplierSpend = Type.Object({
  supplierId: Id,
  supplierName: Type.String(),
  spend: Amount,
  orderCount: Type.Integer(),
  ordersWithoutRate: Type.Integer({
    description: 'Orders in a currency without a known rate, which the spend leaves out',
  }),
  credits: Type.Number({ description: 'Of returns, credited in the period; the spend is without them' }),
})

/**
 * Totals of the orders that were sent in the period, corrected by what their receipts changed, with the receipts without an
 * order, and less the credits of returns; each on its own day. With the basis `received`, what arrived
 * counts instead of orders and corrections.
 */
export const ProcurementSpend = Type.Object({
  totalSpend: Amount,
  orderCount: Type.Integer(),
  credits: Type.Number({ description: 'Of returns, credited in the period; the spend is without them' }),
  corrections: Type.Number({
    description:
      'Of receipts posted in the period: corrected costs, less rejected pieces that are credited; part of the spend',
  }),
  withoutOrder: Type.Number({
    description: 'Of receipts without an order, posted in the period; part of the spend',
  }),
  withoutSupplier: Type.Number({
    description: 'Of receipts that name no supplier: part of the spend, and in no row of `bySupplier`',
  }),
  bySupplier: List(SupplierSpend),
  byMonth: List(
    Type.Object({ month: Type.String({ description: "YYYY-MM in the shop's time zone" }), spend: Amount }),
  ),
  currency: Type.String({ description: 'Of all spend: the currency of the shop' }),
  withoutRate: Type.Array(
    Type.Object({ currency: Type.String(), total: Amount, orderCount: Type.Integer() }),
    { description: 'Orders whose exchange rate is not known. The spend leaves them out' },
  ),
  unknownCosts: Type.Integer({ description: 'Lines without a cost, which the spend leaves out' }),
})
export type ProcurementSpend = Static<typeof ProcurementSpend>
export const SalesPeriod = choices('7d', '30d', '90d')
export type SalesPeriod = Static<typeof SalesPeriod>

export const SalesVelocityFilter = Strict({
  period: Type.Optional(SalesPeriod),
  search: Type.Optional(Text(200)),
  variantId: Type.Optional(Gid('ProductVariant')),
  ...productFields,
  ...pairFields,
})
export type SalesVelocityFilter = Static<typeof SalesVelocityFilter>

export const SalesVelocity = Type.Object({
  ...variantFields,
  unitsSold: Type.Integer({ description: 'Ordered units without those cancelled before they were shipped' }),
  avgDailySales: Type.Number({ description: 'Units divided by `periodDays`' }),
  currentStock: Type.Integer({ description: 'Total of all locations' }),
  daysOfStockRemaining: Nullable(Type.Number()),
  returnedUnits: Type.Integer({
    description: 'Units that came back after they were shipped; they stay sold',
  }),
  periodDays: Type.Integer({
    description: 'The days of the period whose sales of the variant are known, at least 7',
  }),
  knownSince: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Since when the sales of the shop are known; null until that is determined',
    }),
  ),
  confidence: choices('high', 'low'),
})
export type SalesVelocity = Static<typeof SalesVelocity>

/** `asOf`: one day of the past, exactly; `basis`: the moving average, or the last cost. */
export const InventoryValueFilter = Strict({
  ...dateFields,
  asOf: Type.Optional(CalendarDay),
  basis: Type.Optional(choices('average', 'last')),
  ...pairFields,
})
export type InventoryValueFilter = Static<typeof InventoryValueFilter>

/** The value of a location's stock on one day. */
export const InventoryValue = Type.Object({
  date: Day,
  locationId: Gid('Location'),
  locationName: Type.String(),
  quantity: Type.Integer({ description: 'On hand, and sent to another location without having arrived' }),
  value: Amount,
  uncostedQuantity: Type.Integer({ description: 'Pieces of unknown cost, which the value excludes' }),
})
export type InventoryValue = Static<typeof InventoryValue>

export const AbcClass = choices('A', 'B', 'C')
export type AbcClass = Static<typeof AbcClass>

export const AbcFilter = Strict({
  class: Type.Optional(AbcClass),
  ...productSearch,
  ...pageFields,
  cursor: Type.Optional(SortCursor),
})
export type AbcFilter = Static<typeof AbcFilter>

const Share = Type.Number({ description: 'From 0 to 1' })

export const AbcVariant = Type.Object({
  ...variantFields,
  unitsSold: Type.Integer({ description: 'In 90 days' }),
  revenue: Amount,
  share: Share,
  cumulativeShare: Share,
  /** Null while fewer than 7 days of sales are known. */
  abcClass: Nullable(AbcClass),
})
export type AbcVariant = Static<typeof AbcVariant>

export const DeadStockFilter = Strict({
  days: Type.Optional(Whole(1, 730)),
  ...productSearch,
  ...pairFields,
  ...countField,
})
export type DeadStockFilter = Static<typeof DeadStockFilter>

/** A variant with stock and without sales in the period. */
export const DeadStock = Type.Object({
  ...variantFields,
  currentStock: Type.Integer({ description: 'Available at all locations' }),
  onHand: Type.Integer({ description: 'At all locations, with committed and unavailable pieces' }),
  unitCost: Nullable(Type.Number({ description: 'The average cost, else the last one' })),
  value: Nullable(Type.Number({ description: 'Of what is on hand' })),
  lastSoldAt: Nullable(Timestamp),
  daysSinceSold: Nullable(Type.Integer()),
  knownSince: Nullable(
    Type.String({
      format: 'date-time',
      description:
        'Without a last sale: since when the sales are known; null when that is since the first day of the variant',
    }),
  ),
})
export type DeadStock = Static<typeof DeadStock>

export const SupplierPerformanceFilter = Strict({
  ...dateFields,
  supplierId: Type.Optional(Id),
  ...pageFields,
})
export type SupplierPerformanceFilter = Static<typeof SupplierPerformanceFilter>

const Percent = Nullable(Type.Number())

/** Figures of a supplier for the orders of a period; null where there is no data. */
export const SupplierPerformance = Type.Object({
  supplierId: Id,
  supplierName: Type.String(),
  ordersSent: Type.Integer(),
  ordersReceived: Type.Integer(),
  leadTimeDays: Nullable(
    Type.Number({ description: 'Median of the days from sending to the first receipt' }),
  ),
  leadTimeDaysMean: Nullable(Type.Number()),
  statedLeadTimeDays: Nullable(Type.Integer()),
  onTimePercent: Percent,
  fillRatePercent: Percent,
  rejectedPercent: Percent,
  priceDriftPercent: Percent,
  returnedPercent: Percent,
})
export type SupplierPerformance = Static<typeof SupplierPerformance>

export const MarginFilter = Strict({
  ...dateFields,
  groupBy: Type.Optional(choices('variant', 'product')),
  ...productSearch,
  ...pairFields,
})
export type MarginFilter = Static<typeof MarginFilter>

/** What the sales of a variant or a product earned. `variantId` is null by product. */
export const Margin = Type.Object({
  productId: Gid('Product'),
  variantId: Nullable(Gid('ProductVariant')),
  sku: Type.String(),
  title: Type.String(),
  netUnits: Type.Integer({ description: 'Sold units without those that came back' }),
  revenue: Amount,
  cost: Nullable(Amount),
  margin: Nullable(Amount),
  marginPercent: Nullable(Type.Number({ description: 'Of the revenue of units with a cost' })),
  uncostedUnits: Type.Integer({ description: 'Net units of unknown cost, which cost and margin exclude' }),
})
export type Margin = Static<typeof Margin>

export const PriceHistoryFilter = Strict({
  ...dateFields,
  search: Type.Optional(Text(200)),
  variantId: Type.Optional(Gid('ProductVariant')),
  ...productFields,
  supplierId: Type.Optional(Id),
  ...pageFields,
  cursor: Type.Optional(SortCursor),
})
export type PriceHistoryFilter = Static<typeof PriceHistoryFilter>

/** What was paid for the pieces of a received line. */
export const PaidPrice = Type.Object({
  receivedAt: Timestamp,
  receiptId: Id,
  lineItemId: Id,
  purchaseOrderId: Id,
  poNumber: Type.String(),
  supplierId: Id,
  supplierName: Type.String(),
  ...variantFields,
  quantity: Type.Integer(),
  unitPrice: Type.Number({ description: "Of the order, in the order's currency, before discounts" }),
  discountPercent: Type.Number(),
  currency: Type.String(),
  rate: Nullable(Type.Number()),
  landedUnitCost: Nullable(
    Type.Number({ description: "With discounts and charges, in the shop's currency" }),
  ),
})
export type PaidPrice = Static<typeof PaidPrice>

export const CommitmentFilter = Strict({ ...dateFields, supplierId: Type.Optional(Id) })
export type CommitmentFilter = Static<typeof CommitmentFilter>

/** Null: no arrival is expected at a known time. */
const Month = Nullable(Type.String({ description: "YYYY-MM in the shop's time zone" }))

const SupplierCommitment = Type.Object({
  month: Month,
  supplierId: Id,
  supplierName: Type.String(),
  value: Amount,
  orderCount: Type.Integer(),
})

/** Outstanding goods of sent and partial orders, in the shop's currency. */
export const Commitments = Type.Object({
  currency: Type.String(),
  total: Amount,
  byMonth: List(Type.Object({ month: Month, value: Amount, orderCount: Type.Integer() })),
  bySupplier: List(SupplierCommitment),
  withoutRate: List(
    Type.Object({
      purchaseOrderId: Id,
      poNumber: Type.String(),
      supplierId: Id,
      supplierName: Type.String(),
      month: Month,
      currency: Type.String(),
      value: Type.Number({ description: "In the order's currency" }),
    }),
  ),
  unknownCosts: Type.Integer({ description: 'Lines without a cost, which the values leave out' }),
})
export type Commitments = Static<typeof Commitments>
export const AdjustmentReasonFilter = Strict({ ...dateFields, locationId: Type.Optional(Gid('Location')) })
export type AdjustmentReasonFilter = Static<typeof AdjustmentReasonFilter>

const ReasonTotal = Type.Object({
  reason: Type.String({ description: 'Empty: none; “Stock count” for counts without one' }),
  adjustmentCount: Type.Integer(),
  piecesAdded: Type.Integer(),
  piecesRemoved: Type.Integer({ description: 'At least 0' }),
  valueAdded: Type.Number({ description: 'At the book cost of the time' }),
  valueRemoved: Type.Number({ description: 'At least 0' }),
  uncostedPieces: Type.Integer({ description: 'Pieces without a known cost, which are in no value' }),
})
export const AdjustmentReasons = Type.Object({
  piecesAdded: Type.Integer(),
  piecesRemoved: Type.Integer(),
  valueAdded: Type.Number(),
  valueRemoved: Type.Number(),
  uncostedPieces: Type.Integer(),
  currency: Type.String({ description: 'Of all values: the currency of the shop' }),
  byReason: Type.Array(ReasonTotal, { description: 'At most 250, those that moved most pieces first' }),
})
export type AdjustmentReasons = Static<typeof AdjustmentReasons>
export const CountAccuracyFilter = Strict({
  ...dateFields,
  locationId: Type.Optional(Gid('Location')),
  ...pairFields,
})
export type CountAccuracyFilter = Static<typeof CountAccuracyFilter>

/** The submitted counts of a location in a month. */
export const CountAccuracy = Type.Object({
  month: Type.String({ description: 'As in 2026-03, in the time zone of the shop' }),
  locationId: Gid('Location'),
  locationName: Type.String(),
  countCount: Type.Integer(),
  expectedPieces: Type.Integer(),
  variancePieces: Type.Integer({ description: 'Sum of |variance|' }),
  accuracy: Nullable(Type.Number({ description: '1 - variancePieces / expectedPieces, at least 0' })),
  varianceValue: Nullable(
    Type.Number({ description: 'Of known cost; over and short cancel each other out' }),
  ),
  accuracyByValue: Nullable(Type.Number({ description: 'By the value of known cost' })),
  uncostedItemCount: Type.Integer({ description: 'Products with a variance and no known cost' }),
})
export type CountAccuracy = Static<typeof CountAccuracy>
