import t, { type Test } from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { makeColleague, type Person } from '../../support/core/people.ts'
import {
  closeLocation,
  counted,
  makeCount,
  makeStock,
  readCount,
  readLevels,
} from '../../support/make/stock.ts'

/** A number that no id, time or text of the answers contains by chance. */
const expected = 86_420
const found = 12_345
const variance = found - expected

async function start(t: Test) {
  const context = await startApp(t)
  await makeStock(context.db, context.alice, { variants: 2, available: expected })
  return { ...context, bob: await makeColleague(context.app, context.alice, 'bob') }
}

async function makeBlind(person: Person, fields: Parameters<typeof makeCount>[1] = {}) {
  return makeCount(person, { blind: true, items: [counted(1, found), counted(2, null)], ...fields })
}

/** Everything that the API says about the count while it takes numbers, and what the counting page reads beside it. */
async function everyAnswer(person: Person, id: number, key: string) {
  const url = `/api/stock-counts/${id}`
  const repeated = { 'idempotency-key': `blind-${key}-${id}` }
  return [
    await person.get(url),
    await person.get(url, { accept: 'text/csv' }),
    await person.get('/api/stock-counts'),
    await person.post(`${url}/add-products`, {}),
    await person.get('/api/products?search=SKU-1&hideStock=true'),
    await person.get('/api/variants?hideStock=true'),
    await person.get('/api/stock-counts', { accept: 'text/csv' }),
    await person.get('/api/stock-counts?status=draft'),
    await person.put(url, { items: [] }),
    await person.put(url, { notes: 'one' }),
    await person.send('PUT', url, { notes: 'two' }, repeated),
    await person.send('PUT', url, { notes: 'two' }, repeated),
    await person.put(url, { status: 'submitted' }),
    await person.put(url, { status: 'submitted', acceptStale: true }),
    await person.post(`${url}/approve`),
    await person.post(`${url}/recount`, { varianceValueAbove: 0 }),
    await person.post(`${url}/recount`, { variancePercentAbove: 0 }),
    await person.get('/api/stock-movements?kind=count'),
    await person.get('/api/reports/adjustments'),
    await person.get('/api/reports/count-accuracy'),
    await person.get(`/counts/${id}`),
    await person.get(`/counts/${id}/review`),
  ]
}

function expectNothing(t: Test, answers: readonly { body: string; statusCode: number }[], when: string) {
  for (const [at, { body: answered, statusCode }] of answers.entries()) {
    // random digits
    const body = answered.replace(/"requestId":"[^"]*"/, '')
    t.ok(statusCode < 500, `${when}: answer ${at}`)
    t.notMatch(body, /86[ ,.]?420/, `${when}: answer ${at} has no expected number`)
    t.notMatch(body, /"variance":-?\d/, `${when}: answer ${at} has no variance`)
    t.notMatch(body, String(-variance), `${when}: answer ${at} has no difference`)
    t.notMatch(
      body,
      /"(varianceValue|absoluteVarianceValue|accuracy|accuracyByValue)":-?\d/,
      `${when}: ${at}`,
    )
    t.notMatch(body, /"approvalNeeded":(true|false)|"uncostedItemCount":\d/, `${when}: answer ${at}`)
  }
}

t.test('no endpoint says what a blind count expects until counting is finished', async (t) => {
  const { db, alice, bob } = await start(t)
  await alice.put('/api/settings', { countApprovalValue: 1 })
  const id = await makeBlind(alice)
  for (const person of [alice, bob]) expectNothing(t, await everyAnswer(person, id, 'unread'), 'unread')
  await readLevels(db, alice)
  for (const person of [alice, bob]) expectNothing(t, await everyAnswer(person, id, 'read'), 'read')
  const { items } = await readCount(alice, id)
  t.match(items, [
    { countedQuantity: found, expectedQuantity: null, variance: null, varianceValue: null },
    { countedQuantity: null, expectedQuantity: null, variance: null, varianceValue: null },
  ])
  const finished = await alice.post(`/api/stock-counts/${id}/finish`)
  t.match(finished.json().data, { phase: 'review', isHidden: false, finishedBy: alice.userId })
  t.match((await readCount(bob, id)).items, [
    { expectedQuantity: expected, variance },
    { expectedQuantity: expected },
  ])
})

