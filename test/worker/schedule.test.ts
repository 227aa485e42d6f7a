import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { type Db, openDb, row, sql } from '../../shared/db/db.ts'
import { enqueue } from '../../shared/queue/enqueue.ts'
import { jobs } from '../../shared/queue/jobs.ts'
import { lastSlot, nightly, tick, timers } from '../../worker/schedule.ts'
import { createDatabase, testConfig } from '../support/core/database.ts'
import { queuedJobs } from '../support/core/jobs.ts'
import { makeShop } from '../support/core/people.ts'
import { setTimeZone } from '../support/make/sales.ts'

const at = (text: string) => new Date(text)

t.test('a slot is the last due time of a timer', (t) => {
  t.same(lastSlot({ at: '04:00' }, at('2026-03-01T03:59:59Z')), at('2026-02-28T04:00:00Z'))
  t.same(lastSlot({ at: '04:00' }, at('2026-03-01T04:00:00Z')), at('2026-03-01T04:00:00Z'))
  t.same(lastSlot({ at: '04:00' }, at('2026-03-01T23:59:59Z')), at('2026-03-01T04:00:00Z'))
  t.same(lastSlot({ at: '*:10' }, at('2026-03-01T00:09:59Z')), at('2026-02-28T23:10:00Z'))
  t.same(lastSlot({ at: '*:10' }, at('2026-03-01T00:10:00Z')), at('2026-03-01T00:10:00Z'))
  t.same(lastSlot({ at: '*:10' }, at('2026-03-01T23:59:59Z')), at('2026-03-01T23:10:00Z'))
  t.end()
})

