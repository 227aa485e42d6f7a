import {
  closedAt,
  discountedValue,
  fromCents,
  fulfillmentOf,
  taxOf,
  toCents,
  unitsOf,
} from '../shops/order-lines.ts'
import type { Fulfillment, Order, OrderLine, Refund, RefundLine } from '../shops/orders.ts'
import { connection, listed, type PageArgs, padded } from './listing.ts'
import type { View, ViewContext } from './view.ts'

const fulfillmentStatus = {
  unfulfilled: 'UNFULFILLED',
  partial: 'PARTIALLY_FULFILLED',
  fulfilled: 'FULFILLED',
  restocked: 'RESTOCKED',
} as const

/** An amount in cents, in the shop's currency and (equal) in the customer's. */
function moneyBag({ shop }: ViewContext, cents: number): View {
  const money = { amount: fromCents(cents), currencyCode: shop.facts.currency }
  return { shopMoney: money, presentmentMoney: money }
}

const totalOf = ({ lines }: Order, value: (line: OrderLine) => number) =>
  lines.reduce((sum, line) => sum + value(line), 0)

export function orderView(context: ViewContext, order: Order | undefined): View | null {
  if (!order) return null
  const { shop } = context
  return {
    __typename: 'Order',
    id: shop.gid('Order', order.id),
    legacyResourceId: order.id,
    name: `#${order.number}`,
    number: order.number,
    createdAt: order.createdAt,
    processedAt: order.processedAt,
    updatedAt: order.updatedAt,
    cancelledAt: order.cancelledAt,
    cancelReason: order.cancelReason?.toUpperCase() ?? null,
    closed: closedAt(order) !== null,
    closedAt: closedAt(order),
    confirmed: true,
    displayFulfillmentStatus: fulfillmentStatus[fulfillmentOf(order)],
    sourceName: order.sourceName,
    test: order.isTest,
    taxesIncluded: true,
    currencyCode: shop.facts.currency,
    ...totals(context, order),
    discountCodes: order.discountCode === null ? [] : [order.discountCode],
    fulfillments: ({ first }: { first?: number }) =>
      order.fulfillments.slice(0, first).map((fulfillment) => fulfillmentView(context, order, fulfillment)),
    refunds: ({ first }: { first?: number }) =>
      order.refunds.slice(0, first).map((refund) => refundView(context, order, refund)),
    lineItems: (args: PageArgs) =>
      connection(
        args,
        listed(order.lines, ({ id }) => padded(id)),
        (line) => lineView(context, order, line),
      ),
  }
}

function totals(context: ViewContext, order: Order) {
  const list = totalOf(order, ({ price, quantity }) => toCents(price) * quantity)
  const discounts = totalOf(order, ({ discount, codeDiscount }) => toCents(discount) + toCents(codeDiscount))
  const current = totalOf(order, (line) => discountedValue(line, unitsOf(order, line).current))
  return {
    totalPriceSet: moneyBag(context, list - discounts),
    totalDiscountsSet: moneyBag(context, discounts),
    currentTotalPriceSet: moneyBag(context, current),
  }
}

const locationView = ({ views }: ViewContext, index: number | null) =>
  index === null ? null : views.location(index)

function findLine(context: ViewContext, order: Order, id: string): View | null {
  const line = order.lines.find((candidate) => candidate.id === id)
  return line ? lineView(context, order, line) : null
}

export function findRefund(context: ViewContext, orders: readonly Order[], id: string): View | null {
  for (const order of orders) {
    const refund = order.refunds.find((candidate) => candidate.id === id)
    if (refund) return refundView(context, order, refund)
  }
  return null
}

export function findFulfillment(context: ViewContext, orders: readonly Order[], id: string): View | null {
  for (const order of orders) {
    const fulfillment = order.fulfillments.find((candidate) => candidate.id === id)
    if (fulfillment) return fulfillmentView(context, order, fulfillment)
  }
  return null
}

