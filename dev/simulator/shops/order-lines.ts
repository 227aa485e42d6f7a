import type { Order, OrderLine } from './orders.ts'

/** What became of the units of a line. */
export type LineUnits = {
  ordered: number
  /** Not refunded, cancelled or removed. */
  current: number
  /** Shipped, whether or not they came back. */
  shipped: number
  /** Shipped and not refunded. */
  withCustomer: number
  /** Neither shipped nor removed. */
  unshipped: number
}

export function unitsOf(order: Order, { id, quantity, isTip }: OrderLine): LineUnits {
  const refunded = order.refunds.flatMap(({ lines }) => lines).filter(({ lineId }) => lineId === id)
  const ofShipped = sum(refunded.filter(({ wasShipped }) => wasShipped))
  const ofUnshipped = sum(refunded.filter(({ wasShipped }) => !wasShipped))
  const shipped = sum(order.fulfillments.flatMap(({ lines }) => lines).filter(({ lineId }) => lineId === id))
  return {
    ordered: quantity,
    current: quantity - ofShipped - ofUnshipped,
    shipped,
    withCustomer: shipped - ofShipped,
    unshipped: isTip ? 0 : quantity - ofUnshipped - shipped,
  }
}

const sum = (lines: readonly { quantity: number }[]) =>
  lines.reduce((total, { quantity }) => total + quantity, 0)

export type FulfillmentState = 'unfulfilled' | 'partial' | 'fulfilled' | 'restocked'

/** `restocked`: nothing was shipped, and all goods are back in stock. */
export function fulfillmentOf(order: Order, lines: readonly OrderLine[] = order.lines): FulfillmentState {
  const goods = lines.filter(({ isTip }) => !isTip)
  const total = (name: keyof LineUnits) => goods.reduce((all, line) => all + unitsOf(order, line)[name], 0)
  if (total('shipped') > 0) return total('unshipped') > 0 ? 'partial' : 'fulfilled'
  const removed = order.refunds
    .flatMap((refund) => refund.lines)
    .filter(({ lineId }) => goods.some(({ id }) => id === lineId))
  const isRestocked = removed.length > 0 && removed.every(({ restockType }) => restockType === 'cancel')
  return total('unshipped') === 0 && isRestocked ? 'restocked' : 'unfulfilled'
}

/** When nothing was left to ship any more; null while something is. */
export function closedAt(order: Order): string | null {
  if (order.lines.some((line) => unitsOf(order, line).unshipped > 0)) return null
  const ends = [...order.fulfillments, ...order.refunds].map(({ createdAt }) => createdAt)
  return ends.sort().at(-1) ?? null
}

export const toCents = (amount: string) => Math.round(Number(amount) * 100)
export const fromCents = (cents: number) => (cents / 100).toFixed(2)

/**
 * The tax that a line's value after all discounts includes, in cents, also of units that were removed later. Example: 238.00 at 19 %
 * include 38.00.
 */
export const taxOf = (line: OrderLine, taxRate = 0) =>
  Math.round((discountedValue(line, line.quantity) * taxRate) / (100 + taxRate))

/** The value of units of a line after all discounts, in cents. The units of a line share its discounts evenly. */
export function discountedValue(
  { price, quantity, discount, codeDiscount }: OrderLine,
  units: number,
): number {
  const discounts = toCents(discount) + toCents(codeDiscount)
  return toCents(price) * units - Math.round((discounts * units) / Math.max(1, quantity))
}
