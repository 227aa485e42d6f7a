import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import type { ReorderDrafts } from '../../../shared/schemas/reorder-suggestions.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeOrder, makeSentOrder, makeSupplier, readOrder } from '../../support/make/orders.ts'
import { listSuggestions, makeRule } from '../../support/make/reorder.ts'
import { closeLocation, locationGid, makeStock, markVariant, variantGid } from '../../support/make/stock.ts'

/** Both shops have five variants with 10 units of each at each of two locations. */
async function start(t: Test) {
  const people = await startApp(t)
  for (const person of [people.alice, people.mallory]) {
    await makeStock(people.db, person, { variants: 5, locations: 2 })
  }
  return people
}

async function draft(person: Person, body?: object): Promise<ReorderDrafts> {
  const answer = await person.post('/api/reorder/purchase-orders', body)
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json().data
}

const orderIds = async (person: Person): Promise<number[]> =>
  (await person.get('/api/purchase-orders')).json().data.map(({ id }: { id: number }) => id)

t.test('suggestions become one draft for each supplier and destination', async (t) => {
  const { alice } = await start(t)
  const [acme, bolt] = [await makeSupplier(alice), await makeSupplier(alice, { name: 'Bolt' })]
  await makeRule(alice, { supplierId: bolt, reorderQuantity: 5 })
  await makeRule(alice, { variantId: variantGid(2), supplierId: acme, reorderQuantity: 6 })
  await makeRule(alice, { variantId: variantGid(3), supplierId: bolt, reorderQuantity: 7 })
  await makeRule(alice, { variantId: variantGid(4), supplierId: bolt, locationId: locationGid(2) })
  await makeRule(alice, { variantId: variantGid(5), supplierId: bolt, reorderPoint: 19 })
  const { purchaseOrders, skipped } = await draft(alice)
  t.strictSame(skipped, [])
  const common = { id: Number, poNumber: /^PO-/, total: 0 }
  t.match(purchaseOrders, [
    { ...common, supplierId: acme, supplierName: 'Acme', destinationLocationName: null, lineItemCount: 1 },
    { ...common, supplierId: bolt, supplierName: 'Bolt', lineItemCount: 2 },
    {
      ...common,
      supplierId: bolt,
      supplierName: 'Bolt',
      destinationLocationName: 'Place 2',
      lineItemCount: 1,
    },
  ])
  const orders = await Promise.all(purchaseOrders.map(({ id }) => readOrder(alice, id)))
  t.match(orders, [
    { status: 'draft', destinationLocationId: null, lineItems: [{ variantId: variantGid(2), quantity: 6 }] },
    {
      destinationLocationId: null,
      lineItems: [
        { variantId: variantGid(1), quantity: 5, sku: 'SKU-1', title: 'Mug 1 - Size 1' },
        { variantId: variantGid(3), quantity: 7 },
      ],
    },
    { destinationLocationId: locationGid(2), lineItems: [{ variantId: variantGid(4), quantity: 50 }] },
  ])
  t.equal(orders[1]?.lineItems.length, 2)
})

t.test('rules for all locations and for the primary location share a draft', async (t) => {
  const { alice } = await start(t)
  const supplierId = await makeSupplier(alice)
  await makeRule(alice, { supplierId })
  await makeRule(alice, { variantId: variantGid(2), supplierId, locationId: locationGid(1) })
  await makeRule(alice, { variantId: variantGid(3), supplierId, locationId: locationGid(2) })
  const { purchaseOrders } = await draft(alice)
  t.match(purchaseOrders, [
    { destinationLocationName: 'Place 1', lineItemCount: 2 },
    { destinationLocationName: 'Place 2', lineItemCount: 1 },
  ])
  t.equal(purchaseOrders.length, 2)
  t.match(await readOrder(alice, purchaseOrders[0]?.id ?? 0), { destinationLocationId: locationGid(1) })
})

t.test(
  'a unit cost is the last one of the supplier, else the cost of the variant, else unknown',
  async (t) => {
    const { db, alice } = await start(t)
    const [acme, bolt] = [await makeSupplier(alice), await makeSupplier(alice)]
    for (const number of [1, 2, 3]) {
      await makeRule(alice, { variantId: variantGid(number), supplierId: acme, reorderPoint: 100 })
    }
    const order = (supplierId: number, costPrice: number) =>
      makeSentOrder(alice, { supplierId, lineItems: [line(1, { costPrice })] })
    await order(acme, 1.25)
    await order(acme, 1.5)
    const { id } = await order(acme, 9)
    await alice.post(`/api/purchase-orders/${id}/cancel`)
    await order(bolt, 4)
    await db.query(sql.typeAlias('void')`
    update variant set unit_cost = 2.3456
    where shop_id = ${alice.shopId} and gid in (${variantGid(1)}, ${variantGid(2)})
  `)
    const { purchaseOrders } = await draft(alice)
    t.equal(purchaseOrders.length, 1)
    const { lineItems } = await readOrder(alice, purchaseOrders[0]?.id ?? 0)
    t.strictSame(
      lineItems.map(({ costPrice, quantity }) => [costPrice, quantity]),
      [
        // two times the quantity of 50 bring each above 100
        [1.5, 100],
        [2.3456, 100],
        [null, 100],
      ],
    )
    t.equal(purchaseOrders[0]?.total, 384.56, 'the total is the sum of the lines, each rounded to the cent')
  },
)

