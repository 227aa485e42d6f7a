import t, { type Test } from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { makeColleague, type Person } from '../../support/core/people.ts'
import {
  counted,
  expectLedger,
  levelsOf,
  makeCount,
  makeStock,
  readCount,
  readLevels,
} from '../../support/make/stock.ts'

/** Alice and Bob work in one shop with 10 units of each of four variants; the first costs 5.00, the second 2.00. */
async function start(t: Test) {
  const context = await startApp(t)
  const { app, db, alice, mallory } = context
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 4 })
  await setCost(alice, 1, 5)
  await setCost(alice, 2, 2)
  return { ...context, bob: await makeColleague(app, alice, 'bob') }
}

const setCost = (person: Person, number: number, unitCost: number) =>
  person.put(`/api/variants/${number}`, { unitCost })

const post = (person: Person, id: number, verb: string, body?: object) =>
  person.post(`/api/stock-counts/${id}/${verb}`, body)
const save = (person: Person, id: number, patch: object) => person.put(`/api/stock-counts/${id}`, patch)

/** A count of Alice in review: -4 pieces worth 20.00, +1 worth 2.00, -1 of unknown cost, and one without a variance. */
async function makeReviewed({ db, alice }: Awaited<ReturnType<typeof start>>) {
  const id = await makeCount(alice, { items: [counted(1, 6), counted(2, 11), counted(3, 9), counted(4, 10)] })
  await readLevels(db, alice)
  await post(alice, id, 'finish')
  return id
}

const listed = async (person: Person, id: number) =>
  (await readCount(person, id)).items.filter(({ isRecount }) => isRecount).map(({ sku }) => sku)

t.test(
  'a recount lists variances above a value, in either direction, and those of unknown value',
  async (t) => {
    const context = await start(t)
    const { alice } = context
    const id = await makeReviewed(context)
    const { data } = (await post(alice, id, 'recount', { varianceValueAbove: 2 })).json()
    t.match(data, {
      phase: 'recounting',
      finishedAt: null,
      recount: {
        round: 2,
        varianceValueAbove: 2,
        variancePercentAbove: null,
        itemCount: 2,
        requestedBy: alice.userId,
      },
    })
    t.strictSame(await listed(alice, id), ['SKU-1', 'SKU-3'], '2.00 is not above 2')
  },
)

t.test('a recount lists variances above a percentage', async (t) => {
  const context = await start(t)
  const id = await makeReviewed(context)
  await post(context.alice, id, 'recount', { variancePercentAbove: 10 })
  t.strictSame(await listed(context.alice, id), ['SKU-1'], '10 % is not above 10')
})

t.test('a product is on the list when one of two limits is passed', async (t) => {
  const context = await start(t)
  const id = await makeReviewed(context)
  await post(context.alice, id, 'recount', { varianceValueAbove: 1, variancePercentAbove: 5 })
  t.strictSame(await listed(context.alice, id), ['SKU-1', 'SKU-2', 'SKU-3'])
})

t.test('another person recounts, and their number replaces the first', async (t) => {
  const context = await start(t)
  const { db, alice, bob } = context
  const id = await makeReviewed(context)
  await post(alice, id, 'recount', { variancePercentAbove: 5 })
  const [first] = (await readCount(bob, id)).items
  t.match(first, { countedQuantity: null, variance: null, entries: [] }, 'the first number is not shown')
  const own = await save(alice, id, { items: [counted(1, 7)], device: 'a' })
  t.match(expectFailure(t, own, 422, 'same_person').details, [
    { path: '/items/0/variantId', message: 'was counted by you before' },
  ])
  expectFailure(t, await save(alice, id, { items: [counted(1, 7)] }), 422, 'same_person')
  const other = await save(bob, id, { items: [counted(4, 3)], device: 'b' })
  t.match(expectFailure(t, other, 422, 'not_in_recount').details, [{ path: '/items/0/variantId' }])
  expectFailure(t, await save(bob, id, { status: 'submitted' }), 409, 'counting_not_finished')
  t.match((await save(bob, id, { items: [counted(1, 9)], device: 'b' })).json().data.items[0], {
    countedQuantity: 9,
    entries: [{ round: 2, person: bob.userId }],
  })
  await readLevels(db, alice)
  await post(bob, id, 'finish')
  const { items } = await readCount(alice, id)
  t.match(items, [
    { countedQuantity: 9, variance: -1, entries: [{ person: alice.userId }, { person: bob.userId }] },
    { countedQuantity: 11, variance: 1, isRecount: true },
    { countedQuantity: 9, variance: -1 },
    { countedQuantity: 10, variance: 0, isRecount: false },
  ])
  t.match((await save(alice, id, { status: 'submitted' })).json().data, { status: 'submitted' })
  t.strictSame(
    Object.values(await levelsOf(db, alice)).map(([level]) => level),
    [9, 11, 9, 10],
  )
  await expectLedger(t, db, alice)
})

