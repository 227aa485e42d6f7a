import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import type { Platform } from '../../dev/simulator/server.ts'
import { type DatabasePool, row, sql } from '../../shared/db/db.ts'
import type { ProductListItem } from '../../shared/schemas/products.ts'
import type { StockLevel } from '../../shared/schemas/stock-levels.ts'
import type { Sync } from '../../shared/schemas/sync.ts'
import { type Client, openClient, requireSuccess, type Sent } from './requests.ts'
import { type BenchShop, benchKeys } from './system.ts'

export type ReadyShop = {
  variants: Variant[]
  levels: StockLevel[]
  /** The inventory item of each variant. */
  items: ReadonlyMap<string, string>
  supplierId: number
}
type Variant = { productId: string; variantId: string }

/** How often each operation succeeded; `refusals` counts requests that web refused with 503. */
export type OperationCounts = Record<
  'reads' | 'writes' | 'webhooks' | 'orders' | 'pdfs' | 'mails' | 'refusals',
  number
>

type LoadSettings = { origin: string; shop: BenchShop; ready: ReadyShop; platform: Platform; seconds: number }

const Item = Type.Object({ gid: Type.String(), inventoryItemGid: Type.String() })

const linesPerOrder = 50

/** Reads the shop's catalogue through the worker, as after an installation. */
export async function prepareShop(origin: string, shop: BenchShop, db: DatabasePool): Promise<ReadyShop> {
  const client = openClient(origin, 1)
  const callApi = api(client, shop)
  await callApi('POST', '/api/sync')
  const deadline = performance.now() + 120_000
  for (;;) {
    const { state }: Sync = await callApi('GET', '/api/sync')
    if (state === 'done') break
    if (state === 'failed' || performance.now() > deadline)
      throw new Error(`The catalogue sync did not finish: ${state}`)
    await sleep(200)
  }
  const products: ProductListItem[] = await callApi('GET', '/api/products')
  const levels: StockLevel[] = await callApi('GET', '/api/stock-levels')
  const { id: supplierId }: { id: number } = await callApi('POST', '/api/suppliers', {
    name: 'Kestrel & Vine',
    email: 'orders@kestrel.example',
    leadTimeDays: 7,
  })
  client.close()
  const variantItems = await db.any(sql.type(row(Item))`
    select gid, inventory_item_gid from variant where shop_id = ${shop.shopId} and inventory_item_gid is not null
  `)
  const items = new Map(variantItems.map(({ gid, inventoryItemGid }) => [gid, inventoryItemGid]))
  const variants = products.flatMap(({ productId, variants: productVariants }) =>
    productVariants.map(({ variantId }) => ({ productId, variantId })),
  )
  return { variants, levels, items, supplierId }
}

/**
 * Loads the app for `seconds`: list requests, stock writes with their pushes, orders mailed with their PDF, PDF
 * downloads, and platform webhooks over 64 connections. Throws on any response other than success or 503.
 */
export async function runLoad({
  origin,
  shop,
  ready,
  platform,
  seconds,
}: LoadSettings): Promise<OperationCounts> {
  const deadline = performance.now() + seconds * 1_000
  const counts: OperationCounts = {
    reads: 0,
    writes: 0,
    webhooks: 0,
    orders: 0,
    pdfs: 0,
    mails: 0,
    refusals: 0,
  }
  const clients: Client[] = []
  const connect = (count: number) => {
    const client = openClient(origin, count)
    clients.push(client)
    return client
  }
  const repeat = (
    count: number,
    operation: keyof OperationCounts,
    run: (number: number) => Promise<boolean>,
  ) =>
    Array.from({ length: count }, async (_, first) => {
      for (let number = first; performance.now() < deadline; number += count) {
        counts[(await run(number)) ? operation : 'refusals'] += 1
      }
    })
  const before = platform.mails().length
  const orders: number[] = []
  const [readers, writers, buyers, printers, webhooks] = [8, 4, 2, 1, 64].map(connect)
  if (!readers || !writers || !buyers || !printers || !webhooks) throw new Error('A client is missing')
  await Promise.all([
    ...repeat(8, 'reads', (number) => isAccepted(readers, listRequest(shop, number))),
    ...repeat(4, 'writes', (number) => isAccepted(writers, stockWrite(shop, ready, number))),
    ...repeat(64, 'webhooks', (number) => isAccepted(webhooks, makeWebhook(shop, ready, number))),
    ...repeat(2, 'orders', async (number) => {
      const id = await orderAndSend(buyers, shop, ready, number)
      if (id !== null) orders.push(id)
      return id !== null
    }),
    ...repeat(1, 'pdfs', async (number) => {
      const id = orders[number % Math.max(1, orders.length)]
      if (id === undefined) await sleep(50)
      return id === undefined || isAccepted(printers, get(shop, `/api/purchase-orders/${id}/pdf`))
    }),
  ])
  for (const client of clients) client.close()
  counts.mails = platform.mails().length - before
  for (const operation of ['reads', 'writes', 'webhooks', 'orders', 'pdfs', 'mails'] as const) {
    if (counts[operation] === 0) throw new Error(`There were no ${operation} in ${seconds} s`)
  }
  return counts
}

