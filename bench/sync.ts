import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '../shared/config.ts'
import { type DatabasePool, openDb, sql } from '../shared/db/db.ts'
import { startSync } from '../shared/domain/exchange/sync/sync.ts'
import { enqueue } from '../shared/queue/enqueue.ts'
import { jobs } from '../shared/queue/jobs.ts'
import { createTokenCipher } from '../shared/token-cipher.ts'
import { createAdminApi } from '../worker/platform/admin-api.ts'
import { readLevels } from '../worker/sync/levels.ts'
import { readProducts } from '../worker/sync/products.ts'
import { type BenchOptions, runBench } from './support/command.ts'
import type { Figure } from './support/figures.ts'
import type { PlatformReady } from './support/platform-process.ts'
import { processorTime } from './support/processor-time.ts'
import {
  type BenchShop,
  benchKeys,
  environment,
  makeBenchShop,
  postmasterOf,
  withBenchSystem,
} from './support/system.ts'
import { claimSlots } from './support/timers.ts'

/**
 * Times the first sync of a shop and the reconciliation of its stock in a worker, beside reading the same pages without
 * storing them. The simulator's work is part of the times, but not of the processor time.
 */
async function measureSync({ isQuick }: BenchOptions): Promise<Figure[]> {
  const products = isQuick ? 500 : 33_334
  const variants = products * 3
  return withBenchSystem(async (system) => {
    const db = await openDb(loadConfig(environment(system.databaseUrl), 'worker'), 4)
    const shop = await makeBenchShop(db)
    const { shopId } = shop
    const platform = await startPlatformProcess(db, products, shop)
    const env = { PLATFORM_GRAPHQL_URL: `${platform.url}/shops/{shop_domain}/admin/api/2026-07/graphql.json` }
    const api = createAdminApi(
      loadConfig({ ...environment(system.databaseUrl), ...env }, 'worker'),
      db,
    )(shopId)
    try {
      await claimSlots(db)
      const worker = system.startProcess('worker/main.ts', env)
      const pids = [worker.pid, await postmasterOf(system)]
      const synced = await costOf(pids, () => sync(db, shopId))
      await untilIdle(db)
      const reconciled = await costOf(pids, () => reconcile(db, shopId))
      await worker.stop()
      const levelPages = await timeOf(() => readAll(db, api, shopId, readLevels))
      const productPages = await timeOf(() => readAll(db, api, shopId, readProducts))
      const pages = (value: number) => ({ what: 'reading the pages alone', value })
      return [
        {
          what: `first sync of ${variants} variants in 2 locations`,
          unit: 'ms',
          value: synced.ms,
          baseline: pages(productPages + levelPages),
          detail: synced,
        },
        { what: 'its processor time in the worker and Postgres', unit: 'ms', value: synced.processorMs },
        {
          what: `reconciliation of ${variants} variants`,
          unit: 'ms',
          value: reconciled.ms,
          baseline: pages(levelPages),
          detail: reconciled,
        },
        { what: 'its processor time in the worker and Postgres', unit: 'ms', value: reconciled.processorMs },
      ]
    } finally {
      platform.close()
      await db.end()
    }
  })
}

/** Starts the simulator with the shop, and stores its access token. */
async function startPlatformProcess(db: DatabasePool, products: number, { shopId, domain }: BenchShop) {
  const file = fileURLToPath(new URL('./support/platform-process.ts', import.meta.url))
  const child = fork(file, [String(products), domain])
  const [{ url, token }] = (await once(child, 'message')) as [PlatformReady]
  const sealed = createTokenCipher(benchKeys).seal(token, domain)
  await db.query(sql.typeAlias('void')`
    update shop_credential set access_token = ${sealed} where shop_id = ${shopId}
  `)
  return { url, close: () => child.kill() }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** The time of `work`, and the processor time that these processes and their children used meanwhile. */
async function costOf(pids: readonly number[], work: () => Promise<unknown>) {
  const used = async () =>
    (await Promise.all(pids.map(processorTime))).reduce<number>((sum, ms) => sum + (ms ?? Number.NaN), 0)
  const before = await used()
  const ms = await timeOf(work)
  return { ms, processorMs: (await used()) - before }
}

async function sync(db: DatabasePool, shopId: number): Promise<void> {
  await startSync(db, shopId, 'merchant')
  const isIn = (state: string) =>
    db.exists(sql.typeAlias('void')`
      select from catalog_sync where shop_id = ${shopId} and state = ${state}
    `)
  while (await isIn('running')) await sleep(50)
  if (!(await isIn('done'))) throw new Error('The sync failed')
}

async function reconcile(db: DatabasePool, shopId: number): Promise<void> {
  await db.transaction((tx) => enqueue(tx, jobs.reconcileStock, { shopId }))
  await untilIdle(db)
}

/** Waits until no job is due. */
async function untilIdle(db: DatabasePool): Promise<void> {
  const isBusy = () =>
    db.exists(sql.typeAlias('void')`
      select from graphile_worker._private_jobs where run_at <= now() and attempts < max_attempts
    `)
  while (await isBusy()) await sleep(50)
}

/** Requests the pages of a phase as a sync does, and stores none. */
async function readAll(
  db: DatabasePool,
  api: Parameters<typeof readLevels>[0]['api'],
  shopId: number,
  read: typeof readLevels,
): Promise<void> {
  const counts = { locations: 0, products: 0, variants: 0, levels: 0, orders: 0 }
  const sync = { id: 0, phase: 'products' as const, counts, startedAt: new Date().toISOString() }
  const { signal } = new AbortController()
  let cursor: string | null = null
  do {
    const page = await read({ api, db, shopId, sync: { ...sync, cursor }, signal })
    cursor = page.next
  } while (cursor !== null)
}

if (import.meta.main) await runBench('sync', measureSync)
