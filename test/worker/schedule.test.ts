import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { type Db, openDb, row, sql } from '../../shared/db/db.ts'
import { enqueue } from '../../shared/queue/enqueue.ts'
import { jobs } from '../../shared/queue/jobs.ts'
import { lastSlot, tick, timers } from '../../worker/schedule.ts'
import { createDatabase, testConfig } from '../support/core/database.ts'
import { makeShop } from '../support/core/people.ts'
import { queuedJobs } from '../support/make/orders.ts'

const at = (text: string) => new Date(text)

t.test('a slot is the last due time of a timer', (t) => {
  t.same(lastSlot({ at: '04:00' }, at('2026-03-01T03:59:59Z')), at('2026-02-28T04:00:00Z'))
  t.same(lastSlot({ at: '04:00' }, at('2026-03-01T04:00:00Z')), at('2026-03-01T04:00:00Z'))
  t.same(lastSlot({ at: '04:00' }, at('2026-03-01T23:59:59Z')), at('2026-03-01T04:00:00Z'))
  const hourly = { at: '00:20', isHourly: true }
  t.same(lastSlot(hourly, at('2026-03-01T00:19:59Z')), at('2026-02-28T23:20:00Z'))
  t.same(lastSlot(hourly, at('2026-03-01T05:20:00Z')), at('2026-03-01T05:20:00Z'))
  t.end()
})

t.test('several schedulers make one job per slot, and missed slots are caught up once', async (t) => {
  const db = await openDb(testConfig(await createDatabase()), 10)
  t.teardown(() => db.end())
  const timer = { name: 'test', at: '04:00', enqueue: (tx: Db) => enqueue(tx, jobs.prune, {}) }
  const count = () =>
    db.oneFirst(sql.type(row(Type.Object({ count: Type.Integer() })))`
      select count(*) from graphile_worker.jobs where task_identifier = 'prune'
    `)
  const clocks = (now: string) => Promise.all(Array.from({ length: 8 }, () => tick(db, [timer], at(now))))

  await clocks('2026-03-01T04:00:01Z')
  await clocks('2026-03-01T09:00:00Z')
  t.equal(await count(), 1)
  await clocks('2026-03-05T12:00:00Z')
  t.equal(await count(), 2, 'one job for four days without a worker')
})

t.test('a slot whose jobs could not be added stays unclaimed', async (t) => {
  const db = await openDb(testConfig(await createDatabase()), 2)
  t.teardown(() => db.end())
  const broken = {
    name: 'test',
    at: '04:00',
    enqueue: async () => {
      throw new Error('the queue is unavailable')
    },
  }
  await t.rejects(tick(db, [broken], new Date()), /the queue is unavailable/)
  const enqueued: string[] = []
  const repaired = { ...broken, enqueue: async () => void enqueued.push('job') }
  await tick(db, [repaired], new Date())
  t.strictSame(enqueued, ['job'])
})

t.test('every timer has a unique name and a time of day', async (t) => {
  t.equal(new Set(timers.map(({ name }) => name)).size, timers.length)
  for (const { at: time } of timers) t.match(time, /^([01]\d|2[0-3]):[0-5]\d$/)
})

t.test('a failing timer does not delay the others', async (t) => {
  const db = await openDb(testConfig(await createDatabase()), 2)
  t.teardown(() => db.end())
  const enqueued: string[] = []
  const broken = { name: 'broken', at: '04:00', enqueue: () => Promise.reject(new Error('no luck')) }
  const fine = { name: 'fine', at: '04:00', enqueue: async () => enqueued.push('fine') }
  await t.rejects(tick(db, [broken, fine], new Date()), /no luck/)
  t.strictSame(enqueued, ['fine'])
})

/** Three workers with separate connections, whose schedulers run at the same time. */
async function startWorkers(t: Test) {
  const config = testConfig(await createDatabase())
  const pools = await Promise.all([1, 2, 3].map(() => openDb(config, 2)))
  t.teardown(() => Promise.all(pools.map((pool) => pool.end())))
  const [db] = pools
  if (!db) throw new Error('There is no worker')
  const tickAll = async (now: Date) => {
    await Promise.all(pools.map((pool) => tick(pool, timers, now)))
  }
  return {
    db,
    tickAll,
    /** Runs all schedulers every five minutes from one instant until another. */
    run: async (from: string, to: string) => {
      for (let now = at(from).getTime(); now < at(to).getTime(); now += 5 * 60_000)
        await tickAll(new Date(now))
    },
    /** The number of a shop's jobs of daily timers by task. */
    countJobs: async (shop: { shopId: number }) => {
      const daily = (await queuedJobs(db, shop)).filter(({ task }) => ofShops.includes(task))
      const counts = Map.groupBy(daily, ({ task }) => task)
      return Object.fromEntries([...counts].map(([task, ofTask]) => [task, ofTask.length]))
    },
  }
}

const ofAllShops = ['prune', 'project-deliveries']
const daily = timers.filter(({ isHourly }) => !isHourly).map(({ name }) => name)
const ofShops = daily.filter((name) => !ofAllShops.includes(name))
const each = (count: number) => Object.fromEntries(ofShops.map((name) => [name, count]))

t.test('three schedulers make one job per task, shop and slot over three days', async (t) => {
  const { db, run, countJobs } = await startWorkers(t)
  const alice = await makeShop(db, 'alice')
  await run('2026-03-01T06:00:00Z', '2026-03-02T00:00:00Z')
  t.strictSame(await countJobs(alice), each(1), 'slots before the first run are caught up')
  const mallory = await makeShop(db, 'mallory')
  await run('2026-03-02T00:00:00Z', '2026-03-04T06:00:00Z')
  t.strictSame(await countJobs(alice), each(4))
  t.strictSame(await countJobs(mallory), each(3), 'a shop installed in between gets the later slots')
  const slots = await db.oneFirst(sql.type(row(Type.Object({ count: Type.Integer() })))`
    select count(*) from schedule_slot where name = any(${sql.array(daily, 'text')})
  `)
  t.equal(slots, 4 * daily.length)
})

t.test('slots missed without a worker make one job after the restart', async (t) => {
  const { db, tickAll, run, countJobs } = await startWorkers(t)
  const alice = await makeShop(db, 'alice')
  await tickAll(at('2026-03-01T06:00:00Z'))
  await run('2026-03-02T00:00:00Z', '2026-03-02T04:55:00Z')
  t.match(await countJobs(alice), { 'verify-stock': 2, 'check-low-stock': 1 })
  await tickAll(at('2026-03-02T09:00:00Z'))
  t.strictSame(await countJobs(alice), each(2), 'two slots later')
  await run('2026-03-06T12:00:00Z', '2026-03-06T13:00:00Z')
  t.strictSame(await countJobs(alice), each(3), 'four days later')
})
