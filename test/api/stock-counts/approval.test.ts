import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { makeColleague, type Person } from '../../support/core/people.ts'
import {
  counted,
  levelsOf,
  locationGid,
  makeCount,
  makeStock,
  markVariant,
  movementsOf,
  readCount,
  readLevels,
  variantGid,
} from '../../support/make/stock.ts'

/** A shop with 10 units of each of three variants; the first costs 5.00, the second 2.00. */
async function start(t: Test, limit: number | null = 20) {
  const context = await startApp(t)
  const { app, db, alice } = context
  await makeStock(db, alice, { variants: 3 })
  for (const [number, unitCost] of [
    [1, 5],
    [2, 2],
  ] as const)
    await alice.put(`/api/variants/${number}`, { unitCost })
  await alice.put('/api/settings', { countApprovalValue: limit })
  return { ...context, bob: await makeColleague(app, alice, 'bob') }
}

const submit = (person: Person, id: number) => person.put(`/api/stock-counts/${id}`, { status: 'submitted' })
const post = (person: Person, id: number, verb: string, body?: object) =>
  person.post(`/api/stock-counts/${id}/${verb}`, body)

async function makeRead(
  { db, alice }: Awaited<ReturnType<typeof start>>,
  items: ReturnType<typeof counted>[],
) {
  const id = await makeCount(alice, { items })
  await readLevels(db, alice)
  return id
}

t.test('a count above the limit needs the approval of a person that did not count', async (t) => {
  const context = await start(t)
  const { db, alice, bob } = context
  const id = await makeRead(context, [counted(1, 6), counted(2, 11)])
  t.match(await readCount(alice, id), { absoluteVarianceValue: 22, varianceValue: -18, approvalNeeded: true })
  const refused = expectFailure(t, await submit(alice, id), 409, 'approval_required')
  t.match(
    refused.message,
    /worth 22, above the limit of 20.*A user without numbers in this count can then approve it/,
  )
  expectFailure(t, await post(bob, id, 'approve'), 409, 'counting_not_finished')
  await post(alice, id, 'finish')
  expectFailure(t, await submit(alice, id), 409, 'approval_required')
  expectFailure(t, await post(alice, id, 'approve'), 409, 'same_person')
  t.strictSame(await movementsOf(db, alice), [])
  const approved = (await post(bob, id, 'approve')).json().data
  t.match(approved, { approvedBy: bob.userId, approvalNeeded: false })
  t.strictSame((await post(bob, id, 'approve')).json().data, approved, 'a repeated approval changes nothing')
  t.match((await submit(alice, id)).json().data, { status: 'submitted', approvedBy: bob.userId })
  t.strictSame((await levelsOf(db, alice))['1/1'], [6, 10])
})

t.test('a product whose stock the submit does not change needs no approval and no reason', async (t) => {
  const context = await start(t)
  const { db, alice } = context
  await alice.put('/api/settings', { adjustmentReasonRequired: true })
  const id = await makeRead(context, [counted(1, 1), counted(2, 10), counted(3, 9)])
  expectFailure(t, await submit(alice, id), 409, 'approval_required')
  for (const number of [1, 3]) await markVariant(db, alice, number, 'untracked')
  t.match(await readCount(alice, id), { absoluteVarianceValue: 45, approvalNeeded: false })
  t.match((await submit(alice, id)).json().data, { status: 'submitted', absoluteVarianceValue: 45 })
  t.strictSame(await movementsOf(db, alice), [])
})

t.test(
  'a number of the previous release, which stored no counter, is that of the person who created its count',
  async (t) => {
    const context = await start(t)
    const { app, db, alice, bob } = context
    const carol = await makeColleague(app, alice, 'carol')
    const id = await makeRead(context, [counted(1, 1), counted(2, 10)])
    const { shopId } = alice
    await db.query(
      sql.typeAlias('void')`delete from stock_count_entry where shop_id = ${shopId} and count_id = ${id}`,
    )
    await bob.put(`/api/stock-counts/${id}`, { items: [counted(2, 9)] })
    await readLevels(db, alice)
    await post(alice, id, 'finish')
    for (const person of [alice, bob]) expectFailure(t, await post(person, id, 'approve'), 409, 'same_person')
    t.match((await post(carol, id, 'approve')).json().data, { approvedBy: carol.userId })
  },
)

