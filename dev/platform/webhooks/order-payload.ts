import { makeGid, type Namespace } from '../shops/ids.ts'
import type { Order, OrderLine } from '../shops/orders.ts'
import type { ShopFacts } from '../shops/seed.ts'
import { localTime } from './body.ts'

type OrderShop = { facts: ShopFacts; namespace: Namespace }

const cents = (price: string) => Math.round(Number(price) * 100)
const amount = (inCents: number) => (inCents / 100).toFixed(2)

/** The body of orders/create. It names no customer: nobody whom the simulator knows has bought anything. */
export function orderPayload(shop: OrderShop, order: Order) {
  const { facts, namespace } = shop
  const total = order.lines.reduce((sum, line) => sum + cents(line.price) * line.quantity, 0)
  const tips = order.lines.reduce((sum, line) => sum + (line.isTip ? cents(line.price) : 0), 0)
  const both = (inCents: number) => {
    const money = { amount: amount(inCents), currency_code: facts.currency }
    return { shop_money: money, presentment_money: money }
  }
  return {
    id: BigInt(order.id),
    admin_graphql_api_id: makeGid(namespace, 'Order', order.id),
    app_id: null,
    browser_ip: null,
    buyer_accepts_marketing: false,
    cancel_reason: order.cancelledAt ? 'customer' : null,
    cancelled_at: order.cancelledAt && localTime(order.cancelledAt, facts.timeZone),
    closed_at: null,
    confirmed: true,
    contact_email: null,
    created_at: localTime(order.createdAt, facts.timeZone),
    currency: facts.currency,
    current_subtotal_price: amount(total - tips),
    current_total_discounts: '0.00',
    current_total_price: amount(total),
    current_total_price_set: both(total),
    current_total_tax: '0.00',
    customer: null,
    customer_locale: 'en',
    discount_applications: [],
    discount_codes: [],
    email: '',
    financial_status: 'paid',
    fulfillment_status: null,
    fulfillments: [],
    name: `#${order.number}`,
    note: null,
    number: order.number - 1000,
    order_number: order.number,
    phone: null,
    presentment_currency: facts.currency,
    processed_at: localTime(order.createdAt, facts.timeZone),
    refunds: [],
    source_name: 'web',
    subtotal_price: amount(total - tips),
    tags: '',
    tax_lines: [],
    taxes_included: true,
    test: order.isTest,
    total_line_items_price: amount(total - tips),
    total_price: amount(total),
    total_price_set: both(total),
    total_tax: '0.00',
    total_tip_received: amount(tips),
    total_weight: 0,
    updated_at: localTime(order.updatedAt, facts.timeZone),
    billing_address: null,
    shipping_address: null,
    shipping_lines: [],
    line_items: order.lines.map((line) => linePayload(namespace, line, both)),
  }
}

function linePayload(namespace: Namespace, line: OrderLine, both: (inCents: number) => object) {
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
    price_set: both(cents(line.price)),
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
    total_discount_set: both(0),
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
