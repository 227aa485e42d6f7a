import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../shared/db/db.ts'
import { enqueue } from '../../shared/queue/enqueue.ts'
import { nightly } from '../../worker/schedule.ts'
import { type Client, openClient, type Sent } from '../support/requests.ts'
import { benchKeys } from '../support/system.ts'
import type { Item, PlatformProcess, Shop } from './make-shops.ts'
import type { DayEvent } from './sizes.ts'

/** Of one kind of request, in milliseconds from its time in the plan to the whole answer. */
export type Times = { count: number; refused: number; p50: number; p99: number; max: number }
export type Day = {
  seconds: number
  pages: Times
  saves: Times
  webhooks: Times
  nightJobs: number
  /** The longest delay of a request after its time, because the generator was busy. */
  lateMs: number
}

const addresses = [
  '/api/dashboard',
  '/api/products',
  '/api/stock-levels',
  '/api/purchase-orders',
  '/api/stock-movements',
  '/api/reports/stock-gaps',
  '/api/replenishment?days=30',
  '/api/suppliers',
]

/** Lets the events happen in `seconds`, each at its time, and waits for all answers. */
export async function runDay(
  {
    db,
    origin,
    shops,
    setStock,
  }: { db: Db; origin: string; shops: readonly Shop[] } & Pick<PlatformProcess, 'setStock'>,
  events: readonly DayEvent[],
  seconds: number,
): Promise<Day> {
  const people = openClient(origin, 32)
  const platform = openClient(origin, 64)
  const taken = { pages: [] as number[], saves: [] as number[], webhooks: [] as number[] }
  const refused = { pages: 0, saves: 0, webhooks: 0 }
  const pending = new Set<Promise<void>>()
  let nightJobs = 0
  let lateMs = 0
  const startedAt = performance.now()
  const track = (work: Promise<void>) => {
    pending.add(work)
    // a failure is thrown where all are awaited
    void work.then(() => pending.delete(work)).catch(() => {})
  }
  const send = async (kind: keyof typeof taken, client: Client, sent: Sent, dueMs: number) => {
    const { status, body } = await client.send(sent)
    if (status === 503 || status === 429) refused[kind] += 1
    else if (status >= 300)
      throw new Error(`${sent.method ?? 'GET'} ${sent.path}: ${status} ${body.toString().slice(0, 300)}`)
    else taken[kind].push(performance.now() - startedAt - dueMs)
  }
  for (const [number, event] of events.entries()) {
    const shop = shops[event.shop]
    if (!shop) continue
    const dueMs = (event.hour / 24) * seconds * 1000
    const early = dueMs - (performance.now() - startedAt)
    if (early > 1) await sleep(early)
    lateMs = Math.max(lateMs, performance.now() - startedAt - dueMs)
    switch (event.kind) {
      case 'order':
        for (const webhook of orderWebhooks(shop, number, setStock))
          track(send('webhooks', platform, webhook, dueMs))
        break
      case 'page':
        track(send('pages', people, get(shop, addresses[number % addresses.length] ?? ''), dueMs))
        break
      case 'save':
        track(
          send(
            'saves',
            people,
            number % 4 === 0 ? purchaseOrder(shop, number) : stockWrite(shop, number),
            dueMs,
          ),
        )
        break
      case 'night':
        nightJobs += 1
        track(enqueueNight(db, shop, event.job))
    }
  }
  await Promise.all(pending)
  people.close()
  platform.close()
  const times = (kind: keyof typeof taken) => timesOf(taken[kind], refused[kind])
  return {
    seconds: (performance.now() - startedAt) / 1000,
    ...{ pages: times('pages'), saves: times('saves'), webhooks: times('webhooks') },
    ...{ nightJobs, lateMs },
  }
}

async function enqueueNight(db: Db, { shopId }: Shop, number: number): Promise<void> {
  const entry = nightly[number]
  if (entry) await enqueue(db, entry.job, { ...entry.fields, shopId })
}

function timesOf(taken: readonly number[], refused: number): Times {
  const sorted = taken.toSorted((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { count: sorted.length, refused, p50: at(0.5), p99: at(0.99), max: at(1) }
}

const get = ({ token }: Shop, path: string): Sent => ({ path, headers: { authorization: `Bearer ${token}` } })

const write = ({ token }: Shop, method: 'POST' | 'PUT', path: string, body: object): Sent => ({
  ...{ method, path, body: JSON.stringify(body) },
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
})

const itemOf = ({ items }: Shop, number: number): Item => {
  const item = items[number % items.length]
  if (!item) throw new Error('A shop has no stock')
  return item
}

function stockWrite(shop: Shop, number: number): Sent {
  const { variantGid: variantId, locationGid: locationId } = itemOf(shop, number * 7)
  const adjustments = [{ variantId, locationId, quantity: number % 200 }]
  return write(shop, 'PUT', '/api/stock-levels/bulk', { adjustments, allowNegative: true })
}

function purchaseOrder(shop: Shop, number: number): Sent {
  const lineItems = Array.from({ length: 5 }, (_, line) => {
    const { productGid: productId, variantGid: variantId } = itemOf(shop, number + 2 * line)
    return { productId, variantId, quantity: 1 + (line % 9), costPrice: 2.5 }
  })
  return write(shop, 'POST', '/api/purchase-orders', { supplierId: shop.supplierId, lineItems })
}

const numberOf = (gid: string) => Number(gid.split('/').at(-1))

/** A new order of one piece, and the level that it leaves, also on the platform. Its times are whole seconds. */
function orderWebhooks(shop: Shop, number: number, setStock: PlatformProcess['setStock']): Sent[] {
  const { variantGid, itemGid, locationGid } = itemOf(shop, number * 13)
  const available = number % 150
  const at = `${new Date().toISOString().slice(0, 19)}Z`
  setStock({ domain: shop.domain, variantGid, locationGid, available })
  const id = 1_000_000 + number
  return [
    webhook(shop, 'orders/create', {
      ...{ id, created_at: at },
      line_items: [{ id, variant_id: numberOf(variantGid), quantity: 1 }],
    }),
    webhook(shop, 'inventory_levels/update', {
      ...{ inventory_item_id: numberOf(itemGid), location_id: numberOf(locationGid) },
      ...{ available, updated_at: at },
    }),
  ]
}

function webhook({ domain }: Shop, topic: string, payload: object): Sent {
  const body = JSON.stringify(payload)
  return {
    ...{ method: 'POST', path: '/webhooks', body },
    headers: {
      'content-type': 'application/json',
      'x-platform-topic': topic,
      'x-platform-shop-domain': domain,
      'x-platform-webhook-id': randomUUID(),
      'x-platform-triggered-at': new Date().toISOString(),
      'x-platform-hmac-sha256': createHmac('sha256', benchKeys.PLATFORM_API_SECRET)
        .update(body)
        .digest('base64'),
    },
  }
}
