import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { type Db, row, sql } from '../../../../shared/db/db.ts'
import { recomputeSalesVelocity } from '../../../../shared/domain/ledgers/sales/velocity.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import type { AbcVariant, SalesVelocity } from '../../../../shared/schemas/reports.ts'
import { daysAgo, instantIn } from '../../../support/core/instants.ts'
import type { Person } from '../../../support/core/people.ts'
import { deliveryJobs, enqueued } from '../../../support/core/worker.ts'
import { startSimulatedShop } from '../../../support/platform/simulated-shop.ts'
import { deliver, sign } from '../../../support/platform/webhooks.ts'

const Sold = Type.Object({
  variantGid: Type.String(),
  quantity: Type.Integer(),
  cancelled: Type.Integer(),
  returned: Type.Integer(),
  revenue: Type.Union([Type.Number(), Type.Null()]),
})

const salesOf = (db: Db, { shopId }: Person) =>
  db.any(sql.type(row(Sold))`
    select variant_gid, quantity, cancelled, returned, revenue from sale where shop_id = ${shopId} order by line_gid
  `)

/** A simulated shop whose orders arrive as webhooks. Prices are those of the simulator. */
async function start(t: Test, options: { taxRate?: number } = {}) {
  const shop = await startSimulatedShop(t, options)
  const { db, alice, platform, applyAll, variants, perform } = shop
  const [variantId = ''] = variants
  const price = Number(shop.shop.catalogue.product(0)?.variants[0]?.price)
  return {
    ...shop,
    variantId,
    price,
    /** Applies all webhooks of orders that have arrived. */
    receiveOrders: async () => {
      await platform.settled()
      await applyAll('ORDERS_CREATE')
      const deletions = await deliveryJobs(db, jobs.applyOrderDeletions, alice.shopId)
      if (deletions.length > 0) await applyAll('ORDERS_DELETE')
    },
    sales: () => salesOf(db, alice),
    /** Runs the jobs that changed sales have enqueued. */
    recompute: async () => {
      for (const payload of await enqueued(db, jobs.recomputeSalesVelocity, alice.shopId)) {
        await perform(jobs.recomputeSalesVelocity, payload)
      }
      for (const payload of await enqueued(db, jobs.recomputeReorderPoints, alice.shopId)) {
        await perform(jobs.recomputeReorderPoints, payload)
      }
    },
    velocity: async (period = '90d'): Promise<SalesVelocity | undefined> => {
      const { data } = (await alice.get(`/api/reports/sales-velocity?period=${period}`)).json()
      return data.find((line: SalesVelocity) => line.variantId === variantId)
    },
  }
}

t.test('500 units ordered and cancelled leave no trace in velocity, ABC and automatic point', async (t) => {
  const { db, alice, shop, variantId, variants, receiveOrders, recompute, velocity, perform } = await start(t)
  const { shopId } = alice
  const other = variants[2] ?? ''
  shop.placeOrder([{ variantId, quantity: 30 }], { createdAt: daysAgo(30) })
  shop.placeOrder([{ variantId: other, quantity: 300 }], { createdAt: daysAgo(30) })
  await receiveOrders()
  const created = await alice.post('/api/reorder/rules', { variantId, mode: 'auto' })
  t.equal(created.statusCode, 201)
  await recomputeSalesVelocity(db, shopId, { isWhole: true })
  await perform(jobs.recomputeReorderPoints, { shopId })
  const figures = async () => {
    const abc: AbcVariant[] = (await alice.get('/api/reports/abc')).json().data
    const [rule] = (await alice.get('/api/reorder/rules')).json().data
    return {
      velocity: await velocity(),
      abc: abc.map(({ variantId: id, revenue, abcClass }) => ({ id, revenue, abcClass })),
      point: rule.reorderPoint,
      unitsSold: rule.inputs.unitsSold,
    }
  }
  const before = await figures()
  t.match(before, { velocity: { unitsSold: 30 }, unitsSold: 30 })

  const { id } = shop.placeOrder([{ variantId, quantity: 500 }], { createdAt: daysAgo(2) })
  await receiveOrders()
  await recompute()
  const inflated = await figures()
  t.match(inflated, { velocity: { unitsSold: 530 }, unitsSold: 530 })
  t.ok(inflated.point > before.point)
  t.notSame(inflated.abc, before.abc)

  shop.cancelOrder(id)
  await receiveOrders()
  const [job] = await db.anyFirst(sql.type(row(Type.Object({ seconds: Type.Number() })))`
    select extract(epoch from run_at - now()) as seconds
    from graphile_worker.jobs where key = ${`shop:${shopId}:recompute-sales-velocity`}
  `)
  t.ok(job !== undefined && job < 15, 'the numbers are computed again within seconds')
  await recompute()
  t.strictSame(await figures(), before)
})

