import { makeGid } from '../shops/ids.ts'
import { discountedValue, fromCents } from '../shops/order-lines.ts'
import type { Fulfillment, Order, Refund } from '../shops/orders.ts'
import { localTime } from './body.ts'
import { linePayload } from './line-payload.ts'
import { moneySet } from './money.ts'
import type { OrderShop } from './order-payload.ts'

const locationId = ({ locations }: OrderShop, index: number | null) => {
  const id = index === null ? undefined : locations[index]?.id
  return id === undefined ? null : BigInt(id)
}

const lineOf = ({ lines }: Order, id: string) => lines.find((line) => line.id === id)

/** A refund in the body of its order. Without transactions, units were removed and nothing was paid back. */
export function refundPayload(shop: OrderShop, order: Order, refund: Refund) {
  const { namespace, facts } = shop
  const { currency } = facts
  const at = localTime(refund.createdAt, facts.timeZone)
  const lines = refund.lines.flatMap((refundLine) => {
    const line = lineOf(order, refundLine.lineId)
    return line ? [{ refundLine, line, cents: discountedValue(line, refundLine.quantity) }] : []
  })
  const paidBack = lines.reduce((sum, { cents }) => sum + cents, 0)
  return {
    id: BigInt(refund.id),
    admin_graphql_api_id: makeGid(namespace, 'Refund', refund.id),
    created_at: at,
    note: refund.note,
    order_id: BigInt(order.id),
    processed_at: at,
    restock: refund.lines.some(({ restockType }) => restockType !== 'no_restock'),
    total_duties_set: moneySet(0, currency),
    user_id: null,
    order_adjustments: [],
    refund_shipping_lines: [],
    return: null,
    duties: [],
    transactions: refund.isPaidBack
      ? [{ kind: 'refund', gateway: 'bogus', status: 'success', amount: fromCents(paidBack), currency }]
      : [],
    refund_line_items: lines.map(({ refundLine, line, cents }) => ({
      id: BigInt(refundLine.id),
      line_item_id: BigInt(refundLine.lineId),
      location_id: locationId(shop, refundLine.location),
      quantity: refundLine.quantity,
      restock_type: refundLine.restockType,
      subtotal: cents / 100,
      subtotal_set: moneySet(cents, currency),
      total_tax: 0,
      total_tax_set: moneySet(0, currency),
      line_item: linePayload(shop, order, line),
    })),
  }
}

/** A shipment in the body of its order. */
export function fulfillmentPayload(shop: OrderShop, order: Order, fulfillment: Fulfillment, index: number) {
  const at = localTime(fulfillment.createdAt, shop.facts.timeZone)
  return {
    id: BigInt(fulfillment.id),
    admin_graphql_api_id: makeGid(shop.namespace, 'Fulfillment', fulfillment.id),
    created_at: at,
    location_id: locationId(shop, fulfillment.location),
    name: `#${order.number}.${index + 1}`,
    order_id: BigInt(order.id),
    origin_address: {},
    receipt: {},
    service: 'manual',
    shipment_status: null,
    status: 'success',
    tracking_company: null,
    tracking_number: null,
    tracking_numbers: [],
    tracking_url: null,
    tracking_urls: [],
    updated_at: at,
    line_items: fulfillment.lines.flatMap(({ lineId, quantity }) => {
      const line = lineOf(order, lineId)
      return line ? [{ ...linePayload(shop, order, line), quantity }] : []
    }),
  }
}
