import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { readBestVariants } from '../../../shared/domain/views/reports/buying-budgets/best-variants.ts'
import type { BudgetPlan } from '../../../shared/schemas/buying-budgets.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { dayFromToday } from '../../support/core/instants.ts'
import { type Person, readPages } from '../../support/core/people.ts'
import { line, makeOrder, makeSentOrder, makeSupplier } from '../../support/make/orders.ts'
import { setForecast } from '../../support/make/replenishment.ts'
import { makeStock, variantGid } from '../../support/make/stock.ts'
import { makeSupplierProduct } from '../../support/make/supplier-products.ts'

const march = { name: 'March', month: '2026-03', amount: 8000 }

async function start(t: Test) {
  const people = await startApp(t)
  for (const person of [people.alice, people.mallory]) await makeStock(people.db, person, { variants: 4 })
  return people
}

async function make(person: Person, fields: object = {}) {
  const answer = await person.post('/api/buying-budgets', { ...march, ...fields })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json().data
}

/** The days around today. */
const now = { month: undefined, startsOn: dayFromToday(-5), endsOn: dayFromToday(5) }

t.test('a budget is created, read, changed and deleted', async (t) => {
  const { alice } = await start(t)
  const supplierId = await makeSupplier(alice)
  const created = await make(alice)
  t.match(created, {
    ...march,
    ...{
      startsOn: '2026-03-01',
      endsOn: '2026-03-31',
      supplierId: null,
      supplierName: null,
      currency: 'USD',
    },
    ...{ spent: 0, drafted: 0, remaining: 8000, unknownOrders: 0, version: 1, createdBy: alice.userId },
  })
  const url = `/api/buying-budgets/${created.id}`
  t.strictSame((await alice.get(url)).json().data, created)
  t.strictSame(
    (await alice.put(url, { ...march, version: 1 })).json().data,
    created,
    'the same changes nothing',
  )
  const put = async (fields: object) => (await alice.put(url, fields)).json().data
  t.match(await put({ supplierId, amount: 500, version: 1 }), {
    ...{ supplierId, supplierName: 'Acme', amount: 500, version: 2, month: '2026-03' },
  })
  t.match(await put({ endsOn: '2026-04-15' }), { startsOn: '2026-03-01', endsOn: '2026-04-15', month: null })
  t.match(await put({ month: '2024-02' }), { startsOn: '2024-02-01', endsOn: '2024-02-29' })
  expectFailure(t, await alice.put(url, { amount: 1, version: 2 }), 409, 'stale_version')
  t.equal((await alice.delete(url)).statusCode, 200)
  expectFailure(t, await alice.get(url), 404, 'not_found')
  expectFailure(t, await alice.delete(url), 404, 'not_found')
})

t.test('input that does not fit together is refused by field', async (t) => {
  const { alice, mallory } = await start(t)
  const theirs = await makeSupplier(mallory)
  const dates = { month: undefined, startsOn: '2026-03-01', endsOn: '2026-03-10' }
  for (const [fields, path, status] of [
    [{ amount: 0 }, '/amount', 400],
    [{ amount: 1.005 }, '/amount', 400],
    [{ name: ' ' }, '/name', 400],
    [{ month: '2026-13' }, '/month', 400],
    [{ month: '0000-03' }, '/month', 400],
    [{ month: '0050-02' }, '/month', 400],
    [{ month: '9999-01' }, '/month', 400],
    [{ startsOn: '2026-03-02' }, '/startsOn', 400],
    [{ ...dates, endsOn: undefined }, '/endsOn', 400],
    [{ ...dates, endsOn: '2026-02-28' }, '/endsOn', 400],
    [{ ...dates, startsOn: '2026-02-30' }, '/startsOn', 400],
    [{ supplierId: theirs }, '/supplierId', 422],
  ] as const) {
    const answer = await alice.post('/api/buying-budgets', { ...march, ...fields })
    const code = status === 400 ? 'invalid_request' : 'unknown_supplier'
    const { details } = expectFailure(t, answer, status, code)
    t.strictSame(
      details?.map((fault) => fault.path),
      [path],
      JSON.stringify(fields),
    )
  }
})

t.test('orders that were sent in the period are spent, and drafts count today', async (t) => {
  const { db, alice } = await start(t)
  const [supplierId, other] = [await makeSupplier(alice), await makeSupplier(alice)]
  const lineItems = (costPrice: number) => [line(1, { quantity: 10, costPrice })]
  await makeSentOrder(alice, { supplierId, lineItems: lineItems(10) })
  await makeSentOrder(alice, { supplierId: other, lineItems: lineItems(20) })
  await makeSentOrder(alice, { supplierId, currency: 'EUR', rate: 1.5, lineItems: lineItems(30) })
  await makeOrder(alice, { supplierId, lineItems: lineItems(4) })
  const cancelled = await makeSentOrder(alice, { supplierId, lineItems: lineItems(99) })
  await alice.post(`/api/purchase-orders/${cancelled.id}/cancel`)
  const past = await makeSentOrder(alice, { supplierId, lineItems: lineItems(50) })
  await db.query(sql.typeAlias('void')`
    update purchase_order set sent_at = now() - interval '20 days' where shop_id = ${alice.shopId} and id = ${past.id}
  `)
  // 100 + 200 + 300 · 1.5 and a draft of 40
  t.match(await make(alice, { ...now, amount: 1000 }), { spent: 750, drafted: 40, remaining: 210 })
  t.match(await make(alice, { ...now, amount: 500, supplierId }), { spent: 550, drafted: 40, remaining: -90 })
  const before = { month: undefined, startsOn: dayFromToday(-25), endsOn: dayFromToday(-15) }
  t.match(await make(alice, before), { spent: 500, drafted: 0 })
})

