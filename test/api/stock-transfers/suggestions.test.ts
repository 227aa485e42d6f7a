import t, { type Test } from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { type Person, readPages } from '../../support/core/people.ts'
import { line, makeSentOrder } from '../../support/make/orders.ts'
import { setSales } from '../../support/make/planning.ts'
import { listSuggestions, makeRule } from '../../support/make/reorder.ts'
import {
  closeLocation,
  item,
  levelsOf,
  locationGid,
  makeStock,
  makeTransfer,
  markVariant,
  movementsOf,
  readTransfer,
  takeStock,
  variantGid,
} from '../../support/make/stock.ts'
import { makeSupplierProduct } from '../../support/make/supplier-products.ts'

type Suggested = {
  variantId: string
  sourceLocationId: string
  destinationLocationId: string
  quantity: number
  sourceLastsDays: number | null
}

/** Four locations with 40 pieces of each of two variants. */
async function start(t: Test) {
  const people = await startApp(t)
  await makeStock(people.db, people.alice, { variants: 2, locations: 4, available: 40 })
  return people
}

const list = async (person: Person, query = ''): Promise<Suggested[]> => {
  const answer = await person.get(`/api/stock-transfers/suggestions${query}`)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().data
}

const number = (gid: string) => gid.split('/').at(-1)
/** As in `1: 2 -> 3 20`: of variant 1, from location 2 to location 3, 20 pieces. */
const brief = (suggestions: readonly Suggested[]) =>
  suggestions.map(
    ({ variantId, sourceLocationId: from, destinationLocationId: to, quantity }) =>
      `${number(variantId)}: ${number(from)} -> ${number(to)} ${quantity}`,
  )

const ruleAt = (
  person: Person,
  location: number,
  reorderPoint: number,
  reorderQuantity: number,
  variant = 1,
) =>
  makeRule(person, {
    variantId: variantGid(variant),
    locationId: locationGid(location),
    ...{ reorderPoint, reorderQuantity },
  })

t.test('a location below its point gets goods from where they last longest', async (t) => {
  const { db, alice } = await start(t)
  const ruleId = await ruleAt(alice, 2, 15, 10)
  await ruleAt(alice, 1, 25, 10)
  await takeStock(db, alice, { variant: 1, location: 2, quantity: 36 })
  await takeStock(db, alice, { variant: 1, location: 4, quantity: 38 })
  // 2 a day at location 3, which has no rule: its 40 pieces last 20 days. At location 1, 15 pieces last 5 days
  await setSales(db, alice, 1, { 1: 270, 3: 180, 4: 90 })
  t.strictSame(await list(alice), [
    {
      ruleId,
      variantId: variantGid(1),
      sku: 'SKU-1',
      title: 'Mug 1 - Size 1',
      sourceLocationId: locationGid(3),
      sourceLocationName: 'Place 3',
      destinationLocationId: locationGid(2),
      destinationLocationName: 'Place 2',
      // max(10, 15 - 4)
      quantity: 11,
      packSize: 1,
      currentStock: 4,
      incoming: 0,
      reorderPoint: 15,
      sourceStock: 40,
      sourceReorderPoint: null,
      sourceLastsDays: 20,
    },
  ])
  await closeLocation(db, alice, 3)
  // location 1 has 15 above its own point
  t.match(await list(alice), [
    { sourceLocationId: locationGid(1), sourceReorderPoint: 25, sourceLastsDays: 5 },
  ])
  await markVariant(db, alice, 1, 'untracked')
  t.strictSame(await list(alice), [])
})

t.test('a location that sells nothing gives before one with more to spare that sells fast', async (t) => {
  const { db, alice } = await start(t)
  await ruleAt(alice, 2, 15, 10)
  await takeStock(db, alice, { variant: 1, location: 2, quantity: 36 })
  await takeStock(db, alice, { variant: 1, location: 3, quantity: 10 })
  await takeStock(db, alice, { variant: 1, location: 4, quantity: 20 })
  // 5 a day at location 1: its 40 pieces last 8 days
  await setSales(db, alice, 1, { 1: 450, 4: 90 })
  const given = async () =>
    (await list(alice)).map(({ sourceLocationId, sourceLastsDays: lasts }) => [
      number(sourceLocationId),
      lasts,
    ])
  t.strictSame(await given(), [['3', null]])
  await takeStock(db, alice, { variant: 1, location: 3, quantity: 30 })
  t.strictSame(await given(), [['4', 20]])
})

