import { Type } from '@sinclair/typebox'
import t from 'tap'
import { type Db, openDb, row, sql } from '../../shared/db.ts'
import { jobs } from '../../shared/jobs.ts'
import { enqueue } from '../../shared/queue.ts'
import { lastSlot, tick, timers } from '../../worker/schedule.ts'
import { createDatabase, testConfig } from '../support/database.ts'

const at = (text: string) => new Date(text)

t.test('a slot is the last time that the timer was due', (t) => {
  t.same(lastSlot({ at: '04:00' }, at('2026-03-01T03:59:59Z')), at('2026-02-28T04:00:00Z'))
  t.same(lastSlot({ at: '04:00' }, at('2026-03-01T04:00:00Z')), at('2026-03-01T04:00:00Z'))
  t.same(lastSlot({ at: '04:00' }, at('2026-03-01T23:59:59Z')), at('2026-03-01T04:00:00Z'))
  t.end()
})

t.test('any number of clocks make one job of a slot, and a missed slot is caught up once', async (t) => {
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

t.test('a slot whose jobs could not be added is still to be claimed', async (t) => {
  const db = await openDb(testConfig(await createDatabase()), 2)
  t.teardown(() => db.end())
  const broken = {
    name: 'test',
    at: '04:00',
    enqueue: async () => {
      throw new Error('the queue is away')
    },
  }
  await t.rejects(tick(db, [broken], new Date()), /the queue is away/)
  const enqueued: string[] = []
  const mended = { ...broken, enqueue: async () => void enqueued.push('job') }
  await tick(db, [mended], new Date())
  t.strictSame(enqueued, ['job'])
})

t.test('every timer has a name of its own and a time of day', async (t) => {
  t.equal(new Set(timers.map(({ name }) => name)).size, timers.length)
  for (const { at: time } of timers) t.match(time, /^([01]\d|2[0-3]):[0-5]\d$/)
})

t.test('a timer that fails does not hold up the others', async (t) => {
  const db = await openDb(testConfig(await createDatabase()), 2)
  t.teardown(() => db.end())
  const enqueued: string[] = []
  const broken = { name: 'broken', at: '04:00', enqueue: () => Promise.reject(new Error('no luck')) }
  const fine = { name: 'fine', at: '04:00', enqueue: async () => enqueued.push('fine') }
  await t.rejects(tick(db, [broken, fine], new Date()), /no luck/)
  t.strictSame(enqueued, ['fine'])
})
