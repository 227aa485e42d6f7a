import t, { type Test } from 'tap'
import { upsertLocations } from '../../../shared/domain/records/catalogue/locations.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { type Person, readPages } from '../../support/core/people.ts'
import {
  item,
  locationGid,
  makeStock,
  makeTransfer,
  movementsOf,
  pushLinesOf,
  readTransfer,
  transfer,
  variantGid,
} from '../../support/make/stock.ts'

/** Both shops have two variants with 10 units of each at each of two locations. */
async function start(t: Test) {
  const people = await startApp(t)
  for (const person of [people.alice, people.mallory]) {
    await makeStock(people.db, person, { variants: 2, locations: 2 })
  }
  return people
}

/** The pieces of an item of which nothing was shipped. */
const unmoved = {
  shipped: 0,
  received: 0,
  lost: 0,
  damaged: 0,
  returned: 0,
  inTransit: 0,
  sourceBin: '',
  destinationBin: '',
}

const edit = (person: Person, id: number, patch: object) => person.put(`/api/stock-transfers/${id}`, patch)

t.test('planning a transfer moves nothing', async (t) => {
  const { db, alice } = await start(t)
  const items = [item(2, 3), item(1, 1_000_000), item(2, 4)]
  const answer = await alice.post('/api/stock-transfers', transfer({ items, notes: ' by van ' }))
  t.equal(answer.statusCode, 201)
  const { id, createdAt } = answer.json().data
  t.strictSame(answer.json(), { success: true, data: { id, status: 'pending', createdAt } })
  t.strictSame(await readTransfer(alice, id), {
    id,
    sourceLocationId: locationGid(1),
    sourceLocationName: 'Place 1',
    destinationLocationId: locationGid(2),
    destinationLocationName: 'Place 2',
    status: 'pending',
    itemCount: 3,
    items: [
      {
        variantId: variantGid(2),
        sku: 'SKU-2',
        barcode: '002',
        title: 'Mug 2 - Size 2',
        quantity: 3,
        ...unmoved,
      },
      {
        variantId: variantGid(1),
        sku: 'SKU-1',
        barcode: '001',
        title: 'Mug 1 - Size 1',
        quantity: 1_000_000,
        ...unmoved,
      },
      {
        variantId: variantGid(2),
        sku: 'SKU-2',
        barcode: '002',
        title: 'Mug 2 - Size 2',
        quantity: 4,
        ...unmoved,
      },
    ],
    notes: 'by van',
    createdBy: alice.userId,
    createdAt,
    updatedAt: createdAt,
    shippedAt: null,
    completedAt: null,
    cancelledAt: null,
    isPlanEnded: false,
    version: 1,
  })
  t.strictSame(await movementsOf(db, alice), [])
  t.strictSame(await pushLinesOf(db, alice), [])
})

t.test(
  'transfers are listed with the fields of the specification, newest first, filtered by status',
  async (t) => {
    const { alice, mallory } = await start(t)
    const ids: number[] = []
    for (let index = 0; index < 5; index += 1) ids.unshift(await makeTransfer(alice))
    const [newest = 0] = ids
    await edit(alice, newest, { status: 'cancelled' })
    const { createdAt } = await readTransfer(alice, newest)
    t.strictSame((await alice.get('/api/stock-transfers?status=cancelled')).json().data, [
      {
        id: newest,
        sourceLocationId: locationGid(1),
        sourceLocationName: 'Place 1',
        destinationLocationId: locationGid(2),
        destinationLocationName: 'Place 2',
        status: 'cancelled',
        itemCount: 1,
        quantity: 1,
        shipped: 0,
        inTransit: 0,
        createdAt,
      },
    ])
    const [a, b, c, d, e] = ids
    t.strictSame(await readPages(alice, '/api/stock-transfers?limit=2'), [[a, b], [c, d], [e]])
    t.strictSame(await readPages(alice, '/api/stock-transfers?limit=2&status=pending'), [
      [b, c],
      [d, e],
    ])
    t.strictSame(await readPages(mallory, '/api/stock-transfers'), [[]])
    expectFailure(t, await alice.get('/api/stock-transfers?status=shipped'), 400, 'invalid_request')
  },
)

t.test('a transfer has two locations and 1 to 500 items of at least one unit', async (t) => {
  const { alice } = await start(t)
  const same = await alice.post(
    '/api/stock-transfers',
    transfer({ destinationLocationId: locationGid(1), items: [item(9, 1)] }),
  )
  t.match(expectFailure(t, same, 422, 'same_location').details, [{ path: '/destinationLocationId' }])
  const list = (length: number) => Array.from({ length }, () => item(1, 1))
  for (const [items, path] of [
    [[], '/items'],
    [list(501), '/items'],
    [[item(1, 0)], '/items/0/quantity'],
    [[item(1, 1), item(1, 1_000_000_001)], '/items/1/quantity'],
    [[item(1, 0.5)], '/items/0/quantity'],
  ] as const) {
    const answer = await alice.post('/api/stock-transfers', { ...transfer(), items })
    t.match(expectFailure(t, answer, 400, 'invalid_request').details, [{ path }])
  }
  t.equal((await alice.post('/api/stock-transfers', transfer({ items: list(500) }))).statusCode, 201)
  t.equal((await readPages(alice, '/api/stock-transfers')).flat().length, 1)
})

