import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { readMostUrgent } from '../../../shared/domain/planning/replenishment/candidates.ts'
import { planSupplier } from '../../../shared/domain/planning/replenishment/replenishment.ts'
import type { OrderSuggestionInput } from '../../../shared/schemas/replenishment.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeOrder, makeOrderIn, makeSupplier, readOrder } from '../../support/make/orders.ts'
import { setPlaceForecast } from '../../support/make/planning.ts'
import { makeRule } from '../../support/make/reorder.ts'
import { setForecast } from '../../support/make/replenishment.ts'
import { locationGid, makeStock, variantGid } from '../../support/make/stock.ts'
import { makeSupplierProduct } from '../../support/make/supplier-products.ts'

/** Variants 1 and 2 sell one piece a day and have 10; with 14 days of lead time and 30 of cover, 34 are missing. */
async function start(t: Test) {
  const people = await startApp(t)
  const { db, alice } = people
  await makeStock(db, alice, { variants: 3 })
  await makeStock(db, people.mallory, { variants: 1 })
  const supplierId = await makeSupplier(alice, { leadTimeDays: 14 })
  await makeSupplierProduct(alice, {
    ...{ supplierId, variantId: variantGid(1), packSize: 10, prices: [{ price: 2 }] },
  })
  await makeSupplierProduct(alice, { supplierId, variantId: variantGid(2), supplierSku: 'N-2' })
  for (const number of [1, 2]) await setForecast(db, alice, number)
  return { ...people, supplierId }
}

const suggest = (person: Person, id: number, fields: Partial<OrderSuggestionInput> = {}) =>
  person.post(`/api/purchase-orders/${id}/suggest`, {
    days: 30,
    basis: 'forecast',
    mode: 'replace',
    ...fields,
  })

const linesOf = async (person: Person, id: number) =>
  (await readOrder(person, id)).lineItems.map(({ variantId, quantity, costPrice }) => [
    Number(variantId.split('/').at(-1)),
    quantity,
    costPrice,
  ])

t.test('replace makes the suggestions the lines of a draft, with the prices of the supplier', async (t) => {
  const { alice, supplierId } = await start(t)
  const { id } = await makeOrder(alice, {
    supplierId,
    lineItems: [line(2, { quantity: 99, costPrice: 5 }), line(3, { quantity: 7 })],
  })
  const response = await suggest(alice, id)
  t.equal(response.statusCode, 200, response.body)
  // variant 1: 34 in packs of 10 = 40 at 2.00; variant 2 keeps its cost: 34 · 5 = 170
  t.match(response.json().data, {
    id,
    total: 250,
    version: 2,
    lineItemCount: 2,
    added: 1,
    raised: 0,
    left: 0,
    isComplete: true,
  })
  t.strictSame(await linesOf(alice, id), [
    [2, 34, 5],
    [1, 40, 2],
  ])
})

t.test('add keeps lines and raises those with less than the suggestion', async (t) => {
  const { alice, supplierId } = await start(t)
  const { id } = await makeOrder(alice, {
    supplierId,
    lineItems: [
      line(2, { quantity: 4, costPrice: 5 }),
      line(3, { quantity: 7 }),
      line(2, { quantity: 6, costPrice: 5 }),
    ],
  })
  t.match((await suggest(alice, id, { mode: 'add' })).json().data, { added: 1, raised: 1 })
  // variant 2: 34 in all, of which another line has 6
  const lines = [
    [2, 28, 5],
    [2, 6, 5],
    [3, 7, 1],
    [1, 40, 2],
  ]
  t.strictSame(await linesOf(alice, id), lines)
  t.match((await suggest(alice, id, { mode: 'add' })).json().data, { added: 0, raised: 0 })
  t.strictSame(await linesOf(alice, id), lines, 'a second time changes nothing')
})

t.test('an imported order with more lines than a draft gets no further ones and no duplicate', async (t) => {
  const { db, alice, supplierId } = await start(t)
  const { id } = await makeOrder(alice, { supplierId, lineItems: [line(3, { quantity: 7 })] })
  await db.query(sql.typeAlias('void')`
    insert into purchase_order_line (shop_id, purchase_order_id, position, variant_id, sku, title, quantity, cost_price)
    select l.shop_id, l.purchase_order_id, n, l.variant_id, l.sku, l.title, 1, l.cost_price
    from purchase_order_line l
    cross join generate_series(1, 500) n
    where l.shop_id = ${alice.shopId} and l.purchase_order_id = ${id}
  `)
  t.match((await suggest(alice, id, { mode: 'add' })).json().data, { lineItemCount: 501, added: 0, left: 2 })
  const refused = await alice.post(`/api/purchase-orders/${id}/duplicate`)
  t.match(expectFailure(t, refused, 422, 'too_many_items').message, /has 501 lines/)
})

