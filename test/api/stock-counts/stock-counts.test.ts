import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { upsertLocations } from '../../../shared/domain/records/catalogue/locations.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { useOwnDatabase } from '../../support/core/database.ts'
import { queuedJobs } from '../../support/core/jobs.ts'
import { type Person, readPages } from '../../support/core/people.ts'
import {
  counted,
  item,
  levelsOf,
  locationGid,
  makeCount,
  makeStock,
  makeTransfer,
  movementsOf,
  readCount,
  readLevels,
  variantGid,
} from '../../support/make/stock.ts'

useOwnDatabase()

/** Both shops have three variants with 10 units of each at each of two locations. */
async function start(t: Test) {
  const people = await startApp(t)
  for (const person of [people.alice, people.mallory]) {
    await makeStock(people.db, person, { variants: 3, locations: 2 })
  }
  return people
}

const save = (person: Person, id: number, patch: object) => person.put(`/api/stock-counts/${id}`, patch)

/** Ships units of variant 1 from location 1. */
async function shipStock(person: Person, quantity: number) {
  const id = await makeTransfer(person, { items: [item(1, quantity)] })
  const answer = await person.put(`/api/stock-transfers/${id}`, { status: 'in_transit' })
  if (answer.statusCode !== 200) throw new Error(answer.body)
}

t.test('a new count is a draft, whose numbers wait for a reading of the platform', async (t) => {
  const { db, alice } = await start(t)
  const answer = await alice.post('/api/stock-counts', {
    locationId: locationGid(2),
    items: [counted(2, 12), counted(1, null)],
    notes: ' spring ',
  })
  t.equal(answer.statusCode, 201)
  const { id, createdAt } = answer.json().data
  const created = { id, status: 'draft', locationId: locationGid(2), createdAt }
  t.strictSame(answer.json(), { success: true, data: created })
  const product = (number: number) => ({
    variantId: variantGid(number),
    sku: `SKU-${number}`,
    title: `Mug ${number} - Size ${number}`,
    barcode: `00${number}`,
    bin: '',
    expectedQuantity: 10,
    ...{ readAt: null, variance: null, unitCost: null, varianceValue: null, isRecount: false },
  })
  const entry = {
    ...{ round: 1, person: alice.userId, device: '', isOwn: true },
    ...{ countedQuantity: 12, countedAt: createdAt },
  }
  const { variancesVersion, ...count } = await readCount(alice, id)
  t.match(variancesVersion, /^\w{32}$/)
  t.strictSame(count, {
    ...created,
    ...{ phase: 'counting', blind: false, isHidden: false, filter: null, planId: null, recount: null },
    locationName: 'Place 2',
    itemCount: 2,
    notes: 'spring',
    reason: '',
    items: [
      { ...product(2), countedQuantity: 12, countedAt: createdAt, entries: [entry] },
      { ...product(1), countedQuantity: null, countedAt: null, entries: [] },
    ],
    ...{ varianceValue: null, absoluteVarianceValue: null, accuracy: null, accuracyByValue: null },
    ...{ uncostedItemCount: 0, approvalNeeded: false },
    ...{ finishedAt: null, finishedBy: null, approvedAt: null, approvedBy: null },
    createdBy: alice.userId,
    updatedAt: createdAt,
    submittedAt: null,
    submittedBy: null,
    cancelledAt: null,
    staleItemCount: 0,
  })
  t.strictSame(await movementsOf(db, alice), [])
  t.match(await queuedJobs(db, alice), [{ task: 'read-levels' }])
  const readAt = await readLevels(db, alice, { committed: 1 })
  t.match((await readCount(alice, id)).items, [
    { expectedQuantity: 11, readAt, variance: 1 },
    { expectedQuantity: 11, readAt: null, variance: null },
  ])
})

t.test(
  'counts are listed with the fields of the specification, newest first, filtered by status',
  async (t) => {
    const { alice, mallory } = await start(t)
    const ids: number[] = []
    for (let index = 0; index < 5; index += 1) ids.unshift(await makeCount(alice, { items: [counted(1, 1)] }))
    const [newest = 0] = ids
    await save(alice, newest, { status: 'cancelled' })
    const { createdAt } = await readCount(alice, newest)
    t.strictSame((await alice.get('/api/stock-counts?status=cancelled')).json().data, [
      {
        id: newest,
        locationId: locationGid(1),
        locationName: 'Place 1',
        status: 'cancelled',
        phase: 'cancelled',
        blind: false,
        itemCount: 1,
        createdAt,
        varianceValue: null,
        accuracy: null,
      },
    ])
    const [a, b, c, d, e] = ids
    t.strictSame(await readPages(alice, '/api/stock-counts?limit=2'), [[a, b], [c, d], [e]])
    t.strictSame(await readPages(alice, '/api/stock-counts?limit=2&status=draft'), [
      [b, c],
      [d, e],
    ])
    t.strictSame(await readPages(mallory, '/api/stock-counts'), [[]])
    expectFailure(t, await alice.get('/api/stock-counts?status=open'), 400, 'invalid_request')
  },
)

