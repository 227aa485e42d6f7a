import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../shared/db/db.ts'
import { createDatabase } from '../support/core/database.ts'
import { startOwnPostgres, startProxy, type TestProxy } from '../support/core/postgres.ts'
import { startSupervised } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'
import { expectPromised, isFull, rounds, startClock } from '../support/faults/faults.ts'
import { isApplied, openBusyShop, startWeb } from '../support/make/busy-shop.ts'

type Outage = {
  start: (proxy: TestProxy) => unknown
  end: (proxy: TestProxy) => unknown
  downMs: number
  times: number
  /** True when all writes fail during the outage; otherwise some may succeed. */
  isAway: boolean
  /** The maximum time until web responds 503, and until it serves again after the outage. */
  refusesMs?: number
  servesMs?: number
  /** The maximum time until the worker applies deliveries again after the outage. */
  worksMs?: number
}

const Webhook = Type.Object({ webhookId: Type.String() })

/** Runs jobs of all kinds and continuous deliveries through repeated outages of the database. */
async function runThroughOutages(
  t: Test,
  database: string,
  { start, end, downMs, times, isAway, refusesMs = 2_000, servesMs = 3_000, worksMs = 15_000 }: Outage,
): Promise<void> {
  const shop = await openBusyShop(t, database)
  shop.mailService.faults.set({ mailDelayMs: 500 })
  const proxy = await startProxy(t, database)
  const env = { ...shop.env, DATABASE_URL: proxy.url }
  const worker = startSupervised(t, 'worker/main.ts', env)
  const { web, deliver, deliverSteadily, ready, acknowledged } = await startWeb(t, env, shop.alice)
  const first = await deliver()
  await until(() => isApplied(shop.db, first.webhookId), 'the first delivery is applied')
  const [refusals, webTimes, workerTimes]: number[][] = [[], [], []]

  for (let round = 0; round < times; round += 1) {
    await until(
      async () => shop.work({ mails: 3, deliveries: 12, pushes: 5 }).then(() => true),
      'jobs are added',
    )
    await until(async () => {
      if ((await shop.running()).length > 0) return true
      // on a busy machine all jobs may be done before the first look
      await shop.work({ mails: 1, deliveries: 4, pushes: 2 })
      return false
    }, 'jobs run')
    const stop = deliverSteadily()
    await sleep(Math.random() * 300)
    await start(proxy)
    const isDown = sleep(downMs)
    if (isAway) t.equal(await ready(), 503, 'web reports that it is not ready')
    await isDown
    await end(proxy)
    const sinceEnd = startClock()
    const back = await until(async () => {
      const response = await deliver()
      return response.status === 200 && response
    }, 'web accepts deliveries')
    webTimes?.push(sinceEnd())
    await until(() => isApplied(shop.db, back.webhookId), 'the worker applies them')
    workerTimes?.push(sinceEnd())
    const responses = await stop()
    t.strictSame(
      responses.filter(({ status }) => status !== 200 && status !== 503),
      [],
      'all other responses are 503',
    )
    refusals?.push(...responses.filter(({ status }) => status === 503).map(({ ms }) => ms))
  }
  await until(() => shop.isSettled().catch(() => false), 'all work is done', 300_000)
  const stored = await shop.db.any(sql.type(row(Webhook))`
    select webhook_id from webhook_delivery where shop_id = ${shop.alice.shopId} and state = 'applied'
  `)
  const applied = new Set(stored.map(({ webhookId }) => webhookId))
  t.strictSame(
    [...acknowledged].filter((id) => !applied.has(id)),
    [],
    `all ${acknowledged.size} acknowledged deliveries are applied`,
  )
  await shop.expectEachEffectOnce()
  t.comment(`the worker was restarted ${worker.exits.length} times`)
  const reasons = [...worker.output().matchAll(/"level":60.*?"message":"([^"]*)"/g)].map((match) => match[1])
  for (const [reason, all] of Map.groupBy(reasons, (reason) => reason))
    t.comment(`${all.length} times: ${reason}`)
  t.comment(`the worker worked again after ${workerTimes?.join(' ')} ms`)
  expectPromised(t, '503 after', refusals ?? [], refusesMs + 500)
  expectPromised(t, 'web serves again after', webTimes ?? [], servesMs)
  expectPromised(t, 'the worker works again after', workerTimes ?? [], worksMs)
  web.kill('SIGTERM')
  t.equal(await web.ended, 0)
  t.equal(await worker.stop(), 0)
}

const long = { skip: !isFull && 'npm run test:faults' }

t.test('Postgres is restarted with jobs in flight', async (t) => {
  const postgres = await startOwnPostgres(t)
  let restarts = 0
  await runThroughOutages(t, postgres.database, {
    start: () => postgres.stop(restarts++ % 2 === 0 ? 'fast' : 'immediate'),
    end: () => postgres.restart(),
    downMs: 2_000,
    times: rounds(20, 2),
    isAway: true,
  })
})

t.test('all connections are closed repeatedly for a while', long, async (t) => {
  const postgres = await startOwnPostgres(t)
  await runThroughOutages(t, postgres.database, {
    start: async () => {
      const isOver = AbortSignal.timeout(1_500)
      while (!isOver.aborted) await postgres.terminateAll()
    },
    end: () => {},
    downMs: 0,
    times: rounds(10, 1),
    isAway: false,
  })
})

t.test('the network drops all packets', async (t) => {
  await runThroughOutages(t, await createDatabase('template', t), {
    start: (proxy) => proxy.swallow(),
    end: (proxy) => proxy.pass(),
    downMs: 12_000,
    times: rounds(5, 1),
    isAway: true,
    // a query sent before may take its 8 s; only after that web knows of the outage
    refusesMs: 10_000,
    servesMs: 15_000,
    // a process that is starting has no failure detection yet: each of its first steps waits for its own timeout
    worksMs: 30_000,
  })
})

t.test('the database is unreachable for a minute', long, async (t) => {
  await runThroughOutages(t, await createDatabase('template', t), {
    start: (proxy) => proxy.refuse(),
    end: (proxy) => proxy.pass(),
    downMs: 60_000,
    times: rounds(2, 1),
    isAway: true,
  })
})

t.test('the database is read-only', long, async (t) => {
  const postgres = await startOwnPostgres(t)
  await runThroughOutages(t, postgres.database, {
    start: () => postgres.allowWriting(false),
    end: () => postgres.allowWriting(true),
    downMs: 10_000,
    times: rounds(3, 1),
    isAway: false,
  })
})
