import { customerOf } from '../shops/customers.ts'
import { makeGid, type Namespace } from '../shops/ids.ts'
import {
  closedAt,
  discountedValue,
  fromCents,
  fulfillmentOf,
  toCents,
  unitsOf,
} from '../shops/order-lines.ts'
import type { Order } from '../shops/orders.ts'
import type { LocationFacts, ShopFacts } from '../shops/seed.ts'
import { localTime } from './body.ts'
import { customerPayload } from './customer-payload.ts'
import { discountPayload, fulfillmentName, linePayload } from './line-payload.ts'
import { moneySets } from './money.ts'
import { fulfillmentPayload, refundPayload } from './refund-payload.ts'

export type OrderShop = {
  domain: string
  facts: ShopFacts
  namespace: Namespace
  locations: readonly LocationFacts[]
}

/** Fields of an order that the simulator leaves null. */
const nullFields = [
  ...['app_id', 'cart_token', 'checkout_token', 'confirmation_number'],
  ...['current_total_additional_fees_set', 'current_total_duties_set'],
  ...['device_id', 'landing_site', 'landing_site_ref', 'location_id'],
  ...['merchant_of_record_app_id', 'original_total_additional_fees_set', 'original_total_duties_set'],
  ...['payment_terms', 'po_number', 'reference', 'referring_site'],
  ...['source_identifier', 'source_url', 'user_id'],
]
const emptyLists = ['line_item_groups', 'note_attributes', 'returns', 'shipping_lines', 'tax_lines']
const falseFields = ['buyer_accepts_marketing', 'duties_included', 'estimated_taxes', 'tax_exempt']

const withValue = <T>(names: readonly string[], value: T): Record<string, T> =>
  Object.fromEntries(names.map((name) => [name, value]))

/** The body of orders/create and orders/updated. */
export function orderPayload(shop: OrderShop, order: Order) {
  const { facts, namespace } = shop
  const time = (at: string) => localTime(at, facts.timeZone)
  const createdAt = time(order.createdAt)
  const token = order.id.padStart(32, '0')
  const closed = closedAt(order)
  const customer = customerOf(order.number)
  return {
    ...withValue(nullFields, null),
    ...withValue(emptyLists, []),
    ...withValue(falseFields, false),
    ...customerPayload({ namespace, customer, createdAt, currency: facts.currency }),
    ...moneyFields(order, facts.currency),
    ...discountPayload(order),
    id: BigInt(order.id),
    admin_graphql_api_id: makeGid(namespace, 'Order', order.id),
    cancel_reason: order.cancelReason,
    cancelled_at: order.cancelledAt && time(order.cancelledAt),
    closed_at: closed && time(closed),
    confirmed: true,
    created_at: createdAt,
    currency: facts.currency,
    customer_locale: 'en',
    financial_status: financialStatus(order),
    fulfillment_status: fulfillmentName(fulfillmentOf(order)),
    fulfillments: order.fulfillments.map((fulfillment, index) =>
      fulfillmentPayload(shop, order, fulfillment, index),
    ),
    merchant_business_entity_id: Buffer.from(facts.id).toString('base64url'),
    name: `#${order.number}`,
    number: order.number - 1000,
    order_number: order.number,
    order_status_url: `https://${shop.domain}/${facts.id}/orders/${token}/authenticate`,
    payment_gateway_names: ['bogus'],
    presentment_currency: facts.currency,
    processed_at: time(order.processedAt),
    refunds: order.refunds.map((refund) => refundPayload(shop, order, refund)),
    source_name: order.sourceName,
    tags: '',
    taxes_included: true,
    test: order.isTest,
    token,
    total_outstanding: '0.00',
    total_weight: 0,
    updated_at: time(order.updatedAt),
    line_items: order.lines.map((line) => linePayload(shop, order, line)),
  }
}

function financialStatus(order: Order): 'paid' | 'partially_refunded' | 'refunded' {
  if (!order.refunds.some(({ isPaidBack, lines }) => isPaidBack && lines.length > 0)) return 'paid'
  return order.lines.some((line) => unitsOf(order, line).current > 0) ? 'partially_refunded' : 'refunded'
}

/** The totals, in the shop's currency and (equal) in the customer's. `current_` fields are without removed units. */
function moneyFields(order: Order, currency: string) {
  const total = (value: (line: Order['lines'][number]) => number) =>
    order.lines.reduce((sum, line) => sum + value(line), 0)
  const goods = total(({ isTip, price, quantity }) => (isTip ? 0 : toCents(price) * quantity))
  const tips = total(({ isTip, price }) => (isTip ? toCents(price) : 0))
  const discounts = total((line) => toCents(line.discount) + toCents(line.codeDiscount))
  const current = total((line) => discountedValue(line, unitsOf(order, line).current))
  const currentTips = total((line) => (line.isTip ? toCents(line.price) * unitsOf(order, line).current : 0))
  const currentList = total(
    ({ price, ...line }) => toCents(price) * unitsOf(order, { price, ...line }).current,
  )
  const sums = {
    current_subtotal_price: current - currentTips,
    current_total_discounts: currentList - current,
    current_total_price: current,
    current_total_tax: 0,
    subtotal_price: goods - discounts,
    total_discounts: discounts,
    total_line_items_price: goods,
    total_price: goods - discounts + tips,
    total_tax: 0,
  }
  const onlySets = {
    current_shipping_price: 0,
    total_cash_rounding_payment_adjustment: 0,
    total_cash_rounding_refund_adjustment: 0,
    total_shipping_price: 0,
  }
  return {
    ...Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, fromCents(sum)])),
    ...moneySets({ ...sums, ...onlySets }, currency),
    total_tip_received: fromCents(tips),
  }
}