t.test('a blind count cannot be submitted before its review', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeBlind(alice)
  await readLevels(db, alice)
  const url = `/api/stock-counts/${id}`
  expectFailure(t, await alice.put(url, { status: 'submitted' }), 409, 'counting_not_finished')
  expectFailure(t, await alice.post(`${url}/approve`), 409, 'counting_not_finished')
  expectFailure(
    t,
    await alice.post(`${url}/recount`, { varianceValueAbove: 0 }),
    409,
    'counting_not_finished',
  )
  await alice.post(`${url}/finish`)
  const late = await alice.put(url, { items: [counted(1, expected)], device: 'a' })
  expectFailure(t, late, 409, 'counting_finished')
  t.match((await alice.put(url, { status: 'submitted' })).json().data, {
    status: 'submitted',
    isHidden: false,
  })
})

t.test('a blind count that is cancelled before its review stays blind', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeBlind(alice)
  await readLevels(db, alice)
  const cancelled = await alice.put(`/api/stock-counts/${id}`, { status: 'cancelled' })
  t.match(cancelled.json().data, { status: 'cancelled', isHidden: true })
  expectNothing(t, [cancelled, ...(await everyAnswer(alice, id, 'cancelled'))], 'cancelled')
})

t.test('a blind recount hides the expected and the first numbers again', async (t) => {
  const { db, alice, bob } = await start(t)
  const id = await makeBlind(alice)
  await readLevels(db, alice)
  const url = `/api/stock-counts/${id}`
  await alice.post(`${url}/finish`)
  const recount = await alice.post(`${url}/recount`, { variancePercentAbove: 0.1 })
  t.match(recount.json().data, { phase: 'recounting', isHidden: true, recount: { itemCount: 1, round: 2 } })
  const answers = [recount, ...(await everyAnswer(bob, id, 'recount'))]
  expectNothing(t, answers, 'recount')
  for (const { body } of answers)
    t.notMatch(body.replace(/"requestId":"[^"]*"/, ''), String(found), 'first number')
  await bob.put(url, { items: [counted(1, found + 5)], device: 'b' })
  await readLevels(db, alice)
  expectNothing(t, await everyAnswer(bob, id, 'recounted'), 'recounted')
  await bob.post(`${url}/finish`)
  t.match((await readCount(alice, id)).items[0], {
    countedQuantity: found + 5,
    variance: variance + 5,
    isRecount: true,
    entries: [
      { round: 1, person: alice.userId, countedQuantity: found },
      { round: 2, person: bob.userId, countedQuantity: found + 5 },
    ],
  })
})

t.test('errors of a blind count say nothing either', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeBlind(alice)
  const url = `/api/stock-counts/${id}`
  const wrong = [
    await alice.put(url, { items: [counted(9, 1)] }),
    await alice.put(url, { items: [counted(1, -1)] }),
    await alice.put(url, { items: [counted(1, 1_000_000_000), counted(1, 1)] }),
    await alice.put(url, { blind: 'no' }),
  ]
  await closeLocation(db, alice, 1)
  wrong.push(await alice.put(url, { status: 'submitted' }))
  expectNothing(t, wrong, 'errors')
})

t.test('blind is a yes or no of the creation, and an update ignores it', async (t) => {
  const { alice } = await start(t)
  const answer = await alice.post('/api/stock-counts', {
    locationId: 'gid://platform/Location/1',
    items: [],
    blind: 1,
  })
  t.match(expectFailure(t, answer, 400, 'invalid_request').details, [{ path: '/blind' }])
  const id = await makeBlind(alice)
  t.match((await alice.put(`/api/stock-counts/${id}`, { blind: false })).json().data, {
    blind: true,
    isHidden: true,
  })
})
