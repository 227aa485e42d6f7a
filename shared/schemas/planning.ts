import { type Static, Type } from '@sinclair/typebox'
import {
  CalendarDay,
  CalendarMonth,
  choices,
  countField,
  Day,
  Gid,
  Id,
  Nullable,
  pairFields,
  Strict,
  Timestamp,
} from './common.ts'
import { productSearch } from './products.ts'

const variantFields = { variantId: Gid('ProductVariant'), sku: Type.String(), title: Type.String() }
const Money = Nullable(Type.Number({ description: "In the shop's currency" }))

/** The fields of the kinds: an order (`expedite`), a source (`transfer`), a supplier (`expedite`, `buy`). */
export const GapCure = Type.Object({
  kind: choices('expedite', 'transfer', 'buy'),
  quantity: Type.Integer({ description: 'Pieces of the order, to move, or to buy' }),
  arrivesOn: Type.Unsafe<string>({ ...Day, description: 'When they help at the earliest' }),
  savedUnits: Type.Number({ description: 'Of `missingUnits`' }),
  savedRevenue: Money,
  spends: Nullable(
    Type.Number({
      description:
        'What is bought, at cost; 0 for goods that are bought already; null: the cost is not known',
    }),
  ),
  purchaseOrderId: Nullable(Id),
  poNumber: Nullable(Type.String()),
  supplierId: Nullable(Id),
  supplierName: Nullable(Type.String()),
  sourceLocationId: Nullable(Gid('Location')),
  sourceLocationName: Nullable(Type.String()),
  sourceLastsDays: Nullable(
    Type.Integer({ description: 'Until the source is at its own reorder point; null: it sells none' }),
  ),
})
export type GapCure = Static<typeof GapCure>

const gapFields = {
  locationId: Nullable(Gid('Location')),
  locationName: Nullable(Type.String({ description: 'null: all locations together' })),
  available: Type.Integer({ description: 'What can be sold there now' }),
  gapOn: Type.Unsafe<string>({ ...Day, description: 'The first day that does not meet its demand' }),
  nextArrivalOn: Type.Unsafe<string | null>({
    ...Nullable(Day),
    description:
      'The expected day of the next order or transfer, corrected by how late its supplier is on average; null: nothing is on its way',
  }),
  missingUnits: Type.Number({
    description:
      'From `gapOn` until the next arrival; without one, until an order of the next review would arrive',
  }),
  lostRevenue: Money,
  cure: Nullable(GapCure),
  explanation: Type.String({ description: 'The cure in one sentence' }),
}

/** A gap of a variant, in total or at a location that a reorder rule names. */
export const VariantStockGap = Type.Object(gapFields)
export type VariantStockGap = Static<typeof VariantStockGap>

export const StockGapFilter = Strict({ ...productSearch, ...pairFields })
export type StockGapFilter = Static<typeof StockGapFilter>

export const StockGap = Type.Object({ ...variantFields, ...gapFields })
export type StockGap = Static<typeof StockGap>

export const LostSaleFilter = Strict({
  period: Type.Optional(choices('30d', '90d', '365d')),
  ...productSearch,
  ...pairFields,
  ...countField,
})
export type LostSaleFilter = Static<typeof LostSaleFilter>

export const LostSale = Type.Object({
  ...variantFields,
  daysWithoutStock: Type.Integer({ description: 'At no location, of `daysKnown`' }),
  daysKnown: Type.Integer({ description: 'Of the period, since the sales of the variant are known' }),
  soldUnits: Type.Integer({ description: 'In the period' }),
  lostUnits: Type.Number(),
  lostRevenue: Money,
})
export type LostSale = Static<typeof LostSale>

export const OverstockFilter = Strict({
  days: Type.Optional(choices('30', '60', '90', '180', '365')),
  ...productSearch,
  ...pairFields,
  ...countField,
})
export type OverstockFilter = Static<typeof OverstockFilter>

