/** An order of any sales channel as the platform reports it, in a webhook or by the API. Instants are ISO 8601. */
export type Order = {
  orderGid: string
  /** When the customer ordered (the platform's `processedAt`); another system may have taken the order long before it was created here. */
  orderedAt: string
  updatedAt: string
  isTest: boolean
  isCancelled: boolean
  lines: readonly OrderLine[]
  /** Units that left the order, by line. The platform stores those that an edit removed as refunds, too. */
  refunds: readonly { lineGid: string; quantity: number; restockType: string }[]
  /** Shipped units by line, without cancelled shipments. */
  shipments: readonly { lineGid: string; quantity: number }[]
}

export type OrderLine = {
  lineGid: string
  /** Null for custom items, tips and deleted products. */
  variantGid: string | null
  /** What was ordered, with all units that were removed later. */
  quantity: number
  /** Without removed and refunded units; null when the platform does not report it. */
  currentQuantity: number | null
  /** Units that are still to be shipped; null when the platform does not report it. */
  unshippedQuantity: number | null
  /** Per unit, before discounts, in the shop's currency; null when the platform does not report it. */
  price: number | null
  /** Of all ordered units together, in the shop's currency. */
  discount: number
  /** That the price includes, of all ordered units together after discounts; 0 when the price is without tax. */
  tax: number
}

/** States of a shipment whose goods stayed in the shop. The API has them in capitals. */
export const notShipped: ReadonlySet<string> = new Set(['cancelled', 'error', 'failure'])

export type SoldLine = {
  lineGid: string
  variantGid: string
  /** What was ordered. Units sold = quantity - cancelled; returned units stay sold. */
  quantity: number
  /** Units that left the order before they were shipped. */
  cancelled: number
  /** Units that came back after they were shipped. */
  returned: number
  /** Of the units sold, after discounts and without tax, not rounded to the currency yet; null without a price. */
  revenue: number | null
}

export type SoldOrder = {
  orderGid: string
  orderedAt: string
  updatedAt: string
  /** Decides between two states of an order with the same `updatedAt` (`compareStates`). */
  changes: number
  /** Not rounded to the currency, so that all comparisons of two states see the same numbers. */
  revenue: number
  /** The lines that have units, with a variant or without. Sales of other lines are removed. */
  lineGids: readonly string[]
  lines: readonly SoldLine[]
}

/**
 * What an order sold. A test order sold nothing. A line in steps, with the numbers of an example of 10 units, of which
 * 6 were shipped, 2 cancelled, 1 returned and 2 refunded without restock, one of them shipped:
 *
 * 1. shipped = 6, at least what was returned. At most 10 - 6 = 4 units can be cancelled.
 * 2. removed = 10 - 5 current = 5. Of these, refunds explain 2 as cancelled and 1 as returned; 2 remain: refunded
 *    without restock, or removed by an edit.
 * 3. 4 units were not shipped. 1 is still to be shipped and 2 are explained: 1 of the 2 remaining units was cancelled.
 *    The other one stays sold, since the customer has it. Without the number that is still to be shipped, units that
 *    were not shipped come first.
 * 4. cancelled = 2 + 1, returned = 1: 7 units are sold, with 7 / 10 of the discounted price of the line without tax.
 *
 * All units of a cancelled order that were not shipped are cancelled, also without a refund.
 */
export function soldOrder(order: Order): SoldOrder {
  const { orderGid, orderedAt, updatedAt } = order
  // a body that repeats a line sold it once
  const lines = [...new Map(order.lines.map((line) => [line.lineGid, line])).values()]
  const all = order.isTest
    ? []
    : lines.filter(({ quantity }) => quantity > 0).map((line) => soldLine(order, line))
  return {
    orderGid,
    orderedAt,
    updatedAt,
    changes: sum(all.map(({ quantity, cancelled, returned }) => quantity + cancelled + returned)),
    revenue: withoutNoise(sum(all.map(({ revenue }) => revenue ?? 0))),
    lineGids: all.map(({ lineGid }) => lineGid),
    lines: all.flatMap(({ variantGid, ...line }) => (variantGid === null ? [] : [{ variantGid, ...line }])),
  }
}

function soldLine(order: Order, line: OrderLine) {
  const { lineGid, variantGid, quantity, currentQuantity, unshippedQuantity } = line
  const refunded = (...types: string[]) =>
    sum(
      order.refunds
        .filter((refund) => refund.lineGid === lineGid && types.includes(refund.restockType))
        .map((refund) => refund.quantity),
    )
  const returned = Math.min(refunded('return'), quantity)
  const shipments = order.shipments.filter((shipment) => shipment.lineGid === lineGid)
  const shipped = clamp(sum(shipments.map((shipment) => shipment.quantity)), returned, quantity)
  const unshipped = quantity - shipped
  const explained = Math.min(refunded('cancel'), unshipped)
  const removed =
    currentQuantity === null
      ? refunded('cancel', 'return', 'no_restock', 'legacy_restock')
      : quantity - currentQuantity
  const rest = clamp(removed - explained - returned, 0, quantity - explained - returned)
  const restOfUnshipped = clamp(
    unshipped - explained - (unshippedQuantity ?? 0),
    Math.max(0, rest - (shipped - returned)),
    Math.min(rest, unshipped - explained),
  )
  const cancelled = order.isCancelled ? unshipped : explained + restOfUnshipped
  return {
    lineGid,
    variantGid,
    quantity,
    cancelled,
    returned,
    revenue: revenueOf(line, quantity - cancelled),
  }
}

/**
 * The units of a line share its discounts and its tax evenly. Example: 2 at 119.00 of which 38.00 are tax; of one that is left,
 * 100.00.
 */
function revenueOf({ price, quantity, discount, tax }: OrderLine, units: number): number | null {
  if (price === null) return null
  return withoutNoise(Math.max(0, ((price * quantity - discount - tax) * units) / quantity))
}

/**
 * Positive when `a` is newer. Instants of the platform have whole seconds, so two states of an order may have the same
 * one. Units of an order are only ever added, cancelled and returned: the state with more of these is the newer one.
 * With the same units, only an edit of the price is left: the state that earns less counts as newer, so that the
 * result does not depend on the order of arrival.
 */
export function compareStates(a: SoldOrder, b: SoldOrder): number {
  return Date.parse(a.updatedAt) - Date.parse(b.updatedAt) || a.changes - b.changes || b.revenue - a.revenue
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
/** Rounds to 6 decimals, which removes the noise of floating point. */
const withoutNoise = (amount: number) => Number(amount.toFixed(6))
const clamp = (number: number, from: number, to: number) => Math.max(from, Math.min(number, to))
