import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { enqueue, enqueueAll } from '../../../shared/queue/enqueue.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { openTestDb } from '../../support/core/database.ts'
import { makeShop } from '../../support/core/people.ts'
import { enqueued } from '../../support/core/worker.ts'

const job = jobs.repairWebhookSubscriptions

/** A shop of its own: other files of this process add jobs of theirs. */
async function start(t: Test) {
  const { db } = await openTestDb(t)
  return { db, ...(await makeShop(db, 'alice')) }
}

t.test('a job exists only after its transaction commits', async (t) => {
  const { db, shopId } = await start(t)
  const failed = db.transaction(async (tx) => {
    await enqueue(tx, job, { shopId })
    throw new Error('rolled back')
  })
  await failed.catch(() => {})
  t.strictSame(await enqueued(db, job, shopId), [])
  await db.transaction((tx) => enqueue(tx, job, { shopId }))
  t.strictSame(await enqueued(db, job, shopId), [{ shopId }])
})

t.test('concurrent enqueues with the same key leave one waiting job', async (t) => {
  const { db, shopId } = await start(t)
  const key = `shop:${shopId}:repair-webhook-subscriptions`
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(
      Array.from({ length: 10 }, () => db.transaction((tx) => enqueue(tx, job, { shopId }, { key }))),
    )
  }
  t.strictSame(await enqueued(db, job, shopId), [{ shopId }])
  const { shopId: otherId } = await makeShop(db, 'mallory')
  await enqueue(db, job, { shopId: otherId }, { key: `shop:${otherId}:repair-webhook-subscriptions` })
  t.equal((await enqueued(db, job, otherId)).length, 1)
})

t.test('many jobs are added in order by one statement', async (t) => {
  const { db, shopId } = await start(t)
  const payloads = Array.from({ length: 300 }, (_, at) => ({
    shopId,
    productGid: `gid://platform/Product/${at}`,
  }))
  await enqueueAll(db, jobs.syncProduct, payloads)
  t.strictSame(await enqueued(db, jobs.syncProduct, shopId), payloads)
  await enqueueAll(db, jobs.syncProduct, [])
  const attempts = await db.anyFirst(sql.typeAlias('id')`
    select distinct max_attempts as id from graphile_worker.jobs where task_identifier = 'sync-product'
  `)
  t.strictSame(attempts, [jobs.syncProduct.maxAttempts])
})