t.test('a person who created a count, and counted nothing of it, approves it', async (t) => {
  const context = await start(t)
  const { db, alice, bob } = context
  const id = await makeCount(alice, { items: [counted(1, null), counted(2, null)] })
  await bob.put(`/api/stock-counts/${id}`, { items: [counted(1, 1)] })
  await readLevels(db, alice)
  await post(bob, id, 'finish')
  t.match((await post(alice, id, 'approve')).json().data, { approvedBy: alice.userId })
})

t.test('pieces over and short do not cancel each other out', async (t) => {
  const context = await start(t, 15)
  const id = await makeRead(context, [counted(1, 8), counted(2, 15)])
  t.match(await readCount(context.alice, id), { varianceValue: 0, absoluteVarianceValue: 20 })
  expectFailure(t, await submit(context.alice, id), 409, 'approval_required')
})

t.test('a variance at the limit needs no approval', async (t) => {
  const context = await start(t)
  const id = await makeRead(context, [counted(1, 6)])
  t.match((await submit(context.alice, id)).json().data, { status: 'submitted', approvalNeeded: false })
})

t.test('an unknown cost is not 0: such a variance needs an approval', async (t) => {
  const context = await start(t)
  const id = await makeRead(context, [counted(3, 9)])
  const { message } = expectFailure(t, await submit(context.alice, id), 409, 'approval_required')
  t.match(message, /cost of a product with a variance is not known/)
  const same = await makeRead(context, [counted(3, 10)])
  t.match((await submit(context.alice, same)).json().data, { status: 'submitted' })
})

t.test('without a limit no count needs an approval', async (t) => {
  const context = await start(t, null)
  const id = await makeRead(context, [counted(1, 0), counted(3, 0)])
  t.match((await submit(context.alice, id)).json().data, { status: 'submitted' })
})

t.test('a recount ends an approval', async (t) => {
  const context = await start(t)
  const { alice, bob } = context
  const id = await makeRead(context, [counted(1, 5)])
  await post(alice, id, 'finish')
  await post(bob, id, 'approve')
  const recount = await post(alice, id, 'recount', { varianceValueAbove: 1 })
  t.match(recount.json().data, { approvedAt: null, approvedBy: null, approvalNeeded: true })
})

t.test('an approval ends when a later reading changes what was expected', async (t) => {
  const context = await start(t)
  const { db, alice, bob } = context
  for (const unavailable of [0, 5]) {
    const id = await makeCount(alice, { items: [counted(1, 5)] })
    await db.query(sql.typeAlias('void')`
      update stock_count_item
      set entered_at = now() - interval '3 minutes', counted_at = now() - interval '3 minutes'
      where shop_id = ${alice.shopId} and count_id = ${id}
    `)
    await post(alice, id, 'finish')
    t.match((await post(bob, id, 'approve')).json().data, { approvedBy: bob.userId })
    await readLevels(db, alice, { unavailable })
    if (unavailable === 0) {
      t.match(
        await readCount(alice, id),
        { approvedBy: bob.userId, absoluteVarianceValue: 25 },
        'the reading said the same',
      )
      continue
    }
    t.match(await readCount(alice, id), { approvedAt: null, approvedBy: null, absoluteVarianceValue: 50 })
    expectFailure(t, await submit(alice, id), 409, 'approval_required')
    await post(bob, id, 'approve')
    t.match((await submit(alice, id)).json().data, { status: 'submitted', approvedBy: bob.userId })
  }
})

