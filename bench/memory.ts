import { setTimeout as sleep } from 'node:timers/promises'
import { type Platform, startPlatform } from '../dev/platform/server.ts'
import { loadConfig } from '../shared/config.ts'
import { type DatabasePool, openDb, sql } from '../shared/db.ts'
import { createTokenCipher } from '../shared/token-cipher.ts'
import { type BenchOptions, runBench } from './command.ts'
import type { Figure } from './figures.ts'
import { type Done, keepBusy, prepareShop } from './memory-load.ts'
import { type ProcessMemory, readMemory } from './process-memory.ts'
import { type BenchShop, benchKeys, environment, makeBenchShop, withBenchSystem } from './system.ts'

type Looks = { idle: ProcessMemory; busy: ProcessMemory; after: ProcessMemory }

/** What `web` and `worker` have of the system at most while everything is asked of them at once, as in production. */
export async function measureMemory({ isQuick }: BenchOptions): Promise<Figure[]> {
  const products = isQuick ? 50 : 1_000
  const seconds = isQuick ? 3 : 90
  return withBenchSystem(async (system) => {
    const platform = await startPlatform({
      apiKey: benchKeys.PLATFORM_API_KEY,
      apiSecret: benchKeys.PLATFORM_API_SECRET,
      serverToken: benchKeys.POSTMARK_SERVER_TOKEN,
      throttle: { maximum: 1_000_000, restoreRate: 1_000_000 },
    })
    const db = await openDb(loadConfig(environment(system.databaseUrl), 'web'), 2)
    try {
      const shop = await makeBenchShop(db)
      await openAtPlatform(platform, db, shop, products)
      const env = addressesOf(platform)
      const web = await system.startServer('api/server.ts', env)
      const worker = system.startProcess('worker/main.ts', env)
      const ready = await prepareShop(web.origin, shop, db)
      const idle = await readBoth(web.pid, worker.pid)
      const done = await keepBusy({ origin: web.origin, shop, ready, platform, seconds })
      const busy = await readBoth(web.pid, worker.pid)
      if (!isQuick) await sleep(20_000)
      const after = await readBoth(web.pid, worker.pid)
      const looks = (name: 'web' | 'worker') => ({ idle: idle[name], busy: busy[name], after: after[name] })
      return [figureOf('web', 200, looks('web'), done), figureOf('worker', 250, looks('worker'), done)]
    } finally {
      await db.end()
      await platform.close()
    }
  })
}

/** A shop of so many products, with the app installed in it. */
async function openAtPlatform(
  platform: Platform,
  db: DatabasePool,
  { shopId, domain }: BenchShop,
  products: number,
): Promise<void> {
  const shop = platform.shops.add({ domain, generated: { products, variantsPerProduct: 2, locations: 2 } })
  const sealed = createTokenCipher(benchKeys).seal(shop.install(), domain)
  await db.query(sql.typeAlias('void')`
    update shop_credential set access_token = ${sealed} where shop_id = ${shopId}
  `)
}

const addressesOf = ({ url }: Platform) => ({
  POSTMARK_API_URL: url,
  PLATFORM_GRAPHQL_URL: `${url}/shops/{shop_domain}/admin/api/2026-07/graphql.json`,
})

async function readBoth(web: number, worker: number) {
  return { web: await readMemory(web), worker: await readMemory(worker) }
}

function figureOf(name: string, limit: number, looks: Looks, done: Done): Figure {
  return {
    what: `memory of ${name} at most, under load`,
    unit: 'MiB',
    value: looks.after.peak,
    baseline: { what: 'before the load', value: looks.idle.resident },
    target: { of: 'value', at: 'most', limit },
    detail: { looks, done },
  }
}

if (import.meta.main) await runBench('memory', measureMemory)
