import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../shared/db/db.ts'
import { upsertLocations } from '../../../shared/domain/records/catalogue/locations.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { queuedJobs } from '../../support/core/jobs.ts'
import type { Person } from '../../support/core/people.ts'
import {
  expectLedger,
  item,
  levelsOf,
  locationGid,
  makeStock,
  makeTransfer,
  movementsOf,
  pushLinesOf,
  readTransfer,
} from '../../support/make/stock.ts'

/** Two variants with 10 units of each at each of two locations. */
async function start(t: Test) {
  const people = await startApp(t)
  await makeStock(people.db, people.alice, { variants: 2, locations: 2 })
  return people
}

const step = (person: Person, id: number, status: string, fields: object = {}) =>
  person.put(`/api/stock-transfers/${id}`, { status, ...fields })

const brief = (movements: Awaited<ReturnType<typeof movementsOf>>) =>
  movements.map(({ levelKey, delta }) => `${levelKey} ${delta}`)

t.test('shipping reduces the source, and completion increases the destination', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 3), item(2, 1), item(1, 4)] })
  const reference = `stock_transfer/${id}`
  const moved = { kind: 'transfer', reason: '', reference, actor: alice.userId }
  const pushed = { form: 'adjust', reference, state: 'queued' }

  const shipped = (await step(alice, id, 'in_transit')).json().data
  t.match(shipped, { status: 'in_transit', alreadyApplied: false, version: 2, completedAt: null })
  t.equal(shipped.shippedAt, shipped.updatedAt)
  t.strictSame(await movementsOf(db, alice), [
    { levelKey: '1/1', delta: -7, ...moved },
    { levelKey: '2/1', delta: -1, ...moved },
  ])
  const created = [
    { levelKey: '1/1', delta: -7, reason: 'movement_created', ...pushed },
    { levelKey: '2/1', delta: -1, reason: 'movement_created', ...pushed },
  ]
  t.strictSame(await pushLinesOf(db, alice), created)
  t.match(await queuedJobs(db, alice), [{ task: 'push-stock' }])

  const completed = (await step(alice, id, 'completed')).json().data
  t.match(completed, { status: 'completed', alreadyApplied: false, version: 3, cancelledAt: null })
  t.match(completed, { shippedAt: shipped.shippedAt, completedAt: completed.updatedAt })
  t.strictSame(brief(await movementsOf(db, alice)), ['1/1 -7', '2/1 -1', '1/2 7', '2/2 1'])
  t.strictSame(await pushLinesOf(db, alice), [
    ...created,
    { levelKey: '1/2', delta: 7, reason: 'movement_received', ...pushed },
    { levelKey: '2/2', delta: 1, reason: 'movement_received', ...pushed },
  ])
  t.strictSame(await levelsOf(db, alice), {
    '1/1': [3, 10],
    '1/2': [17, 10],
    '2/1': [9, 10],
    '2/2': [11, 10],
  })
  await expectLedger(t, db, alice)
})

const Request = Type.Object({ lines: Type.Integer(), total: Type.Integer() })

t.test('a transfer completed in one step is pushed with source and destination together', async (t) => {
  const { db, alice } = await start(t)
  const variants = 130
  await makeStock(db, alice, { variants, locations: 2 })
  const items = Array.from({ length: variants }, (_, at) => item(at + 1, 2))
  const id = await makeTransfer(alice, { items })
  const { data } = (await step(alice, id, 'completed')).json()
  t.match(data, { status: 'completed', shippedAt: data.updatedAt, completedAt: data.updatedAt })
  const requests = await db.any(sql.type(row(Request))`
    select count(*) as lines, sum(delta) as total
    from stock_push_line
    where shop_id = ${alice.shopId}
    group by push_id
    order by push_id
  `)
  const [full, rest] = [
    { lines: 250, total: 0 },
    { lines: 10, total: 0 },
  ]
  t.strictSame(requests, [full, rest], 'each push contains both sides of its items')
  t.ok((await pushLinesOf(db, alice)).every(({ reason }) => reason === 'movement_received'))
  await expectLedger(t, db, alice)
})

