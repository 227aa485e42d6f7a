import { createHmac, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { loadConfig } from '../shared/config.ts'
import { type DatabasePool, openDb, row, sql } from '../shared/db/db.ts'
import { type BenchOptions, runBench } from './support/command.ts'
import type { Figure } from './support/figures.ts'
import { type LoadRequest, type LoadResult, load } from './support/load.ts'
import { processorTime } from './support/processor-time.ts'
import { median, takeTurns } from './support/rounds.ts'
import {
  type BenchProcess,
  type BenchShop,
  type BenchSystem,
  benchKeys,
  environment,
  makeBenchShop,
  postmasterOf,
  withBenchSystem,
} from './support/system.ts'

const connections = 64
const poolSize = 4
/** About the size of an order with a few lines. */
const payload = JSON.stringify({
  id: 1,
  created_at: '2026-11-01T10:00:00+01:00',
  line_items: Array.from({ length: 5 }, (_, at) => ({ id: at, variant_id: at, quantity: 1, title: 'Mug' })),
  note: 'x'.repeat(2_000),
})

/**
 * Compares `POST /webhooks` with three other servers: itself with one transaction per delivery, itself without a
 * database, and a bare server.
 */
function measureWebhooks({ isQuick }: BenchOptions): Promise<Figure[]> {
  const [rounds, seconds] = isQuick ? [1, 1] : [5, 4]
  return withBenchSystem(async (system) => {
    const db = await openDb(loadConfig(environment(system.databaseUrl)), poolSize)
    try {
      const shop = await makeBenchShop(db)
      const env = {
        WEB_POOL_SIZE: String(poolSize),
        POOL_SIZE: String(poolSize),
        SHOP_ID: String(shop.shopId),
      }
      const servers = {
        ours: await system.startServer('api/server.ts', env),
        oneByOne: await system.startServer('bench/baselines/webhook-server-one-by-one.ts', env),
        bare: await system.startServer('bench/baselines/webhook-server.ts', env),
        withoutDatabase: await system.startServer('bench/baselines/webhook-server-without-database.ts', env),
      }
      const postmaster = await postmasterOf(system)
      const turnOf = (server: BenchProcess) => async () => {
        const requests = [delivery(shop, '{unique}')]
        const spent = () => Promise.all([server.pid, postmaster].map(processorTime))
        const before = await spent()
        const result = await load({ url: server.origin, connections, seconds, requests })
        const [web, postgres] = (await spent()).map(
          (ms, at) => ((ms ?? NaN) - (before[at] ?? NaN)) / result.answered,
        )
        await empty(db)
        return { ...result, processorMsPerDelivery: { web, postgres } }
      }
      const turns = Object.values(servers).map(turnOf)
      // a server needs more than the one warm-up turn until all its code is compiled
      if (!isQuick) await takeTurns(1, turns)
      const [ours = [], oneByOne = [], bare = [], withoutDatabase = []] = await takeTurns(rounds, turns)
      await servers.oneByOne.stop()
      await servers.bare.stop()
      await servers.withoutDatabase.stop()
      const rate = (results: readonly LoadResult[]) => median(results.map(({ perSecond }) => perSecond))
      const p99 = (results: readonly LoadResult[]) => median(results.map((result) => result.p99))
      const value = rate(ours)
      return [
        {
          what: 'POST /webhooks, 64 connections',
          unit: 'requests/s',
          value,
          baseline: { what: 'one transaction per delivery', value: rate(oneByOne) },
          target: { of: 'ratio', at: 'min', limit: 6 },
          detail: { ours, oneByOne, bare, withoutDatabase },
        },
        {
          what: 'POST /webhooks, 64 connections',
          unit: 'requests/s',
          value,
          baseline: { what: 'bare server, one transaction per delivery', value: rate(bare) },
        },
        {
          what: 'POST /webhooks, 64 connections',
          unit: 'requests/s',
          value,
          baseline: { what: 'without a database', value: rate(withoutDatabase) },
          target: { of: 'ratio', at: 'min', limit: 0.7 },
        },
        {
          what: 'POST /webhooks, p99',
          unit: 'ms',
          value: p99(ours),
          baseline: { what: 'one transaction per delivery', value: p99(oneByOne) },
          target: { of: 'value', at: 'max', limit: 40 },
        },
        await measureDurability(system, db, shop, servers.ours.origin, isQuick ? 1 : 3),
      ]
    } finally {
      await db.end()
    }
  })
}

/** Kills Postgres under load and counts acknowledged deliveries that are not stored. */
async function measureDurability(
  system: BenchSystem,
  db: DatabasePool,
  shop: BenchShop,
  origin: string,
  kills: number,
): Promise<Figure> {
  const acknowledged: string[] = []
  for (let kill = 0; kill < kills; kill += 1) {
    const ending = new AbortController()
    const senders = Array.from({ length: connections }, () =>
      sendUntil(ending.signal, origin, shop, acknowledged),
    )
    await sleep(1_500)
    const before = acknowledged.length
    await killPostgres(system)
    await sleep(200)
    ending.abort()
    await Promise.all(senders)
    if (before === 0) throw new Error('The server acknowledged no delivery before Postgres was killed')
    await system.postgres.restart()
  }
  const lost = await db.oneFirst(sql.type(row(Type.Object({ count: Type.Integer() })))`
    select count(*)
    from unnest(${sql.array(acknowledged, 'text')}) as acknowledged (webhook_id)
    where not exists (
      select from webhook_delivery d where d.shop_id = ${shop.shopId} and d.webhook_id = acknowledged.webhook_id
    )
  `)
  return {
    what: 'Acknowledged but lost after kill -9 of Postgres',
    unit: '',
    value: lost,
    target: { of: 'value', at: 'max', limit: 0 },
    detail: { kills, acknowledged: acknowledged.length },
  }
}

async function sendUntil(signal: AbortSignal, origin: string, shop: BenchShop, acknowledged: string[]) {
  while (!signal.aborted) {
    const id = randomUUID()
    const { method, path, headers, body } = delivery(shop, id)
    const response = await fetch(origin + path, { method, headers, body }).catch(() => undefined)
    await response?.arrayBuffer().catch(() => {})
    if (response?.ok) acknowledged.push(id)
  }
}

/** Kills the server and its children, as a power failure would (without data loss on the disk). */
async function killPostgres(system: BenchSystem): Promise<void> {
  const pid = await postmasterOf(system)
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const all = [pid, ...(children.match(/\d+/g) ?? []).map(Number)].filter(isAlive)
  for (const pid of all) process.kill(pid, 'SIGKILL')
  while (all.some(isAlive)) await sleep(20)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function delivery({ domain }: BenchShop, id: string): Required<LoadRequest> {
  return {
    method: 'POST',
    path: '/webhooks',
    headers: {
      'content-type': 'application/json',
      'x-platform-topic': 'orders/create',
      'x-platform-shop-domain': domain,
      'x-platform-webhook-id': id,
      'x-platform-triggered-at': '2026-11-01T09:00:00Z',
      'x-platform-hmac-sha256': signature,
    },
    body: payload,
  }
}

const signature = createHmac('sha256', benchKeys.PLATFORM_API_SECRET).update(payload).digest('base64')

/** Pending deliveries and jobs would slow down the next turn. */
async function empty(db: DatabasePool): Promise<void> {
  await db.query(sql.typeAlias('void')`truncate webhook_delivery, graphile_worker._private_jobs`)
}

if (import.meta.main) await runBench('webhooks', measureWebhooks)