t.test('the API refuses unknown variants and locations and names their fields', async (t) => {
  const { db, alice } = await start(t)
  const items = [item(1, 1), item(8, 1), item(9, 1)]
  const variants = await alice.post('/api/stock-transfers', transfer({ items }))
  t.match(expectFailure(t, variants, 422, 'unknown_variant').details, [
    { path: '/items/1/variantId' },
    { path: '/items/2/variantId' },
  ])
  await db.transaction((tx) =>
    upsertLocations(tx, alice.shopId, [
      { gid: locationGid(2), name: 'Place 2', isActive: false, isPrimary: false },
    ]),
  )
  const locations = await alice.post('/api/stock-transfers', transfer({ sourceLocationId: locationGid(9) }))
  t.match(expectFailure(t, locations, 422, 'unknown_location').details, [
    { path: '/sourceLocationId', message: 'is not a location of this shop' },
    { path: '/destinationLocationId', message: 'is no longer in use' },
  ])
  t.strictSame(await readPages(alice, '/api/stock-transfers'), [[]])
})

t.test('notes can change until the end of the transfer, items until shipping', async (t) => {
  const { alice } = await start(t)
  const id = await makeTransfer(alice, { items: [item(1, 1), item(2, 2)], notes: 'old' })
  const before = await readTransfer(alice, id)
  const answer = await edit(alice, id, { notes: 'new', items: [item(2, 5)] })
  const { updatedAt, ...rest } = answer.json().data
  t.equal(answer.statusCode, 200)
  t.match(rest, { notes: 'new', itemCount: 1, status: 'pending', version: 2, alreadyApplied: false })
  t.strictSame(
    rest.items,
    [before.items[1]].map((second) => ({ ...second, quantity: 5 })),
  )
  t.ok(updatedAt > before.updatedAt)

  const longer = await edit(alice, id, { items: [item(1, 1), item(2, 1), item(1, 2)] })
  t.match(longer.json().data.items, [item(1, 1), item(2, 1), item(1, 2)])
  t.match((await edit(alice, id, { items: [item(9, 1)] })).json(), { error: { code: 'unknown_variant' } })

  await edit(alice, id, { status: 'in_transit' })
  t.match((await edit(alice, id, { notes: null })).json().data, { notes: '', status: 'in_transit' })
  const { message } = expectFailure(t, await edit(alice, id, { items: [item(1, 1)] }), 409, 'conflict')
  t.match(message, 'in transit')

  await edit(alice, id, { status: 'completed' })
  expectFailure(t, await edit(alice, id, { notes: 'late' }), 409, 'conflict')
  expectFailure(t, await edit(alice, id, {}), 409, 'conflict')
})

t.test('an update without a change changes nothing', async (t) => {
  const { alice } = await start(t)
  const id = await makeTransfer(alice, { notes: 'as it is' })
  const before = await readTransfer(alice, id)
  for (const patch of [{}, { status: 'pending' }, { notes: 'as it is', items: [item(1, 1)], version: 1 }]) {
    const answer = await edit(alice, id, patch)
    t.strictSame(answer.json(), { success: true, data: { ...before, alreadyApplied: false } })
  }
})

t.test('the API refuses a change of an old version', async (t) => {
  const { alice } = await start(t)
  const id = await makeTransfer(alice)
  t.equal((await edit(alice, id, { notes: 'first', version: 1 })).json().data.version, 2)
  expectFailure(t, await edit(alice, id, { notes: 'late', version: 1 }), 409, 'stale_version')
  expectFailure(t, await edit(alice, id, { status: 'completed', version: 1 }), 409, 'stale_version')
  t.match(await readTransfer(alice, id), { notes: 'first', status: 'pending', version: 2 })
  expectFailure(t, await edit(alice, id, { notes: 'x', version: null }), 400, 'invalid_request')
})

t.test('another shop can neither see nor change a transfer', async (t) => {
  const { db, alice, mallory } = await start(t)
  const id = await makeTransfer(alice)
  expectFailure(t, await mallory.get(`/api/stock-transfers/${id}`), 404, 'not_found')
  for (const status of ['in_transit', 'completed', 'cancelled']) {
    expectFailure(t, await edit(mallory, id, { status }), 404, 'not_found')
  }
  expectFailure(t, await edit(alice, 999_999, { status: 'completed' }), 404, 'not_found')
  t.match(await readTransfer(alice, id), { status: 'pending', version: 1 })
  for (const person of [alice, mallory]) t.strictSame(await movementsOf(db, person), [])
})
