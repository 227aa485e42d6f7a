import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Type } from '@sinclair/typebox'
import { growShop, withoutTimeouts } from '../dev/demo/large-shop.ts'
import { loadConfig } from '../shared/config.ts'
import { type DatabasePool, openDb, row, sql } from '../shared/db/db.ts'
import { listPurchaseOrders } from '../shared/domain/documents/purchase-orders/list/list.ts'
import { getPurchaseOrder } from '../shared/domain/documents/purchase-orders/purchase-orders.ts'
import { listStockLevels } from '../shared/domain/ledgers/stock/levels.ts'
import { getSupplier, listSuppliers } from '../shared/domain/records/suppliers/suppliers.ts'
import type { BareRoutes } from './baselines/api-server.ts'
import { type Read, recordWrites, toBareRead } from './support/bare-routes.ts'
import { type BenchOptions, runBench } from './support/command.ts'
import type { Figure } from './support/figures.ts'
import { type LoadRequest, load } from './support/load.ts'
import { findPgbench, pgbench } from './support/pgbench.ts'
import { alternate, median } from './support/rounds.ts'
import {
  type BenchShop,
  type BenchSystem,
  environment,
  makeBenchShop,
  withBenchSystem,
} from './support/system.ts'

const connections = 16
const poolSize = 4
/** Each connection sets its own 25 levels. */
const levels = 25 * connections

const reads: Read[] = [
  {
    what: 'GET 100 suppliers',
    path: '/api/suppliers?limit=100',
    isList: true,
    work: (db, shopId) => listSuppliers(db, shopId, { limit: 100 }),
  },
  {
    what: 'GET 100 purchase orders',
    path: '/api/purchase-orders?limit=100',
    isList: true,
    work: (db, shopId) => listPurchaseOrders(db, shopId, { limit: 100 }),
  },
  {
    what: 'GET 100 stock levels',
    path: '/api/stock-levels?limit=100',
    isList: true,
    work: (db, shopId) => listStockLevels(db, shopId, { limit: 100 }),
  },
  {
    what: 'GET one supplier',
    path: '/api/suppliers/1',
    isList: false,
    work: (db, shopId) => getSupplier(db, shopId, 1),
  },
  {
    what: 'GET one purchase order of 10 lines',
    path: '/api/purchase-orders/1',
    isList: false,
    computed: ['warnings'],
    work: (db, shopId) => getPurchaseOrder(db, shopId, 1),
  },
]

