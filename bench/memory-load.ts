import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import type { Platform } from '../dev/simulator/server.ts'
import { type DatabasePool, row, sql } from '../shared/db/db.ts'
import type { ProductListItem } from '../shared/schemas/products.ts'
import type { StockLevel } from '../shared/schemas/stock-levels.ts'
import type { Sync } from '../shared/schemas/sync.ts'
import { type Client, openClient, requireGood, type Sent } from './requests.ts'
import { type BenchShop, benchKeys } from './system.ts'

export type ReadyShop = {
  variants: Variant[]
  levels: StockLevel[]
  /** The inventory item of each variant. */
  items: ReadonlyMap<string, string>
  supplierId: number
}
type Variant = { productId: string; variantId: string }

/** How often each thing was done, and how often it was refused because there was too much to do. */
export type Done = Record<'reads' | 'writes' | 'news' | 'orders' | 'pdfs' | 'mails' | 'refusals', number>

type Busy = { origin: string; shop: BenchShop; ready: ReadyShop; platform: Platform; seconds: number }

const Item = Type.Object({ gid: Type.String(), inventoryItemGid: Type.String() })

const linesPerOrder = 50

/** Reads the shop's catalogue through the worker, as after an installation. */
export async function prepareShop(origin: string, shop: BenchShop, db: DatabasePool): Promise<ReadyShop> {
  const client = openClient(origin, 1)
  const ask = api(client, shop)
  await ask('POST', '/api/sync')
  const deadline = performance.now() + 120_000
  for (;;) {
    const { state }: Sync = await ask('GET', '/api/sync')
    if (state === 'done') break
    if (state === 'failed' || performance.now() > deadline) throw new Error(`Reading the shop: ${state}`)
    await sleep(200)
  }
  const products: ProductListItem[] = await ask('GET', '/api/products')
  const levels: StockLevel[] = await ask('GET', '/api/stock-levels')
  const { id: supplierId }: { id: number } = await ask('POST', '/api/suppliers', {
    name: 'Kestrel & Vine',
    email: 'orders@kestrel.example',
    leadTimeDays: 7,
  })
  client.close()
  const known = await db.any(sql.type(row(Item))`
    select gid, inventory_item_gid from variant where shop_id = ${shop.shopId} and inventory_item_gid is not null
  `)
  const items = new Map(known.map(({ gid, inventoryItemGid }) => [gid, inventoryItemGid]))
  const variants = products.flatMap(({ productId, variants: of }) =>
    of.map(({ variantId }) => ({ productId, variantId })),
  )
  return { variants, levels, items, supplierId }
}

/**
 * For so long: lists, writes of stock that the platform is told of, orders that are mailed with their PDF, PDFs for people, and
 * the platform's news on 64 connections. Throws when anything is answered with other than success or "busy".
 */
export async function keepBusy({ origin, shop, ready, platform, seconds }: Busy): Promise<Done> {
  const endsAt = performance.now() + seconds * 1_000
  const done: Done = { reads: 0, writes: 0, news: 0, orders: 0, pdfs: 0, mails: 0, refusals: 0 }
  const clients: Client[] = []
  const people = (count: number) => {
    const client = openClient(origin, count)
    clients.push(client)
    return client
  }
  const repeat = (count: number, what: keyof Done, once: (number: number) => Promise<boolean>) =>
    Array.from({ length: count }, async (_, place) => {
      for (let number = place; performance.now() < endsAt; number += count) {
        done[(await once(number)) ? what : 'refusals'] += 1
      }
    })
  const before = platform.mails().length
  const orders: number[] = []
  const [readers, writers, buyers, printers, news] = [8, 4, 2, 1, 64].map(people)
  if (!readers || !writers || !buyers || !printers || !news) throw new Error('Nobody is there')
  await Promise.all([
    ...repeat(8, 'reads', (number) => isTaken(readers, reading(shop, number))),
    ...repeat(4, 'writes', (number) => isTaken(writers, writing(shop, ready, number))),
    ...repeat(64, 'news', (number) => isTaken(news, newsOf(shop, ready, number))),
    ...repeat(2, 'orders', async (number) => {
      const id = await orderAndSend(buyers, shop, ready, number)
      if (id !== null) orders.push(id)
      return id !== null
    }),
    ...repeat(1, 'pdfs', async (number) => {
      const id = orders[number % Math.max(1, orders.length)]
      if (id === undefined) await sleep(50)
      return id === undefined || isTaken(printers, get(shop, `/api/purchase-orders/${id}/pdf`))
    }),
  ])
  for (const client of clients) client.close()
  done.mails = platform.mails().length - before
  for (const what of ['reads', 'writes', 'news', 'orders', 'pdfs', 'mails'] as const) {
    if (done[what] === 0) throw new Error(`There were no ${what} in ${seconds} s`)
  }
  return done
}

/** False when there was too much to do. */
async function isTaken(client: Client, sent: Sent): Promise<boolean> {
  const answer = await client.send(sent)
  if (answer.status === 503) return false
  requireGood(sent, answer)
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
    const answer = await client.send(sent)
    requireGood(sent, answer)
    return JSON.parse(answer.body.toString()).data
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
const reading = (shop: BenchShop, number: number) => get(shop, `/api/${lists[number % lists.length]}`)

/** Ten levels of two hundred or so: those of different people are often the same. */
function writing(shop: BenchShop, { levels }: ReadyShop, number: number): Sent {
  const adjustments = Array.from({ length: 10 }, (_, line) => {
    const { variantId = '', locationId = '' } = levels[(number * 7 + line * 13) % levels.length] ?? {}
    return { variantId, locationId, quantity: (number + line) % 200 }
  })
  return send(shop, 'PUT', '/api/stock-levels/bulk', {
    adjustments: distinct(adjustments),
    allowNegative: true,
  })
}

/** Of each level the last. */
const distinct = <T extends { variantId: string; locationId: string }>(lines: readonly T[]): T[] => [
  ...new Map(lines.map((line) => [`${line.variantId} ${line.locationId}`, line])).values(),
]

/** Creates an order and sends it; null when there was too much to do. */
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
  requireGood({ path: '/api/purchase-orders' }, created)
  const { id }: { id: number } = JSON.parse(created.body.toString()).data
  return (await isTaken(client, send(shop, 'POST', `/api/purchase-orders/${id}/send`, {}))) ? id : null
}

const digits = (gid: string) => Number(gid.split('/').at(-1))

/** News of a sale, or of a level, newer each time. */
function newsOf({ domain }: BenchShop, { variants, levels, items }: ReadyShop, number: number): Sent {
  const isOrder = number % 8 === 0
  const { variantId = '', locationId = '' } = levels[number % levels.length] ?? {}
  const { variantId: sold = '' } = variants[number % variants.length] ?? {}
  const body = JSON.stringify(
    isOrder
      ? {
          id: 1_000_000 + number,
          created_at: new Date().toISOString(),
          line_items: [{ id: 1_000_000 + number, variant_id: digits(sold), quantity: 1 + (number % 3) }],
        }
      : {
          inventory_item_id: digits(items.get(variantId) ?? ''),
          location_id: digits(locationId),
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
