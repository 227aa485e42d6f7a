import { Agent, request } from 'node:http'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { type Db, openDb, row, sql } from '../../../shared/db/db.ts'
import { createDatabase, testConfig, testEnvironment } from '../../support/core/database.ts'
import { makeShop } from '../../support/core/people.ts'
import { startProcess, startSupervised, untilListening } from '../../support/core/processes.ts'
import { until } from '../../support/core/until.ts'
import { startMailService } from '../../support/core/worker.ts'
import { createRandom, report, rounds, startClock } from '../../support/faults/faults.ts'
import { orderBody, type Signed, sign } from '../../support/platform/webhooks.ts'

const products = 20
const variantsEach = 5
const locations = 2

/** Makes webhooks of every topic in random order, with duplicates, and the expected result. */
function makeWebhooks(shop: { shopDomain: string }, count: number) {
  const random = createRandom(7)
  const newest = new Map<string, { second: number; available: number }>()
  const sold = new Map<number, number>()
  const make = (number: number): Signed => {
    const variant = 1 + random(products * variantsEach)
    if (number % 10 < 5) {
      const [location, second, available] = [1 + random(locations), number, random(500)]
      const key = `${variant}/${location}`
      if ((newest.get(key)?.second ?? -1) < second) newest.set(key, { second, available })
      return sign(shop, 'inventory_levels/update', {
        inventory_item_id: variant,
        location_id: location,
        available,
        updated_at: new Date(Date.UTC(2026, 10, 1) + second * 1000).toISOString(),
      })
    }
    if (number % 10 < 9) {
      const quantity = 1 + random(3)
      sold.set(variant, (sold.get(variant) ?? 0) + quantity)
      return sign(shop, 'orders/create', orderBody(number + 1, [[number + 1, variant, quantity]]))
    }
    return sign(shop, 'products/update', productBody(1 + random(products), number))
  }
  const distinct = Array.from({ length: count }, (_, number) => make(number))
  const repeated = distinct.filter(() => random(5) === 0)
  const all = [...distinct, ...repeated]
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = random(at + 1)
    const [a, b] = [all[at], all[other]]
    if (a && b) [all[at], all[other]] = [b, a]
  }
  return { all, distinct, newest, sold }
}

const productBody = (id: number, minute: number) => ({
  id,
  title: `Product ${id}`,
  updated_at: new Date(Date.UTC(2026, 10, 1) + minute * 1000).toISOString(),
  variants: Array.from({ length: variantsEach }, (_, at) => {
    const variant = (id - 1) * variantsEach + at + 1
    return { id: variant, title: `Variant ${variant}`, sku: `S-${variant}`, inventory_item_id: variant }
  }),
})

/** Sends over 64 connections. Repeats deliveries that are not acknowledged, as the platform does. */
async function sendAll(t: Test, origin: string, deliveries: readonly Signed[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  t.teardown(() => agent.destroy())
  const send = ({ headers, payload }: Signed) =>
    new Promise<number>((resolve, reject) => {
      request(`${origin}/webhooks`, { method: 'POST', agent, headers })
        .on('response', (response) => resolve(response.resume().statusCode ?? 0))
        .on('error', reject)
        .end(payload)
    })
  const unsent = [...deliveries]
  const sendNext = async () => {
    for (let next = unsent.pop(); next; next = unsent.pop()) {
      while ((await send(next)) !== 200);
    }
  }
  await Promise.all(Array.from({ length: 64 }, sendNext))
}

async function makeLocations(db: Db, shopId: number): Promise<void> {
  for (let number = 1; number <= locations; number += 1) {
    await db.query(sql.typeAlias('void')`
      insert into location (shop_id, gid, name) values (${shopId}, ${`gid://platform/Location/${number}`}, 'Here')
    `)
  }
}

const Count = Type.Object({ state: Type.String(), count: Type.Integer() })
const LevelRow = Type.Object({ variant: Type.String(), location: Type.String(), quantity: Type.Integer() })
const SoldRow = Type.Object({ variant: Type.String(), quantity: Type.Integer() })

t.test('thousands of deliveries are applied exactly once although workers are killed', async (t) => {
  const url = await createDatabase()
  const platform = await startMailService(t)
  const env = testEnvironment(url, { POSTMARK_API_URL: platform.url, LOG_LEVEL: 'warn' })
  const web = startProcess(t, 'api/server.ts', { ...env, LOG_LEVEL: 'info' })
  const origin = await untilListening(web)
  const db = await openDb(testConfig(url), 2)
  t.teardown(() => db.end())
  const shop = await makeShop(db, 'alice')
  await makeLocations(db, shop.shopId)
  const states = () =>
    db.any(sql.type(row(Count))`
      select state, count(*) from webhook_delivery where shop_id = ${shop.shopId} group by state
    `)

  const catalogue = Array.from({ length: products }, (_, at) =>
    sign(shop, 'products/update', productBody(at + 1, 0)),
  )
  const worker = startSupervised(t, 'worker/main.ts', env)
  await sendAll(t, origin, catalogue)
  await until(async () => {
    const [first, ...others] = await states()
    return first?.state === 'applied' && others.length === 0
  }, 'the catalogue is stored')

  const { all, distinct, newest, sold } = makeWebhooks(shop, rounds(5_000, 1_500))
  const sinceFirst = startClock()
  const applied = async () => (await states()).find(({ state }) => state === 'applied')?.count ?? 0
  // each part begins with a working worker, which is killed while web still receives deliveries
  const partSize = Math.ceil(all.length / 3)
  for (let from = 0; from < all.length; from += partSize) {
    const before = await applied()
    const sending = sendAll(t, origin, all.slice(from, from + partSize))
    if (from + partSize < all.length) {
      await until(async () => (await applied()) > before, 'the worker applies deliveries')
      worker.current().kill('SIGKILL')
    }
    await sending
  }
  report(t, `${all.length} deliveries were acknowledged after`, [sinceFirst()])
  const expected = [{ state: 'applied', count: distinct.length + catalogue.length }]
  await until(
    async () => (await states()).every(({ state }) => state !== 'received'),
    'all deliveries are applied',
    200_000,
  )
  report(t, 'and applied after', [sinceFirst()])
  t.strictSame(await states(), expected)

  const levels = await db.any(sql.type(row(LevelRow))`
    select substring(v.gid from '\\d+$') as variant, substring(l.gid from '\\d+$') as location, s.quantity
    from stock_level s
    join variant v on v.shop_id = s.shop_id and v.id = s.variant_id
    join location l on l.shop_id = s.shop_id and l.id = s.location_id
    where s.shop_id = ${shop.shopId}
  `)
  t.strictSame(
    new Map(levels.map(({ variant, location, quantity }) => [`${variant}/${location}`, quantity] as const)),
    new Map([...newest].map(([key, { available }]) => [key, available])),
  )
  const sales = await db.any(sql.type(row(SoldRow))`
    select substring(variant_gid from '\\d+$') as variant, sum(quantity)::int as quantity
    from sale where shop_id = ${shop.shopId} group by variant_gid
  `)
  t.strictSame(new Map(sales.map(({ variant, quantity }) => [Number(variant), quantity])), sold)
  t.equal(
    await db.exists(sql.typeAlias('void')`
      select from stock_level l
      where l.shop_id = ${shop.shopId} and l.quantity <> (
        select sum(m.delta) from stock_movement m
        where m.shop_id = l.shop_id and m.variant_id = l.variant_id and m.location_id = l.location_id
      )
    `),
    false,
    'every level is the sum of its movements',
  )
})