t.test('the answer lists each skipped variant with its reason', async (t) => {
  const { db, alice } = await start(t)
  const supplierId = await makeSupplier(alice)
  await makeRule(alice)
  await makeRule(alice, { variantId: variantGid(2), supplierId })
  await makeSentOrder(alice, { lineItems: [line(2)] })
  await makeRule(alice, { variantId: variantGid(3), supplierId })
  const inDraft = await makeOrder(alice, { lineItems: [line(3)] })
  await makeRule(alice, { variantId: variantGid(4), supplierId, locationId: locationGid(2) })
  await closeLocation(db, alice, 2)
  await makeRule(alice, { variantId: variantGid(5), supplierId })
  await markVariant(db, alice, 5, 'untracked')
  const before = await orderIds(alice)
  const { purchaseOrders, skipped } = await draft(alice)
  t.strictSame(purchaseOrders, [])
  t.strictSame(
    skipped.sort((a, b) => a.variantId.localeCompare(b.variantId)),
    [
      {
        variantId: variantGid(1),
        title: 'Mug 1 - Size 1',
        reason: 'Its reorder rule has no supplier. Choose one.',
      },
      {
        variantId: variantGid(2),
        title: 'Mug 2 - Size 2',
        reason: 'The stock on order or in transit is enough.',
      },
      {
        variantId: variantGid(3),
        title: 'Mug 3 - Size 3',
        reason: `It is in draft ${inDraft.poNumber} already.`,
      },
      {
        variantId: variantGid(4),
        title: 'Mug 4 - Size 4',
        reason: 'The location of its reorder rule is no longer in use.',
      },
    ],
  )
  t.strictSame(await orderIds(alice), before)
})

t.test('a variant is ordered once: by repeated requests, by concurrent ones and by two rules', async (t) => {
  const { alice } = await start(t)
  const supplierId = await makeSupplier(alice)
  await makeRule(alice, { supplierId })
  await makeRule(alice, { supplierId, locationId: locationGid(2) })
  await makeRule(alice, { supplierId, variantId: variantGid(2) })
  const results = await Promise.all(Array.from({ length: 6 }, () => draft(alice)))
  const orders = results.flatMap(({ purchaseOrders }) => purchaseOrders)
  t.strictSame(orders.map(({ lineItemCount }) => lineItemCount).sort(), [1, 1])
  t.equal((await orderIds(alice)).length, 2)
  const effective = results.find(({ purchaseOrders }) => purchaseOrders.length > 0)
  t.match(effective?.skipped, [
    { variantId: variantGid(1), reason: 'It was just ordered for one of its locations.' },
  ])
  t.equal(effective?.skipped.length, 1)

  const { purchaseOrders, skipped } = await draft(alice)
  t.strictSame(purchaseOrders, [])
  t.equal(skipped.length, 3)
  for (const { reason } of skipped) t.match(reason, /^It is in draft PO-\d+ already\.$/)
  t.match(await listSuggestions(alice), [{ inDraft: 50 }, { inDraft: 50 }, { inDraft: 50 }])
})

t.test('a request with variants orders only those', async (t) => {
  const { alice } = await start(t)
  const supplierId = await makeSupplier(alice)
  for (const number of [1, 2, 3]) await makeRule(alice, { variantId: variantGid(number), supplierId })
  const { purchaseOrders } = await draft(alice, { variantIds: [variantGid(3), variantGid(1), variantGid(5)] })
  t.match(purchaseOrders, [{ lineItemCount: 2 }])
  t.equal(purchaseOrders.length, 1)
  t.strictSame(await draft(alice, { variantIds: [] }), { purchaseOrders: [], skipped: [] })
  const answer = await alice.post('/api/reorder/purchase-orders', {
    variantIds: [variantGid(2), variantGid(9)],
  })
  t.match(expectFailure(t, answer, 422, 'unknown_variant').details, [{ path: '/variantIds/1' }])
  t.match((await draft(alice, {})).purchaseOrders, [{ lineItemCount: 1 }])
})

