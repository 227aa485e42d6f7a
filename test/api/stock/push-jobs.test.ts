import { runOnce } from 'graphile-worker'
import pg from 'pg'
import t, { type Test } from 'tap'
import { type Db, sql } from '../../../shared/db/db.ts'
import { adjustStock } from '../../../shared/domain/ledgers/stock/adjust.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { startApp } from '../../support/core/app.ts'
import { keepTransactionOpen, useOwnDatabase } from '../../support/core/database.ts'
import { removeJobs } from '../../support/core/jobs.ts'
import type { Person } from '../../support/core/people.ts'
import { enqueued } from '../../support/core/worker.ts'
import { locationGid, makeStock, pushLinesOf, variantGid } from '../../support/make/stock.ts'

// its worker takes the jobs of all shops
useOwnDatabase()

async function start(t: Test) {
  const { db, url, alice, mallory } = await startApp(t)
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 3, locations: 1 })
  const change = (person: Person, variant: number, tx: Db = db) =>
    adjustStock(tx, person.shopId, 'alice-1', {
      adjustments: [{ variantId: variantGid(variant), locationId: locationGid(1), delta: 1 }],
    })
  const countJobs = async (person: Person) => (await enqueued(db, jobs.pushStock, person.shopId)).length
  /** Jobs are shared for a second, which a busy machine may need for two changes. */
  const keepYoung = (tx: Db = db) =>
    tx.query(sql.typeAlias('void')`
      update graphile_worker._private_jobs set created_at = now() + interval '1 hour'
    `)
  return { db, url, alice, mallory, change, countJobs, keepYoung }
}

t.test('a stock change shares the push job of its shop that waits', async (t) => {
  const { db, alice, mallory, change, countJobs, keepYoung } = await start(t)
  await change(alice, 1)
  await keepYoung()
  await change(alice, 2)
  await change(mallory, 1)
  t.equal(await countJobs(alice), 1)
  t.equal(await countJobs(mallory), 1, 'another shop has a job of its own')
  t.equal((await pushLinesOf(db, alice)).length, 2)
})

t.test('a job that a worker has taken, has tried before or that is old is not shared', async (t) => {
  const { db, alice, change, countJobs, keepYoung } = await start(t)
  let count = 0
  for (const field of [
    sql.fragment`locked_at = now(), locked_by = 'worker'`,
    sql.fragment`attempts = 1`,
    sql.fragment`run_at = now() + interval '1 hour'`,
    sql.fragment`created_at = now() - interval '2 seconds'`,
  ]) {
    await change(alice, 1)
    count += 1
    t.equal(await countJobs(alice), count)
    await keepYoung()
    await db.query(sql.typeAlias('void')`update graphile_worker._private_jobs set ${field}`)
  }
})

t.test('a worker takes a shared job only when all changes that count on it are committed', async (t) => {
  const { db, url, alice, change, countJobs, keepYoung } = await start(t)
  await removeJobs(db)
  await change(alice, 1)
  await keepYoung()
  const commit = await keepTransactionOpen(t, db, (tx) => change(alice, 2, tx))
  t.equal(await countJobs(alice), 1)
  const taken: unknown[] = []
  // a pool of graphile-worker still closes its connections when the file drops its database, and ends the process by their errors
  const pgPool = new pg.Pool({ connectionString: url })
  pgPool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  t.teardown(() => pgPool.end())
  const work = () =>
    runOnce({
      pgPool,
      noHandleSignals: true,
      taskList: { [jobs.pushStock.name]: async (payload) => void taken.push(payload) },
    })
  await work()
  t.strictSame(taken, [], 'the job waits')
  await commit()
  await work()
  t.strictSame(taken, [{ shopId: alice.shopId }])
})
