import { makeGid } from '../shops/ids.ts'
import {
  type FulfillmentState,
  fromCents,
  fulfillmentOf,
  taxOf,
  toCents,
  unitsOf,
} from '../shops/order-lines.ts'
import type { Order, OrderLine } from '../shops/orders.ts'
import { moneySet } from './money.ts'
import type { OrderShop } from './order-payload.ts'

/** Bodies have null where nothing was shipped. */
export const fulfillmentName = (state: FulfillmentState) => (state === 'unfulfilled' ? null : state)

/** A line of an order. `quantity` stays what was ordered; `current_quantity` is without removed units. */
export function linePayload(shop: OrderShop, order: Order, line: OrderLine) {
  const { namespace, facts } = shop
  const { current, unshipped } = unitsOf(order, line)
  const state = fulfillmentOf(order, [line])
  return {
    id: BigInt(line.id),
    admin_graphql_api_id: makeGid(namespace, 'LineItem', line.id),
    attributed_staffs: [],
    current_quantity: current,
    fulfillable_quantity: unshipped,
    fulfillment_service: line.isGiftCard ? 'gift_card' : 'manual',
    fulfillment_status: state === 'restocked' ? null : fulfillmentName(state),
    gift_card: line.isGiftCard,
    grams: 0,
    name: line.variantTitle ? `${line.title} - ${line.variantTitle}` : line.title,
    price: line.price,
    price_set: moneySet(toCents(line.price), facts.currency),
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
    total_discount_set: moneySet(0, facts.currency),
    variant_id: line.variantId === null ? null : BigInt(line.variantId),
    variant_inventory_management: null,
    variant_title: line.variantTitle,
    vendor: line.vendor,
    tax_lines: facts.taxRate
      ? [
          {
            title: 'VAT',
            price: fromCents(taxOf(line, facts.taxRate)),
            price_set: moneySet(taxOf(line, facts.taxRate), facts.currency),
            rate: facts.taxRate / 100,
            channel_liable: false,
          },
        ]
      : [],
    duties: [],
    discount_allocations: discountsOf(order, line).map(({ amount, application }) => ({
      amount,
      amount_set: moneySet(toCents(amount), facts.currency),
      discount_application_index: applicationsOf(order).indexOf(application),
    })),
    ...(line.isTip && { tip_payment_gateway: 'bogus', tip_payment_method: 'Card' }),
  }
}

/** The kinds of discounts of an order, in the order in which its lines refer to them. */
const applicationsOf = ({ lines, discountCode }: Order): ('line' | 'code')[] => [
  ...(lines.some(({ discount }) => toCents(discount) > 0) ? (['line'] as const) : []),
  ...(discountCode === null ? [] : (['code'] as const)),
]

/** The discounts of a line. Both kinds are allocations: `total_discount` of a line stays zero. */
const discountsOf = ({ discountCode }: Order, { discount, codeDiscount }: OrderLine) => [
  ...(toCents(discount) > 0 ? [{ application: 'line' as const, amount: discount }] : []),
  ...(discountCode !== null && toCents(codeDiscount) > 0
    ? [{ application: 'code' as const, amount: codeDiscount }]
    : []),
]

/** The fields of an order that name its discounts. */
export function discountPayload(order: Order) {
  const { discountCode, lines } = order
  const total = (amounts: string[]) => fromCents(amounts.reduce((sum, amount) => sum + toCents(amount), 0))
  const byCode = total(lines.map(({ codeDiscount }) => codeDiscount))
  const applications = {
    line: {
      target_type: 'line_item',
      type: 'automatic',
      value: total(lines.map(({ discount }) => discount)),
      value_type: 'fixed_amount',
      allocation_method: 'each',
      target_selection: 'entitled',
      title: 'Reduced',
    },
    code: {
      target_type: 'line_item',
      type: 'discount_code',
      value: byCode,
      value_type: 'fixed_amount',
      allocation_method: 'across',
      target_selection: 'all',
      code: discountCode,
    },
  }
  return {
    discount_applications: applicationsOf(order).map((name) => applications[name]),
    discount_codes:
      discountCode === null ? [] : [{ code: discountCode, amount: byCode, type: 'fixed_amount' }],
  }
}
