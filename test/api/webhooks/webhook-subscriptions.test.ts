import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { recordCheck, wantedSubscriptions } from '../../../shared/domain/records/shops/subscriptions.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { startApp } from '../../support/core/app.ts'
import { useOwnDatabase } from '../../support/core/database.ts'
import { removeJobs } from '../../support/core/jobs.ts'
import { enqueued } from '../../support/core/worker.ts'

useOwnDatabase()

/** Waits until the cached status of the shop has expired. */
const untilStatusExpires = () => sleep(1_100)

/** Alice, with the state of her shop's webhook subscriptions. */
async function start(t: Test) {
  const { db, alice } = await startApp(t)
  return {
    db,
    alice,
    setCheck: (isComplete: boolean, age: string, subscriptions = wantedSubscriptions) =>
      db.query(sql.typeAlias('void')`
        update webhook_subscription_check
        set is_complete = ${isComplete}, checked_at = now() - ${age}::interval, requested_at = null,
          subscriptions = ${subscriptions}
        where shop_id = ${alice.shopId}
      `),
    repairs: async () => (await enqueued(db, jobs.repairWebhookSubscriptions, alice.shopId)).length,
  }
}

t.test('a request enqueues no repair within a day of the last check', async (t) => {
  const { alice, setCheck, repairs } = await start(t)
  await setCheck(true, '23 hours')
  t.equal((await alice.get('/api/suppliers')).statusCode, 200)
  t.equal(await repairs(), 0)
})

t.test('the first request after a day enqueues one repair', async (t) => {
  const { db, alice, setCheck, repairs } = await start(t)
  await setCheck(true, '25 hours')
  const answers = await Promise.all(Array.from({ length: 8 }, () => alice.get('/api/suppliers')))
  for (const { statusCode } of answers) t.equal(statusCode, 200)
  t.equal(await repairs(), 1)

  await recordCheck(db, alice.shopId, true)
  await untilStatusExpires()
  await alice.get('/api/suppliers')
  t.equal(await repairs(), 1)
})

t.test('the first request after a release with other topics or fields enqueues one repair', async (t) => {
  const { db, alice, setCheck, repairs } = await start(t)
  await setCheck(true, '1 minute', 'those of the previous release')
  for (let times = 0; times < 2; times += 1) await alice.get('/api/suppliers')
  t.equal(await repairs(), 1)
  await removeJobs(db)
  await recordCheck(db, alice.shopId, true)
  await db.query(sql.typeAlias('void')`
    update webhook_subscription_check set requested_at = null where shop_id = ${alice.shopId}
  `)
  await untilStatusExpires()
  await alice.get('/api/suppliers')
  t.equal(await repairs(), 0, 'the check of this release holds')
})

t.test('missing subscriptions are repaired on the next request, at most every five minutes', async (t) => {
  const { db, alice, setCheck, repairs } = await start(t)
  await setCheck(false, '1 second')
  await alice.get('/api/suppliers')
  await removeJobs(db)
  await untilStatusExpires()
  await alice.get('/api/suppliers')
  t.equal(await repairs(), 0, 'the last repair is too recent')
  await db.query(sql.typeAlias('void')`
    update webhook_subscription_check set requested_at = now() - interval '6 minutes' where shop_id = ${alice.shopId}
  `)
  await untilStatusExpires()
  await alice.get('/api/suppliers')
  t.equal(await repairs(), 1)
})

t.test('an unchecked shop gets a repair, unless its access is revoked', async (t) => {
  const { db, alice, repairs } = await start(t)
  await db.query(
    sql.typeAlias('void')`delete from webhook_subscription_check where shop_id = ${alice.shopId}`,
  )
  await db.query(sql.typeAlias('void')`
    update shop_credential set revoked_at = now() where shop_id = ${alice.shopId}
  `)
  await alice.get('/api/suppliers')
  t.equal(await repairs(), 0)
  await db.query(sql.typeAlias('void')`
    update shop_credential set revoked_at = null where shop_id = ${alice.shopId}
  `)
  await untilStatusExpires()
  await alice.get('/api/suppliers')
  t.equal(await repairs(), 1)
})
