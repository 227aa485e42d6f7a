import { computeVelocitySoon, recordSales, type Sale } from '../../shared/domain/sales/record.ts'
import { PlatformError } from '../../shared/platform/errors.ts'
import type { AdminApi } from '../platform/admin-api.ts'
import { documents, type OrderNode } from '../platform/documents.ts'
import { nextCursor, readPosition } from './position.ts'
import type { ReadSyncPage, SyncPage } from './sync-page.ts'

/** The longest period of a sales velocity (specification, "Reports"). */
const daysBack = 90
/** 25 orders with 15 lines each cost about 800 points. Most orders have fewer lines. */
const pageSize = 25
const firstLines = 15
const moreLines = 200

/** Reads the orders of the last 90 days, oldest first. Without access to orders, sales count from now on. */
export const readOrders: ReadSyncPage = async (source) => {
  try {
    return await readPage(source)
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'access_denied') return withoutOrders
    throw error
  }
}

const withoutOrders: SyncPage = {
  next: null,
  reason: 'Past orders could not be read: the app has no access to them. Sales count from now on.',
  store: async () => ({}),
}

const readPage: ReadSyncPage = async ({ api, shopId, sync, signal }) => {
  const position = readPosition(sync.cursor)
  const from = position.from ?? daysBefore(sync.startedAt, daysBack)
  const { orders } = await api.query(
    documents.orders,
    { first: pageSize, after: position.after, query: `created_at:>='${from}'`, lines: firstLines },
    { signal },
  )
  const sales: Sale[] = []
  for (const order of orders.nodes) sales.push(...salesOf(await withAllLines(api, order, signal)))
  const last = orders.nodes.at(-1)?.createdAt ?? from
  return {
    next: nextCursor(position, { ...orders.pageInfo, count: orders.nodes.length, from: last }),
    async store(tx) {
      await computeVelocitySoon(tx, shopId, await recordSales(tx, shopId, sales))
      return { orders: sync.counts.orders + orders.nodes.length }
    },
  }
}

async function withAllLines(api: AdminApi, order: OrderNode, signal: AbortSignal): Promise<OrderNode> {
  const nodes = [...order.lineItems.nodes]
  let { pageInfo } = order.lineItems
  while (pageInfo.hasNextPage) {
    const variables = { id: order.id, first: moreLines, after: pageInfo.endCursor }
    const { order: more } = await api.query(documents.orderLines, variables, { signal })
    if (!more) break
    nodes.push(...more.lineItems.nodes)
    pageInfo = more.lineItems.pageInfo
  }
  return { ...order, lineItems: { nodes, pageInfo } }
}

/** Lines without a variant, such as tips and custom items, have no stock. */
function salesOf({ id, createdAt, lineItems }: OrderNode): Sale[] {
  return lineItems.nodes.flatMap(({ id: lineGid, variant, quantity }) =>
    variant && quantity > 0
      ? [{ orderGid: id, lineGid, variantGid: variant.id, quantity, orderedAt: createdAt }]
      : [],
  )
}

function daysBefore(instant: string, days: number): string {
  return new Date(Date.parse(instant) - days * 24 * 60 * 60 * 1000).toISOString()
}