function fulfillmentView(context: ViewContext, order: Order, fulfillment: Fulfillment): View {
  const { shop } = context
  return {
    __typename: 'Fulfillment',
    id: shop.gid('Fulfillment', fulfillment.id),
    legacyResourceId: fulfillment.id,
    name: `#${order.number}.${order.fulfillments.indexOf(fulfillment) + 1}`,
    createdAt: fulfillment.createdAt,
    updatedAt: fulfillment.createdAt,
    status: 'SUCCESS',
    totalQuantity: fulfillment.lines.reduce((sum, { quantity }) => sum + quantity, 0),
    location: () => locationView(context, fulfillment.location),
    fulfillmentLineItems: (args: PageArgs) =>
      connection(
        args,
        listed([...fulfillment.lines.entries()], ([position]) => padded(position)),
        ([position, { lineId, quantity }]) => ({
          __typename: 'FulfillmentLineItem',
          id: shop.gid('FulfillmentLineItem', `${fulfillment.id}${position + 1}`),
          quantity,
          lineItem: () => findLine(context, order, lineId),
        }),
      ),
  }
}

function refundView(context: ViewContext, order: Order, refund: Refund): View {
  const { shop } = context
  const valueOfLine = ({ lineId, quantity }: RefundLine) => {
    const line = order.lines.find(({ id }) => id === lineId)
    return line ? discountedValue(line, quantity) : 0
  }
  const paidBack = refund.isPaidBack ? refund.lines.reduce((sum, line) => sum + valueOfLine(line), 0) : 0
  return {
    __typename: 'Refund',
    id: shop.gid('Refund', refund.id),
    legacyResourceId: refund.id,
    createdAt: refund.createdAt,
    processedAt: refund.createdAt,
    updatedAt: refund.createdAt,
    note: refund.note,
    totalRefundedSet: moneyBag(context, paidBack),
    order: () => orderView(context, order),
    refundLineItems: (args: PageArgs) =>
      connection(
        args,
        listed(refund.lines, ({ id }) => padded(id)),
        (line) => ({
          __typename: 'RefundLineItem',
          id: shop.gid('RefundLineItem', line.id),
          quantity: line.quantity,
          restockType: line.restockType.toUpperCase(),
          restocked: line.restockType !== 'no_restock',
          location: () => locationView(context, line.location),
          subtotalSet: moneyBag(context, valueOfLine(line)),
          totalTaxSet: moneyBag(context, 0),
          lineItem: () => findLine(context, order, line.lineId),
        }),
      ),
  }
}

/** Deleted products and variants are null; the line still has their titles. */
function lineView(context: ViewContext, order: Order, line: OrderLine): View {
  const { shop, views } = context
  const { catalogue } = shop
  const product = catalogue.productNumber(line.productId ?? '')
  const variant = catalogue.variantKey(line.variantId ?? '')
  const units = unitsOf(order, line)
  const money = (cents: number) => moneyBag(context, cents)
  const list = toCents(line.price) * line.quantity
  return {
    __typename: 'LineItem',
    id: shop.gid('LineItem', line.id),
    title: line.title,
    variantTitle: line.variantTitle,
    name: line.variantTitle ? `${line.title} - ${line.variantTitle}` : line.title,
    sku: line.sku,
    vendor: line.vendor,
    quantity: line.quantity,
    currentQuantity: units.current,
    refundableQuantity: units.current,
    unfulfilledQuantity: units.unshipped,
    nonFulfillableQuantity: line.quantity - units.unshipped - units.shipped,
    restockable: line.source !== null && units.current > 0,
    isGiftCard: line.isGiftCard,
    requiresShipping: line.requiresShipping,
    originalUnitPriceSet: money(toCents(line.price)),
    originalTotalSet: money(list),
    totalDiscountSet: money(toCents(line.discount)),
    discountedTotalSet: ({ withCodeDiscounts }: { withCodeDiscounts: boolean }) =>
      money(list - toCents(line.discount) - (withCodeDiscounts ? toCents(line.codeDiscount) : 0)),
    discountedUnitPriceSet: money(Math.round((list - toCents(line.discount)) / line.quantity)),
    discountedUnitPriceAfterAllDiscountsSet: money(
      Math.round(discountedValue(line, line.quantity) / line.quantity),
    ),
    priceAfterAllDiscountsBeforeTaxesSet: money(discountedValue(line, units.current)),
    discountAllocations: [line.discount, line.codeDiscount]
      .map(toCents)
      .filter((cents) => cents > 0)
      .map((cents) => ({ allocatedAmountSet: money(cents) })),
    taxLines: shop.facts.taxRate
      ? [
          {
            title: 'VAT',
            rate: shop.facts.taxRate / 100,
            ratePercentage: shop.facts.taxRate,
            priceSet: money(taxOf(line, shop.facts.taxRate)),
          },
        ]
      : [],
    product: () => (product === undefined ? null : views.product(product)),
    variant: () => (variant ? views.variant(catalogue.variant(variant)) : null),
  }
}