t.test(
  'cancelling a transfer in transit returns the goods; cancelling a planned one moves nothing',
  async (t) => {
    const { db, alice } = await start(t)
    const planned = await makeTransfer(alice)
    const { data } = (await step(alice, planned, 'cancelled')).json()
    t.match(data, {
      status: 'cancelled',
      cancelledAt: data.updatedAt,
      shippedAt: null,
      alreadyApplied: false,
    })
    t.strictSame(await movementsOf(db, alice), [])

    const shipped = await makeTransfer(alice, { items: [item(1, 10)] })
    await step(alice, shipped, 'in_transit')
    t.match((await step(alice, shipped, 'cancelled')).json().data, { status: 'cancelled', shippedAt: /Z$/ })
    t.strictSame(brief(await movementsOf(db, alice)), ['1/1 -10', '1/1 10'])
    t.match((await pushLinesOf(db, alice)).at(-1), {
      levelKey: '1/1',
      delta: 10,
      reason: 'movement_canceled',
    })
    await expectLedger(t, db, alice)
  },
)

t.test('a repeated step moves nothing, whatever its version', async (t) => {
  const { db, alice } = await start(t)
  for (const status of ['in_transit', 'completed', 'cancelled']) {
    const id = await makeTransfer(alice)
    const fields = { notes: 'once', ...(status !== 'in_transit' && { items: [item(2, 2)] }), version: 1 }
    const first = (await step(alice, id, status, fields)).json().data
    const before = await movementsOf(db, alice)
    for (const again of [fields, {}, { version: 99 }]) {
      const answer = await step(alice, id, status, again)
      t.equal(answer.statusCode, 200)
      t.strictSame(answer.json().data, { ...first, alreadyApplied: true }, status)
    }
    t.strictSame(await movementsOf(db, alice), before)
    if (status === 'in_transit') continue
    expectFailure(t, await step(alice, id, status, { notes: 'other' }), 409, 'conflict')
    expectFailure(t, await step(alice, id, status, { items: [item(1, 9)] }), 409, 'conflict')
  }
})

t.test('a transfer cannot go back, and a finished one cannot change', async (t) => {
  const { db, alice } = await start(t)
  for (const [steps, refused] of [
    [['in_transit'], ['pending']],
    [['completed'], ['pending', 'in_transit', 'cancelled']],
    [
      ['in_transit', 'completed'],
      ['pending', 'in_transit', 'cancelled'],
    ],
    [['cancelled'], ['pending', 'in_transit', 'completed']],
    [
      ['in_transit', 'cancelled'],
      ['pending', 'in_transit', 'completed'],
    ],
  ] as const) {
    const id = await makeTransfer(alice)
    for (const status of steps) t.equal((await step(alice, id, status)).statusCode, 200)
    const before = await movementsOf(db, alice)
    const state = await readTransfer(alice, id)
    for (const status of refused) {
      const hint = `${steps.join(', ')}, then ${status}`
      t.match(expectFailure(t, await step(alice, id, status), 409, 'conflict', hint).message, /transfer/)
    }
    t.strictSame(await movementsOf(db, alice), before)
    t.strictSame(await readTransfer(alice, id), state)
  }
})

t.test('nothing moves when the source has too little of one item', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 6), item(2, 10), item(1, 5)] })
  const before = await readTransfer(alice, id)
  for (const status of ['in_transit', 'completed']) {
    const answer = await step(alice, id, status, { notes: 'not kept' })
    t.strictSame(expectFailure(t, answer, 422, 'insufficient_stock').details, [
      { path: '/items/0/quantity', message: 'only 10 in stock' },
      { path: '/items/2/quantity', message: 'only 10 in stock' },
    ])
  }
  const tooMuch = await step(alice, id, 'in_transit', { items: [item(2, 3), item(2, 11)] })
  t.match(expectFailure(t, tooMuch, 422, 'insufficient_stock').details, [
    { path: '/items/0/quantity' },
    { path: '/items/1/quantity' },
  ])
  t.strictSame(await readTransfer(alice, id), before)
  t.strictSame(await movementsOf(db, alice), [])

  t.equal((await step(alice, id, 'completed', { allowNegative: true })).statusCode, 200)
  t.strictSame(await levelsOf(db, alice), {
    '1/1': [-1, 10],
    '1/2': [21, 10],
    '2/1': [0, 10],
    '2/2': [20, 10],
  })
  await expectLedger(t, db, alice)
})

t.test('a step with new items moves the new items', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 9), item(2, 9)] })
  const { data } = (await step(alice, id, 'completed', { items: [item(2, 4)], notes: 'less' })).json()
  t.match(data, { status: 'completed', notes: 'less', itemCount: 1, items: [item(2, 4)], version: 2 })
  t.strictSame(brief(await movementsOf(db, alice)), ['2/1 -4', '2/2 4'])
})

