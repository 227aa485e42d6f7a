import { randomUUID } from 'node:crypto'
import { orderPayload } from '../webhooks/order-payload.ts'
import type { ShopCore } from './core.ts'
import { digitsOf } from './ids.ts'
import { unitsOf } from './order-lines.ts'
import { committing, type LineInput, type OrderPlacing, type UnitMove } from './order-placing.ts'
import type {
  CancelReason,
  Fulfillment,
  Order,
  OrderLine,
  Refund,
  RefundLine,
  RestockType,
} from './orders.ts'
import { instant } from './seed.ts'
import type { StockChanges } from './stock-changes.ts'

/** Units of a line, by its id or the digits of its id. */
export type LineUnitsInput = { lineId: string; quantity: number }
export type RefundInput = LineUnitsInput & { restockType: RestockType; locationId?: string }

/** The time of a change; now by default. `updated_at` has whole seconds, as on the real platform. */
export type ChangeOptions = { at?: Date }

type CancelOptions = ChangeOptions & { restock?: boolean; refund?: boolean; reason?: CancelReason }

export type OrderChanges = {
  /** Ships units, by default all that are left. Committed and on hand fall; what is available stays. */
  fulfillOrder: (id: string, units?: LineUnitsInput[], options?: ChangeOptions) => Order
  /**
   * Cancels an order of which nothing was shipped. With `restock`, by default, its units are available again. With `refund: false` the
   * lines keep their units and no stock moves, and a part may be shipped.
   */
  cancelOrder: (id: string, options?: CancelOptions) => Order
  /** Removes unshipped units from a line, and adds lines. */
  editOrder: (id: string, edit: OrderEdit, options?: ChangeOptions) => Order
  /**
   * Pays units back. `cancel` makes unshipped units available again, `return` shipped ones; `no_restock` removes
   * unshipped units first.
   */
  refundOrder: (id: string, lines: RefundInput[], options?: ChangeOptions & { note?: string }) => Order
  /** Deletes an order that has no unshipped units. */
  deleteOrder: (id: string) => void
}

export type OrderEdit = {
  remove?: LineUnitsInput[]
  /** Whether removed units become available again; true by default. */
  restock?: boolean
  add?: LineInput[]
}

type RefundFacts = Pick<Refund, 'note' | 'isPaidBack'>

