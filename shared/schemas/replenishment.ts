import { type Static, Type } from '@sinclair/typebox'
import {
  choices,
  Gid,
  Id,
  ListOf,
  Money,
  Nullable,
  pageFields,
  Quantity,
  Strict,
  Version,
  Whole,
} from './common.ts'
import { PriceBreak, PurchaseOrder } from './purchase-orders.ts'
import { ReorderDraft } from './reorder-suggestions.ts'

/**
 * What is expected to sell: the mean of past days, the same weeks of last year, or the forecast (the default).
 */
export const ReplenishmentBasis = choices('30d', '60d', '90d', 'last_year', 'forecast')
export type ReplenishmentBasis = Static<typeof ReplenishmentBasis>

export const planFields = {
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 365, rule: 'must be a whole number of days from 1 to 365' }),
  ),
  basis: Type.Optional(ReplenishmentBasis),
  growth: Type.Optional(
    Type.Integer({ minimum: -90, maximum: 900, rule: 'must be a whole percentage from -90 to 900' }),
  ),
}

/**
 * `days`: how long an order has to last after it arrives. `growth`: percent on top of the basis. `locationId`: stock,
 * demand and orders of one location.
 */
export const ReplenishmentFilter = Strict({
  supplierId: Type.Optional(Id),
  locationId: Type.Optional(Gid('Location')),
  ...planFields,
  ...pageFields,
})
export type ReplenishmentFilter = Static<typeof ReplenishmentFilter>

/** A variant that needs an order, or runs out before one could arrive. Numbers are those of all locations together, or of the filter's. */
export const ReplenishmentRow = Type.Object({
  variantId: Type.String(),
  sku: Type.String(),
  title: Type.String({ description: 'The product, and the variant where there are several' }),
  supplierId: Nullable(Id),
  supplierName: Nullable(Type.String()),
  onHand: Type.Integer({ description: 'Available at all locations, or at that of the filter' }),
  inTimePosition: Type.Integer({
    description:
      'Stock, transfers, and the orders that arrive before it is sold out or before a new order could arrive',
  }),
  lateOnOrder: Type.Integer({ description: 'Pieces on order that arrive later than that' }),
  forecastUnits: Type.Number({ description: 'Demand until the suggested order is used up' }),
  safetyStock: Type.Number(),
  suggestedQuantity: Type.Integer({ description: 'In whole packs and multiples, at least the minimum' }),
  roundedUpBy: Type.Integer({
    description: 'Pieces of the suggestion that only fill packs, multiple or minimum of the supplier',
  }),
  packs: Nullable(Type.Integer()),
  unitCost: Nullable(Type.Number({ description: 'Of the suggested quantity; null when no cost is known' })),
  lineTotal: Nullable(Type.Number()),
  breaks: Type.Array(PriceBreak, { description: "The supplier's agreed prices by quantity" }),
  method: Type.String({ description: 'The basis, or the model of the forecast' }),
  wape: Nullable(Type.Number({ description: 'The mean error of the forecast, as a share of the demand' })),
  gapOn: Nullable(
    Type.String({ description: 'The first day without enough stock if nothing more is ordered' }),
  ),
  gapUntil: Nullable(
    Type.String({
      description: 'The next day with stock; null: nothing that is on its way ends the gap, or there is none',
    }),
  ),
  arrivingInGap: Type.Integer({
    description:
      'Pieces of orders and transfers that arrive after `gapOn`, up to `gapUntil`; they count, since a new order would not arrive earlier',
  }),
  explanation: Type.String({ description: 'One sentence with the inputs' }),
  confidence: choices('normal', 'low'),
  productId: Type.String(),
  currency: Type.String({ description: 'Of the supplier; ISO 4217' }),
  inDraft: Type.Integer({
    description:
      'Pieces in draft orders, with `locationId` only in those that arrive there; they do not count as on order',
  }),
  packSize: Type.Integer(),
  quantityMultiple: Type.Integer(),
  minimumQuantity: Nullable(Type.Integer()),
  leadTimeDays: Type.Number(),
  orderBy: Nullable(Type.String({ description: 'The day of the gap, minus the lead time' })),
  supplierMinimumValue: Nullable(Type.Number()),
  supplierMinimumQuantity: Nullable(Type.Integer()),
})
export type ReplenishmentRow = Static<typeof ReplenishmentRow>

const maxItems = 1000

const OrderedItem = Strict({
  variantId: Gid('ProductVariant'),
  supplierId: Id,
  quantity: Quantity,
  costPrice: Type.Optional(Money(4)),
  roundedUpBy: Type.Optional(Whole(0, 1_000_000_000)),
  destinationLocationId: Type.Optional(Nullable(Gid('Location'))),
})

/**
 * One draft per supplier and destination. A line without `costPrice` gets the supplier's price of its quantity. `roundedUpBy` is that of
 * a suggestion whose quantity was not changed.
 */
export const ReplenishmentOrdersInput = Strict({ items: ListOf(OrderedItem, 1, maxItems, 'items') })
export type ReplenishmentOrdersInput = Static<typeof ReplenishmentOrdersInput>

export const ReplenishmentOrders = Type.Object({ purchaseOrders: Type.Array(ReorderDraft) })
export type ReplenishmentOrders = Static<typeof ReplenishmentOrders>

/** `replace`: the suggestions are the new lines. `add`: they raise and complete the lines. */
export const OrderSuggestionInput = Strict({
  ...planFields,
  mode: choices('replace', 'add'),
  version: Type.Optional(Version),
})
export type OrderSuggestionInput = Static<typeof OrderSuggestionInput>

export const SuggestedOrder = Type.Object({
  ...Type.Pick(PurchaseOrder, ['id', 'total', 'version']).properties,
  lineItemCount: Type.Integer(),
  added: Type.Integer({ description: 'New lines' }),
  raised: Type.Integer({ description: 'Lines whose quantity grew' }),
  left: Type.Integer({ description: 'Suggestions that did not fit into the 500 lines of an order' }),
  isComplete: Type.Boolean({
    description:
      'False when the supplier has 5 000 variants or more: those that run out first were planned, and those of the order',
  }),
})
export type SuggestedOrder = Static<typeof SuggestedOrder>
