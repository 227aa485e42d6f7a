import { notShipped, type Order, type OrderLine } from '../../shared/domain/sales/order-lines.ts'
import type { AdminApi } from '../platform/admin-api.ts'
import { documents, type OrderLineNode, type OrderNode } from '../platform/documents.ts'
import { nextCursor, readPosition } from './position.ts'

/** 15 orders with 6 lines of 10 points each cost about 950 points, and a request may cost 1 000. */
const pageSize = 15
const firstLines = 6
const moreLines = 100
/** Of one order: 10 refunds and 10 shipments with 20 lines each cost about 850 points. */
const changes = { records: 10, lines: 20 }

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
    orderedAt: order.createdAt,
    updatedAt: order.updatedAt,
    isTest: order.test,
    isCancelled: order.cancelledAt !== null,
    lines: lines.map((line) => lineOf(line, order)),
    ...(await readChanges(api, order, lines, signal)),
  }
}

async function readLines(api: AdminApi, order: OrderNode, signal: AbortSignal): Promise<OrderLineNode[]> {
  const nodes = [...order.lineItems.nodes]
  let { pageInfo } = order.lineItems
  while (pageInfo.hasNextPage) {
    const variables = { id: order.id, first: moreLines, after: pageInfo.endCursor }
    const { order: more } = await api.query(documents.orderLines, variables, { signal })
    if (!more) break
    nodes.push(...more.lineItems.nodes)
    pageInfo = more.lineItems.pageInfo
  }
  return nodes
}

/**
 * Reads the refunds and shipments of an order, if units left it after a shipment: else all that left it was cancelled.
 * The platform's lists of both have no pages; an order with more than ten refunds may miss some returns.
 */
async function readChanges(
  api: AdminApi,
  { id, test, displayFulfillmentStatus }: OrderNode,
  lines: readonly OrderLineNode[],
  signal: AbortSignal,
): Promise<Pick<Order, 'refunds' | 'shipments'>> {
  const hasRemoved = lines.some(({ quantity, currentQuantity }) => currentQuantity < quantity)
  if (test || !hasRemoved || displayFulfillmentStatus === 'UNFULFILLED') return { refunds: [], shipments: [] }
  const { order } = await api.query(documents.orderChanges, { id, ...changes }, { signal })
  return {
    refunds: (order?.refunds ?? []).flatMap(({ refundLineItems }) =>
      refundLineItems.nodes.map(({ quantity, restockType, lineItem }) => ({
        lineGid: lineItem.id,
        quantity,
        restockType: restockType.toLowerCase(),
      })),
    ),
    shipments: (order?.fulfillments ?? [])
      .filter(({ status }) => !notShipped.has(status.toLowerCase()))
      .flatMap(({ fulfillmentLineItems }) =>
        fulfillmentLineItems.nodes.map(({ quantity, lineItem }) => ({
          lineGid: lineItem.id,
          quantity: quantity ?? 0,
        })),
      ),
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