t.test('revenue is without the tax that the prices include', async (t) => {
  const { shop, variantId, price, receiveOrders, sales } = await start(t, { taxRate: 19 })
  const { id, lines } = shop.placeOrder([{ variantId, quantity: 10, discount: '5.00' }])
  await receiveOrders()
  const paid = price * 10 - 5
  const earned = Math.round((paid / 1.19) * 100) / 100
  t.match(await sales(), [{ quantity: 10, revenue: earned }])
  shop.editOrder(id, { remove: [{ lineId: lines[0]?.id ?? '', quantity: 5 }] })
  await receiveOrders()
  t.match(await sales(), [{ quantity: 10, cancelled: 5, revenue: Math.round(earned * 50) / 100 }])
})

t.test('revenue has the decimals of the currency', async (t) => {
  const { db, alice, shop, variantId, price, receiveOrders, sales, recompute } = await start(t)
  await db.query(
    sql.typeAlias('void')`update shop_setting set currency = 'KWD' where shop_id = ${alice.shopId}`,
  )
  const { id, lines } = shop.placeOrder([{ variantId, quantity: 10, discount: '5.01' }])
  shop.editOrder(id, { remove: [{ lineId: lines[0]?.id ?? '', quantity: 5 }] })
  await receiveOrders()
  const revenue = Number(((price * 10 - 5.01) / 2).toFixed(3))
  t.not(Number(revenue.toFixed(2)), revenue)
  t.match(await sales(), [{ revenue }])
  await recompute()
  const abc = () => alice.get('/api/reports/abc?limit=1')
  t.match((await abc()).json().data, [{ variantId, revenue }])
  await db.query(
    sql.typeAlias('void')`update shop_setting set currency = 'JPY' where shop_id = ${alice.shopId}`,
  )
  shop.placeOrder([{ variantId, quantity: 1, discount: '0.50' }])
  await receiveOrders()
  t.equal((await sales()).at(-1)?.revenue, Math.round(price - 0.5))
})

t.test('an order that was edited down, then shipped, counts what was shipped', async (t) => {
  const { shop, variantId, price, receiveOrders, sales } = await start(t)
  const { id, lines } = shop.placeOrder([{ variantId, quantity: 10, discount: '5.00' }])
  const lineId = lines[0]?.id ?? ''
  await receiveOrders()
  t.match(await sales(), [{ quantity: 10, cancelled: 0, revenue: price * 10 - 5 }])
  shop.editOrder(id, { remove: [{ lineId, quantity: 4 }] })
  await receiveOrders()
  shop.fulfillOrder(id)
  await receiveOrders()
  const revenue = Math.round(((price * 10 - 5) * 6 * 100) / 10) / 100
  t.match(await sales(), [{ quantity: 10, cancelled: 4, returned: 0, revenue }])
})

t.test('refunds with and without restock: cancelled, returned, and kept by the customer', async (t) => {
  const { shop, variantId, price, receiveOrders, sales, recompute, velocity } = await start(t)
  const { id, lines } = shop.placeOrder([{ variantId, quantity: 10 }])
  const lineId = lines[0]?.id ?? ''
  shop.fulfillOrder(id, [{ lineId, quantity: 6 }])
  shop.refundOrder(id, [{ lineId, quantity: 1, restockType: 'cancel' }])
  shop.refundOrder(id, [{ lineId, quantity: 2, restockType: 'return' }])
  shop.refundOrder(id, [{ lineId, quantity: 1, restockType: 'no_restock' }])
  await receiveOrders()
  t.match(await sales(), [{ quantity: 10, cancelled: 2, returned: 2, revenue: 8 * price }])
  shop.fulfillOrder(id)
  shop.refundOrder(id, [{ lineId, quantity: 3, restockType: 'no_restock' }])
  await receiveOrders()
  t.match(await sales(), [{ quantity: 10, cancelled: 2, returned: 2, revenue: 8 * price }])
  await recompute()
  t.match(await velocity(), { unitsSold: 8, returnedUnits: 2 })
})

