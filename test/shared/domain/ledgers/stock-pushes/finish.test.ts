import t from 'tap'
import { sql } from '../../../../../shared/db/db.ts'
import { claimPush } from '../../../../../shared/domain/ledgers/stock-pushes/claim.ts'
import {
  failPush,
  pausePush,
  requeuePush,
  settlePush,
} from '../../../../../shared/domain/ledgers/stock-pushes/finish.ts'
import { retryStockPush } from '../../../../../shared/domain/ledgers/stock-pushes/retry.ts'
import { openTestDb } from '../../../../support/core/database.ts'
import { makeShop } from '../../../../support/core/people.ts'
import { expectLedger, levelsOf, makeStock } from '../../../../support/make/stock.ts'
import {
  changeStock,
  conflictsOf,
  makeFailedPush,
  pushesOf,
  reportLevel,
  statesOf,
} from '../../../../support/platform/stock-pushes.ts'

t.test('a job whose push was requeued in the meantime changes nothing', async (t) => {
  const { db } = await openTestDb(t)
  const alice = await makeShop(db, 'alice')
  const { shopId } = alice
  await makeStock(db, alice)
  await changeStock(db, alice, [5])
  const late = await claimPush(db, shopId, 'job-1')
  if (!late) throw new Error('No push was claimed')
  await requeuePush(db, shopId, late, { isRefusal: true })
  const current = await claimPush(db, shopId, 'job-2')
  if (!current) throw new Error('No push was claimed again')
  const before = await pushesOf(db, alice)

  const answer = { at: '2026-11-02T00:00:00Z', quantities: new Map() }
  const reason = 'Too late.'
  await settlePush(db, shopId, late, answer)
  await requeuePush(db, shopId, late, { isRefusal: true, reason })
  await pausePush(db, shopId, late, { isOutcomeUnknown: false, reason })
  await failPush(db, shopId, late, { lines: late.lines, reason })
  t.strictSame(await pushesOf(db, alice), before)
  t.strictSame(await levelsOf(db, alice), { '1/1': [15, 10] })
  t.strictSame(await conflictsOf(db, alice), [])

  await settlePush(db, shopId, current, answer)
  await settlePush(db, shopId, current, answer)
  t.strictSame(await levelsOf(db, alice), { '1/1': [15, 15] })
  await expectLedger(t, db, alice)
})

t.test('a deferred platform update is applied once after the platform refused the push', async (t) => {
  const { db } = await openTestDb(t)
  const alice = await makeShop(db, 'alice')
  await makeStock(db, alice)
  await changeStock(db, alice, [5])
  const push = await claimPush(db, alice.shopId, 'job-1')
  if (!push) throw new Error('No push was claimed')
  await reportLevel(db, alice, 8)
  t.strictSame(await levelsOf(db, alice), { '1/1': [15, 10] })
  await requeuePush(db, alice.shopId, push, { isRefusal: true })
  t.strictSame(await levelsOf(db, alice), { '1/1': [13, 8] })
  const isDeferred = await db.exists(sql.typeAlias('void')`
    select from stock_level where shop_id = ${alice.shopId} and held_at is not null
  `)
  t.notOk(isDeferred)
  await expectLedger(t, db, alice)
})

t.test('concurrent claims and retries never send two changes of one level at a time', async (t) => {
  const { db } = await openTestDb(t)
  for (let round = 0; round < 10; round += 1) {
    const alice = await makeShop(db, 'alice')
    const id = await makeFailedPush(db, alice)
    await changeStock(db, alice, [1])
    await Promise.all([
      claimPush(db, alice.shopId, 'job-1'),
      retryStockPush(db, alice.shopId, id),
      claimPush(db, alice.shopId, 'job-2'),
      claimPush(db, alice.shopId, 'job-3'),
    ])
    await claimPush(db, alice.shopId, 'job-4')
    t.strictSame((await statesOf(db, alice)).sort(), ['queued', 'sending'])
  }
})

t.test('a push does not wait for pushes of other shops', async (t) => {
  const { db } = await openTestDb(t)
  const alice = await makeShop(db, 'alice')
  const mallory = await makeShop(db, 'mallory')
  for (const shop of [alice, mallory]) {
    await makeStock(db, shop)
    await changeStock(db, shop, [5])
  }
  t.ok(await claimPush(db, mallory.shopId, 'job-1'))
  t.ok(await claimPush(db, alice.shopId, 'job-2'))
  await db.query(sql.typeAlias('void')`
    update shop set uninstalled_at = now() where id = ${alice.shopId}
  `)
  t.equal(await claimPush(db, alice.shopId, 'job-2'), null, 'the worker sends nothing to an uninstalled shop')
})