t.test('a counted quantity is a whole number from 0, or null', async (t) => {
  const { alice } = await start(t)
  const id = await makeCount(alice)
  for (const wrong of [-1, 0.5, 1_000_000_001, '1', undefined]) {
    const items = [counted(1, 1), { variantId: variantGid(2), countedQuantity: wrong }]
    for (const answer of [
      await save(alice, id, { items }),
      await alice.post('/api/stock-counts', { locationId: locationGid(1), items }),
    ]) {
      const { details } = expectFailure(t, answer, 400, 'invalid_request', String(wrong))
      t.match(details, [{ path: '/items/1/countedQuantity' }])
    }
  }
  const tooMany = Array.from({ length: 5001 }, () => counted(1, 0))
  t.match(expectFailure(t, await save(alice, id, { items: tooMany }), 400, 'invalid_request').details, [
    { path: '/items' },
  ])
  t.equal((await save(alice, id, { items: tooMany.slice(1) })).statusCode, 200)
  t.match(await readCount(alice, id), { itemCount: 1, items: [{ countedQuantity: 0 }] })
})

t.test('the API refuses unknown variants and locations and names their fields', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeCount(alice)
  const items = [counted(1, 1), counted(9, 1), counted(1, 1), counted(8, 1), counted(9, 1)]
  for (const answer of [
    await save(alice, id, { items, notes: 'not kept' }),
    await alice.post('/api/stock-counts', { locationId: locationGid(1), items }),
  ]) {
    t.match(expectFailure(t, answer, 422, 'unknown_variant').details, [
      { path: '/items/1/variantId' },
      { path: '/items/3/variantId' },
    ])
  }
  t.match(await readCount(alice, id), { notes: '', items: [] })
  await db.transaction((tx) =>
    upsertLocations(tx, alice.shopId, [
      { gid: locationGid(2), name: 'Place 2', isActive: false, isPrimary: false },
    ]),
  )
  for (const number of [2, 9]) {
    const answer = await alice.post('/api/stock-counts', { locationId: locationGid(number), items: [] })
    t.match(expectFailure(t, answer, 422, 'unknown_location').details, [{ path: '/locationId' }])
  }
})

t.test('counted quantities are merged by variant, and each keeps its own time', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeCount(alice, { items: [counted(1, 10), counted(2, 8)] })
  await readLevels(db, alice)
  const [first, second] = (await readCount(alice, id)).items
  await shipStock(alice, 4)
  t.strictSame(
    (await readCount(alice, id)).items,
    [first, second],
    'the expected quantity of a counted variant does not change',
  )

  const { data } = (await save(alice, id, { items: [counted(3, 1), counted(1, 10), counted(2, 9)] })).json()
  const now = data.updatedAt
  t.strictSame(data.items, [
    first,
    {
      ...second,
      ...{ countedQuantity: 9, countedAt: now, readAt: null, variance: null },
      entries: [{ ...second?.entries[0], countedQuantity: 9, countedAt: now }],
    },
    { ...data.items[2], ...counted(3, 1), countedAt: now, expectedQuantity: 10, variance: null },
  ])
  t.match(data, { itemCount: 3, status: 'draft', alreadyApplied: false })

  const recount = (await save(alice, id, { items: [counted(1, 6)] })).json().data
  t.match(recount.items[0], { countedQuantity: 6, expectedQuantity: 6, variance: null })
  t.equal(recount.items[0].countedAt, recount.updatedAt)
})

t.test('an uncounted variant has null, and its expected quantity follows the level', async (t) => {
  const { alice } = await start(t)
  const id = await makeCount(alice, { items: [counted(1, null), counted(2, 5)] })
  await shipStock(alice, 4)
  const { data } = (await save(alice, id, { items: [counted(2, null)] })).json()
  const uncounted = { countedQuantity: null, countedAt: null, variance: null }
  t.match(data.items, [
    { ...uncounted, expectedQuantity: 6 },
    { ...uncounted, expectedQuantity: 10 },
  ])
  await save(alice, id, { status: 'cancelled' })
  await shipStock(alice, 1)
  t.match(
    (await readCount(alice, id)).items[0],
    { ...uncounted, expectedQuantity: 6 },
    'the expected quantity stays after the end of the count',
  )
})

t.test('several entries of one variant are added up', async (t) => {
  const { alice } = await start(t)
  const items = [counted(1, 2), counted(2, null), counted(1, null), counted(1, 3)]
  const id = await makeCount(alice, { items })
  t.match((await readCount(alice, id)).items, [counted(1, 5), counted(2, null)])
  const max = 1_000_000_000
  const answer = await save(alice, id, { items: [counted(1, max), counted(2, max), counted(1, 1)] })
  t.match(expectFailure(t, answer, 422, 'quantity_too_large').details, [
    { path: '/items/0/countedQuantity' },
    { path: '/items/2/countedQuantity' },
  ])
  t.match((await readCount(alice, id)).items, [counted(1, 5), counted(2, null)])
})