t.test('no source goes below its own point, and several locations share what it can spare', async (t) => {
  const { db, alice } = await start(t)
  for (const [location, point, quantity] of [
    [1, 10, 25],
    [2, 20, 25],
    [3, 20, 28],
    [4, 31, 25],
  ] as const)
    await ruleAt(alice, location, point, quantity)
  // 1 can spare 30, 4 can spare 9; 2 wants 25, and 3 wants 28, which is more urgent
  await takeStock(db, alice, { variant: 1, location: 2, quantity: 25 })
  await takeStock(db, alice, { variant: 1, location: 3, quantity: 35 })
  t.strictSame(brief(await list(alice)), ['1: 1 -> 2 2', '1: 4 -> 2 9', '1: 1 -> 3 28'])
  t.strictSame(brief(await list(alice, `?sourceLocationId=${locationGid(4)}`)), ['1: 4 -> 2 9'])
  t.strictSame(brief(await list(alice, `?destinationLocationId=${locationGid(3)}`)), ['1: 1 -> 3 28'])
  const pages = []
  for (let address: string | undefined = '?limit=1'; address; ) {
    const answer = await alice.get(`/api/stock-transfers/suggestions${address}`)
    pages.push(brief(answer.json().data))
    address = /suggestions(\?[^>]+)>; rel="next"/.exec(String(answer.headers.link))?.[1]
  }
  t.strictSame(pages, [['1: 1 -> 2 2'], ['1: 4 -> 2 9'], ['1: 1 -> 3 28']])
})

t.test('goods move in whole packs of the preferred supplier', async (t) => {
  const { db, alice } = await start(t)
  await makeSupplierProduct(alice, { variantId: variantGid(1), packSize: 6 })
  await ruleAt(alice, 2, 15, 10)
  await takeStock(db, alice, { variant: 1, location: 2, quantity: 38 })
  // 13 pieces are three packs
  t.match(await list(alice), [{ quantity: 18, packSize: 6 }])
  for (const location of [1, 3, 4])
    await takeStock(db, alice, { variant: 1, location, quantity: 24 + location })
  // 15, 13 and 12 pieces are left at the others: two packs each
  t.strictSame(brief(await list(alice)), ['1: 1 -> 2 12', '1: 3 -> 2 6'])
  for (const location of [1, 3, 4]) await takeStock(db, alice, { variant: 1, location, quantity: 10 })
  t.strictSame(brief(await list(alice)), [], 'no location has a whole pack left')
})

t.test('what is on its way or planned is not suggested again', async (t) => {
  const { db, alice } = await start(t)
  await ruleAt(alice, 2, 15, 5)
  await takeStock(db, alice, { variant: 1, location: 2, quantity: 39 })
  t.match(await list(alice), [{ quantity: 14, incoming: 0 }])
  const id = await makeTransfer(alice, { items: [item(1, 12)] })
  t.match(
    await list(alice),
    [{ quantity: 5, incoming: 12, sourceLocationId: locationGid(3) }],
    'a planned transfer',
  )
  await alice.post(`/api/stock-transfers/${id}/ship`, { items: [item(1, 10)] })
  t.match(await list(alice), [{ quantity: 5, incoming: 12 }], 'shipped in part')
  const [level] = (
    await alice.get(`/api/stock-levels?variantId=${variantGid(1)}&locationId=${locationGid(2)}`)
  ).json().data
  t.match(level, { currentStock: 1, onTheWay: 10 })
  t.match(await listSuggestions(alice), [{ inTransit: 10, position: 11, suggestedQuantity: 5 }])
  const parts = { variantId: variantGid(1), received: 1, lost: 6, damaged: 1 }
  await alice.post(`/api/stock-transfers/${id}/receive`, { items: [parts] })
  t.match(
    await list(alice),
    [{ quantity: 9, currentStock: 2, incoming: 4 }],
    'lost and damaged pieces do not come',
  )
  t.match(await listSuggestions(alice), [{ inTransit: 2, position: 4, suggestedQuantity: 15 }])
  await alice.post(`/api/stock-transfers/${id}/close`, {})
  t.match(await list(alice), [{ quantity: 13, incoming: 0 }])
  const [, receipt] = (await alice.get(`/api/stock-transfers/${id}/events`)).json().data
  await alice.post(`/api/stock-transfers/${id}/events/${receipt.id}/reverse`, {})
  t.match(
    await list(alice),
    [{ quantity: 6, currentStock: 1, incoming: 8 }],
    'the pieces of a reversed receipt come, and those that were dropped at the end do not',
  )
  await makeSentOrder(alice, {
    destinationLocationId: locationGid(2),
    lineItems: [line(1, { quantity: 30 })],
  })
  t.strictSame(await list(alice), [], 'an order brings enough')
  const velocity = (await alice.get('/api/reports/sales-velocity')).json().data
  t.ok(
    velocity.every(({ velocity: sold = 0, unitsSold = 0 }) => sold === 0 && unitsSold === 0),
    'transfers are no sales',
  )
})