t.test('the night compares the stock with the platform well before it rolls up demand', (t) => {
  const minutesOf = (name: string) => nightly.find(({ job }) => job.name === name)?.minutes ?? Number.NaN
  t.ok(minutesOf(jobs.rollUpDemand.name) - minutesOf(jobs.reconcileStock.name) >= 20)
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

t.test('every timer has a unique name and a time of day or of every hour', async (t) => {
  t.equal(new Set(timers.map(({ name }) => name)).size, timers.length)
  for (const { at: time } of timers) t.match(time, /^([01]\d|2[0-3]|\*):[0-5]\d$/)
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

/** Workers with separate connections, whose schedulers run at the same time. */
async function startWorkers(t: Test, count = 1) {
  const config = testConfig(await createDatabase())
  const pools = await Promise.all(Array.from({ length: count }, () => openDb(config, 2)))
  t.teardown(() => Promise.all(pools.map((pool) => pool.end())))
  const [db] = pools
  if (!db) throw new Error('There is no worker')
  const tickAll = async (now: Date) => {
    await Promise.all(pools.map((pool) => tick(pool, timers, now)))
  }
  return {
    db,
    tickAll,
    /** Runs all schedulers every 15 minutes from one instant until another. */
    run: async (from: string, to: string) => {
      for (let now = at(from).getTime(); now < at(to).getTime(); now += 15 * 60_000)
        await tickAll(new Date(now))
    },
    /** The number of a shop's nightly jobs and overdue checks, by task. */
    countJobs: async (shop: { shopId: number }) => {
      const counted = (await queuedJobs(db, shop)).filter(({ task }) => task in each(1) || task === overdue)
      const counts = Map.groupBy(counted, ({ task }) => task)
      return Object.fromEntries([...counts].map(([task, ofTask]) => [task, ofTask.length]))
    },
  }
}

/** Without repairs of subscriptions, which an hourly timer enqueues, too. */
const each = (count: number) =>
  Object.fromEntries(
    nightly.filter(({ job }) => job !== jobs.repairWebhookSubscriptions).map(({ job }) => [job.name, count]),
  )
const overdue = jobs.checkOverduePurchaseOrders.name

t.test(
  'three schedulers make one night per shop and date over three days, and one check per hour',
  async (t) => {
    const { db, run, countJobs } = await startWorkers(t, 3)
    const alice = await makeShop(db, 'alice')
    await run('2026-03-01T06:00:00Z', '2026-03-02T00:00:00Z')
    t.strictSame(
      await countJobs(alice),
      { ...each(1), [overdue]: 19 },
      'slots before the first run are caught up',
    )
    const mallory = await makeShop(db, 'mallory')
    await run('2026-03-02T00:00:00Z', '2026-03-04T06:00:00Z')
    t.strictSame(await countJobs(alice), { ...each(4), [overdue]: 19 + 54 })
    t.strictSame(
      await countJobs(mallory),
      { ...each(3), [overdue]: 54 },
      'also of a shop installed in between',
    )
    const slots = await db.oneFirst(sql.type(row(Type.Object({ count: Type.Integer() })))`
    select count(*) from schedule_slot
  `)
    t.equal(slots, 2 * 4 + 8 * 72 + 6, 'two timers are daily, and eight hourly')
  },
)

t.test('a worker that was down over midnight starts one night, and one check', async (t) => {
  const { db, tickAll, run, countJobs } = await startWorkers(t)
  const alice = await makeShop(db, 'alice')
  await setTimeZone(db, alice, 'Europe/Paris')
  await run('2026-03-01T20:00:00Z', '2026-03-01T22:55:00Z')
  t.strictSame(await countJobs(alice), { ...each(1), [overdue]: 4 })
  await tickAll(at('2026-03-02T09:05:00Z'))
  t.strictSame(await countJobs(alice), { ...each(2), [overdue]: 5 }, 'ten hours after midnight')
  await tickAll(at('2026-03-02T09:08:00Z'))
  await tickAll(at('2026-03-06T12:00:00Z'))
  t.strictSame(await countJobs(alice), { ...each(3), [overdue]: 6 }, 'four days later')
})

/** The instants, of those given, at which a night of the shop starts; a tick runs every hour in between. */
async function nightsOf(t: Test, changes: [instant: string, timeZone: string][], until: string) {
  const { db, tickAll, countJobs } = await startWorkers(t)
  const alice = await makeShop(db, 'alice')
  const due = new Map(changes)
  const nights: string[] = []
  let before = 0
  for (let now = at(changes[0]?.[0] ?? until); now <= at(until); now = new Date(now.getTime() + 3_600_000)) {
    const timeZone = due.get(now.toISOString().slice(0, 16))
    if (timeZone) await setTimeZone(db, alice, timeZone)
    await tickAll(now)
    const { [jobs.verifyStock.name]: count = 0 } = await countJobs(alice)
    if (count > before) nights.push(now.toISOString().slice(0, 16))
    t.ok(count - before <= 1, 'at most one night starts')
    before = count
  }
  return nights
}

t.test("the night starts after the shop's own midnight, also where clocks change", async (t) => {
  const nights: [place: string, timeZone: string, from: string, until: string, nights: string[]][] = [
    ['UTC', 'UTC', '2026-03-01T05:00', '2026-03-02T23:00', ['2026-03-01T05:00', '2026-03-02T00:00']],
    [
      'east',
      'Pacific/Auckland',
      '2026-03-01T05:00',
      '2026-03-02T10:00',
      ['2026-03-01T05:00', '2026-03-01T11:00'],
    ],
    [
      'west',
      'America/New_York',
      '2026-03-01T05:00',
      '2026-03-02T10:00',
      ['2026-03-01T05:00', '2026-03-02T05:00'],
    ],
    [
      '+05:45',
      'Asia/Kathmandu',
      '2026-03-01T05:00',
      '2026-03-02T10:00',
      ['2026-03-01T05:00', '2026-03-01T19:00'],
    ],
    // in Cairo 2026-04-24 begins at 01:00, which is 22:00 UTC
    [
      'no midnight',
      'Africa/Cairo',
      '2026-04-23T05:00',
      '2026-04-24T20:00',
      ['2026-04-23T05:00', '2026-04-23T22:00'],
    ],
    // in Havana 2026-11-01 has the hour after midnight twice, at 04:00 and 05:00 UTC
    [
      'two midnights',
      'America/Havana',
      '2026-10-31T12:00',
      '2026-11-02T04:00',
      ['2026-10-31T12:00', '2026-11-01T04:00'],
    ],
  ]
  for (const [place, timeZone, from, until, expected] of nights) {
    t.strictSame(await nightsOf(t, [[from, timeZone]], `${until}Z`), expected, place)
  }
})

t.test('a new time zone starts no night of a date that had one', async (t) => {
  const nights = await nightsOf(
    t,
    [
      ['2026-03-01T08:00', 'UTC'],
      ['2026-03-01T15:00', 'Pacific/Auckland'], // 2026-03-02 has begun there
      ['2026-03-01T18:00', 'America/New_York'], // 2026-03-01 again, and then 2026-03-02
    ],
    '2026-03-03T12:00Z',
  )
  t.strictSame(nights, ['2026-03-01T08:00', '2026-03-01T15:00', '2026-03-03T05:00'])
})

t.test('shops of other time zones, and uninstalled ones, have their own nights or none', async (t) => {
  const { db, tickAll, countJobs } = await startWorkers(t)
  const [alice, mallory] = [await makeShop(db, 'alice'), await makeShop(db, 'mallory')]
  await setTimeZone(db, alice, 'Asia/Tokyo')
  await setTimeZone(db, mallory, 'Nowhere/Unknown')
  await tickAll(at('2026-03-01T12:00:00Z'))
  await tickAll(at('2026-03-01T15:00:00Z'))
  t.strictSame(await countJobs(alice), { ...each(2), [overdue]: 2 })
  t.strictSame(await countJobs(mallory), { ...each(1), [overdue]: 2 })
  await db.query(sql.typeAlias('void')`update shop set uninstalled_at = now() where id = ${alice.shopId}`)
  await tickAll(at('2026-03-02T15:00:00Z'))
  t.strictSame(await countJobs(alice), { ...each(2), [overdue]: 2 })
  t.strictSame(await countJobs(mallory), { ...each(2), [overdue]: 3 }, 'an unknown time zone counts as UTC')
})
