import t, { type Test } from 'tap'
import type { OrderSuggestionInput } from '../../../shared/schemas/replenishment.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeOrder, makeOrderIn, makeSupplier, readOrder } from '../../support/make/orders.ts'
import { setForecast } from '../../support/make/replenishment.ts'
import { makeStock, variantGid } from '../../support/make/stock.ts'
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