t.test('a second number that is removed leaves the first one valid', async (t) => {
  const context = await start(t)
  const { db, alice, bob } = context
  const carol = await makeColleague(context.app, alice, 'carol')
  const id = await makeCount(alice)
  await save(alice, id, { items: [counted(1, 2)], device: 'a' })
  await save(carol, id, { items: [counted(1, 4)], device: 'c' })
  await readLevels(db, alice)
  await post(alice, id, 'finish')
  const [first] = (await readCount(alice, id)).items
  await post(alice, id, 'recount', { varianceValueAbove: 0 })
  for (const device of ['b', undefined]) {
    await save(bob, id, { items: [counted(1, 9)], device })
    const removed = await save(bob, id, { items: [counted(1, null)], device })
    t.match(removed.json().data.items, [{ countedQuantity: null, countedAt: null, entries: [] }])
  }
  await save(bob, id, { items: [counted(1, 9)], device: 'b' })
  await save(bob, id, { items: [counted(1, 1)], device: 'phone' })
  await save(bob, id, { items: [counted(1, null)], device: 'b' })
  t.match((await readCount(bob, id)).items, [{ countedQuantity: 1 }], 'the other number of the recount stays')
  await save(bob, id, { items: [counted(1, null)], device: 'phone' })
  await readLevels(db, alice)
  await post(bob, id, 'finish')
  const { countedAt, expectedQuantity, variance } = first ?? {}
  t.match((await readCount(alice, id)).items, [
    { countedQuantity: 6, countedAt, expectedQuantity, variance, entries: [{ round: 1 }, { round: 1 }] },
  ])
  await save(alice, id, { status: 'submitted' })
  t.equal(Object.values(await levelsOf(db, alice))[0]?.[0], 6)
})

t.test('a number from before the recount is not a second number', async (t) => {
  const context = await start(t)
  const { db, alice, bob } = context
  const carol = await makeColleague(context.app, alice, 'carol')
  const id = await makeCount(alice)
  await save(bob, id, { items: [counted(1, 4)], device: 'b', round: 1 })
  await readLevels(db, alice)
  const countedAt = new Date().toISOString()
  await post(alice, id, 'finish')
  await post(alice, id, 'recount', { varianceValueAbove: 0 })
  const before = await readCount(carol, id)
  const late = { items: [{ ...counted(1, 3), countedAt }], device: 'c' }
  expectFailure(t, await save(carol, id, { ...late, round: 1 }), 409, 'round_ended')
  expectFailure(t, await save(carol, id, { ...late, round: 3 }), 409, 'round_ended')
  const undated = await save(carol, id, late)
  t.match(expectFailure(t, undated, 422, 'counted_before_recount').details, [
    { path: '/items/0/variantId', message: 'was counted before the recount started' },
  ])
  expectFailure(t, await save(carol, id, { round: 0 }), 400, 'invalid_request')
  t.strictSame(await readCount(carol, id), before)
  // the clock of the device is behind, but the device knows the round
  t.match((await save(carol, id, { ...late, round: 2 })).json().data.items, [{ countedQuantity: 3 }])
  await post(alice, id, 'finish')
  expectFailure(
    t,
    await save(carol, id, { items: [counted(1, 5)], device: 'c', round: 2 }),
    409,
    'counting_finished',
  )
  await save(alice, id, { status: 'cancelled' })
  expectFailure(t, await save(carol, id, { ...late, round: 1 }), 409, 'conflict')
})

t.test('a third count is by another person than the second', async (t) => {
  const context = await start(t)
  const { db, alice, bob } = context
  const id = await makeReviewed(context)
  await post(alice, id, 'recount', { varianceValueAbove: 10 })
  await save(bob, id, { items: [counted(1, 2)], device: 'b' })
  await readLevels(db, alice)
  await post(bob, id, 'finish')
  t.match((await post(alice, id, 'recount', { varianceValueAbove: 10 })).json().data.recount, { round: 3 })
  expectFailure(t, await save(bob, id, { items: [counted(1, 3)], device: 'b' }), 422, 'same_person')
  t.equal((await save(alice, id, { items: [counted(1, 3)], device: 'a' })).statusCode, 200)
})

t.test('a recount needs a limit, a variance above it, and a finished count', async (t) => {
  const context = await start(t)
  const { db, alice } = context
  const draft = await makeCount(alice, { items: [counted(1, 6)] })
  expectFailure(
    t,
    await post(alice, draft, 'recount', { varianceValueAbove: 0 }),
    409,
    'counting_not_finished',
  )
  await post(alice, draft, 'finish')
  expectFailure(t, await post(alice, draft, 'recount', { varianceValueAbove: 0 }), 409, 'levels_not_read')
  await readLevels(db, alice)
  for (const [body, path] of [
    [{}, '/varianceValueAbove'],
    [{ varianceValueAbove: -1 }, '/varianceValueAbove'],
    [{ varianceValueAbove: '1' }, '/varianceValueAbove'],
    [{ variancePercentAbove: -1 }, '/variancePercentAbove'],
    [{ percent: 1 }, '/percent'],
  ] as const) {
    t.match(expectFailure(t, await post(alice, draft, 'recount', body), 400, 'invalid_request').details, [
      { path },
    ])
  }
  expectFailure(t, await post(alice, draft, 'recount', { varianceValueAbove: 20 }), 409, 'nothing_to_recount')
  t.match(await readCount(alice, draft), { phase: 'review', recount: null })
  await save(alice, draft, { status: 'cancelled' })
  for (const verb of ['recount', 'finish', 'approve'])
    expectFailure(
      t,
      await post(alice, draft, verb, verb === 'recount' ? { varianceValueAbove: 1 } : undefined),
      409,
      'conflict',
    )
})

t.test('finishing twice changes nothing', async (t) => {
  const context = await start(t)
  const id = await makeReviewed(context)
  const { finishedAt } = await readCount(context.alice, id)
  t.match((await post(context.bob, id, 'finish')).json().data, {
    finishedAt,
    finishedBy: context.alice.userId,
  })
})

t.test('a shop cannot finish, recount or approve a count of another shop', async (t) => {
  const context = await start(t)
  const id = await makeReviewed(context)
  const before = await readCount(context.alice, id)
  for (const [verb, body] of [['finish'], ['recount', { varianceValueAbove: 0 }], ['approve']] as const)
    expectFailure(t, await post(context.mallory, id, verb, body), 404, 'not_found')
  t.strictSame(await readCount(context.alice, id), before)
})
