import { loadConfig } from '../shared/config.ts'
import { type Db, openDb, sql } from '../shared/db/db.ts'
import { openClient, requireSuccess, type Sent } from './support/requests.ts'
import { type BenchShop, environment, makeBenchShop, withBenchSystem } from './support/system.ts'

/*
 * The time of a receipt and of a stock level that is set, one request at a time. It has no baseline of its own: run the file in the
 * trees of two releases by turns and compare (docs/performance.md, "The price of a write").
 *   node bench/receiving.ts [orders]
 */

const variants = 200
const lineCounts = [1, 10, 100]
const warmUp = 5

/** The quartile is steadier than the mean on a machine with other work. */
function quartile(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 4)] ?? Number.NaN
}

async function fillShop(db: Db, { shopId }: BenchShop): Promise<void> {
  await db.query(sql.typeAlias('void')`
    insert into product (shop_id, gid, title) values (${shopId}, 'gid://platform/Product/1', 'Mug')
  `)
  await db.query(sql.typeAlias('void')`
    insert into variant (shop_id, gid, product_id, inventory_item_gid, sku, title, confirmed_at)
    select ${shopId}, 'gid://platform/ProductVariant/' || n, p.id, 'gid://platform/InventoryItem/' || n, 'SKU-' || n, 'Size ' || n, now()
    from product p, generate_series(1, ${variants}::int) n
    where p.shop_id = ${shopId}
  `)
  await db.query(sql.typeAlias('void')`
    insert into location (shop_id, gid, name, is_primary) values (${shopId}, 'gid://platform/Location/1', 'Shop', true)
  `)
  await db.query(sql.typeAlias('void')`
    insert into stock_level (shop_id, variant_id, location_id, quantity, platform_quantity)
    select v.shop_id, v.id, w.id, 10, 10
    from variant v
    join location w on w.shop_id = v.shop_id
    where v.shop_id = ${shopId}
  `)
}

const lineItems = (count: number, from: number) =>
  Array.from({ length: count }, (_, at) => {
    const number = 1 + ((from + at) % variants)
    return {
      productId: 'gid://platform/Product/1',
      variantId: `gid://platform/ProductVariant/${number}`,
      sku: `SKU-${number}`,
      title: `Size ${number}`,
      quantity: 5,
      costPrice: 2 + (number % 7),
    }
  })

const orders = Number(process.argv[2] ?? 60)

await withBenchSystem(async (system) => {
  const db = await openDb(loadConfig(environment(system.databaseUrl), 'web'), 4)
  const shop = await makeBenchShop(db)
  await fillShop(db, shop)
  const { origin } = await system.startServer('api/server.ts', { WEB_POOL_SIZE: '4' })
  const client = openClient(origin, 1)
  const headers = { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' }
  const send = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => {
    const sent: Sent = { method, path: `/api${path}`, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await client.send(sent)
    requireSuccess(sent, response)
    return { ms: response.ms, data: JSON.parse(response.body.toString()).data }
  }
  const supplier = await send('POST', '/suppliers', { name: 'Acme', email: 'orders@acme.example.com' })
  for (const count of lineCounts) {
    const times: number[] = []
    for (let round = -warmUp; round < orders; round += 1) {
      // the statistics that autovacuum gives a shop that has received before
      if (round === 0) await db.query(sql.typeAlias('void')`analyze`)
      const body = { supplierId: supplier.data.id, lineItems: lineItems(count, round + warmUp) }
      const { id } = (await send('POST', '/purchase-orders', body)).data
      await send('POST', `/purchase-orders/${id}/send`)
      const { data } = await send('GET', `/purchase-orders/${id}`)
      const arrived = data.lineItems.map((line: { id: number }) => ({
        lineItemId: line.id,
        quantityReceived: 5,
      }))
      const { ms } = await send('POST', `/purchase-orders/${id}/receive`, { lineItems: arrived })
      if (round >= 0) times.push(ms)
    }
    console.log(`receive ${count} lines: ${quartile(times).toFixed(2)} ms`)
  }
  const times: number[] = []
  for (let round = 0; round < 5 * orders; round += 1) {
    const adjustments = [
      {
        variantId: `gid://platform/ProductVariant/${1 + (round % variants)}`,
        locationId: 'gid://platform/Location/1',
        quantity: round,
      },
    ]
    times.push((await send('PUT', '/stock-levels/bulk', { adjustments })).ms)
  }
  console.log(`set one level: ${quartile(times).toFixed(2)} ms`)
  client.close()
  await db.end()
})
