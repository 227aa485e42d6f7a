import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../shared/db/db.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/core/own-postgres.ts'
import { until } from '../support/core/processes.ts'
import { startProxy, type TestProxy } from '../support/core/proxy.ts'
import { isApplied, startWeb } from '../support/core/web-probe.ts'
import { isFull, report, rounds, within } from '../support/faults/faults.ts'
import { openBusyShop } from '../support/make/busy-shop.ts'
import { keep } from '../support/make/keeper.ts'

t.setTimeout(2_400_000)

type Fault = {
  hit: (postgres: OwnPostgres, proxy: TestProxy) => unknown
  mend: (postgres: OwnPostgres, proxy: TestProxy) => unknown
  downMs: number
  times: number
  /** Whether writes fail until it is mended; else they may fail. */
  isAway: boolean
  /** Within which web says that it cannot, and serves again. */
  refusesMs?: number
  servesMs?: number
  /** Within which the worker works again. */
  worksMs?: number
}

const Webhook = Type.Object({ webhookId: Type.String() })

/** Work of all kinds and deliveries all the time, while the database does what it does. */
async function suffer(
  t: Test,
  { hit, mend, downMs, times, isAway, refusesMs = 2_000, servesMs = 3_000, worksMs = 15_000 }: Fault,
): Promise<void> {
  const postgres = await startOwnPostgres(t)
  const shop = await openBusyShop(t, postgres.database)
  shop.mailService.faults.set({ mailDelayMs: 500 })
  const proxy = await startProxy(t, postgres.database)
  const env = { ...shop.env, DATABASE_URL: proxy.url }
  const worker = keep(t, 'worker/main.ts', env)
  const { web, deliver, deliverSteadily, ready, acknowledged } = await startWeb(t, env, shop.alice)
  const first = await deliver()
  await until(() => isApplied(shop.db, first.webhookId), 'it works')
  const [refusals, webTimes, workerTimes]: number[][] = [[], [], []]

  for (let round = 0; round < times; round += 1) {
    await until(
      async () => shop.work({ mails: 3, deliveries: 12, pushes: 5 }).then(() => true),
      'there is work',
    )
    await until(async () => (await shop.running()).length > 0, 'jobs run')
    const stop = deliverSteadily()
    await sleep(Math.random() * 300)
    await hit(postgres, proxy)
    const hitAt = Date.now()
    if (isAway) t.equal(await ready(), 503, 'it says that it is not ready')
    await sleep(Math.max(0, downMs - (Date.now() - hitAt)))
    await mend(postgres, proxy)
    const mendedAt = Date.now()
    const back = await until(async () => {
      const answer = await deliver()
      return answer.status === 200 && answer
    }, 'web takes deliveries')
    webTimes?.push(Date.now() - mendedAt)
    await until(() => isApplied(shop.db, back.webhookId), 'the worker applies them')
    workerTimes?.push(Date.now() - mendedAt)
    const answers = await stop()
    t.strictSame(
      answers.filter(({ status }) => status !== 200 && status !== 503),
      [],
      'every other answer is 503',
    )
    refusals?.push(...answers.filter(({ status }) => status === 503).map(({ ms }) => ms))
  }
  await until(() => shop.isSettled().catch(() => false), 'all is done', 120_000)
  const stored = await shop.db.any(sql.type(row(Webhook))`
    select webhook_id from webhook_delivery where shop_id = ${shop.alice.shopId} and state = 'applied'
  `)
  const applied = new Set(stored.map(({ webhookId }) => webhookId))
  t.strictSame(
    [...acknowledged].filter((id) => !applied.has(id)),
    [],
    `all ${acknowledged.size} acknowledged are applied`,
  )
  await shop.expectOnce()
  t.comment(`the worker was started again ${worker.ends.length} times`)
  const reasons = [...worker.output().matchAll(/"level":60.*?"message":"([^"]*)"/g)].map((match) => match[1])
  for (const [reason, all] of Map.groupBy(reasons, (one) => one)) t.comment(`${all.length} times: ${reason}`)
  t.comment(`the worker worked again after ${workerTimes?.join(' ')} ms`)
  const refused = report(t, '503 after', refusals ?? [])
  const web503 = report(t, 'web serves again after', webTimes ?? [])
  const again = report(t, 'the worker works again after', workerTimes ?? [])
  t.ok(refused.max <= within(refusesMs + 500), `web says so within ${refusesMs} ms`)
  t.ok(web503.max <= within(servesMs), `web is back within ${servesMs} ms`)
  t.ok(again.max <= within(worksMs), `the worker is back within ${worksMs} ms`)
  web.kill('SIGTERM')
  t.equal(await web.ended, 0)
  t.equal(await worker.stop(), 0)
}

const most = { timeout: 1_200_000 }
const long = { ...most, skip: !isFull && 'npm run test:faults' }

t.test('Postgres is restarted with jobs in flight', most, async (t) => {
  let restarts = 0
  await suffer(t, {
    hit: (postgres) => postgres.stop(restarts++ % 2 === 0 ? 'fast' : 'immediate'),
    mend: (postgres) => postgres.startAgain(),
    downMs: 2_000,
    times: rounds(20, 2),
    isAway: true,
  })
})

t.test('all connections are ended again and again for a while', long, async (t) => {
  await suffer(t, {
    hit: async (postgres) => {
      for (const end = Date.now() + 1_500; Date.now() < end; ) await postgres.terminateAll()
    },
    mend: () => {},
    downMs: 0,
    times: rounds(10, 1),
    isAway: false,
  })
})

t.test('the network swallows everything without a word', most, async (t) => {
  await suffer(t, {
    hit: (_, proxy) => proxy.swallow(),
    mend: (_, proxy) => proxy.pass(),
    downMs: 12_000,
    times: rounds(5, 1),
    isAway: true,
    // what was asked before may take 8 s by right: only then silence is a fault
    refusesMs: 10_000,
    servesMs: 15_000,
    // a process that just starts has no fence yet: each of its first steps waits as long as it may
    worksMs: 30_000,
  })
})

t.test('the database cannot be reached for a minute', long, async (t) => {
  await suffer(t, {
    hit: (_, proxy) => proxy.refuse(),
    mend: (_, proxy) => proxy.pass(),
    downMs: 60_000,
    times: rounds(2, 1),
    isAway: true,
  })
})

t.test('the database can only be read', long, async (t) => {
  await suffer(t, {
    hit: (postgres) => postgres.allowWriting(false),
    mend: (postgres) => postgres.allowWriting(true),
    downMs: 10_000,
    times: rounds(3, 1),
    isAway: false,
  })
})