/** Alice's supplier sells variants 1 to 3; each needs 14 + 30 - 10 = 34 pieces in 30 days. */
async function sellThree(
  alice: Person,
  { db, supplierId }: { db: Parameters<typeof setForecast>[0]; supplierId: number },
) {
  const products = [
    { price: 10, retail: 15 }, // 0.5 by money
    { price: 5, retail: 15, packSize: 12, minimumQuantity: 24 }, // 36 in packs: 340 / 180 = 1.9
    { price: 4, retail: 6 }, // 0.5, after the first
  ]
  for (const [at, { price, retail, ...packaging }] of products.entries()) {
    const number = at + 1
    await makeSupplierProduct(alice, {
      ...{ supplierId, variantId: variantGid(number), supplierSku: `N-${number}`, prices: [{ price }] },
      ...packaging,
    })
    await setForecast(db, alice, number)
    await db.query(sql.typeAlias('void')`
      update variant set price = ${retail} where shop_id = ${alice.shopId} and gid = ${variantGid(number)}
    `)
  }
}

t.test('suggestions are ranked by margin and listed until the budget is used up', async (t) => {
  const { db, alice } = await start(t)
  const supplierId = await makeSupplier(alice, { leadTimeDays: 14 })
  await sellThree(alice, { db, supplierId })
  const { id } = await make(alice, { ...now, amount: 500 })
  const answer = await alice.get(`/api/buying-budgets/${id}/suggestions?days=30`)
  const plan: BudgetPlan = answer.json().data
  t.match(plan, { planned: 500, left: 0, isComplete: true, budget: { id, remaining: 500 } })
  // 36 · 5 = 180; 320 are left: 32 at 10, then nothing for the third
  t.match(plan.rows, [
    {
      ...{ sku: 'SKU-2', suggestedQuantity: 36, budgetQuantity: 36, cost: 180, margin: 340 },
      ...{ marginPerCost: 340 / 180, overBudgetReason: null },
    },
    { sku: 'SKU-1', suggestedQuantity: 34, budgetQuantity: 32, cost: 320, overBudgetReason: 'budget' },
    { sku: 'SKU-3', suggestedQuantity: 34, budgetQuantity: 0, cost: 136, overBudgetReason: 'budget' },
  ])
  const csv = await alice.get(`/api/buying-budgets/${id}/suggestions?days=30`, { accept: 'text/csv' })
  t.match(
    csv.body,
    /^\uFEFFSKU,Product,Supplier,Quantity within the budget,.*,Cost \(USD\),Margin \(USD\),Margin per cost,Over budget reason,/,
  )
  t.equal(csv.body.trim().split('\n').length, 4)

  const planWith = async (minimumOrderValue: number, defaultTaxRate = 20): Promise<BudgetPlan> => {
    await alice.put(`/api/suppliers/${supplierId}`, { defaultTaxRate, minimumOrderValue })
    return (await alice.get(`/api/buying-budgets/${id}/suggestions?days=30`)).json().data
  }
  // 198 + 297 + 4.40, without tax 180 + 270 + 4 = 454, which is 499.40000000000003 with 10 %
  t.match(await planWith(454, 10), { planned: 499.4 }, 'exactly the minimum')
  t.match(await planWith(415), { planned: 0 }, 'less than the minimum, which is without tax')
  const taxed = await planWith(414)
  // 36 · 6 = 216; 284 are left: 23 at 12 = 276, then 1 at 4.80; without tax 180 + 230 + 4 = 414
  t.match(taxed, { planned: 496.8, left: 3.2 })
  t.match(taxed.rows, [
    { sku: 'SKU-2', cost: 216, margin: 340, marginPerCost: 340 / 216 },
    { sku: 'SKU-1', budgetQuantity: 23, cost: 276, unitCost: 10 },
    { sku: 'SKU-3', budgetQuantity: 1, cost: 4.8 },
  ])
  const lines = taxed.rows.map(({ productId, variantId, budgetQuantity }) => ({
    ...{ productId, variantId, quantity: budgetQuantity },
  }))
  await makeOrder(alice, { supplierId, lineItems: lines })
  t.match((await alice.get(`/api/buying-budgets/${id}`)).json().data, { drafted: 496.8, remaining: 3.2 })
})

