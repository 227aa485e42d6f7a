import { notShipped, type Order, type OrderLine } from '../../shared/domain/ledgers/sales/order-lines.ts'
import type { AdminApi } from '../platform/admin-api.ts'
import type { Page } from '../platform/document.ts'
import { documents, type OrderLineNode, type OrderNode } from '../platform/documents.ts'
import { nextCursor, readPosition } from './position.ts'

/** 15 orders with 6 lines of 10 points each cost about 950 points, and a request may cost 1 000. */
const pageSize = 15
const firstLines = 6
/** 90 lines of one order cost 903 points. */
const moreLines = 90
/** Of one order: 10 refunds and 10 shipments with 10 lines of 2 points each cost 461 points. */
const changes = { records: 10, lines: 10 }
/** 100 lines of one refund or shipment cost 203 points. */
const moreChanges = 100

type OrderPage = { orders: Order[]; next: string | null }

/** Which orders are listed, and by which instant they are filtered and sorted. */
type OrderList = { by: 'created_at' | 'updated_at'; since: string; cursor: string | null }

/** Reads a page of orders with all their lines, oldest first. */
export async function readOrderPage(
  api: AdminApi,
  { by, since, cursor }: OrderList,
  signal: AbortSignal,
): Promise<OrderPage> {
  const position = readPosition(cursor)
  const from = position.from ?? since
  const { orders } = await api.query(
    documents.orders,
    {
      first: pageSize,
      after: position.after,
      query: `${by}:>='${from}'`,
      sortKey: by === 'created_at' ? 'CREATED_AT' : 'UPDATED_AT',
      lines: firstLines,
    },
    { signal },
  )
  const read: Order[] = []
  for (const node of orders.nodes) read.push(await readOrder(api, node, signal))
  const last = orders.nodes.at(-1)
  const lastAt = (by === 'created_at' ? last?.createdAt : last?.updatedAt) ?? from
  return {
    orders: read,
    next: nextCursor(position, { ...orders.pageInfo, count: orders.nodes.length, from: lastAt }),
  }
}

async function readOrder(api: AdminApi, order: OrderNode, signal: AbortSignal): Promise<Order> {
  const lines = await readLines(api, order, signal)
  return {
    orderGid: order.id,
    orderedAt: order.processedAt,
    updatedAt: order.updatedAt,
    isTest: order.test,
    isCancelled: order.cancelledAt !== null,
    lines: lines.map((line) => lineOf(line, order)),
    ...(await readChanges(api, order, lines, signal)),
  }
}

function readLines(
  api: AdminApi,
  { id, lineItems }: OrderNode,
  signal: AbortSignal,
): Promise<OrderLineNode[]> {
  return readRest(lineItems, async (after) => {
    const { order } = await api.query(documents.orderLines, { id, first: moreLines, after }, { signal })
    return order?.lineItems
  })
}

/** All nodes of a connection whose first page is read. `readPage` returns nothing when its record is gone. */
async function readRest<T>(
  { nodes, pageInfo }: Page<T>,
  readPage: (after: string | null) => Promise<Page<T> | undefined>,
): Promise<T[]> {
  const all = [...nodes]
  for (let at = pageInfo; at.hasNextPage; ) {
    const page = await readPage(at.endCursor)
    if (!page) break
    all.push(...page.nodes)
    at = page.pageInfo
  }
  return all
}

/**
 * Reads the refunds and shipments of an order with all their lines, if units left it after a shipment, or if it was cancelled
 * after one: else all that left it was cancelled. The platform's lists of both have no pages; an order with more than ten refunds may miss
 * some returns.
 */
async function readChanges(
  api: AdminApi,
  { id, test, cancelledAt, displayFulfillmentStatus }: OrderNode,
  lines: readonly OrderLineNode[],
  signal: AbortSignal,
): Promise<Pick<Order, 'refunds' | 'shipments'>> {
  const hasRemoved = lines.some(({ quantity, currentQuantity }) => currentQuantity < quantity)
  const hasLeft = hasRemoved || cancelledAt !== null
  if (test || !hasLeft || displayFulfillmentStatus === 'UNFULFILLED') return { refunds: [], shipments: [] }
  const { order } = await api.query(documents.orderChanges, { id, ...changes }, { signal })
  const refunded = []
  for (const { id: refundId, refundLineItems } of order?.refunds ?? []) {
    const readPage = async (after: string | null) => {
      const page = { id: refundId, first: moreChanges, after }
      return (await api.query(documents.refundLines, page, { signal })).refund?.refundLineItems
    }
    refunded.push(...(await readRest(refundLineItems, readPage)))
  }
  const shipped = []
  for (const { id: shipmentId, status, fulfillmentLineItems } of order?.fulfillments ?? []) {
    if (notShipped.has(status.toLowerCase())) continue
    const readPage = async (after: string | null) => {
      const page = { id: shipmentId, first: moreChanges, after }
      return (await api.query(documents.fulfillmentLines, page, { signal })).fulfillment?.fulfillmentLineItems
    }
    shipped.push(...(await readRest(fulfillmentLineItems, readPage)))
  }
  return {
    refunds: refunded.map(({ quantity, restockType, lineItem }) => ({
      lineGid: lineItem.id,
      quantity,
      restockType: restockType.toLowerCase(),
    })),
    shipments: shipped.map(({ quantity, lineItem }) => ({ lineGid: lineItem.id, quantity: quantity ?? 0 })),
  }
}

/** Lines without a variant, such as tips and custom items, have no stock. */
function lineOf(
  { id, variant, quantity, ...line }: OrderLineNode,
  { taxesIncluded }: Pick<OrderNode, 'taxesIncluded'>,
): OrderLine {
  const sumOf = (amounts: readonly { shopMoney: { amount: string } }[]) =>
    amounts.reduce((sum, { shopMoney }) => sum + Number(shopMoney.amount), 0)
  return {
    lineGid: id,
    variantGid: variant?.id ?? null,
    quantity,
    currentQuantity: line.currentQuantity,
    unshippedQuantity: line.unfulfilledQuantity,
    price: Number(line.originalUnitPriceSet.shopMoney.amount),
    discount: sumOf(line.discountAllocations.map(({ allocatedAmountSet }) => allocatedAmountSet)),
    tax: taxesIncluded ? sumOf(line.taxLines.map(({ priceSet }) => priceSet)) : 0,
  }
}