t.test('chosen suggestions become planned transfers, one for each pair of locations', async (t) => {
  const { db, alice } = await start(t)
  const move = (variant: number, from: number, to: number, quantity: number) => ({
    variantId: variantGid(variant),
    sourceLocationId: locationGid(from),
    destinationLocationId: locationGid(to),
    quantity,
  })
  const items = [move(1, 1, 2, 5), move(1, 3, 2, 1), move(2, 1, 2, 7), move(2, 1, 4, 2)]
  const before = await levelsOf(db, alice)
  const answer = await alice.post('/api/stock-transfers/suggestions', { items })
  t.equal(answer.statusCode, 201)
  const { transfers } = answer.json().data
  const place = (number: number) => ({ id: locationGid(number), name: `Place ${number}` })
  const created = (at: number, from: number, to: number, itemCount: number, quantity: number) => ({
    id: transfers[at].id,
    sourceLocationId: place(from).id,
    sourceLocationName: place(from).name,
    destinationLocationId: place(to).id,
    destinationLocationName: place(to).name,
    ...{ itemCount, quantity },
  })
  t.strictSame(transfers, [created(0, 1, 2, 2, 12), created(1, 3, 2, 1, 1), created(2, 1, 4, 1, 2)])
  t.match(await readTransfer(alice, transfers[0].id), {
    status: 'pending',
    createdBy: alice.userId,
    sourceLocationId: locationGid(1),
    destinationLocationId: locationGid(2),
    items: [item(1, 5), item(2, 7)],
  })
  t.strictSame(await levelsOf(db, alice), before)
  t.strictSame((await movementsOf(db, alice)).length, 0)

  const many = Array.from({ length: 501 }, () => move(1, 1, 2, 1))
  const split = await alice.post('/api/stock-transfers/suggestions', { items: many })
  t.match(split.json().data.transfers, [{ itemCount: 500 }, { itemCount: 1 }])

  const wrong = await alice.post('/api/stock-transfers/suggestions', {
    items: [move(1, 1, 2, 5), move(9, 1, 2, 5), move(1, 1, 8, 5)],
  })
  t.match(expectFailure(t, wrong, 422, 'unknown_location').details, [
    { path: '/items/2/destinationLocationId' },
  ])
  const same = await alice.post('/api/stock-transfers/suggestions', {
    items: [move(1, 1, 2, 5), move(1, 2, 2, 5)],
  })
  t.match(expectFailure(t, same, 422, 'same_location').details, [{ path: '/items/1/destinationLocationId' }])
  for (const [body, path] of [
    [{ items: [] }, '/items'],
    [{ items: [move(1, 1, 2, 0)] }, '/items/0/quantity'],
  ] as const) {
    const refused = await alice.post('/api/stock-transfers/suggestions', body)
    t.match(expectFailure(t, refused, 400, 'invalid_request').details, [{ path }])
  }
  t.equal((await readPages(alice, '/api/stock-transfers')).flat().length, 5)
})

t.test('another shop has suggestions of its own stock, and cannot use these locations', async (t) => {
  const { db, alice, mallory } = await start(t)
  await ruleAt(alice, 2, 15, 10)
  await takeStock(db, alice, { variant: 1, location: 2, quantity: 39 })
  t.equal((await list(alice)).length, 1)
  t.strictSame(await list(mallory), [])
  const [suggestion] = await list(alice)
  const { variantId, sourceLocationId, destinationLocationId, quantity } = suggestion ?? {}
  const items = [{ variantId, sourceLocationId, destinationLocationId, quantity }]
  expectFailure(t, await mallory.post('/api/stock-transfers/suggestions', { items }), 422, 'unknown_location')
  // the other shop has variants and locations with the same ids, but no stock elsewhere
  await makeStock(db, mallory, { variants: 1, locations: 2, available: 0 })
  await ruleAt(mallory, 2, 15, 10)
  t.strictSame(await list(mallory), [])
  t.equal((await list(alice)).length, 1)
})
