import { setTimeout as sleep } from 'node:timers/promises'
import { type Static, Type } from '@sinclair/typebox'
import { loadConfig } from '../shared/config.ts'
import { type DatabasePool, type Db, openDb, row, sql } from '../shared/db/db.ts'
import { storeDeliveries } from '../shared/domain/exchange/webhooks/deliveries.ts'
import { type BenchOptions, runBench } from './support/command.ts'
import type { Figure } from './support/figures.ts'
import { toDelivery, toRequest } from './support/level-updates.ts'
import { load } from './support/load.ts'
import { processorTime } from './support/processor-time.ts'
import { alternate, median } from './support/rounds.ts'
import { startSilentPlatform } from './support/silent-platform.ts'
import { makeStockShop, type StockShop } from './support/stock-shop.ts'
import { environment, postmasterOf, withBenchSystem } from './support/system.ts'
import { claimSlots } from './support/timers.ts'

type Sizes = { variants: number; rounds: number; stored: number; sent: number; turns: number }
const full: Sizes = { variants: 10_000, rounds: 3, stored: 1_500, sent: 20_000, turns: 3 }
const quick: Sizes = { variants: 500, rounds: 1, stored: 100, sent: 500, turns: 1 }

const connections = 64

/**
 * Measures inventory-level webhooks: the worker alone, with batched jobs and with one job per delivery, and the
 * whole path from the request to the stock level.
 */
async function measureInventoryUpdates({ isQuick }: BenchOptions): Promise<Figure[]> {
  const sizes = isQuick ? quick : full
  return withBenchSystem(async (system) => {
    const { databaseUrl } = system
    const db = await openDb(loadConfig(environment(databaseUrl)), 2)
    const platform = await startSilentPlatform()
    try {
      const shop = await makeStockShop(db, databaseUrl, sizes.variants)
      await claimSlots(db)
      const worker = system.startProcess('worker/main.ts', platform.env)
      const web = await system.startServer('api/server.ts', platform.env)
      const applied = await measureApplication(db, shop, sizes)
      const pids = { web: web.pid, worker: worker.pid, postgres: await postmasterOf(system) }
      const all = await measureEndToEnd(db, shop, web.origin, pids, sizes)
      await web.stop()
      await worker.stop()
      platform.checkSilence()
      return [applied, all]
    } finally {
      platform.close()
      await db.end()
    }
  })
}

async function measureApplication(db: DatabasePool, shop: StockShop, sizes: Sizes): Promise<Figure> {
  const { rounds, stored } = sizes
  const measure = (perStatement: number) => () => applyStored(db, shop, stored, perStatement)
  const rates = await alternate(rounds, { subject: measure(connections), baseline: measure(1) })
  return {
    what: 'apply-inventory-levels',
    unit: 'deliveries/s',
    value: median(rates.subjects),
    baseline: { what: 'one job per delivery', value: median(rates.baselines) },
    target: { of: 'ratio', at: 'min', limit: 5 },
    detail: { ...sizes, ...rates },
  }
}

/**
 * Stores `count` deliveries, `perStatement` at a time, and returns deliveries applied per second. Deliveries stored
 * by one statement share jobs; a delivery stored alone has its own job. The idle worker sees all of them with one
 * commit.
 */
async function applyStored(
  db: DatabasePool,
  shop: StockShop,
  count: number,
  perStatement: number,
): Promise<number> {
  const deliveries = shop.nextUpdates(count).map((update) => toDelivery(shop, update))
  await db.transaction(async (tx) => {
    for (let at = 0; at < count; at += perStatement)
      await storeDeliveries(tx, deliveries.slice(at, at + perStatement))
    // a job applies the deliveries stored after its own in the same run; old deliveries are not batched that way
    if (perStatement === 1) await age(tx, shop)
  })
  const startedAt = performance.now()
  await untilApplied(db, shop)
  const rate = count / ((performance.now() - startedAt) / 1000)
  await shop.checkLevels()
  return rate
}

const age = (tx: Db, { shopId }: StockShop) =>
  tx.query(sql.typeAlias('void')`
    update webhook_delivery
    set received_at = received_at - interval '1 minute'
    where shop_id = ${shopId} and state = 'received'
  `)

/**
 * Sends deliveries to web over 64 connections as fast as web answers, while the worker applies them. The rate
 * counts from the first stored delivery to the last applied one.
 */
