import { growShop, withoutTimeouts } from '../dev/demo/large-shop.ts'
import { forecastShop, planShop } from '../dev/demo/plan-shop.ts'
import { loadConfig } from '../shared/config.ts'
import { type DatabasePool, openDb, sql } from '../shared/db/db.ts'
import { type BenchOptions, runBench } from './support/command.ts'
import type { Figure } from './support/figures.ts'
import { growthOf, printGrowth, type Times } from './support/growth-table.ts'
import { type Client, openClient, requireSuccess } from './support/requests.ts'
import { median } from './support/rounds.ts'
import { planRoutes } from './support/route-plans.ts'
import {
  type BenchShop,
  type BenchSystem,
  environment,
  makeBenchShop,
  withBenchSystem,
} from './support/system.ts'
import { measureVelocity } from './velocity.ts'

/**
 * Requests whose time must not grow with the shop. The searches match one variant, every tenth variant, and all
 * variants.
 */
const addresses = [
  '/api/products',
  '/api/stock-levels',
  '/api/purchase-orders',
  '/api/purchase-orders?limit=50&count=true',
  '/api/purchase-orders?limit=50&sort=number',
  '/api/purchase-orders?limit=50&sort=supplier',
  '/api/purchase-orders?limit=50&sort=expected',
  '/api/purchase-orders?limit=50&sort=-expected',
  '/api/purchase-orders?limit=50&sort=-total',
  '/api/purchase-orders?limit=50&sort=expected&stage=incoming',
  '/api/purchase-orders?limit=50&search=po-00001&sort=-total',
  '/api/reorder/rules',
  '/api/products?search=777+sku-777',
  '/api/products?search=mug&limit=50',
  '/api/products?search=size',
  '/api/stock-levels?limit=50&count=true',
  '/api/stock-levels?limit=50&sort=sku',
  '/api/stock-levels?limit=50&sort=title',
  '/api/stock-levels?limit=50&sort=available',
  '/api/stock-levels?limit=50&stock=low',
  '/api/stock-levels?limit=50&stock=out&sort=available',
  '/api/stock-levels?search=777+sku-777',
  '/api/stock-levels?search=mug&limit=50',
  '/api/stock-levels?search=size',
  '/api/reorder/suggestions',
  '/api/dashboard',
  '/api/reports/stock-gaps',
  '/api/reports/lost-sales',
  '/api/reports/overstock',
  '/api/reports/arrivals',
  '/api/reports/open-to-buy',
]

type Sized = { variants: number; shop: BenchShop; client: Client }

/** Times the same requests in shops of 1,000, 10,000 and 100,000 variants, and the nightly jobs in the largest. */
async function measureGrowth({ isQuick }: BenchOptions): Promise<Figure[]> {
  const sizes = isQuick ? [1_000, 2_000] : [1_000, 10_000, 100_000]
  return withBenchSystem(async (system) => {
    const db = await openDb(loadConfig(environment(system.databaseUrl), 'web'), 4)
    try {
      const { origin } = await system.startServer('api/server.ts')
      const shops = await fillShops(system, db, sizes)
      const sized = shops.map((filled) => ({ ...filled, client: openClient(origin, 1) }))
      const times = await timeRoutes(sized, isQuick ? { rounds: 2, tries: 2 } : { rounds: 15, tries: 4 })
      for (const { client } of sized) client.close()
      printGrowth(sizes, times)
      const largest = shops.at(-1)
      if (!largest) throw new Error('No shop was made')
      const plans = await planRoutes(system, db, largest.shop, addresses)
      const velocity = await measureVelocity(db, largest, { isQuick })
      return [...addresses.map((address) => figureOf(address, sizes, times, plans)), ...velocity]
    } finally {
      await db.end()
    }
  })
}

/** Makes a shop of each size: ten sales per variant, and 300 to 10,000 orders so that a list has a full page. */
async function fillShops({ databaseUrl }: BenchSystem, db: DatabasePool, sizes: readonly number[]) {
  const shops: { variants: number; shop: BenchShop }[] = []
  for (const variants of sizes) {
    const shop = await makeBenchShop(db)
    const orders = Math.max(300, variants / 10)
    await withoutTimeouts(databaseUrl, (connection) =>
      growShop(connection, shop, { variants, sales: variants * 10, orders }),
    )
    await changeRules(db, shop)
    await withoutTimeouts(databaseUrl, (connection) => forecastShop(connection, shop))
    await planShop(db, shop)
    shops.push({ variants, shop })
  }
  await withoutTimeouts(databaseUrl, async (connection) => {
    await connection.query(sql.typeAlias('void')`vacuum analyze`)
  })
  return shops
}

/** Changes `is_low` of one rule in two hundred. */
async function changeRules(db: DatabasePool, { shopId }: BenchShop): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update reorder_rule
    set reorder_point = case when is_low then 0 else 1000 end, current_stock = current_stock + 1
    where shop_id = ${shopId} and id % 200 = 0
  `)
}

/**
 * Median milliseconds by address, in the order of the shops. The shops take turns, and each round starts with
 * another one.
 */
async function timeRoutes(
  sized: readonly Sized[],
  { rounds, tries }: { rounds: number; tries: number },
): Promise<Times> {
  const samples = new Map(addresses.map((address) => [address, sized.map((): number[] => [])]))
  // the first round warms up code and caches and is not counted
  for (let round = -1; round < rounds; round += 1) {
    for (const [address, perSize] of samples) {
      for (let turn = 0; turn < sized.length; turn += 1) {
        const index = (turn + round + 1) % sized.length
        for (let count = 0; count < tries; count += 1) {
          const took = await timeOf(sized[index], address)
          if (round >= 0) perSize[index]?.push(took)
        }
      }
    }
  }
  return new Map([...samples].map(([address, perSize]) => [address, perSize.map(median)]))
}

async function timeOf(sized: Sized | undefined, path: string): Promise<number> {
  if (!sized) throw new Error('No shop of this size was made')
  const sent = { path, headers: { authorization: `Bearer ${sized.shop.token}` } }
  const response = await sized.client.send(sent)
  requireSuccess(sent, response)
  return response.ms
}

function figureOf(
  address: string,
  sizes: readonly number[],
  times: Times,
  plans: ReadonlyMap<string, readonly string[]>,
): Figure {
  const medians = times.get(address) ?? []
  return {
    what: `GET ${address}`,
    unit: 'ms',
    value: medians.at(-1) ?? Number.NaN,
    baseline: { what: `in a shop of ${sizes[0]} variants`, value: medians[0] ?? Number.NaN },
    target: { of: 'ratio', at: 'max', limit: 2 },
    detail: {
      variants: sizes,
      medians,
      growth: growthOf(sizes, medians),
      plan: plans.get(address),
    },
  }
}

if (import.meta.main) await runBench('growth', measureGrowth)