t.test('a test order never counts, and a draft order counts when it is an order', async (t) => {
  const { shop, variantId, receiveOrders, sales } = await start(t)
  const { id } = shop.placeOrder([{ variantId, quantity: 3 }], { isTest: true })
  shop.fulfillOrder(id)
  const draft = shop.addDraftOrder([{ variantId, quantity: 4 }])
  await receiveOrders()
  t.strictSame(await sales(), [])
  shop.completeDraftOrder(draft.id)
  await receiveOrders()
  t.match(await sales(), [{ quantity: 4, cancelled: 0 }])
  t.equal((await sales()).length, 1)
})

t.test('a deleted order does not count, whatever arrives later', async (t) => {
  const { app, alice, shop, variantId, receiveOrders, sales, platform } = await start(t)
  const { id } = shop.placeOrder([{ variantId, quantity: 3 }])
  shop.cancelOrder(id)
  await platform.settled()
  const bodies = shop.deliveries().filter(({ topic }) => topic.startsWith('ORDERS_'))
  shop.deleteOrder(id)
  await receiveOrders()
  t.strictSame(await sales(), [])
  for (const { topic, body } of bodies) await deliver(app, sign(alice, topic, body))
  await receiveOrders()
  t.strictSame(await sales(), [])
})

t.test('the body of an order under the name of a deletion is refused', async (t) => {
  const { db, app, alice, shop, variantId, receiveOrders, sales, platform } = await start(t)
  shop.placeOrder([{ variantId, quantity: 3 }])
  await platform.settled()
  const body = shop.deliveries().find(({ topic }) => topic === 'ORDERS_CREATE')?.body
  await deliver(app, sign(alice, 'orders/delete', body))
  await receiveOrders()
  t.match(await sales(), [{ quantity: 3 }])
  const rejected = await db.anyFirst(sql.type(row(Type.Object({ topic: Type.String() })))`
    select topic from webhook_delivery where shop_id = ${alice.shopId} and state = 'rejected'
  `)
  t.strictSame(rejected, ['ORDERS_DELETE'])
})

t.test('states of an order give the same sales in any order of arrival, and twice', async (t) => {
  const { db, app, alice, mallory, shop, variantId, variants, receiveOrders, sales, platform } =
    await start(t)
  const second = variants[3] ?? ''
  const { id, lines } = shop.placeOrder([
    { variantId, quantity: 6 },
    { variantId: second, quantity: 2 },
  ])
  const lineId = lines[0]?.id ?? ''
  shop.editOrder(id, { remove: [{ lineId, quantity: 1 }] })
  shop.fulfillOrder(id, [{ lineId, quantity: 3 }])
  shop.refundOrder(id, [{ lineId, quantity: 2, restockType: 'return' }], {
    at: instantIn(5_000),
  })
  await platform.settled()
  const bodies = shop.deliveries().filter(({ topic }) => topic.startsWith('ORDERS_'))
  t.equal(bodies.length, 4)
  await receiveOrders()
  const expected = await sales()
  t.match(expected, [{ quantity: 6, cancelled: 1, returned: 2 }, { quantity: 2 }])
  for (const arrival of permutations(bodies)) {
    await db.query(sql.typeAlias('void')`delete from sale where shop_id = ${alice.shopId}`)
    await db.query(sql.typeAlias('void')`delete from sale_order where shop_id = ${alice.shopId}`)
    for (const { topic, body } of [...arrival, ...arrival]) {
      await deliver(app, sign(alice, topic, body))
      // applied alone, so that no batch puts them into order
      await receiveOrders()
    }
    t.strictSame(await sales(), expected)
  }
  t.strictSame(await salesOf(db, mallory), [], 'another shop has none of them')
})

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, at) =>
    permutations(items.filter((_, place) => place !== at)).map((rest) => [item, ...rest]),
  )
}