export function createOrderChanges(
  core: ShopCore,
  { setLevels }: StockChanges,
  { makeLines, moveUnits }: OrderPlacing,
): OrderChanges {
  function lineOf(order: Order, id: string): OrderLine {
    const digits = digitsOf(core.namespace, 'LineItem', id)
    const line = order.lines.find((candidate) => candidate.id === digits)
    if (!line) throw new Error(`Order #${order.number} has no line ${id}`)
    return line
  }

  /** Stores a changed order, and reports it and the moved levels as one event. */
  function save(order: Order, at: string, moves: readonly UnitMove[]): Order {
    const saved = { ...order, updatedAt: at > order.updatedAt ? at : order.updatedAt }
    const eventId = randomUUID()
    core.saveOrder(saved)
    core.sendWebhook('ORDERS_UPDATED', orderPayload(core, saved), eventId)
    setLevels(moveUnits(moves), eventId)
    return saved
  }

  /** Takes units out of an order. Each line must have as many in the state that the restock type implies. */
  function remove(order: Order, inputs: readonly RefundInput[], at: string, facts: RefundFacts) {
    const refund: Refund = { id: core.nextId(), createdAt: at, ...facts, lines: [] }
    const changed = { ...order, refunds: [...order.refunds, refund] }
    const moves: UnitMove[] = []
    for (const input of inputs) {
      const line = lineOf(order, input.lineId)
      const lines = refundLines(changed, line, input)
      refund.lines.push(...lines)
      moves.push(...lines.map((removed) => refundMove(line, removed)))
    }
    return { order: inputs.length > 0 ? changed : order, moves }
  }

  function refundLines(order: Order, line: OrderLine, input: RefundInput): RefundLine[] {
    const { unshipped, withCustomer, current } = unitsOf(order, line)
    const { quantity, restockType, locationId } = input
    const possible = { cancel: unshipped, return: withCustomer, no_restock: current }[restockType]
    requireUnits(quantity, possible, `be refunded with ${restockType}`)
    const requested = locationId === undefined ? line.source?.location : core.locationIndex(locationId)
    const location = restockType === 'no_restock' ? null : (requested ?? null)
    const fromShelf = restockType === 'return' ? 0 : line.isTip ? quantity : Math.min(quantity, unshipped)
    return [
      { quantity: fromShelf, wasShipped: false },
      { quantity: quantity - fromShelf, wasShipped: true },
    ]
      .filter((part) => part.quantity > 0)
      .map((part) => ({ id: core.nextId(), lineId: line.id, restockType, location, ...part }))
  }

  const now = ({ at = new Date() }: ChangeOptions) => instant(at)

  return {
    fulfillOrder(id, units, options = {}) {
      const order = core.order(id)
      const at = now(options)
      const wanted =
        units ?? order.lines.map((line) => ({ lineId: line.id, quantity: unitsOf(order, line).unshipped }))
      const byLocation = new Map<number | null, Fulfillment>()
      const moves: UnitMove[] = []
      for (const { lineId, quantity } of wanted) {
        if (units === undefined && quantity === 0) continue
        const line = lineOf(order, lineId)
        requireUnits(quantity, unitsOf(order, line).unshipped, 'be shipped')
        const location = line.source?.location ?? null
        const fulfillment = byLocation.get(location) ?? {
          id: core.nextId(),
          createdAt: at,
          location,
          lines: [],
        }
        fulfillment.lines.push({ lineId: line.id, quantity })
        byLocation.set(location, fulfillment)
        moves.push({ level: line.source, by: { committed: -quantity } })
      }
      if (byLocation.size === 0) throw new Error(`Order #${order.number} has nothing left to ship`)
      return save({ ...order, fulfillments: [...order.fulfillments, ...byLocation.values()] }, at, moves)
    },
    cancelOrder(id, { restock = true, refund = true, reason = 'customer', ...options } = {}) {
      const order = core.order(id)
      if (order.cancelledAt) throw new Error(`Order #${order.number} is cancelled already`)
      const at = now(options)
      if (!refund) return save({ ...order, cancelledAt: at, cancelReason: reason }, at, [])
      if (order.fulfillments.length > 0) throw new Error('A shipped order cannot be cancelled: refund it')
      const left = order.lines.map((line) => ({ line, units: unitsOf(order, line) }))
      const inputs = left.flatMap(({ line, units }): RefundInput[] => {
        const restockType = restock && units.unshipped > 0 ? 'cancel' : 'no_restock'
        return units.current > 0 ? [{ lineId: line.id, quantity: units.current, restockType }] : []
      })
      const removed = remove(order, inputs, at, { note: null, isPaidBack: true })
      return save({ ...removed.order, cancelledAt: at, cancelReason: reason }, at, removed.moves)
    },
    editOrder(id, { remove: removals = [], restock = true, add = [] }, options = {}) {
      const order = core.order(id)
      const at = now(options)
      if (order.cancelledAt) throw new Error('A cancelled order cannot be edited')
      for (const { lineId, quantity } of removals)
        requireUnits(quantity, unitsOf(order, lineOf(order, lineId)).unshipped, 'be removed')
      const restockType = restock ? 'cancel' : 'no_restock'
      const inputs = removals.map((units) => ({ ...units, restockType }) as const)
      const removed = remove(order, inputs, at, { note: null, isPaidBack: false })
      const lines = makeLines(order.number, add, order.lines.length)
      const edited = { ...removed.order, lines: [...order.lines, ...lines] }
      return save(edited, at, [...removed.moves, ...lines.map(committing)])
    },
    refundOrder(id, lines, { note, ...options } = {}) {
      const order = core.order(id)
      const at = now(options)
      if (lines.length === 0) throw new Error('A refund needs at least one line')
      const refunded = remove(order, lines, at, { note: note ?? null, isPaidBack: true })
      return save(refunded.order, at, refunded.moves)
    },
    deleteOrder(id) {
      const order = core.order(id)
      if (order.lines.some((line) => unitsOf(order, line).unshipped > 0))
        throw new Error('An order with unshipped units cannot be deleted: cancel it first')
      core.removeOrder(order.id)
      core.sendWebhook('ORDERS_DELETE', { id: BigInt(order.id) })
    },
  }
}

function requireUnits(quantity: number, possible: number, what: string): void {
  if (!Number.isInteger(quantity) || quantity < 1) throw new Error('A quantity must be a whole number from 1')
  if (quantity > possible) throw new Error(`Only ${possible} units can ${what}`)
}

/** What the removal of units means for stock. Shipped goods that are not returned stay where they are. */
function refundMove(
  { source }: OrderLine,
  { quantity, restockType, wasShipped, location }: RefundLine,
): UnitMove {
  const level = source && { ...source, location: location ?? source.location }
  if (restockType === 'return') return { level, by: { available: quantity } }
  if (wasShipped) return { level: null, by: {} }
  const by = { available: restockType === 'cancel' ? quantity : 0, committed: -quantity }
  return { level: source, by }
}
