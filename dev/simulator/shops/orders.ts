import type { Catalogue } from './catalogue.ts'
import { between, fraction } from './random.ts'
import { instant, type Seed, variantTitle } from './seed.ts'

export type OrderLine = {
  id: string
  /** Null without a product: a tip, a custom item, a deleted product. */
  variantId: string | null
  productId: string | null
  title: string
  variantTitle: string | null
  sku: string | null
  vendor: string | null
  price: string
  quantity: number
  isGiftCard: boolean
  isTip: boolean
  requiresShipping: boolean
}

export type Order = {
  /** Digits, some of them above 2^53. */
  id: string
  number: number
  createdAt: string
  updatedAt: string
  cancelledAt: string | null
  isTest: boolean
  lines: OrderLine[]
}

/** Every tenth order has an id above 2^53. */
export const orderId = (number: number) =>
  number % 10 === 0 ? String(820_982_911_000_000_000n + BigInt(number)) : String(5_400_000_000_000 + number)

export const lineId = (order: number, index: number) =>
  order % 10 === 0
    ? String(487_817_672_000_000_000n + BigInt(order) * 100n + BigInt(index))
    : String(13_400_000_000_000 + order * 100 + index)

export const firstOrderNumber = 1001

/** A line for one variant with its current data; `undefined` when the variant does not exist. */
export function variantLine(
  catalogue: Catalogue,
  id: string,
  quantity: number,
): Omit<OrderLine, 'id'> | undefined {
  const key = catalogue.variantKey(id)
  const found = key && catalogue.variant(key)
  if (!found) return undefined
  const { inProduct, variant, product } = found
  return {
    variantId: id,
    productId: catalogue.productId(product),
    title: inProduct.title,
    variantTitle: inProduct.variants.length > 1 ? variantTitle(variant) : null,
    sku: variant.sku,
    vendor: inProduct.vendor,
    price: variant.price,
    quantity,
    isGiftCard: inProduct.isGiftCard,
    isTip: false,
    requiresShipping: variant.requiresShipping,
  }
}

const day = 86_400_000

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
  const isCancelled = number % 53 === 0
  return {
    id: orderId(number),
    number,
    createdAt: instant(time),
    updatedAt: instant(isCancelled ? time + 3_600_000 : time),
    cancelledAt: isCancelled ? instant(time + 3_600_000) : null,
    isTest: number % 97 === 0,
    lines: lines.map((line, index) => ({ id: lineId(number, index), ...line })),
  }
}

/** Picks a variant; squaring the random number prefers the first products. */
export function popularVariant(seed: Seed, catalogue: Catalogue, ...seeds: number[]): string {
  const product = Math.floor(fraction(45, ...seeds) ** 2 * seed.products)
  const variants = seed.product(product).variants.length
  return catalogue.variantId(product, Math.floor(fraction(46, ...seeds) * variants))
}

export const tip = (price: string): Omit<OrderLine, 'id'> => ({
  ...customLine('Tip', price, 1),
  isTip: true,
  requiresShipping: false,
})

export const customLine = (title: string, price: string, quantity: number): Omit<OrderLine, 'id'> => ({
  variantId: null,
  productId: null,
  title,
  variantTitle: null,
  sku: null,
  vendor: null,
  price,
  quantity,
  isGiftCard: false,
  isTip: false,
  requiresShipping: true,
})