t.test(
  'shipping requires the location and the variant; goods in transit can arrive or return without them',
  async (t) => {
    const { db, alice } = await start(t)
    const planned = await makeTransfer(alice)
    const [arriving, returning] = [await makeTransfer(alice), await makeTransfer(alice)]
    for (const id of [arriving, returning]) await step(alice, id, 'in_transit')
    await db.query(sql.typeAlias('void')`
    update variant set deleted_at = now() where shop_id = ${alice.shopId} and sku = 'SKU-1'
  `)
    t.match(expectFailure(t, await step(alice, planned, 'in_transit'), 422, 'unknown_variant').details, [
      { path: '/items/0/variantId' },
    ])
    await db.transaction((tx) =>
      upsertLocations(tx, alice.shopId, [
        { gid: locationGid(1), name: 'Place 1', isActive: false, isPrimary: false },
      ]),
    )
    t.match(expectFailure(t, await step(alice, planned, 'completed'), 422, 'unknown_location').details, [
      { path: '/sourceLocationId' },
    ])
    t.equal((await step(alice, arriving, 'completed')).statusCode, 200)
    t.equal((await step(alice, returning, 'cancelled')).statusCode, 200)
    t.equal((await step(alice, planned, 'cancelled')).statusCode, 200)
    await expectLedger(t, db, alice)
  },
)

t.test('ten concurrent requests for a step move the goods once', async (t) => {
  const { db, alice } = await start(t)
  for (const status of ['completed', 'in_transit']) {
    const id = await makeTransfer(alice, { items: [item(1, 2), item(2, 2)] })
    const before = (await movementsOf(db, alice)).length
    const answers = await Promise.all(Array.from({ length: 10 }, () => step(alice, id, status)))
    t.strictSame(
      answers.map(({ statusCode }) => statusCode),
      Array(10).fill(200),
    )
    t.equal(answers.filter((answer) => !answer.json().data.alreadyApplied).length, 1)
    t.equal((await movementsOf(db, alice)).length - before, status === 'completed' ? 4 : 2)
  }
  await expectLedger(t, db, alice)
})

t.test('one of concurrent completion and cancellation succeeds', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 10)] })
  await step(alice, id, 'in_transit')
  const answers = await Promise.all(
    ['completed', 'cancelled', 'completed', 'cancelled'].map((status) => step(alice, id, status)),
  )
  const { status } = await readTransfer(alice, id)
  for (const answer of answers) {
    if (answer.statusCode === 200) t.equal(answer.json().data.status, status)
    else expectFailure(t, answer, 409, 'conflict')
  }
  const levels = await levelsOf(db, alice)
  const [source = 0, destination = 0] = ['1/1', '1/2'].map((place) => levels[place]?.[0])
  t.strictSame([source, destination], status === 'completed' ? [0, 20] : [10, 10])
  await expectLedger(t, db, alice)
})

t.test('concurrent transfers in both directions keep the total and do not deadlock', async (t) => {
  const { db, alice } = await start(t)
  const there = { items: [item(1, 2), item(2, 1)] }
  const back = {
    sourceLocationId: locationGid(2),
    destinationLocationId: locationGid(1),
    items: [item(2, 1), item(1, 2)],
  }
  const ids: number[] = []
  for (let index = 0; index < 20; index += 1) ids.push(await makeTransfer(alice, index % 2 ? there : back))
  const answers = await Promise.all(
    ids.map(async (id, at) => {
      if (at % 3 > 0) return [await step(alice, id, 'completed')]
      return [await step(alice, id, 'in_transit'), await step(alice, id, at % 2 ? 'completed' : 'cancelled')]
    }),
  )
  for (const answer of answers.flat()) {
    // The source may be empty temporarily; any other failure is a bug.
    if (answer.statusCode !== 200 && answer.json().error.code !== 'conflict') {
      expectFailure(t, answer, 422, 'insufficient_stock')
    }
  }
  const levels = await levelsOf(db, alice)
  const total = (variant: number) => (levels[`${variant}/1`]?.[0] ?? 0) + (levels[`${variant}/2`]?.[0] ?? 0)
  t.strictSame([total(1), total(2)], [20, 20])
  t.ok((await movementsOf(db, alice)).length > 0)
  await expectLedger(t, db, alice)
})