t.test('a request with rules orders only for those', async (t) => {
  const { alice, mallory } = await start(t)
  const supplierId = await makeSupplier(alice)
  const [here, there] = await Promise.all(
    [1, 2].map((number) => makeRule(alice, { supplierId, locationId: locationGid(number) })),
  )
  const theirs = await makeRule(mallory)
  const answer = await alice.post('/api/reorder/purchase-orders', { ruleIds: [here, theirs] })
  t.match(expectFailure(t, answer, 422, 'unknown_rule').details, [{ path: '/ruleIds/1' }])
  t.strictSame(await orderIds(alice), [])
  const { purchaseOrders, skipped } = await draft(alice, { ruleIds: [there] })
  t.strictSame(skipped, [])
  t.match(purchaseOrders, [{ lineItemCount: 1 }])
  t.match(await readOrder(alice, purchaseOrders[0]?.id ?? 0), { destinationLocationId: locationGid(2) })
  t.strictSame(await draft(alice, { ruleIds: [] }), { purchaseOrders: [], skipped: [] })
})

t.test('more than 500 lines are divided into several orders', async (t) => {
  const { db, alice } = await start(t)
  const supplierId = await makeSupplier(alice)
  await db.query(sql.typeAlias('void')`
    with added as (
      insert into variant (shop_id, gid, product_id, sku, title)
      select ${alice.shopId}, 'gid://platform/ProductVariant/' || n, p.id, 'S' || n, n::text
      from generate_series(100, 1300) as n
      join product p on p.shop_id = ${alice.shopId} and p.gid = 'gid://platform/Product/1'
      returning id
    )
    insert into reorder_rule (shop_id, variant_id, supplier_id, reorder_point, reorder_quantity, created_by)
    select ${alice.shopId}, id, ${supplierId}, 0, 1, 'alice' from added
  `)
  const { purchaseOrders, skipped } = await draft(alice)
  t.strictSame(
    purchaseOrders.map(({ lineItemCount }) => lineItemCount),
    [500, 500, 201],
  )
  t.strictSame(skipped, [])
})

t.test('a line above the maximum order total is skipped and the others are ordered', async (t) => {
  const { db, alice } = await start(t)
  const supplierId = await makeSupplier(alice)
  const quantities = [1, 1_000_000, 600_000, 600_000]
  for (const [at, reorderQuantity] of quantities.entries()) {
    await makeRule(alice, { variantId: variantGid(at + 1), supplierId, reorderQuantity })
  }
  await db.query(sql.typeAlias('void')`
    update variant set unit_cost = 10000000 where shop_id = ${alice.shopId}
  `)
  const { purchaseOrders, skipped } = await draft(alice)
  t.match(purchaseOrders, [
    { lineItemCount: 2, total: 6_000_010_000_000 },
    { lineItemCount: 1, total: 6_000_000_000_000 },
  ])
  t.equal(purchaseOrders.length, 2)
  t.match(skipped, [{ variantId: variantGid(2), reason: /^It would exceed the maximum total of an order, / }])
  t.equal(skipped.length, 1)
})

for (const [why, insert] of Object.entries({
  'are on order': (shopId: number, orderId: number) => sql.fragment`
    insert into purchase_order_line (
      shop_id, purchase_order_id, position, variant_id, sku, title, quantity, cost_price
    )
    select ${shopId}, ${orderId}, 10 + row_number() over (), id, sku, title, 5, 0 from added
  `,
  'are no longer tracked': (shopId: number) => sql.fragment`select ${shopId} from added`,
})) {
  t.test(
    `five thousand rules whose variants ${why} do not prevent the order of another variant`,
    async (t) => {
      const { db, alice } = await start(t)
      const supplierId = await makeSupplier(alice)
      const { id } = await makeSentOrder(alice, { supplierId, lineItems: [line(2)] })
      await db.query(sql.typeAlias('void')`
      with added as (
        insert into variant (shop_id, gid, product_id, sku, title, is_tracked)
        select ${alice.shopId}, 'gid://platform/ProductVariant/' || n, p.id, 'S' || n, n::text,
          ${why === 'are on order'}
        from generate_series(100, 5099) as n
        join product p on p.shop_id = ${alice.shopId} and p.gid = 'gid://platform/Product/1'
        returning id, sku, title
      ),
      rule as (
        insert into reorder_rule (shop_id, variant_id, supplier_id, reorder_point, reorder_quantity, created_by)
        select ${alice.shopId}, id, ${supplierId}, 0, 1, 'alice' from added
      )
      ${insert(alice.shopId, id)}
    `)
      await makeRule(alice, { supplierId })
      const { purchaseOrders } = await draft(alice)
      t.match(purchaseOrders, [{ lineItemCount: 1 }])
    },
  )
}

t.test('draft orders contain only variants of their own shop', async (t) => {
  const { alice, mallory } = await start(t)
  await makeRule(alice, { supplierId: await makeSupplier(alice) })
  t.strictSame(await draft(mallory), { purchaseOrders: [], skipped: [] })
  t.strictSame(await orderIds(alice), [])
  t.equal((await draft(alice)).purchaseOrders.length, 1)
  t.strictSame(await orderIds(mallory), [])
})