t.test('a line has the price of its new quantity, and says by how much it was rounded up', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await makeSupplierProduct(alice, {
    ...{ supplierId, variantId: variantGid(3), packSize: 24 },
    prices: [{ price: 2 }, { minQuantity: 48, price: 1.8 }],
  })
  await setForecast(db, alice, 3)
  const suggestInto = async (lineItems: object[], mode: 'replace' | 'add') => {
    const { id } = await makeOrder(alice, { supplierId, lineItems: lineItems as never })
    t.equal((await suggest(alice, id, { mode })).statusCode, 200)
    const found = (await readOrder(alice, id)).lineItems.filter(
      ({ variantId }) => variantId === variantGid(3),
    )
    await alice.delete(`/api/purchase-orders/${id}`)
    return found.map(({ quantity, costPrice, roundedUpBy }) => [quantity, costPrice, roundedUpBy])
  }
  const at = (quantity: number, costPrice: number) => line(3, { quantity, costPrice })
  // 34 wanted, in packs of 24: 48, rounded up by 14, and from 48 pieces on 1.80 each
  t.strictSame(await suggestInto([at(10, 2)], 'add'), [[48, 1.8, 14]])
  t.strictSame(await suggestInto([at(10, 2)], 'replace'), [[48, 1.8, 14]])
  t.strictSame(await suggestInto([at(10, 1.95)], 'add'), [[48, 1.95, 14]], 'a typed price stays')
  t.strictSame(await suggestInto([line(2)], 'add'), [[48, 1.8, 14]], 'a new line')
  // the lines of a variant have 48 together
  t.strictSame(await suggestInto([at(10, 2), at(5, 2)], 'add'), [
    [43, 2, 14],
    [5, 2, 0],
  ])
  t.strictSame(await suggestInto([at(60, 2)], 'add'), [[60, 2, 0]], 'a line with enough stays as it is')
  // less than before, at the price of less
  t.strictSame(await suggestInto([at(96, 1.8)], 'replace'), [[48, 1.8, 14]])
})

t.test('a draft is filled for its destination, less what other drafts of the supplier bring', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await makeStock(db, alice, { variants: 3, locations: 2 })
  await makeRule(alice, { variantId: variantGid(2), locationId: locationGid(2) })
  await setPlaceForecast(db, alice, { variant: 2, location: 2, perWeek: 7 })
  const draft = (variant: number, quantity: number, fields = {}) =>
    makeOrder(alice, { supplierId, lineItems: [line(variant, { quantity })], ...fields })
  const atSecond = { destinationLocationId: locationGid(2) }
  const first = await draft(3, 1, atSecond)
  t.equal((await suggest(alice, first.id)).statusCode, 200)
  t.strictSame(await linesOf(alice, first.id), [[2, 34, null]], '44 less the 10 of the location')
  const second = await draft(3, 1, atSecond)
  expectFailure(t, await suggest(alice, second.id), 422, 'nothing_to_order')
  await draft(1, 5)
  const whole = await draft(3, 1)
  t.equal((await suggest(alice, whole.id)).statusCode, 200)
  // variant 1: 44 less 20 at both locations and 5 of a draft: 19, in packs of 10
  t.strictSame(await linesOf(alice, whole.id), [[1, 20, 2]])
})

t.test('only a draft of the version that was read is filled', async (t) => {
  const { alice, mallory, supplierId } = await start(t)
  const lineItems = [line(1, { quantity: 3 })]
  const { id } = await makeOrder(alice, { supplierId, lineItems })
  expectFailure(t, await suggest(alice, id, { version: 2 }), 409, 'stale_version')
  expectFailure(t, await suggest(mallory, id), 404, 'not_found')
  for (const status of ['sent', 'partial', 'received', 'cancelled'] as const) {
    const order = await makeOrderIn(alice, status, { lineItems })
    expectFailure(t, await suggest(alice, order.id), 409, 'conflict')
  }
  t.strictSame(await linesOf(alice, id), [[1, 3, 1]])
})

t.test('bad input, and a supplier without a suggestion, change nothing', async (t) => {
  const { alice } = await start(t)
  const { id } = await makeOrder(alice)
  for (const [fields, path] of [
    [{ mode: 'merge' }, '/mode'],
    [{ mode: undefined }, '/mode'],
    [{ days: 0 }, '/days'],
    [{ basis: '7d' }, '/basis'],
    [{ growth: 901 }, '/growth'],
    [{ supplierId: 1 }, '/supplierId'],
  ] as const) {
    const response = await suggest(alice, id, fields as object)
    t.equal(expectFailure(t, response, 400, 'invalid_request').details?.[0]?.path, path)
  }
  expectFailure(t, await suggest(alice, id), 422, 'nothing_to_order')
  t.strictSame(await linesOf(alice, id), [[1, 3, 2.5]])
})

t.test('of more products than a request can plan, those that run out first are planned', async (t) => {
  const { db, alice, mallory, supplierId } = await start(t)
  await setForecast(db, alice, 2, { units: new Array(26).fill(14) })
  const urgent = (shopId: number, limit: number) =>
    readMostUrgent(db, shopId, { supplierId, locationId: null, limit })
  const [first = 0, second = 0] = await urgent(alice.shopId, 5)
  t.ok(first < second, 'by id')
  t.strictSame(await urgent(alice.shopId, 1), [second], 'ten pieces last a week less')
  t.strictSame(await urgent(mallory.shopId, 5), [])

  const plan = async (limit: number, variantIds: readonly number[] = []) => {
    const found = await planSupplier(db, alice.shopId, { supplierId, variantIds, limit }, { days: 30 })
    return { ...found, planned: found.planned.map(({ candidate }) => candidate.id).toSorted((a, b) => a - b) }
  }
  t.strictSame(await plan(1), { planned: [second], isComplete: false })
  t.strictSame(
    await plan(1, [first, second]),
    { planned: [first, second], isComplete: false },
    'and those of the order',
  )
  t.strictSame(await plan(3), { planned: [first, second], isComplete: true })
})