/** Compares the API's routes with bare routes that run the same statements and return the same bodies. */
function measureApi({ isQuick }: BenchOptions): Promise<Figure[]> {
  const [rounds, seconds] = isQuick ? [1, 0.3] : [5, 3]
  return withBenchSystem(async (system) => {
    const db = await openDb(loadConfig(environment(system.databaseUrl)), poolSize)
    try {
      const shop = await makeBenchShop(db)
      await fillShop(system, shop)
      const headers = { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' }
      const own = await system.startServer('api/server.ts', { WEB_POOL_SIZE: String(poolSize) })
      const writes = await recordWrites(db, shop, '/api/stock-levels/bulk', await readLevelIds(db, shop))
      const bodies = await Promise.all(reads.map(({ path }) => bodyOf(own.origin + path, headers)))
      const bare = await startBare(system, {
        reads: await Promise.all(
          reads.map((read, index) => toBareRead(db, shop, read, JSON.parse(bodies[index] ?? ''))),
        ),
        writes: writes.map((write) => write.bare),
      })
      for (const [index, { path }] of reads.entries()) {
        // Postgres orders the fields of nested JSON differently, so compare values, not text.
        if (
          !isDeepStrictEqual(JSON.parse(await bodyOf(bare.origin + path)), JSON.parse(bodies[index] ?? ''))
        ) {
          throw new Error(`${path} returns another body`)
        }
      }

      const compare = async (
        what: string,
        limit: number,
        requests: { own: LoadRequest[]; bare: LoadRequest[] },
      ): Promise<Figure> => {
        const send = (url: string, requests: LoadRequest[]) =>
          load({ url, connections, seconds, requests, isShared: requests.length > 1 })
        const { subjects, baselines } = await alternate(rounds, {
          subject: () => send(own.origin, requests.own),
          baseline: () => send(bare.origin, requests.bare),
        })
        const rate = (results: typeof subjects) => median(results.map(({ perSecond }) => perSecond))
        return {
          what,
          unit: 'requests/s',
          value: rate(subjects),
          baseline: { what: 'bare Fastify and pg', value: rate(baselines) },
          target: { of: 'ratio', at: 'min', limit },
          detail: { connections, poolSize, subjects, baselines },
        }
      }
      const figures: Figure[] = []
      for (const { what, path } of reads) {
        const request: LoadRequest = { method: 'GET', path }
        figures.push(await compare(what, 0.6, { own: [{ ...request, headers }], bare: [request] }))
      }
      const requests = {
        own: writes.map(({ own }) => ({ ...own, headers })),
        bare: writes.map((write): LoadRequest => ({ method: 'PUT', path: write.bare.path })),
      }
      figures.push(await compare('PUT one stock level', 0.5, requests))
      const program = findPgbench()
      if (!program) {
        console.log('pgbench is not installed: the price of a write is not compared with a bare transaction')
        return figures
      }
      const rounded = await alternate(rounds, {
        subject: async () => {
          const sent = { url: own.origin, connections, seconds, requests: requests.own, isShared: true }
          return (await load(sent)).perSecond
        },
        baseline: () =>
          pgbench(program, system.databaseUrl, { script: bareWrite(shop), clients: poolSize, seconds }),
      })
      return [
        ...figures,
        {
          what: 'PUT one stock level, beside a bare transaction',
          unit: 'requests/s',
          value: median(rounded.subjects),
          baseline: { what: 'pgbench: update, insert, add_job', value: median(rounded.baselines) },
          target: { of: 'ratio', at: 'min', limit: 0.4 },
          detail: { connections, poolSize, ...rounded },
        },
      ]
    } finally {
      await db.end()
    }
  })
}

const fillShop = ({ databaseUrl }: BenchSystem, shop: BenchShop) =>
  withoutTimeouts(databaseUrl, async (db) => {
    await growShop(db, shop, { variants: 2_000, sales: 1_000, orders: 500 })
    // sessions keep the plans of `add_job`, which scan a small queue; no worker runs, whose analysis would renew them
    await db.query(sql.typeAlias('void')`
      select graphile_worker.add_job('push-stock', json_build_object('shopId', ${shop.shopId}::bigint))
      from generate_series(1, 2000)
    `)
    await db.query(sql.typeAlias('void')`vacuum analyze`)
  })

const Gid = Type.Object({ gid: Type.String() })

async function readLevelIds(db: DatabasePool, { shopId }: BenchShop) {
  const variantIds = await db.anyFirst(sql.type(row(Gid))`
    select gid from variant where shop_id = ${shopId} and is_tracked order by id limit ${levels}
  `)
  const locationId = await db.oneFirst(sql.type(row(Gid))`
    select gid from location where shop_id = ${shopId} and is_primary
  `)
  return { variantIds, locationId }
}

/** What a stock change cannot do without: the level, its movement and a job. The level is one of the first 400. */
const bareWrite = ({ shopId }: BenchShop) => `
  \\set variant random(1, ${levels})
  begin;
  update stock_level set quantity = quantity + 1, updated_at = now()
  where shop_id = ${shopId} and variant_id = :variant and location_id = 1;
  insert into stock_movement (shop_id, variant_id, location_id, previous_quantity, new_quantity, kind)
  values (${shopId}, :variant, 1, 0, 1, 'set');
  select id from graphile_worker.add_job('push-stock', json_build_object('shopId', ${shopId}), max_attempts => 14);
  commit;
`

async function startBare(system: BenchSystem, routes: BareRoutes) {
  const folder = await mkdtemp(join(tmpdir(), 'quartermaster-bench-'))
  try {
    const file = join(folder, 'routes.json')
    await writeFile(file, JSON.stringify(routes))
    const env = { ROUTES: file, POOL_SIZE: String(poolSize) }
    return await system.startServer('bench/baselines/api-server.ts', env)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function bodyOf(url: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(url, { headers })
  const body = await response.text()
  if (!response.ok) throw new Error(`${url}: ${body}`)
  return body
}

if (import.meta.main) await runBench('api', measureApi)
