import type { ShopCore } from './core.ts'
import type { LineInput, OrderPlacing } from './order-placing.ts'
import type { Order } from './orders.ts'
import { instant } from './seed.ts'

/** An order that the merchant writes for a customer. It takes no stock until it becomes an order. */
export type DraftOrder = {
  id: string
  number: number
  createdAt: string
  lines: LineInput[]
  /** The order that it became. */
  orderId: string | null
}

export type DraftOrders = {
  draftOrders: () => readonly DraftOrder[]
  addDraftOrder: (lines: LineInput[]) => DraftOrder
  /** Makes an order of a draft. It sends the webhooks of a new order. */
  completeDraftOrder: (id: string, options?: { isTest?: boolean }) => Order
}

export function createDraftOrders(core: ShopCore, { placeOrder, makeLines }: OrderPlacing): DraftOrders {
  const { drafts } = core.state
  return {
    draftOrders: () => drafts,
    addDraftOrder(lines) {
      // checks the lines
      makeLines(0, lines, 0)
      const number = drafts.length + 1
      const draft: DraftOrder = {
        id: core.nextId(),
        number,
        createdAt: instant(new Date()),
        lines,
        orderId: null,
      }
      drafts.push(draft)
      core.changed()
      return draft
    },
    completeDraftOrder(id, options = {}) {
      const draft = drafts.find((candidate) => candidate.id === id)
      if (!draft) throw new Error(`${core.domain} has no draft order ${id}`)
      if (draft.orderId !== null) throw new Error(`Draft order #D${draft.number} is completed already`)
      const order = placeOrder(draft.lines, { ...options, sourceName: 'shopify_draft_order' })
      draft.orderId = order.id
      core.changed()
      return order
    },
  }
}
