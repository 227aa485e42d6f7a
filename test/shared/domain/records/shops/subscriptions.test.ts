import t, { type Test } from 'tap'
import { sql } from '../../../../../shared/db/db.ts'
import { requestDueRepairs } from '../../../../../shared/domain/records/shops/subscriptions.ts'
import { jobs } from '../../../../../shared/queue/jobs.ts'
import { openTestDb, useOwnDatabase } from '../../../../support/core/database.ts'
import { removeJobs } from '../../../../support/core/jobs.ts'
import { makeShop } from '../../../../support/core/people.ts'
import { enqueued } from '../../../../support/core/worker.ts'
import { makeStock } from '../../../../support/make/stock.ts'
import { makeDelivery } from '../../../../support/platform/webhooks.ts'

useOwnDatabase()

/** A shop whose subscriptions were checked `checked` ago. Its levels moved and its last webhook came at given times. */
async function start(t: Test, checked = '7 hours') {
  const { db } = await openTestDb(t)
  const alice = await makeShop(db, 'alice')
  const { shopId } = alice
  await makeStock(db, alice)
  await db.query(sql.typeAlias('void')`delete from stock_movement where shop_id = ${shopId}`)
  await db.query(sql.typeAlias('void')`
    update webhook_subscription_check set checked_at = now() - ${checked}::interval where shop_id = ${shopId}
  `)
  return {
    moved: (ago: string) =>
      db.query(sql.typeAlias('void')`
        insert into stock_movement (shop_id, variant_id, location_id, previous_quantity, new_quantity, kind, occurred_at)
        select shop_id, variant_id, location_id, 10, 9, 'platform', now() - ${ago}::interval
        from stock_level where shop_id = ${shopId}
      `),
    heard: async (ago: string) => {
      await makeDelivery(db, shopId, { state: 'applied' })
      await db.query(sql.typeAlias('void')`
        update webhook_delivery set received_at = now() - ${ago}::interval where shop_id = ${shopId}
      `)
    },
    /** The number of repairs that a check enqueues for the shop. */
    repairs: async () => {
      await removeJobs(db)
      await db.transaction(requestDueRepairs)
      return (await enqueued(db, jobs.repairWebhookSubscriptions, shopId)).length
    },
  }
}

t.test('a shop that is silent for six hours although its levels moved is checked', async (t) => {
  const { moved, heard, repairs } = await start(t)
  await heard('7 hours')
  t.equal(await repairs(), 0, 'a quiet shop')
  await moved('10 minutes')
  t.equal(await repairs(), 0, 'the webhook may be on its way')
  await moved('20 minutes')
  t.equal(await repairs(), 1)
})

t.test(
  'a movement that the nightly comparison found counts by its time, after the newest webhook',
  async (t) => {
    const { moved, heard, repairs } = await start(t)
    await heard('20 hours')
    await moved('21 hours')
    t.equal(await repairs(), 0, 'the newest webhook is later')
    await moved('19 hours 50 minutes')
    t.equal(await repairs(), 0, 'the clocks may differ by 15 minutes')
    // a sale at 14:00, found at 00:45, is 16 hours and 40 minutes old at 06:40, the first check 6 hours after that of the night
    await moved('16 hours 40 minutes')
    t.equal(await repairs(), 1)

    const quiet = await start(t)
    await quiet.moved('31 hours')
    t.equal(await quiet.repairs(), 0, 'a movement before the last night is checked no more')
  },
)

t.test('a shop that was heard or checked in the last six hours is left', async (t) => {
  const heard = await start(t)
  await heard.moved('20 minutes')
  await heard.heard('5 hours')
  t.equal(await heard.repairs(), 0)

  const checked = await start(t, '5 hours')
  await checked.moved('20 minutes')
  t.equal(await checked.repairs(), 0)
})

t.test('a shop without a webhook ever is checked once its levels move', async (t) => {
  const { moved, repairs } = await start(t)
  t.equal(await repairs(), 0)
  await moved('3 hours')
  t.equal(await repairs(), 1)
})

t.test('a check of the previous release, which had fewer topics, is repeated', async (t) => {
  const { db } = await openTestDb(t)
  const { shopId } = await makeShop(db, 'alice')
  await db.query(sql.typeAlias('void')`
    update webhook_subscription_check set subscriptions = 'older', requested_at = null where shop_id = ${shopId}
  `)
  await db.transaction(requestDueRepairs)
  t.equal((await enqueued(db, jobs.repairWebhookSubscriptions, shopId)).length, 1)
})
