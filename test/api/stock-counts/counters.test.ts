import t, { type Test } from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { makeColleague, type Person } from '../../support/core/people.ts'
import { counted, makeCount, makeStock, readCount, readLevels, variantGid } from '../../support/make/stock.ts'

/** Alice and Bob work in one shop with 10 units of each of two variants. */
async function start(t: Test) {
  const context = await startApp(t)
  await makeStock(context.db, context.alice, { variants: 2 })
  return { ...context, bob: await makeColleague(context.app, context.alice, 'bob') }
}

const save = (person: Person, id: number, countedQuantity: number | null, device?: string) =>
  person.put(`/api/stock-counts/${id}`, {
    items: [counted(1, countedQuantity)],
    ...(device !== undefined && { device }),
  })
const first = async (person: Person, id: number) => (await readCount(person, id)).items[0]

t.test('numbers of two people on two shelves of one product add up', async (t) => {
  const { db, alice, bob } = await start(t)
  const id = await makeCount(alice)
  await save(alice, id, 3, 'a')
  await save(bob, id, 4, 'b')
  t.match(await first(alice, id), {
    countedQuantity: 7,
    entries: [
      { round: 1, person: alice.userId, device: 'a', countedQuantity: 3, isOwn: true },
      { round: 1, person: bob.userId, device: 'b', countedQuantity: 4, isOwn: false },
    ],
  })
  await readLevels(db, alice)
  const submitted = await alice.put(`/api/stock-counts/${id}`, { status: 'submitted' })
  t.match(submitted.json().data.items, [{ countedQuantity: 7, variance: -3 }])
})

t.test('a counter replaces its own number, and two devices of one person add up', async (t) => {
  const { alice, bob } = await start(t)
  const id = await makeCount(alice)
  await save(alice, id, 3, 'a')
  await save(bob, id, 4, 'b')
  await save(alice, id, 5, 'a')
  t.match(await first(alice, id), { countedQuantity: 9 })
  await save(alice, id, 1, 'phone')
  t.match(await first(alice, id), { countedQuantity: 10 })
  const before = await first(alice, id)
  await save(bob, id, 4, 'b')
  t.strictSame(await first(alice, id), before, 'a repeated number changes nothing')
  await save(alice, id, null, 'a')
  await save(alice, id, null, 'phone')
  t.match(await first(alice, id), { countedQuantity: 4, entries: [{ person: bob.userId }] })
  await save(bob, id, null, 'b')
  t.match(await first(alice, id), { countedQuantity: null, countedAt: null, entries: [] })
})

t.test('a number without a device is the total of its product', async (t) => {
  const { alice, bob } = await start(t)
  const id = await makeCount(alice)
  await save(alice, id, 3, 'a')
  await save(bob, id, 4, 'b')
  await save(bob, id, 7)
  t.equal((await first(alice, id))?.entries.length, 2, 'a repeated total changes nothing')
  await save(bob, id, 8)
  t.match(await first(alice, id), { countedQuantity: 8, entries: [{ person: bob.userId, device: '' }] })
  t.equal((await first(alice, id))?.entries.length, 1)
})

t.test('the sum of several people is limited', async (t) => {
  const { alice, bob } = await start(t)
  const id = await makeCount(alice)
  await save(alice, id, 1_000_000_000, 'a')
  const answer = await save(bob, id, 1, 'b')
  t.match(expectFailure(t, answer, 422, 'quantity_too_large').details, [{ path: '/items/0/countedQuantity' }])
  t.match(await first(alice, id), { countedQuantity: 1_000_000_000 })
})

t.test('the sum has the time of its last number', async (t) => {
  const { alice, bob } = await start(t)
  const id = await makeCount(alice)
  await save(alice, id, 3, 'a')
  const at = (await first(alice, id))?.countedAt
  const items = [{ ...counted(1, 4), countedAt: '2026-11-01T00:00:00Z' }]
  await bob.put(`/api/stock-counts/${id}`, { items, device: 'b' })
  t.match(await first(alice, id), { countedQuantity: 7, countedAt: at })
})

t.test('two people who save at the same time lose no piece', async (t) => {
  const { alice, bob } = await start(t)
  const id = await makeCount(alice, { items: [counted(1, null), counted(2, null)] })
  for (let number = 1; number <= 5; number += 1) {
    await Promise.all([save(alice, id, number, 'a'), save(bob, id, number * 2, 'b')])
    t.match(await first(alice, id), { variantId: variantGid(1), countedQuantity: number * 3 })
  }
})

t.test('the API refuses a device that is no text, and names the field', async (t) => {
  const { alice } = await start(t)
  const id = await makeCount(alice)
  for (const device of [1, 'x'.repeat(65), 'a\nb']) {
    const answer = await alice.put(`/api/stock-counts/${id}`, { items: [counted(1, 1)], device })
    t.match(expectFailure(t, answer, 400, 'invalid_request').details, [{ path: '/device' }])
  }
})
