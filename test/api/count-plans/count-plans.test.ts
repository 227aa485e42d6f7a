import t, { type Test } from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { type Person, readPages } from '../../support/core/people.ts'
import { closeLocation, locationGid, makeStock } from '../../support/make/stock.ts'

async function start(t: Test) {
  const context = await startApp(t)
  for (const person of [context.alice, context.mallory])
    await makeStock(context.db, person, { variants: 1, locations: 2 })
  return context
}

const plan = { locationId: locationGid(1), everyDays: 7 }

async function makePlan(person: Person, fields: object = {}) {
  const answer = await person.post('/api/count-plans', { ...plan, ...fields })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json().data
}

t.test('a plan is created, read, changed and deleted', async (t) => {
  const { alice } = await start(t)
  const created = await makePlan(alice, { abcClass: 'A', blind: true, maxItems: 50, nextOn: '2026-12-24' })
  t.match(created, {
    locationId: locationGid(1),
    locationName: 'Place 1',
    everyDays: 7,
    abcClass: 'A',
    blind: true,
    maxItems: 50,
    nextOn: '2026-12-24',
    problem: null,
    openCountId: null,
    createdBy: alice.userId,
  })
  const url = `/api/count-plans/${created.id}`
  t.strictSame((await alice.get(url)).json().data, created)
  const changed = await alice.put(url, {
    everyDays: 30,
    abcClass: null,
    maxItems: null,
    locationId: locationGid(2),
  })
  const { updatedAt } = changed.json().data
  t.strictSame(changed.json().data, {
    ...created,
    ...{ everyDays: 30, abcClass: null, maxItems: null, updatedAt },
    ...{ locationId: locationGid(2), locationName: 'Place 2' },
  })
  t.strictSame(
    (await alice.put(url, changed.json().data)).json().data.everyDays,
    30,
    'what was read can be sent',
  )
  t.equal((await alice.delete(url)).statusCode, 200)
  expectFailure(t, await alice.get(url), 404, 'not_found')
})

t.test('without a day the first count is made in the next night', async (t) => {
  const { alice } = await start(t)
  const today = new Date().toISOString().slice(0, 10)
  t.match(await makePlan(alice), { nextOn: today, abcClass: null, blind: false, maxItems: null })
})

t.test('plans are listed newest first, in pages', async (t) => {
  const { alice, mallory } = await start(t)
  const ids = []
  for (let number = 0; number < 3; number += 1) ids.unshift((await makePlan(alice)).id)
  t.strictSame(await readPages(alice, '/api/count-plans?limit=2'), [ids.slice(0, 2), ids.slice(2)])
  t.strictSame(await readPages(mallory, '/api/count-plans'), [[]])
})

t.test('the API refuses a plan that is not valid, and names its field', async (t) => {
  const { db, alice } = await start(t)
  const { id } = await makePlan(alice)
  for (const [field, wrong] of [
    ['everyDays', 0],
    ['everyDays', 367],
    ['everyDays', 1.5],
    ['abcClass', 'D'],
    ['blind', 'yes'],
    ['maxItems', 0],
    ['maxItems', 10_001],
    ['nextOn', '2026-02-30'],
    ['nextOn', 'soon'],
    ['locationId', 'gid://platform/Product/1'],
    ['everyWeek', 1],
  ] as const) {
    for (const answer of [
      await alice.post('/api/count-plans', { ...plan, [field]: wrong }),
      await alice.put(`/api/count-plans/${id}`, { [field]: wrong }),
    ])
      t.match(expectFailure(t, answer, 400, 'invalid_request').details, [{ path: `/${field}` }])
  }
  const bare = await alice.post('/api/count-plans', {})
  t.match(expectFailure(t, bare, 400, 'invalid_request').details, [
    { path: '/locationId' },
    { path: '/everyDays' },
  ])
  await closeLocation(db, alice, 2)
  for (const number of [2, 9]) {
    const answer = await alice.put(`/api/count-plans/${id}`, { locationId: locationGid(number) })
    t.match(expectFailure(t, answer, 422, 'unknown_location').details, [{ path: '/locationId' }])
  }
})

t.test('a shop cannot read, change or delete a plan of another shop', async (t) => {
  const { alice, mallory } = await start(t)
  const created = await makePlan(alice)
  const url = `/api/count-plans/${created.id}`
  for (const answer of [
    await mallory.get(url),
    await mallory.put(url, { everyDays: 1 }),
    await mallory.delete(url),
  ])
    expectFailure(t, answer, 404, 'not_found')
  t.strictSame((await alice.get(url)).json().data, created)
})
