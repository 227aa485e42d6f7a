import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../shared/db/db.ts'
import { enqueueForShops } from '../../shared/queue/enqueue.ts'
import { jobs } from '../../shared/queue/jobs.ts'
import { createTokenCipher } from '../../shared/token-cipher.ts'
import { type Client, requireSuccess } from '../support/requests.ts'
import { type BenchShop, benchKeys, makeBenchShop } from '../support/system.ts'
import { readWaiting } from './job-waits.ts'
import type { PlatformOfShops, StockSet } from './platform-process.ts'
import { type ShopSize, sizeOf } from './sizes.ts'

const Item = Type.Object({
  shopId: Type.Integer(),
  variantGid: Type.String(),
  productGid: Type.String(),
  itemGid: Type.String(),
  locationGid: Type.String(),
})
export type Item = Static<typeof Item>

export type Shop = BenchShop & { size: ShopSize; supplierId: number; items: readonly Item[] }

export type PlatformProcess = {
  url: string
  pid: number
  setStock: (set: StockSet) => void
  stop: () => void
}

/** Makes the shops in Postgres and on the simulated platform, which runs as a process of its own. */
export async function makeShops(
  db: Db,
  count: number,
): Promise<{ shops: (BenchShop & { size: ShopSize })[]; platform: PlatformProcess }> {
  const shops: (BenchShop & { size: ShopSize })[] = []
  for (let number = 0; number < count; number += 1) {
    shops.push({ ...(await makeBenchShop(db)), size: sizeOf(number) })
  }
  const child = fork(fileURLToPath(new URL('./platform-process.ts', import.meta.url)))
  child.send(shops.map(({ domain, size }) => ({ domain, size })))
  const [{ url, tokens }] = (await once(child, 'message')) as [PlatformOfShops]
  const cipher = createTokenCipher(benchKeys)
  const rows = shops.map(({ shopId, domain }) => [shopId, cipher.seal(tokens[domain] ?? '', domain)])
  await db.query(sql.typeAlias('void')`
    update shop_credential c
    set access_token = sealed.token
    from ${sql.unnest(rows, ['int8', 'text'])} as sealed (shop_id, token)
    where c.shop_id = sealed.shop_id
  `)
  const setStock = (set: StockSet) => void child.send(set)
  return { shops, platform: { url, pid: child.pid ?? 0, setStock, stop: () => child.kill() } }
}

const Progress = Type.Object({ running: Type.Integer(), failed: Type.Integer() })

/** Synchronizes all shops as after their installation, each with a supplier; returns them with their stock, and the seconds it took. */
export async function openShops(
  db: Db,
  client: Client,
  shops: readonly (BenchShop & { size: ShopSize })[],
  deadlineSeconds: number,
): Promise<{ shops: Shop[]; seconds: number }> {
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  // the night would find missing subscriptions, and synchronize the shop again
  await enqueueForShops(db, jobs.repairWebhookSubscriptions, { maxDelaySeconds: 1 })
  const isRepaired = async () => {
    const waiting = await readWaiting(db)
    return !waiting.some(({ task }) => task === jobs.repairWebhookSubscriptions.name)
  }
  await sleep(2_000)
  while (!(await isRepaired())) await sleep(500)
  const supplierIds = await Promise.all(
    shops.map(async (shop) => {
      await post(client, shop, '/api/sync', {})
      return (await post(client, shop, '/api/suppliers', { name: 'Acme', email: 'orders@acme.example' })).id
    }),
  )
  for (;;) {
    const { running, failed } = await db.one(sql.type(row(Progress))`
      select count(*) filter (where state not in ('done', 'failed'))::int as running,
        count(*) filter (where state = 'failed')::int as failed
      from catalog_sync
    `)
    if (failed > 0) throw new Error(`${failed} catalogue syncs failed`)
    if (running === 0) break
    if (seconds() > deadlineSeconds)
      throw new Error(`${running} shops were not synchronized in ${deadlineSeconds} s`)
    await sleep(500)
  }
  const took = seconds()
  const items = await db.any(sql.type(row(Item))`
    select v.shop_id, v.gid as variant_gid, p.gid as product_gid, v.inventory_item_gid as item_gid, w.gid as location_gid
    from stock_level l
    join variant v on v.shop_id = l.shop_id and v.id = l.variant_id and v.inventory_item_gid is not null
    join product p on p.shop_id = l.shop_id and p.id = v.product_id
    join location w on w.shop_id = l.shop_id and w.id = l.location_id
    order by v.shop_id, v.id, w.id
  `)
  const byShop = Map.groupBy(items, ({ shopId }) => shopId)
  return {
    shops: shops.map((shop, at) => ({
      ...shop,
      supplierId: supplierIds[at] ?? 0,
      items: byShop.get(shop.shopId) ?? [],
    })),
    seconds: took,
  }
}

async function post(
  client: Client,
  { token }: BenchShop,
  path: string,
  body: object,
): Promise<{ id: number }> {
  const sent = {
    ...{ method: 'POST' as const, path, body: JSON.stringify(body) },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  }
  const response = await client.send(sent)
  requireSuccess(sent, response)
  return JSON.parse(response.body.toString()).data
}
