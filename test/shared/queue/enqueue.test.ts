import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { enqueue, enqueueAll } from '../../../shared/queue/enqueue.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { openTestDb } from '../../support/core/database.ts'
import { enqueued } from '../../support/core/worker.ts'

const job = jobs.repairWebhookSubscriptions

t.test('a job exists only after its transaction commits', async (t) => {
  const { db } = await openTestDb(t)
  const failed = db.transaction(async (tx) => {
    await enqueue(tx, job, { shopId: 1 })
    throw new Error('rolled back')
  })
  await failed.catch(() => {})
  t.strictSame(await enqueued(db, job, 1), [])
  await db.transaction((tx) => enqueue(tx, job, { shopId: 1 }))
  t.strictSame(await enqueued(db, job, 1), [{ shopId: 1 }])
})

t.test('concurrent enqueues with the same key leave one waiting job', async (t) => {
  const { db } = await openTestDb(t)
  const key = 'shop:2:repair-webhook-subscriptions'
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(
      Array.from({ length: 10 }, () => db.transaction((tx) => enqueue(tx, job, { shopId: 2 }, { key }))),
    )
  }
  t.strictSame(await enqueued(db, job, 2), [{ shopId: 2 }])
  await enqueue(db, job, { shopId: 3 }, { key: 'shop:3:repair-webhook-subscriptions' })
  t.equal((await enqueued(db, job, 3)).length, 1)
})

t.test('many jobs are added in order by one statement', async (t) => {
  const { db } = await openTestDb(t)
  const payloads = Array.from({ length: 300 }, (_, at) => ({
    shopId: 4,
    productGid: `gid://platform/Product/${at}`,
  }))
  await enqueueAll(db, jobs.syncProduct, payloads)
  t.strictSame(await enqueued(db, jobs.syncProduct, 4), payloads)
  await enqueueAll(db, jobs.syncProduct, [])
  const attempts = await db.anyFirst(sql.typeAlias('id')`
    select distinct max_attempts as id from graphile_worker.jobs where task_identifier = 'sync-product'
  `)
  t.strictSame(attempts, [jobs.syncProduct.maxAttempts])
})