t.test('of more products than a budget considers, those that lose or sell most are considered', async (t) => {
  const { db, alice, mallory } = await start(t)
  for (const number of [1, 2, 3, 4]) await setForecast(db, alice, number)
  const all = await db.anyFirst(sql.typeAlias('id')`
    select id from variant where shop_id = ${alice.shopId} order by id
  `)
  const numbersOf = async (limit: number) => {
    const { variantIds, isComplete } = await readBestVariants(db, alice.shopId, limit)
    return [variantIds.map((id) => all.indexOf(id) + 1), isComplete]
  }
  t.strictSame(await numbersOf(4), [[1, 2, 3, 4], true], 'by id, when nothing sold')
  t.strictSame(await numbersOf(3), [[1, 2, 3], false])
  // the last one is sold out soon, the third sells for more than the second
  await db.query(sql.typeAlias('void')`
    insert into stock_gap (shop_id, variant_id, gap_on, rank) values (${alice.shopId}, ${all[3] ?? 0}, current_date, 5)
  `)
  await db.query(sql.typeAlias('void')`
    insert into variant_velocity (shop_id, variant_id, units_30d, revenue_90d)
    values (${alice.shopId}, ${all[1] ?? 0}, 9, 100), (${alice.shopId}, ${all[2] ?? 0}, 1, 200)
  `)
  t.strictSame(await numbersOf(4), [[4, 3, 2, 1], true])
  t.strictSame(await numbersOf(2), [[4, 3], false])
  t.strictSame(await readBestVariants(db, mallory.shopId, 4), { variantIds: [], isComplete: true })
})

t.test('the minimum of a line and of the supplier are respected', async (t) => {
  const { db, alice } = await start(t)
  const supplierId = await makeSupplier(alice, { leadTimeDays: 14 })
  await sellThree(alice, { db, supplierId })
  const { id } = await make(alice, { ...now, amount: 119 })
  const read = async (): Promise<BudgetPlan> =>
    (await alice.get(`/api/buying-budgets/${id}/suggestions?days=30`)).json().data
  // 119 pay 23 of the second at 5, less than its minimum of 24; 11 at 10, and 2 at 4 of the rest of 9
  t.strictSame(
    (await read()).rows.map(({ sku, budgetQuantity }) => [sku, budgetQuantity]),
    [
      ['SKU-1', 11],
      ['SKU-3', 2],
      ['SKU-2', 0],
    ],
  )
  await alice.put(`/api/suppliers/${supplierId}`, { minimumOrderValue: 300 })
  t.match(await read(), { planned: 0, left: 119 })
  t.strictSame(
    (await read()).rows.map(({ overBudgetReason }) => overBudgetReason),
    ['supplier_minimum', 'supplier_minimum', 'supplier_minimum'],
  )
})

t.test('what a budget cannot pay is listed with the reason', async (t) => {
  const { db, alice } = await start(t)
  const supplierId = await makeSupplier(alice, { leadTimeDays: 14 })
  const abroad = await makeSupplier(alice, { leadTimeDays: 14, currency: 'CNY' })
  await sellThree(alice, { db, supplierId })
  await makeOrder(alice, { supplierId, lineItems: [line(1)] })
  await makeSupplierProduct(alice, {
    ...{
      supplierId: abroad,
      variantId: variantGid(4),
      supplierSku: 'N-4',
      prices: [{ price: 3, currency: 'CNY' }],
    },
  })
  await setForecast(db, alice, 4)
  const { id } = await make(alice, { ...now, amount: 10_000 })
  const { rows }: BudgetPlan = (await alice.get(`/api/buying-budgets/${id}/suggestions?days=30`)).json().data
  t.strictSame(
    rows.map(({ sku, budgetQuantity, overBudgetReason }) => [sku, budgetQuantity, overBudgetReason]),
    [
      ['SKU-2', 36, null],
      ['SKU-3', 34, null],
      ['SKU-1', 0, 'in_draft'],
      ['SKU-4', 0, 'no_rate'],
    ],
  )
  const only = await make(alice, { ...now, amount: 10_000, supplierId: abroad })
  const ofOne: BudgetPlan = (await alice.get(`/api/buying-budgets/${only.id}/suggestions?days=30`)).json()
    .data
  t.match(ofOne.rows, [{ sku: 'SKU-4' }])
})

t.test('budgets are listed newest first, in pages, and only those of the shop', async (t) => {
  const { alice, mallory } = await start(t)
  const ids = []
  for (let number = 0; number < 3; number += 1) ids.unshift((await make(alice)).id)
  t.strictSame(await readPages(alice, '/api/buying-budgets?limit=2'), [ids.slice(0, 2), ids.slice(2)])
  t.strictSame((await mallory.get('/api/buying-budgets')).json().data, [])
  const url = `/api/buying-budgets/${ids[0]}`
  for (const answer of [
    await mallory.get(url),
    await mallory.get(`${url}/suggestions`),
    await mallory.put(url, { amount: 9 }),
    await mallory.delete(url),
  ]) {
    expectFailure(t, answer, 404, 'not_found')
  }
  t.equal((await alice.get(url)).json().data.amount, 8000)
})