/** False when the server refuses the request with 503 because it is overloaded. */
async function isAccepted(client: Client, sent: Sent): Promise<boolean> {
  const response = await client.send(sent)
  if (response.status === 503) return false
  requireSuccess(sent, response)
  return true
}

function get({ token }: BenchShop, path: string): Sent {
  return { path, headers: { authorization: `Bearer ${token}` } }
}

function send({ token }: BenchShop, method: 'POST' | 'PUT', path: string, body: unknown): Sent {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return { method, path, headers, body: JSON.stringify(body) }
}

function api(client: Client, shop: BenchShop) {
  return async <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<T> => {
    const sent = method === 'GET' ? get(shop, path) : send(shop, method, path, body)
    const response = await client.send(sent)
    requireSuccess(sent, response)
    return JSON.parse(response.body.toString()).data
  }
}

const lists = [
  'products',
  'stock-levels',
  'purchase-orders',
  'stock-movements',
  'dashboard',
  'reports/sales-velocity',
]
const listRequest = (shop: BenchShop, number: number) => get(shop, `/api/${lists[number % lists.length]}`)

/** Sets ten of about two hundred levels, so that concurrent writers often set the same ones. */
function stockWrite(shop: BenchShop, { levels }: ReadyShop, number: number): Sent {
  const adjustments = Array.from({ length: 10 }, (_, line) => {
    const { variantId = '', locationId = '' } = levels[(number * 7 + line * 13) % levels.length] ?? {}
    return { variantId, locationId, quantity: (number + line) % 200 }
  })
  return send(shop, 'PUT', '/api/stock-levels/bulk', {
    adjustments: distinct(adjustments),
    allowNegative: true,
  })
}

/** Keeps the last line of each level. */
const distinct = <T extends { variantId: string; locationId: string }>(lines: readonly T[]): T[] => [
  ...new Map(lines.map((line) => [`${line.variantId} ${line.locationId}`, line])).values(),
]

/** Creates an order and sends it. Null when a request was refused with 503. */
async function orderAndSend(
  client: Client,
  shop: BenchShop,
  { variants, supplierId }: ReadyShop,
  number: number,
): Promise<number | null> {
  const lineItems = Array.from({ length: linesPerOrder }, (_, line) => ({
    ...(variants[(number + line) % variants.length] ?? { productId: '', variantId: '' }),
    quantity: 1 + ((number + line) % 40),
    costPrice: 1.25 + line,
  }))
  const created = await client.send(send(shop, 'POST', '/api/purchase-orders', { supplierId, lineItems }))
  if (created.status === 503) return null
  requireSuccess({ path: '/api/purchase-orders' }, created)
  const { id }: { id: number } = JSON.parse(created.body.toString()).data
  return (await isAccepted(client, send(shop, 'POST', `/api/purchase-orders/${id}/send`, {}))) ? id : null
}

const platformId = (gid: string) => Number(gid.split('/').at(-1))

/** A webhook of a new order (every eighth) or of a newer stock level. */
function makeWebhook({ domain }: BenchShop, { variants, levels, items }: ReadyShop, number: number): Sent {
  const isOrder = number % 8 === 0
  const { variantId = '', locationId = '' } = levels[number % levels.length] ?? {}
  const { variantId: soldVariantId = '' } = variants[number % variants.length] ?? {}
  const body = JSON.stringify(
    isOrder
      ? {
          id: 1_000_000 + number,
          created_at: new Date().toISOString(),
          line_items: [
            { id: 1_000_000 + number, variant_id: platformId(soldVariantId), quantity: 1 + (number % 3) },
          ],
        }
      : {
          inventory_item_id: platformId(items.get(variantId) ?? ''),
          location_id: platformId(locationId),
          available: number % 150,
          updated_at: new Date().toISOString(),
        },
  )
  return {
    method: 'POST',
    path: '/webhooks',
    body,
    headers: {
      'content-type': 'application/json',
      'x-platform-topic': isOrder ? 'orders/create' : 'inventory_levels/update',
      'x-platform-shop-domain': domain,
      'x-platform-webhook-id': randomUUID(),
      'x-platform-triggered-at': new Date().toISOString(),
      'x-platform-hmac-sha256': createHmac('sha256', benchKeys.PLATFORM_API_SECRET)
        .update(body)
        .digest('base64'),
    },
  }
}
