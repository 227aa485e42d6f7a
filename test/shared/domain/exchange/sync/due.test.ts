import t, { type Test } from 'tap'
import { sql } from '../../../../../shared/db/db.ts'
import { startDueSyncs } from '../../../../../shared/domain/exchange/sync/due.ts'
import { fieldsVersion, getSync, startSync } from '../../../../../shared/domain/exchange/sync/sync.ts'
import { jobs } from '../../../../../shared/queue/jobs.ts'
import { openTestDb, useOwnDatabase } from '../../../../support/core/database.ts'
import { removeJobs } from '../../../../support/core/jobs.ts'
import { makeShop } from '../../../../support/core/people.ts'
import { enqueued, startTasks } from '../../../../support/core/worker.ts'

useOwnDatabase()

async function start(t: Test) {
  const { db } = await openTestDb(t)
  const { shopId } = await makeShop(db, 'alice')
  const { perform } = await startTasks(t, db)
  return {
    db,
    shopId,
    perform,
    /** The last sync, started `days` ago. */
    synced: (state: string, days: number, version = fieldsVersion) =>
      db.query(sql.typeAlias('void')`
        insert into catalog_sync (shop_id, state, started_at, progressed_at, fields_version)
        values (
          ${shopId}, ${state}, now() - make_interval(days => ${days}), now() - make_interval(days => ${days}), ${version}
        )
      `),
    /** The number of jobs that a check enqueues for the shop. */
    due: async () => {
      await removeJobs(db)
      await db.transaction(startDueSyncs)
      return (await enqueued(db, jobs.startDueSync, shopId)).length
    },
  }
}

t.test('a sync is due a week after the last one', async (t) => {
  const { synced, due, perform, shopId, db } = await start(t)
  await synced('done', 6)
  t.equal(await due(), 0)
  await db.query(sql.typeAlias('void')`update catalog_sync set started_at = started_at - interval '2 days'`)
  t.equal(await due(), 1)
  await perform(jobs.startDueSync, { shopId })
  t.match(await getSync(db, shopId), { state: 'running', cause: 'weekly' })
  t.equal((await enqueued(db, jobs.syncCatalog, shopId)).length, 1)
  t.equal(await due(), 0, 'it runs')
})

t.test('a shop of the previous release is read again for the new fields', async (t) => {
  const { synced, due, perform, shopId, db } = await start(t)
  await synced('done', 1, 0)
  t.equal(await due(), 1)
  await perform(jobs.startDueSync, { shopId })
  t.match(await getSync(db, shopId), { state: 'running', cause: 'upgrade', phase: 'locations' })
  await perform(jobs.startDueSync, { shopId })
  t.equal((await enqueued(db, jobs.syncCatalog, shopId)).length, 1, 'a second job starts no second sync')
})

t.test('a failed sync is repeated after a day', async (t) => {
  const { synced, due } = await start(t)
  await synced('failed', 0)
  t.equal(await due(), 0)
  await synced('done', 9)
  t.equal(await due(), 0)
})

t.test('a shop without access or without the app is left out', async (t) => {
  const { due, db, shopId } = await start(t)
  t.equal(await due(), 1)
  await db.query(
    sql.typeAlias('void')`update shop_credential set revoked_at = now() where shop_id = ${shopId}`,
  )
  t.equal(await due(), 0)
})

t.test('a sync that another cause has started is not started twice', async (t) => {
  const { db, shopId } = await start(t)
  await db.transaction((tx) => startSync(tx, shopId, 'repair'))
  const { sync, isNew } = await db.transaction((tx) => startSync(tx, shopId, 'weekly'))
  t.match({ isNew, sync }, { isNew: false, sync: { cause: 'repair' } })
})