async function measureEndToEnd(
  db: Db,
  shop: StockShop,
  origin: string,
  pids: Record<string, number>,
  { sent, turns }: Sizes,
): Promise<Figure> {
  await sendUpdates(origin, db, shop, Math.ceil(sent / 4))
  const runs: Run[] = []
  const before = await processorTimes(pids)
  for (let turn = 0; turn < turns; turn += 1) runs.push(await sendUpdates(origin, db, shop, sent))
  const after = await processorTimes(pids)
  const spent = Object.keys(pids).map((name) => [name, difference(before[name], after[name]) / sent / turns])
  return {
    what: 'inventory updates from request to stock level',
    unit: 'deliveries/s',
    value: median(runs.map(({ perSecond }) => perSecond)),
    target: { of: 'value', at: 'min', limit: 2_000 },
    detail: { sent, connections, runs, processorMsPerDelivery: Object.fromEntries(spent) },
  }
}

/** NaN when a time is unknown; JSON writes it as null. */
const difference = (before: number | null = null, after: number | null = null) =>
  before === null || after === null ? Number.NaN : after - before

async function processorTimes(pids: Record<string, number>): Promise<Record<string, number | null>> {
  const times = Object.entries(pids).map(async ([name, pid]) => [name, await processorTime(pid)] as const)
  return Object.fromEntries(await Promise.all(times))
}

const Run = Type.Object({
  deliveries: Type.Integer(),
  /** Deliveries per second from the first stored to the last applied. */
  perSecond: Type.Number(),
  /** Deliveries per second from the first stored to the last stored. */
  storedPerSecond: Type.Number(),
  /** Milliseconds from the transaction that stored a delivery to the one that applied it. */
  waitedMs: Type.Object({ p50: Type.Number(), p99: Type.Number() }),
  appliedInSecond: Type.Array(Type.Integer()),
})
type Run = Static<typeof Run>

async function sendUpdates(origin: string, db: Db, shop: StockShop, count: number): Promise<Run> {
  const after = await db.oneFirst(sql.typeAlias('id')`
    select coalesce(max(id), 0) + 1 as id from webhook_delivery where shop_id = ${shop.shopId}
  `)
  const requests = shop.nextUpdates(count).map((update) => toRequest(shop, update))
  await load({ url: origin, connections, requests })
  await untilApplied(db, shop)
  const run = await db.one(sql.type(row(Run))`${describeRun(shop.shopId, after)}`)
  if (run.deliveries !== count) throw new Error(`${run.deliveries} of ${count} deliveries were stored`)
  await shop.checkLevels()
  return run
}

const describeRun = (shopId: number, after: number) => sql.fragment`
  with delivery as (
    select received_at, settled_at, extract(epoch from settled_at - received_at) * 1000 as waited
    from webhook_delivery
    where shop_id = ${shopId} and id >= ${after}
  ),
  span as (
    select count(*) as deliveries, min(received_at) as began_at,
      extract(epoch from clock_timestamp() - min(received_at)) as seconds,
      extract(epoch from max(received_at) - min(received_at)) as storing_seconds
    from delivery
  )
  select deliveries, deliveries / seconds as per_second, deliveries / storing_seconds as stored_per_second,
    (
      select jsonb_build_object(
        'p50', percentile_cont(0.5) within group (order by waited),
        'p99', percentile_cont(0.99) within group (order by waited)
      )
      from delivery
    ) as waited_ms,
    (
      select jsonb_agg(applied order by second)
      from (
        select floor(extract(epoch from d.settled_at - s.began_at)) as second, count(*) as applied
        from delivery d, span s
        group by 1
      ) seconds
    ) as applied_in_second
  from span
`

/** Waits at most a minute until no delivery is pending. Throws unless all were applied. */
async function untilApplied(db: Db, { shopId }: StockShop): Promise<void> {
  const hasAny = (states: string[]) =>
    db.exists(sql.typeAlias('void')`
      select from webhook_delivery where shop_id = ${shopId} and state = any(${sql.array(states, 'text')})
    `)
  const deadline = performance.now() + 60_000
  while (await hasAny(['received'])) {
    if (performance.now() > deadline) throw new Error('Deliveries are still pending after a minute')
    await sleep(10)
  }
  if (await hasAny(['ignored', 'rejected', 'failed'])) throw new Error('Not every delivery was applied')
}

if (import.meta.main) await runBench('inventory-updates', measureInventoryUpdates)