t.test('concurrent requests lose no counted quantity', async (t) => {
  const { db, alice } = await start(t)
  await makeStock(db, alice, { variants: 30 })
  const id = await makeCount(alice, { items: [counted(1, 7)] })
  const numbers = Array.from({ length: 29 }, (_, at) => at + 2)
  const answers = await Promise.all(
    numbers.map((number) => save(alice, id, { items: [counted(number, number), counted(1, 7)] })),
  )
  t.ok(answers.every(({ statusCode }) => statusCode === 200))
  const { itemCount, items } = await readCount(alice, id)
  t.equal(itemCount, 30)
  const saved = items.map(({ variantId, countedQuantity }) => ({ variantId, countedQuantity }))
  t.strictSame(
    saved.sort((a, b) => Number(a.countedQuantity) - Number(b.countedQuantity)),
    [...numbers.slice(0, 5), 7, ...numbers.slice(5)].map((number, at) =>
      counted(at === 5 ? 1 : number, number),
    ),
  )
})

t.test('an update without a change changes nothing', async (t) => {
  const { alice } = await start(t)
  const id = await makeCount(alice, { items: [counted(1, 7), counted(2, null)], notes: 'as it is' })
  const before = await readCount(alice, id)
  for (const patch of [
    {},
    { status: 'draft', items: [] },
    { items: [counted(2, null), counted(1, 7)], notes: 'as it is' },
  ]) {
    const answer = await save(alice, id, patch)
    t.strictSame(answer.json(), { success: true, data: { ...before, alreadyApplied: false } })
  }
  t.match((await save(alice, id, { notes: null })).json().data, { notes: '', items: before.items })
})

t.test('a cancelled count moves no stock and cannot change', async (t) => {
  const { db, alice } = await start(t)
  const id = await makeCount(alice, { items: [counted(1, 7)] })
  const patch = { status: 'cancelled', items: [counted(2, 3)], notes: 'wrong location' }
  const { data } = (await save(alice, id, patch)).json()
  t.match(data, { status: 'cancelled', cancelledAt: data.updatedAt, alreadyApplied: false, itemCount: 2 })
  t.strictSame((await save(alice, id, patch)).json().data, { ...data, alreadyApplied: true })
  for (const change of [
    { status: 'submitted' },
    { status: 'draft' },
    { status: 'cancelled', items: [counted(1, 8)] },
    { items: [counted(1, 7)] },
    { notes: 'x' },
    {},
  ]) {
    const { message } = expectFailure(t, await save(alice, id, change), 409, 'conflict')
    t.match(message, 'cancelled')
  }
  t.strictSame(await movementsOf(db, alice), [])
})

t.test('another shop can neither see nor save a count', async (t) => {
  const { db, alice, mallory } = await start(t)
  const id = await makeCount(alice, { items: [counted(1, 7)] })
  const before = await readCount(alice, id)
  expectFailure(t, await mallory.get(`/api/stock-counts/${id}`), 404, 'not_found')
  for (const patch of [{}, { status: 'submitted' }, { items: [counted(1, 1)] }]) {
    expectFailure(t, await save(mallory, id, patch), 404, 'not_found')
  }
  expectFailure(t, await save(alice, 999_999, { status: 'submitted' }), 404, 'not_found')
  t.strictSame(await readCount(alice, id), before)
  t.strictSame(await movementsOf(db, mallory), [])
})

t.test('a count with 10 000 products can be submitted repeatedly', async (t) => {
  const { db, alice } = await start(t)
  await db.query(sql.typeAlias('void')`
    insert into variant (shop_id, gid, product_id, sku, title)
    select ${alice.shopId}, 'gid://platform/ProductVariant/' || n, p.id, 'S' || n, n::text
    from generate_series(4, 10001) as n
    join product p on p.shop_id = ${alice.shopId} and p.gid = 'gid://platform/Product/1'
  `)
  // Without new statistics, connections with plans for three variants check foreign keys by sequential scans.
  await db.query(sql.typeAlias('void')`analyze variant`)
  const id = await makeCount(alice)
  const from = (first: number, length: number, quantity: number) =>
    Array.from({ length }, (_, at) => counted(first + at, quantity))
  const expectSubmitted = async (countId: number, quantity: number) => {
    for (const first of [1, 5001]) {
      t.equal((await save(alice, countId, { items: from(first, 5000, quantity) })).statusCode, 200)
    }
    await readLevels(db, alice)
    t.equal((await save(alice, countId, { status: 'submitted' })).json().data.itemCount, 10_000)
    const levels = Object.entries(await levelsOf(db, alice)).filter(([place]) => place.endsWith('/1'))
    t.equal(levels.filter(([, level]) => level[0] === quantity).length, 10_000)
  }
  for (const first of [1, 5001])
    t.equal((await save(alice, id, { items: from(first, 5000, 1) })).statusCode, 200)
  const answer = await save(alice, id, { items: from(10_000, 2, 1) })
  t.match(expectFailure(t, answer, 422, 'too_many_items').details, [{ path: '/items' }])
  t.equal((await readCount(alice, id)).itemCount, 10_000)
  await expectSubmitted(id, 1)
  await expectSubmitted(await makeCount(alice), 2)
})
