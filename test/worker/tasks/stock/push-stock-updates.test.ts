import { Type } from '@sinclair/typebox'
import t from 'tap'
import type { ApiFault } from '../../../../dev/simulator/fault-types.ts'
import { row, sql } from '../../../../shared/db/db.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { enqueued } from '../../../support/core/worker.ts'
import { startSimulatedShop } from '../../../support/platform/simulated-shop.ts'
import { agePushes, conflictsOf, pushesOf, statesOf } from '../../../support/platform/stock-pushes.ts'

const always = (fault: ApiFault) => ({ graphql: [{ fault, operation: 'Quantities(', times: 6 }] })

t.test('an update received during a push is applied after the response', async (t) => {
  const { platform, change, changeOnPlatform, push, receiveUpdates, ownLevel, movements, expectInSync } =
    await startSimulatedShop(t)
  await change('adjust', [[0, 0, 5]])
  platform.faults.set(always('accept-500'))
  await t.rejects(push())
  changeOnPlatform(-2)
  await receiveUpdates()
  t.strictSame(await ownLevel(), [15, 10], 'the update is deferred')
  await push()
  await receiveUpdates()
  await expectInSync(13)
  t.equal((await movements()).filter((movement) => movement === 'delta 5').length, 1)
})

t.test('an update received during a push is applied after a refusal', async (t) => {
  const { platform, change, changeOnPlatform, push, receiveUpdates, ownLevel, movements, expectInSync } =
    await startSimulatedShop(t)
  await change('set', [[0, 0, 5]])
  platform.faults.set(always('answer-503'))
  await t.rejects(push())
  changeOnPlatform(-2)
  await receiveUpdates()
  t.strictSame(await ownLevel(), [15, 10])
  await push()
  await expectInSync(13)
  t.strictSame(await movements(), ['set 5', 'platform -2'])
})

t.test('a response that arrives after a newer update does not revert it', async (t) => {
  const {
    db,
    alice,
    platform,
    change,
    changeOnPlatform,
    push,
    receiveUpdates,
    ownLevel,
    movements,
    expectInSync,
  } = await startSimulatedShop(t)
  await change('set', [[0, 0, 5]])
  const [{ key } = { key: '' }] = await pushesOf(db, alice)
  platform.faults.set({ graphql: [{ fault: 'accept-500' }, { fault: 'answer-402' }] })
  await t.rejects(push(), /frozen/)
  t.match(await pushesOf(db, alice), [{ state: 'queued', key, error: /frozen/ }])
  await new Promise((later) => setTimeout(later, 1_100))
  changeOnPlatform(-1)
  await receiveUpdates()
  t.strictSame(await ownLevel(), [19, 14], 'a frozen shop does not defer updates')
  await push()
  await expectInSync(14)
  t.match(await pushesOf(db, alice), [{ state: 'done', key }])
  t.equal((await movements())[0], 'set 5')
})

for (const [fault, reason] of [
  ['answer-402', /has frozen this shop/],
  ['answer-403', /forbids requests/],
  ['answer-423', /has locked this shop/],
  ['answer-503', /cannot be reached/],
  ['throttle', /is busy/],
  ['concurrent', /is busy/],
] as const) {
  t.test(`a push refused with ${fault} is retried later with the same key`, async (t) => {
    const { db, alice, platform, change, push, expectInSync } = await startSimulatedShop(t)
    await change('adjust', [[0, 0, 5]])
    await change('adjust', [[0, 0, 1]])
    const keys = (await pushesOf(db, alice)).map((push) => push.key)
    platform.faults.set(always(fault))
    await t.rejects(push(), 'the job fails and is retried')
    const isDelayed = /^answer-4/.test(fault)
    t.match(await pushesOf(db, alice), [
      { state: isDelayed ? 'queued' : 'sending', error: reason, isClaimed: false, refusals: 0 },
      { state: 'queued' },
    ])
    platform.faults.clear()
    await push()
    await expectInSync(16)
    t.strictSame(
      (await pushesOf(db, alice)).map((push) => push.key),
      keys,
    )
  })
}

t.test('a key whose first use has failed is replaced', async (t) => {
  const { db, alice, platform, change, push, expectInSync } = await startSimulatedShop(t)
  await change('adjust', [[0, 0, 5]])
  const [before] = await pushesOf(db, alice)
  platform.faults.set({ graphql: [{ fault: 'previous-failed', operation: 'AdjustQuantities' }] })
  await push()
  await expectInSync(15)
  const [after] = await pushesOf(db, alice)
  t.match(after, { state: 'done', refusals: 1 })
  t.not(after?.key, before?.key)
})

t.test('a shop that has revoked its access gets no push, without an error', async (t) => {
  const { db, alice, shop, change, push, ownLevel } = await startSimulatedShop(t)
  await change('adjust', [[0, 0, 5]])
  shop.access.revokeAll()
  await push({ isLast: true })
  t.match(await pushesOf(db, alice), [{ state: 'queued', isClaimed: false }])
  t.strictSame(await ownLevel(), [15, 10])
  t.strictSame(await conflictsOf(db, alice), [])
})

