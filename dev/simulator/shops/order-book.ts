import { digitsOf, type Namespace } from './ids.ts'
import { firstOrderNumber, type Order } from './orders.ts'
import type { ShopState } from './state.ts'

export type OrderBook = {
  /** All orders, oldest first. */
  orders: () => readonly Order[]
  /** Finds an order by its id or the digits of its id. Throws when there is none. */
  order: (id: string) => Order
  nextOrderNumber: () => number
  addOrder: (order: Order) => void
  /** Replaces the order with this id. */
  saveOrder: (order: Order) => void
  removeOrder: (id: string) => void
}

type BookOptions = { state: ShopState; namespace: Namespace; history: () => Order[]; changed: () => void }

/** The orders of a shop: those of its computed history with their later changes, and those placed since. */
export function createOrderBook({ state, namespace, history, changed }: BookOptions): OrderBook {
  let all: Order[] | undefined
  const orders = () => {
    all ??= [
      ...history().flatMap(
        (order) => state.changedHistory.get(order.id) ?? (state.changedHistory.has(order.id) ? [] : order),
      ),
      ...state.orders,
    ]
    return all
  }

  /** Replaces an order in all lists, or removes it. */
  function replace(id: string, by: Order[]): void {
    const list = orders()
    list.splice(
      list.findLastIndex((order) => order.id === id),
      1,
      ...by,
    )
    const placed = state.orders.findLastIndex((order) => order.id === id)
    if (placed >= 0) state.orders.splice(placed, 1, ...by)
    else state.changedHistory.set(id, by[0] ?? null)
    changed()
  }

  return {
    orders,
    order(id) {
      const digits = digitsOf(namespace, 'Order', id)
      const found = orders().findLast((order) => order.id === digits)
      if (!found) throw new Error(`${state.domain} has no order ${id}`)
      return found
    },
    nextOrderNumber: () =>
      Math.max(firstOrderNumber - 1, orders().at(-1)?.number ?? 0, state.highestDeletedOrder) + 1,
    addOrder(order) {
      orders().push(order)
      state.orders.push(order)
      changed()
    },
    saveOrder: (order) => replace(order.id, [order]),
    removeOrder(id) {
      const found = orders().findLast((order) => order.id === id)
      if (!found) return
      // Numbers are not given twice, so that ids stay unique.
      state.highestDeletedOrder = Math.max(state.highestDeletedOrder, found.number)
      replace(id, [])
    },
  }
}