export const Overstock = Type.Object({
  ...variantFields,
  currentStock: Type.Integer({ description: 'Available at all locations' }),
  forecastUnits: Type.Number({ description: 'Expected in the days' }),
  pieces: Type.Integer({ description: 'Above that' }),
  unitCost: Money,
  value: Nullable(Type.Number({ description: 'Of the pieces, at the moving average cost' })),
  action: choices('return', 'transfer', 'mark_down'),
  quantity: Type.Integer({ description: 'Pieces that the action is for, at most `pieces`' }),
  receiptId: Nullable(Id),
  receivedAt: Nullable(Timestamp),
  supplierId: Nullable(Id),
  supplierName: Nullable(Type.String()),
  sourceLocationId: Nullable(Gid('Location')),
  sourceLocationName: Nullable(Type.String()),
  destinationLocationId: Nullable(Gid('Location')),
  destinationLocationName: Nullable(Type.String()),
})
export type Overstock = Static<typeof Overstock>

export const ArrivalFilter = Strict({
  from: Type.Optional(CalendarDay),
  to: Type.Optional(CalendarDay),
  overdue: Type.Optional(Type.Boolean({ rule: 'must be true or false' })),
  dated: Type.Optional(Type.Boolean({ rule: 'must be true or false' })),
  ...pairFields,
})
export type ArrivalFilter = Static<typeof ArrivalFilter>

/** An order or a transfer that is on its way. */
export const ExpectedArrival = Type.Object({
  kind: choices('order', 'transfer'),
  id: Type.Integer({ description: 'Of the order or the transfer' }),
  name: Type.String({ description: 'As in PO-00012 and Transfer #3' }),
  expectedOn: Type.Unsafe<string | null>({
    ...Nullable(Day),
    description:
      "The promised day moved by the supplier's delay; tomorrow when that has passed; null: no date",
  }),
  promisedOn: Type.Unsafe<string | null>({ ...Nullable(Day), description: 'Without the correction' }),
  isOverdue: Type.Boolean({ description: 'The promised time has passed' }),
  lateDays: Type.Integer({ description: 'The correction; 0: none' }),
  fromName: Type.String({ description: 'The supplier, or the location that sent it' }),
  toName: Type.Union([Type.String(), Type.Null()], { description: 'The location that gets it' }),
  lineCount: Type.Integer({ description: 'With pieces that are still to arrive' }),
  pieces: Type.Integer({ description: 'Still to arrive' }),
  value: Nullable(
    Type.Number({
      description: 'Of the pieces of an order after discounts, in `currency`; null: no line has a cost',
    }),
  ),
  unknownCosts: Type.Integer({ description: 'Lines without a cost, which `value` leaves out' }),
  currency: Nullable(Type.String()),
})
export type ExpectedArrival = Static<typeof ExpectedArrival>

export const OpenToBuyFilter = Strict({
  from: Type.Optional(CalendarMonth),
})
export type OpenToBuyFilter = Static<typeof OpenToBuyFilter>

const OpenToBuyMonth = Type.Object({
  month: Type.String({ description: 'As in 2026-03, in the time zone of the shop' }),
  orderedValue: Type.Number({
    description: 'Goods of orders that were sent in the month, without cancelled pieces',
  }),
  receivedValue: Type.Number({ description: 'Goods that arrived in the month, at landed cost' }),
  arrivingValue: Type.Number({
    description:
      "Goods that are expected in the month: by the promised day moved by the supplier's delay, tomorrow when it has passed",
  }),
  forecastNeed: Nullable(
    Type.Number({
      description:
        'What is expected to sell from today on, at cost; null: a past month, or one that the forecast does not cover to its end',
    }),
  ),
  budget: Nullable(
    Type.Number({
      description:
        'Of the buying budgets without a supplier, else of those of suppliers, by days; with tax, as budgets count; null: none',
    }),
  ),
  openToBuy: Nullable(
    Type.Number({
      description:
        '`budget` without what was spent in the month, and without drafts in the current one; below 0: exceeded; null: no budget',
    }),
  ),
})

export const OpenToBuy = Type.Object({
  currency: Type.String(),
  months: Type.Array(OpenToBuyMonth, {
    description: 'Twelve, from `from` on, by default from two months ago',
  }),
  forecastUntil: Nullable(Type.String({ description: 'The last day of the forecast; null: there is none' })),
  uncostedUnits: Type.Number({ description: 'Of the forecast, of products without a known cost' }),
  withoutDateValue: Type.Number({ description: 'Goods on their way without an expected date' }),
  withoutRateCount: Type.Integer({
    description: 'Orders of these months in a currency without a known rate; the values leave them out',
  }),
  withoutCostCount: Type.Integer({
    description: 'Orders of these months with lines without a cost; the values leave these lines out',
  }),
})
export type OpenToBuy = Static<typeof OpenToBuy>