t.test('after the last attempt pushes older than a day fail, and the others get a new job', async (t) => {
  const { db, alice, platform, change, push, ownLevel, platformStock, expectInSync } =
    await startSimulatedShop(t)
  await change('adjust', [[0, 0, 5]])
  await agePushes(db, alice)
  await change('adjust', [[0, 0, 1]])
  const jobsBefore = (await enqueued(db, jobs.pushStock, alice.shopId)).length
  platform.faults.set(always('answer-503'))
  await t.rejects(push({ isLast: true }))
  t.match(await pushesOf(db, alice), [
    { state: 'failed', isClaimed: false, error: /cannot be reached.*Compare the stock level/ },
    { state: 'queued' },
  ])
  t.match(await conflictsOf(db, alice), [{ isOpen: true }])
  t.equal((await enqueued(db, jobs.pushStock, alice.shopId)).length, jobsBefore + 1)
  await push()
  t.strictSame([await ownLevel(), platformStock()], [[16, 11], 11], 'the failed push is still pending')

  const [failed] = (await alice.get('/api/stock-pushes')).json().data
  t.match(await alice.post(`/api/stock-pushes/${failed.id}/discard`), { statusCode: 200 })
  await expectInSync(11)
})

t.test('a push younger than a day is sent by a new job after the last attempt', async (t) => {
  const { db, alice, platform, change, push, expectInSync } = await startSimulatedShop(t)
  await change('adjust', [[0, 0, 5]])
  platform.faults.set(always('answer-503'))
  await t.rejects(push({ isLast: true }))
  t.match(await pushesOf(db, alice), [{ state: 'sending', isClaimed: false }])
  t.strictSame(await conflictsOf(db, alice), [])
  t.equal((await enqueued(db, jobs.pushStock, alice.shopId)).length, 2)
  platform.faults.clear()
  await push()
  await expectInSync(15)
})

t.test('a push sent a day ago without a response is not sent again', async (t) => {
  const { db, alice, platform, change, push, platformStock } = await startSimulatedShop(t)
  await change('adjust', [[0, 0, 5]])
  platform.faults.set(always('accept-drop'))
  await t.rejects(push())
  await db.query(sql.typeAlias('void')`
    update stock_push set first_sent_at = now() - interval '25 hours' where shop_id = ${alice.shopId}
  `)
  await push()
  t.equal(platformStock(), 15)
  t.match(await pushesOf(db, alice), [
    { state: 'failed', error: /^The platform did not confirm this change/ },
  ])
  t.equal((await conflictsOf(db, alice)).length, 1)
})

t.test('a push waits for a variant that the platform has not confirmed yet', async (t) => {
  const { db, alice, variants, change, push, platformStock, expectInSync } = await startSimulatedShop(t)
  const itemGid = await db.oneFirst(sql.type(row(Type.Object({ gid: Type.String() })))`
    select inventory_item_gid as gid from variant where shop_id = ${alice.shopId} and gid = ${variants[0] ?? ''}
  `)
  const setItem = (gid: string | null) =>
    db.query(sql.typeAlias('void')`
      update variant set inventory_item_gid = ${gid} where shop_id = ${alice.shopId} and gid = ${variants[0] ?? ''}
    `)
  await setItem(null)
  await change('adjust', [
    [0, 0, 5],
    [1, 0, 1],
  ])
  await change('adjust', [[2, 0, 3]])
  await t.rejects(push(), /waits for a product/)
  t.strictSame(
    [platformStock(), platformStock(1), platformStock(2)],
    [10, 10, 13],
    'pushes of other variants do not wait',
  )
  await setItem(itemGid)
  await push()
  await expectInSync(15)
  await expectInSync(11, 1)
})

t.test('lines of a variant unconfirmed for a day fail, and the others are sent', async (t) => {
  const { db, alice, variants, change, push, ownLevel, expectInSync } = await startSimulatedShop(t)
  await db.query(sql.typeAlias('void')`
    update variant set inventory_item_gid = null where shop_id = ${alice.shopId} and gid = ${variants[0] ?? ''}
  `)
  await change('adjust', [
    [0, 0, 5],
    [1, 0, 1],
  ])
  await db.query(sql.typeAlias('void')`
    update stock_push set created_at = now() - interval '25 hours' where shop_id = ${alice.shopId}
  `)
  await push()
  t.match(await pushesOf(db, alice), [
    { state: 'done' },
    { state: 'failed', error: /does not know the product/ },
  ])
  t.match(await conflictsOf(db, alice), [{ message: /not synced to the platform: Product 1 - Option 1 at/ }])
  t.strictSame(await ownLevel(), [15, 10])
  await expectInSync(11, 1)
})

t.test('lines of a deleted variant without an item fail immediately', async (t) => {
  const { db, alice, variants, change, push, expectInSync } = await startSimulatedShop(t)
  await db.query(sql.typeAlias('void')`
    update variant set inventory_item_gid = null, deleted_at = now()
    where shop_id = ${alice.shopId} and gid = ${variants[0] ?? ''}
  `)
  await change('adjust', [
    [0, 0, 5],
    [1, 0, 1],
  ])
  await push()
  t.strictSame(await statesOf(db, alice), ['done', 'failed'])
  await expectInSync(11, 1)
})
