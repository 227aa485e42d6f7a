import { setTimeout as sleep } from 'node:timers/promises'
import { choosePort } from '../dev/processes/ports.ts'
import { type Platform, startPlatform } from '../dev/simulator/server.ts'
import { loadConfig } from '../shared/config.ts'
import { type DatabasePool, openDb, sql } from '../shared/db/db.ts'
import { createTokenCipher } from '../shared/token-cipher.ts'
import { type BenchOptions, runBench } from './support/command.ts'
import type { Figure } from './support/figures.ts'
import { type OperationCounts, prepareShop, runLoad } from './support/memory-load.ts'
import { type ProcessMemory, readMainThread, readMemory } from './support/process-memory.ts'
import {
  type BenchProcess,
  type BenchShop,
  benchKeys,
  environment,
  makeBenchShop,
  withBenchSystem,
} from './support/system.ts'

type MemoryReading = ProcessMemory & { mainThread: { heap: number; external: number } }
type MemoryReadings = { idle: MemoryReading; busy: MemoryReading; after: MemoryReading }
type MeasuredProcess = BenchProcess & { metrics: string }

/** The peak memory of web and worker under a mixed load, with the environment of production. */
async function measureMemory({ isQuick }: BenchOptions): Promise<Figure[]> {
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
      await addToPlatform(platform, db, shop, products)
      const env = platformUrls(platform)
      const start = async (
        startWith: (env: Record<string, string>) => BenchProcess | Promise<BenchProcess>,
      ) => {
        const port = await choosePort(0, 'PORT')
        const started = await startWith({ ...env, METRICS_PORT: String(port) })
        return { ...started, metrics: `http://127.0.0.1:${port}/metrics` }
      }
      const web = await start((env) => system.startServer('api/server.ts', env))
      const worker = await start((env) => system.startProcess('worker/main.ts', env))
      const ready = await prepareShop(web.origin, shop, db)
      const idle = await readBoth(web, worker)
      const operations = await runLoad({ origin: web.origin, shop, ready, platform, seconds })
      const busy = await readBoth(web, worker)
      if (!isQuick) await sleep(20_000)
      const after = await readBoth(web, worker)
      const readings = (name: 'web' | 'worker') => ({
        idle: idle[name],
        busy: busy[name],
        after: after[name],
      })
      return [
        figureOf('web', 200, readings('web'), operations),
        figureOf('worker', 250, readings('worker'), operations),
      ]
    } finally {
      await db.end()
      await platform.close()
    }
  })
}

/** Adds the shop with `products` products to the simulated platform and installs the app there. */
async function addToPlatform(
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

const platformUrls = ({ url }: Platform) => ({
  POSTMARK_API_URL: url,
  PLATFORM_GRAPHQL_URL: `${url}/shops/{shop_domain}/admin/api/2026-07/graphql.json`,
})

async function readBoth(web: MeasuredProcess, worker: MeasuredProcess) {
  return { web: await readProcess(web), worker: await readProcess(worker) }
}

async function readProcess({ pid, metrics }: MeasuredProcess): Promise<MemoryReading> {
  return { ...(await readMemory(pid)), mainThread: await readMainThread(metrics) }
}

function figureOf(
  name: string,
  limit: number,
  readings: MemoryReadings,
  operations: OperationCounts,
): Figure {
  return {
    what: `peak memory of ${name} under load`,
    unit: 'MiB',
    value: readings.after.peak,
    baseline: { what: 'before the load', value: readings.idle.resident },
    target: { of: 'value', at: 'max', limit },
    detail: { readings, operations },
  }
}

if (import.meta.main) await runBench('memory', measureMemory)
