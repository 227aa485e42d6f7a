import type { Catalogue } from './catalogue.ts'
import {
  customLine,
  type Fulfillment,
  firstOrderNumber,
  lineId,
  type Order,
  type OrderLine,
  orderId,
  type Refund,
  type RefundLine,
  tip,
  variantLine,
} from './orders.ts'
import { between, fraction } from './random.ts'
import { instant, type Seed } from './seed.ts'

const hour = 3_600_000
const day = 24 * hour

/**
 * The orders before the shop was opened in the simulator, the same for the same seed and time. Some products sell
 * far better than others, weekends are busier, and some orders contain a tip, a custom item or a variant twice, are
 * cancelled, or are test orders.
 */
export function makeHistory(seed: Seed, catalogue: Catalogue, openedAt: Date): Order[] {
  const orders: Order[] = []
  const start = Math.floor(openedAt.getTime() / day) * day - seed.orderDays * day
  for (let date = 0; date < seed.orderDays; date += 1) {
    const isWeekend = [0, 6].includes(new Date(start + date * day).getUTCDay())
    const orderCount = seed.ordersPerDay * (isWeekend ? 1.5 : 0.8) * (0.6 + fraction(41, date) * 0.8)
    for (let index = 0; index < Math.round(orderCount); index += 1) {
      const number = firstOrderNumber + orders.length
      const minute = between(0, Math.floor(1439 / Math.round(orderCount)), 42, date, index)
      const time =
        start + date * day + (Math.floor((1440 / Math.round(orderCount)) * index) + minute) * 60_000
      orders.push(makeOrder(seed, catalogue, number, time))
    }
  }
  return orders
}

function makeOrder(seed: Seed, catalogue: Catalogue, number: number, time: number): Order {
  const picked = Array.from({ length: between(1, 4, 43, number) }, (_, index) =>
    variantLine(catalogue, popularVariant(seed, catalogue, number, index), between(1, 3, 44, number, index)),
  ).filter((line) => line !== undefined)
  const lines: Omit<OrderLine, 'id'>[] = [...picked]
  const [first] = picked
  if (first && number % 37 === 0) lines.push({ ...first, quantity: 1 })
  if (number % 29 === 0) lines.push(tip('2.00'))
  if (number % 41 === 0) lines.push(customLine('Engraving', '6.00', 1))
  const order: Order = {
    id: orderId(number),
    number,
    createdAt: instant(time),
    processedAt: instant(time),
    updatedAt: instant(time),
    cancelledAt: null,
    cancelReason: null,
    isTest: number % 97 === 0,
    sourceName: 'web',
    discountCode: null,
    lines: lines.map((line, index) => ({ id: lineId(number, index), ...line })),
    refunds: [],
    fulfillments: [],
  }
  return number % 53 === 0 ? cancelled(order, instant(time + hour)) : shipped(order, instant(time + hour))
}

/** Orders of the history were shipped or cancelled before the shop was opened, so none of them commits stock. */
function shipped(order: Order, at: string): Order {
  const lines = order.lines.filter(({ isTip }) => !isTip)
  const fulfillment: Fulfillment = {
    id: String(4_400_000_000_000 + order.number),
    createdAt: at,
    location: null,
    lines: lines.map(({ id, quantity }) => ({ lineId: id, quantity })),
  }
  return { ...order, updatedAt: at, fulfillments: [fulfillment] }
}

function cancelled(order: Order, at: string): Order {
  const lines = order.lines.map(({ id, quantity }, index): RefundLine => {
    const refundLineId = String(5_500_000_000_000 + order.number * 100 + index)
    return {
      id: refundLineId,
      lineId: id,
      quantity,
      restockType: 'cancel',
      wasShipped: false,
      location: null,
    }
  })
  const refund: Refund = {
    id: String(9_900_000_000_000 + order.number),
    createdAt: at,
    note: null,
    isPaidBack: true,
    lines,
  }
  return { ...order, updatedAt: at, cancelledAt: at, cancelReason: 'customer', refunds: [refund] }
}

/** Picks a variant; squaring the random number prefers the first products. */
export function popularVariant(seed: Seed, catalogue: Catalogue, ...seeds: number[]): string {
  const product = Math.floor(fraction(45, ...seeds) ** 2 * seed.products)
  const variants = seed.product(product).variants.length
  return catalogue.variantId(product, Math.floor(fraction(46, ...seeds) * variants))
}
