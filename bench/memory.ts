import { setTimeout as sleep } from 'node:timers/promises'
import { choosePort } from '../dev/processes/ports.ts'
import { type Platform, startPlatform } from '../dev/simulator/server.ts'
import { loadConfig } from '../shared/config.ts'
import { type DatabasePool, openDb, sql } from '../shared/db/db.ts'
import { createTokenCipher } from '../shared/token-cipher.ts'
import { type BenchOptions, runBench } from './command.ts'
import type { Figure } from './figures.ts'
import { type Done, keepBusy, prepareShop } from './memory-load.ts'
import { type ProcessMemory, readMainThread, readMemory } from './process-memory.ts'
import {
  type BenchProcess,
  type BenchShop,
  benchKeys,
  environment,
  makeBenchShop,
  withBenchSystem,
} from './system.ts'

type Look = ProcessMemory & { mainThread: { heap: number; external: number } }
type Looks = { idle: Look; busy: Look; after: Look }
type Looked = BenchProcess & { metrics: string }

/** What `web` and `worker` have of the system at most while everything is asked of them at once, as in production. */
export async function measureMemory({ isQuick }: BenchOptions): Promise<Figure[]> {
  const products = isQuick ? 30 : 1_000
  const seconds = isQuick ? 2 : 90
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
      const start = async (begin: (env: Record<string, string>) => BenchProcess | Promise<BenchProcess>) => {
        const port = await choosePort(0, 'PORT')
        const started = await begin({ ...env, METRICS_PORT: String(port) })
        return { ...started, metrics: `http://127.0.0.1:${port}/metrics` }
      }
      const web = await start((env) => system.startServer('api/server.ts', env))
      const worker = await start((env) => system.startProcess('worker/main.ts', env))
      const ready = await prepareShop(web.origin, shop, db)
      const idle = await readBoth(web, worker)
      const done = await keepBusy({ origin: web.origin, shop, ready, platform, seconds })
      const busy = await readBoth(web, worker)
      if (!isQuick) await sleep(20_000)
      const after = await readBoth(web, worker)
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

async function readBoth(web: Looked, worker: Looked) {
  return { web: await look(web), worker: await look(worker) }
}

async function look({ pid, metrics }: Looked): Promise<Look> {
  return { ...(await readMemory(pid)), mainThread: await readMainThread(metrics) }
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
