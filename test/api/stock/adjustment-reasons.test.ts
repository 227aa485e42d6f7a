import t, { type Test } from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import {
  counted,
  locationGid,
  makeCount,
  makeStock,
  movementsOf,
  readLevels,
  variantGid,
} from '../../support/make/stock.ts'

async function start(t: Test, settings: object = {}) {
  const context = await startApp(t)
  for (const person of [context.alice, context.mallory]) await makeStock(context.db, person, { variants: 2 })
  await context.alice.put('/api/settings', settings)
  return context
}

const level = { variantId: variantGid(1), locationId: locationGid(1) }
const adjust = (person: Person, reason?: string) =>
  person.post('/api/stock-levels/adjust', {
    adjustments: [{ ...level, delta: -1, ...(reason && { reason }) }],
  })
const required = { adjustmentReasons: ['Broken', 'Lost'], adjustmentReasonRequired: true }

t.test('a shop has a list of reasons, its own after it changes it', async (t) => {
  const { alice, mallory } = await start(t)
  const read = async (person: Person) => (await person.get('/api/settings')).json().data
  t.match(await read(alice), { adjustmentReasonRequired: false })
  t.ok((await read(alice)).adjustmentReasons.includes('Damaged'))
  await alice.put('/api/settings', required)
  t.match(await read(alice), required)
  t.match((await alice.put('/api/settings', { phone: '1' })).json().data, required)
  t.strictSame(await read(mallory), { ...(await read(mallory)), adjustmentReasonRequired: false })
  await alice.put('/api/settings', { adjustmentReasons: null })
  t.ok((await read(alice)).adjustmentReasons.includes('Damaged'), 'null takes the default list again')
})

t.test('the list is checked, and the field named', async (t) => {
  const { alice } = await start(t)
  for (const [fields, path] of [
    [{ adjustmentReasons: [] }, '/adjustmentReasons'],
    [{ adjustmentReasons: ['a', 'a'] }, '/adjustmentReasons/1'],
    [{ adjustmentReasons: Array.from({ length: 51 }, (_, at) => `reason ${at}`) }, '/adjustmentReasons'],
    [{ adjustmentReasons: ['ok', ''] }, '/adjustmentReasons/1'],
    [{ adjustmentReasons: ['x'.repeat(201)] }, '/adjustmentReasons/0'],
    [{ adjustmentReasonRequired: 'yes' }, '/adjustmentReasonRequired'],
  ] as const) {
    const answer = await alice.put('/api/settings', fields)
    t.match(expectFailure(t, answer, 400, 'invalid_request').details, [{ path }])
  }
})

t.test('without the requirement any reason or none is accepted', async (t) => {
  const { alice } = await start(t, { adjustmentReasons: ['Broken'] })
  for (const reason of [undefined, 'Broken', 'A mouse'])
    t.equal((await adjust(alice, reason)).statusCode, 200)
})

t.test('a shop that requires reasons gets one of its list with each change', async (t) => {
  const { db, alice, mallory } = await start(t, required)
  const missing = expectFailure(t, await adjust(alice), 422, 'reason_required')
  t.match(missing.details, [{ path: '/adjustments/0/reason' }])
  const unknown = expectFailure(t, await adjust(alice, 'A mouse'), 422, 'unknown_reason')
  t.match(unknown, { message: /Broken, Lost/, details: [{ path: '/adjustments/0/reason' }] })
  const lines = [
    { ...level, quantity: 3, reason: 'Lost' },
    { ...level, variantId: variantGid(2), quantity: 3 },
  ]
  const set = await alice.put('/api/stock-levels/bulk', { adjustments: lines })
  t.match(expectFailure(t, set, 422, 'reason_required').details, [{ path: '/adjustments/1/reason' }])
  t.strictSame(await movementsOf(db, alice), [])
  t.equal((await adjust(alice, 'Broken')).statusCode, 200)
  t.match(await movementsOf(db, alice), [{ delta: -1, reason: 'Broken' }])
  t.equal((await adjust(mallory)).statusCode, 200, 'the other shop requires none')

  const unknownProduct = { ...level, variantId: variantGid(99), delta: 1 }
  const both = await alice.post('/api/stock-levels/adjust', { adjustments: [unknownProduct] })
  expectFailure(t, both, 422, 'reason_required')
  const onShelf = { adjustments: [{ ...level, quantity: 4 }], basis: 'on_hand' }
  expectFailure(t, await alice.put('/api/stock-levels/bulk', onShelf), 422, 'reason_required')

  await alice.put('/api/settings', { adjustmentReasons: null })
  t.match(expectFailure(t, await adjust(alice, 'Lost'), 422, 'unknown_reason'), { message: /Damaged/ })
  t.equal((await adjust(alice, 'Damaged')).statusCode, 200, 'the default list')
})

t.test('a count with a variance needs a reason, which its movements have', async (t) => {
  const { db, alice } = await start(t, required)
  const id = await makeCount(alice, { items: [counted(1, 9), counted(2, 10)] })
  await readLevels(db, alice)
  const url = `/api/stock-counts/${id}`
  const missing = expectFailure(t, await alice.put(url, { status: 'submitted' }), 422, 'reason_required')
  t.match(missing.details, [{ path: '/reason' }])
  const unknown = await alice.put(url, { status: 'submitted', reason: 'A mouse' })
  t.match(expectFailure(t, unknown, 422, 'unknown_reason').details, [{ path: '/reason' }])
  const submitted = await alice.put(url, { status: 'submitted', reason: 'Lost' })
  t.match(submitted.json().data, { status: 'submitted', reason: 'Lost' })
  t.match(await movementsOf(db, alice), [{ kind: 'count', delta: -1, reason: 'Lost' }])
  t.match((await alice.get('/api/reports/adjustments')).json().data, [{ reason: 'Lost', adjustment: -1 }])
  const equal = await makeCount(alice, { items: [counted(2, 10)] })
  await readLevels(db, alice)
  t.equal(
    (await alice.put(`/api/stock-counts/${equal}`, { status: 'submitted' })).statusCode,
    200,
    'no variance',
  )
})
