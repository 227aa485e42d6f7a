import { makeGid, type Namespace } from '../shops/ids.ts'
import type { Order, OrderLine } from '../shops/orders.ts'
import type { ShopFacts } from '../shops/seed.ts'
import { localTime } from './body.ts'

type OrderShop = { domain: string; facts: ShopFacts; namespace: Namespace }

const cents = (price: string) => Math.round(Number(price) * 100)
const amount = (inCents: number) => (inCents / 100).toFixed(2)

/** Fields of an order that the simulator leaves null: its orders have no customer. */
const nullFields = [
  ...[
    'app_id',
    'billing_address',
    'browser_ip',
    'cart_token',
    'checkout_token',
    'client_details',
    'closed_at',
  ],
  ...[
    'confirmation_number',
    'contact_email',
    'current_total_additional_fees_set',
    'current_total_duties_set',
  ],
  ...['customer', 'device_id', 'fulfillment_status', 'landing_site', 'landing_site_ref', 'location_id'],
  ...['merchant_of_record_app_id', 'note', 'original_total_additional_fees_set', 'original_total_duties_set'],
  ...['payment_terms', 'phone', 'po_number', 'reference', 'referring_site', 'shipping_address'],
  ...['source_identifier', 'source_url', 'user_id'],
]
const emptyLists = [
  ...['discount_applications', 'discount_codes', 'fulfillments', 'line_item_groups', 'note_attributes'],
  ...['refunds', 'returns', 'shipping_lines', 'tax_lines'],
]
const falseFields = ['buyer_accepts_marketing', 'duties_included', 'estimated_taxes', 'tax_exempt']

const withValue = <T>(names: readonly string[], value: T): Record<string, T> =>
  Object.fromEntries(names.map((name) => [name, value]))

/** The body of orders/create. */
export function orderPayload(shop: OrderShop, order: Order) {
  const { facts, namespace } = shop
  const total = order.lines.reduce((sum, line) => sum + cents(line.price) * line.quantity, 0)
  const tips = order.lines.reduce((sum, line) => sum + (line.isTip ? cents(line.price) : 0), 0)
  const moneySet = (inCents: number) => {
    const money = { amount: amount(inCents), currency_code: facts.currency }
    return { shop_money: money, presentment_money: money }
  }
  const createdAt = localTime(order.createdAt, facts.timeZone)
  const token = order.id.padStart(32, '0')
  return {
    ...withValue(nullFields, null),
    ...withValue(emptyLists, []),
    ...withValue(falseFields, false),
    ...moneyFields(total, tips, moneySet),
    id: BigInt(order.id),
    admin_graphql_api_id: makeGid(namespace, 'Order', order.id),
    cancel_reason: order.cancelledAt ? 'customer' : null,
    cancelled_at: order.cancelledAt && localTime(order.cancelledAt, facts.timeZone),
    confirmed: true,
    created_at: createdAt,
    currency: facts.currency,
    customer_locale: 'en',
    email: '',
    financial_status: 'paid',
    merchant_business_entity_id: Buffer.from(facts.id).toString('base64url'),
    name: `#${order.number}`,
    number: order.number - 1000,
    order_number: order.number,
    order_status_url: `https://${shop.domain}/${facts.id}/orders/${token}/authenticate`,
    payment_gateway_names: ['bogus'],
    presentment_currency: facts.currency,
    processed_at: createdAt,
    source_name: 'web',
    tags: '',
    taxes_included: true,
    test: order.isTest,
    token,
    total_outstanding: '0.00',
    total_tip_received: amount(tips),
    total_weight: 0,
    updated_at: localTime(order.updatedAt, facts.timeZone),
    line_items: order.lines.map((line) => linePayload(namespace, line, moneySet)),
  }
}

/** The totals, in the shop's currency and (equal) in the customer's. */
function moneyFields(total: number, tips: number, moneySet: (inCents: number) => object) {
  const sums = {
    current_subtotal_price: total - tips,
    current_total_discounts: 0,
    current_total_price: total,
    current_total_tax: 0,
    subtotal_price: total - tips,
    total_discounts: 0,
    total_line_items_price: total - tips,
    total_price: total,
    total_tax: 0,
  }
  const onlySets = {
    current_shipping_price: 0,
    total_cash_rounding_payment_adjustment: 0,
    total_cash_rounding_refund_adjustment: 0,
    total_shipping_price: 0,
  }
  return Object.fromEntries([
    ...Object.entries(sums).map(([name, sum]) => [name, amount(sum)]),
    ...Object.entries({ ...sums, ...onlySets }).map(([name, sum]) => [`${name}_set`, moneySet(sum)]),
  ])
}

function linePayload(namespace: Namespace, line: OrderLine, moneySet: (inCents: number) => object) {
  return {
    id: BigInt(line.id),
    admin_graphql_api_id: makeGid(namespace, 'LineItem', line.id),
    attributed_staffs: [],
    current_quantity: line.quantity,
    fulfillable_quantity: line.isTip ? 0 : line.quantity,
    fulfillment_service: line.isGiftCard ? 'gift_card' : 'manual',
    fulfillment_status: null,
    gift_card: line.isGiftCard,
    grams: 0,
    name: line.variantTitle ? `${line.title} - ${line.variantTitle}` : line.title,
    price: line.price,
    price_set: moneySet(cents(line.price)),
    product_exists: line.productId !== null,
    product_id: line.productId === null ? null : BigInt(line.productId),
    properties: [],
    quantity: line.quantity,
    requires_shipping: line.requiresShipping,
    sales_line_item_group_id: null,
    sku: line.sku,
    taxable: !line.isTip,
    title: line.title,
    total_discount: '0.00',
    total_discount_set: moneySet(0),
    variant_id: line.variantId === null ? null : BigInt(line.variantId),
    variant_inventory_management: null,
    variant_title: line.variantTitle,
    vendor: line.vendor,
    tax_lines: [],
    duties: [],
    discount_allocations: [],
    ...(line.isTip && { tip_payment_gateway: 'bogus', tip_payment_method: 'Card' }),
  }
}