t.test('an approval ends when a correction changes the variances', async (t) => {
  const context = await start(t, 500)
  const { db, alice, bob } = context
  await alice.put('/api/variants/1', { unitCost: 300 })
  const id = await makeRead(context, [counted(1, 8), counted(2, 9)])
  await post(alice, id, 'finish')
  // (8 - 10) x 300 = -600 and (9 - 10) x 2 = -2
  t.match((await post(bob, id, 'approve')).json().data, {
    approvedBy: bob.userId,
    absoluteVarianceValue: 602,
    approvalNeeded: false,
  })
  const adjust = (number: number, quantity: number) =>
    alice.put('/api/stock-levels/bulk', {
      adjustments: [{ variantId: variantGid(number), locationId: locationGid(1), quantity }],
    })
  await adjust(1, 100)
  // 90 pieces were found elsewhere and corrected by hand: (8 - 100) x 300 = -27 600
  t.match(await readCount(alice, id), {
    approvedAt: null,
    approvedBy: null,
    absoluteVarianceValue: 27602,
    approvalNeeded: true,
  })
  const { message } = expectFailure(t, await submit(alice, id), 409, 'approval_required')
  t.match(message, /worth 27602, above the limit of 500/)
  t.strictSame((await levelsOf(db, alice))['1/1'], [100, 10], 'nothing moved')

  t.match((await post(bob, id, 'approve')).json().data, { approvedBy: bob.userId, approvalNeeded: false })
  await adjust(1, 10)
  t.match(
    await readCount(alice, id),
    { approvedAt: null, absoluteVarianceValue: 602 },
    'other variances again',
  )
  await post(bob, id, 'approve')
  // pieces count also without a known cost: 9 - 10 = -1 becomes 9 - 9 = 0 of the second product
  await alice.put('/api/variants/2', { unitCost: null })
  t.match(await readCount(alice, id), { approvedBy: bob.userId }, 'another cost is no other variance')
  await adjust(2, 9)
  expectFailure(t, await submit(alice, id), 409, 'approval_required')
  await post(bob, id, 'approve')
  t.match((await submit(alice, id)).json().data, { status: 'submitted', approvedBy: bob.userId })
  t.strictSame((await levelsOf(db, alice))['1/1'], [8, 10])
})

t.test('an approval of other variances than those that the person saw is refused', async (t) => {
  const context = await start(t, 500)
  const { alice, bob } = context
  await alice.put('/api/variants/1', { unitCost: 300 })
  const id = await makeRead(context, [counted(1, 8)])
  await post(alice, id, 'finish')
  const seen = await readCount(bob, id)
  t.equal(seen.absoluteVarianceValue, 600)
  await alice.put('/api/stock-levels/bulk', {
    adjustments: [{ variantId: variantGid(1), locationId: locationGid(1), quantity: 100 }],
  })
  const { variancesVersion } = seen
  expectFailure(t, await post(bob, id, 'approve', { variancesVersion }), 409, 'stale_version')
  t.match(await readCount(bob, id), { approvedAt: null, absoluteVarianceValue: 27_600 })
  const { variancesVersion: now } = await readCount(bob, id)
  t.match((await post(bob, id, 'approve', { variancesVersion: now })).json().data, { approvedBy: bob.userId })
  t.equal((await post(bob, id, 'approve', { variancesVersion: now })).statusCode, 200, 'a repetition')
})

t.test('an approval that the previous release stored is valid', async (t) => {
  const context = await start(t)
  const { db, alice, bob } = context
  const id = await makeRead(context, [counted(1, 5)])
  await post(alice, id, 'finish')
  await post(bob, id, 'approve')
  await db.query(sql.typeAlias('void')`
    update stock_count set approved_variances = null where shop_id = ${alice.shopId} and id = ${id}
  `)
  t.match(await readCount(alice, id), { approvedBy: bob.userId, approvalNeeded: false })
  t.match((await submit(alice, id)).json().data, { status: 'submitted', approvedBy: bob.userId })
})

t.test('the limit is an amount or null', async (t) => {
  const { alice, mallory } = await start(t)
  for (const wrong of [-1, '20', 1.23456]) {
    const answer = await alice.put('/api/settings', { countApprovalValue: wrong })
    t.match(expectFailure(t, answer, 400, 'invalid_request').details, [{ path: '/countApprovalValue' }])
  }
  t.equal((await alice.get('/api/settings')).json().data.countApprovalValue, 20)
  t.equal((await alice.put('/api/settings', { phone: '1' })).json().data.countApprovalValue, 20)
  t.equal((await mallory.get('/api/settings')).json().data.countApprovalValue, null)
  t.equal(
    (await alice.put('/api/settings', { countApprovalValue: null })).json().data.countApprovalValue,
    null,
  )
})
