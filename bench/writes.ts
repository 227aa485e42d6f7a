import { Type } from '@sinclair/typebox'
import { growShop, withoutTimeouts } from '../dev/demo/large-shop.ts'
import { loadConfig } from '../shared/config.ts'
import { type Db, openDb, row, sql } from '../shared/db/db.ts'
import { type BenchOptions, runBench } from './support/command.ts'
import type { Figure } from './support/figures.ts'
import { type LoadRequest, load } from './support/load.ts'
import { processorTime } from './support/processor-time.ts'
import { median } from './support/rounds.ts'
import {
  type BenchShop,
  environment,
  makeBenchShop,
  postmasterOf,
  withBenchSystem,
} from './support/system.ts'

const poolSize = 4
/** Of one request, and the number of requests that no two connections share. */
const levels = 100

type Write = { what: string; connections: number; requests: Omit<LoadRequest, 'headers'>[] }

/**
 * Measures the writes through HTTP, with the processor time of web and Postgres for each request. The time depends less
 * on other work of the machine than the rate does; two releases are compared by it.
 */
function measureWrites({ isQuick }: BenchOptions): Promise<Figure[]> {
  const [rounds, seconds] = isQuick ? [1, 1] : [5, 4]
  return withBenchSystem(async (system) => {
    const db = await openDb(loadConfig(environment(system.databaseUrl)), 1)
    try {
      const shop = await makeBenchShop(db)
      await withoutTimeouts(system.databaseUrl, async (patient) => {
        await growShop(patient, shop, { variants: 2_000, sales: 1_000, orders: 500 })
        await patient.query(sql.typeAlias('void')`
          insert into purchase_order_counter (shop_id, last_number) values (${shop.shopId}, 1000000)
        `)
        await patient.query(sql.typeAlias('void')`vacuum analyze`)
      })
      const server = await system.startServer('api/server.ts', { WEB_POOL_SIZE: String(poolSize) })
      const headers = { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' }
      const pids = { web: server.pid, Postgres: await postmasterOf(system) }
      const figures: Figure[] = []
      for (const { what, connections, requests } of await makeWrites(db, shop)) {
        const plan = { url: server.origin, connections, isShared: requests.length >= connections }
        const sent = requests.map((request) => ({ ...request, headers }))
        // warms up code and caches
        await load({ ...plan, seconds: 1, requests: sent })
        const results: { perSecond: number; web: number; postgres: number }[] = []
        for (let round = 0; round < rounds; round += 1) {
          const before = await processorTimes(pids)
          const { perSecond, answered } = await load({ ...plan, seconds, requests: sent })
          const after = await processorTimes(pids)
          const spent = (name: keyof typeof pids) => (after[name] - before[name]) / answered
          results.push({ perSecond, web: spent('web'), postgres: spent('Postgres') })
        }
        const middle = (name: 'perSecond' | 'web' | 'postgres') =>
          median(results.map((result) => result[name]))
        figures.push(
          { what, unit: 'requests/s', value: middle('perSecond'), detail: { connections, results } },
          { what: `${what}: web`, unit: 'ms', value: middle('web') },
          { what: `${what}: Postgres`, unit: 'ms', value: middle('postgres') },
        )
      }
      return figures
    } finally {
      await db.end()
    }
  })
}

async function processorTimes(pids: { web: number; Postgres: number }) {
  const [web, Postgres] = await Promise.all([processorTime(pids.web), processorTime(pids.Postgres)])
  return { web: web ?? Number.NaN, Postgres: Postgres ?? Number.NaN }
}

const Named = Type.Object({ variantId: Type.String(), productId: Type.String(), locationId: Type.String() })

async function makeWrites(db: Db, { shopId }: BenchShop): Promise<Write[]> {
  const named = await db.any(sql.type(row(Named))`
    select v.gid as variant_id, p.gid as product_id, l.gid as location_id
    from variant v
    join product p on p.shop_id = v.shop_id and p.id = v.product_id
    join location l on l.shop_id = v.shop_id and l.is_primary
    where v.shop_id = ${shopId} and v.is_tracked
    order by v.id
    limit ${levels}
  `)
  const set = (lines: typeof named, quantity: number): Write['requests'][number] => ({
    method: 'PUT',
    path: '/api/stock-levels/bulk',
    body: JSON.stringify({
      adjustments: lines.map(({ variantId, locationId }) => ({ variantId, locationId, quantity })),
    }),
  })
  const order = {
    supplierId: 1,
    destinationLocationId: named[0]?.locationId,
    lineItems: named
      .slice(0, 10)
      .map(({ variantId, productId }) => ({ variantId, productId, quantity: 5, costPrice: 12.5 })),
  }
  return [
    {
      what: 'Set one level',
      connections: 16,
      requests: [1_000, 1_001].flatMap((quantity) => named.map((line) => set([line], quantity))),
    },
    {
      what: 'Set 100 levels',
      connections: 1,
      requests: [1_002, 1_003].map((quantity) => set([...named], quantity)),
    },
    {
      what: 'Create an order of ten lines',
      connections: 4,
      requests: [{ method: 'POST', path: '/api/purchase-orders', body: JSON.stringify(order) }],
    },
  ]
}

if (import.meta.main) await runBench('writes', measureWrites)
