import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import type { Order } from '../../../../shared/domain/ledgers/sales/order-lines.ts'
import { recordOrders } from '../../../../shared/domain/ledgers/sales/record.ts'
import { recomputeSalesVelocity } from '../../../../shared/domain/ledgers/sales/velocity.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import type { AbcVariant, SalesVelocity } from '../../../../shared/schemas/reports.ts'
import { createTokenCipher } from '../../../../shared/token-cipher.ts'
import { timers } from '../../../../worker/schedule.ts'
import { testKeys } from '../../../support/core/database.ts'
import { daysAgo, instantIn } from '../../../support/core/instants.ts'
import { enqueued } from '../../../support/core/worker.ts'
import { startSimulatedShop } from '../../../support/platform/simulated-shop.ts'

const Sold = Type.Object({ quantity: Type.Integer(), cancelled: Type.Integer(), returned: Type.Integer() })
const daysUntilNow = (instant: string | null | undefined) =>
  (instantIn(0).getTime() - Date.parse(instant ?? '')) / 86_400_000

/** A simulated shop, the reading of its orders, and its reports. Webhooks of orders are not applied. */
async function start(t: Test, options: { taxRate?: number } = {}) {
  const simulated = await startSimulatedShop(t, options)
  const { db, alice, shop, perform, variants } = simulated
  const { shopId } = alice
  const [variantId = ''] = variants
  const computeAll = () => recomputeSalesVelocity(db, shopId, { isWhole: true })
  return {
    ...simulated,
    variantId,
    computeAll,
    read: (options?: Parameters<typeof perform>[2]) => perform(jobs.readOrders, { shopId }, options),
    /** Reads the whole shop again, as the merchant may. */
    importAll: async () => {
      const catalogSyncId = await db.oneFirst(sql.typeAlias('id')`
        insert into catalog_sync (shop_id) values (${shopId}) returning id
      `)
      await perform(jobs.syncCatalog, { shopId, catalogSyncId })
    },
    /** The merchant grants these scopes in addition. */
    grant: async (...scopes: string[]) => {
      const granted = [
        'read_products',
        'read_inventory',
        'write_inventory',
        'read_locations',
        'read_orders',
        ...scopes,
      ]
      const sealed = createTokenCipher(testKeys).seal(shop.install(granted), alice.shopDomain)
      await db.query(sql.typeAlias('void')`
        update shop_credential set access_token = ${sealed}, scopes = ${granted.join(',')} where shop_id = ${shopId}
      `)
    },
    /** Forgets all orders and readings, as if an earlier release had installed the app. */
    forget: async () => {
      for (const table of ['sale', 'sale_order', 'sales_reading', 'velocity_mark', 'variant_velocity']) {
        await db.query(sql.typeAlias('void')`
          delete from ${sql.identifier([table])} where shop_id = ${shopId}
        `)
      }
    },
    sales: () =>
      db.any(sql.type(row(Sold))`
        select quantity, cancelled, returned from sale where shop_id = ${shopId} order by ordered_at, line_gid
      `),
    revenues: () =>
      db.anyFirst(sql.type(row(Type.Object({ revenue: Type.Number() })))`
        select revenue from sale where shop_id = ${shopId} order by ordered_at, line_gid
      `),
    velocityOf: async (id: string, period = '90d'): Promise<SalesVelocity | undefined> => {
      const { data } = (await alice.get(`/api/reports/sales-velocity?period=${period}`)).json()
      return data.find((line: SalesVelocity) => line.variantId === id)
    },
    syncedSales: async () => (await alice.get('/api/sync')).json().data.sales,
  }
}

t.test('the nightly reading repairs what lost webhooks have missed', async (t) => {
  const { shop, variantId, read, sales, platform, db, alice, applyAll } = await start(t)
  const { id, lines } = shop.placeOrder([{ variantId, quantity: 10 }], { createdAt: daysAgo(1) })
  const lineId = lines[0]?.id ?? ''
  await platform.settled()
  await applyAll('ORDERS_CREATE')
  t.strictSame(await sales(), [{ quantity: 10, cancelled: 0, returned: 0 }])

  platform.faults.set({ webhooks: [{ fault: 'drop', times: 100 }] })
  shop.editOrder(id, { remove: [{ lineId, quantity: 2 }] })
  shop.fulfillOrder(id)
  shop.refundOrder(id, [{ lineId, quantity: 3, restockType: 'return' }])
  shop.refundOrder(id, [{ lineId, quantity: 1, restockType: 'no_restock' }])
  shop.placeOrder([{ variantId, quantity: 4 }])
  shop.placeOrder([{ variantId, quantity: 5 }], { isTest: true })
  await read()
  t.strictSame(await sales(), [
    { quantity: 10, cancelled: 2, returned: 3 },
    { quantity: 4, cancelled: 0, returned: 0 },
  ])
  t.equal((await enqueued(db, jobs.recomputeSalesVelocity, alice.shopId)).length > 0, true)
  const nights = timers.find(({ name }) => name === 'start-nights')
  await db.transaction(async (tx) => nights?.enqueue(tx, new Date()))
  t.ok((await enqueued(db, jobs.readOrders, alice.shopId)).length > 0)
})

t.test('the reading and the webhooks of the same orders give the same sales', async (t) => {
  const context = await start(t, { taxRate: 20 })
  const { db, alice, shop, variantId, variants, read, sales, revenues, platform, applyAll, forget } = context
  for (let number = 0; number < 12; number += 1) {
    const { id, lines } = shop.placeOrder(
      [
        { variantId, quantity: 4 + number, discount: '1.00' },
        { variantId: variants[1 + (number % 4)] ?? '', quantity: 3 },
        { tip: '2.00' },
      ],
      { createdAt: daysAgo(number), discountCode: { code: 'TEN', percent: 10 } },
    )
    const lineId = lines[0]?.id ?? ''
    if (number % 2 === 0) shop.fulfillOrder(id, [{ lineId, quantity: 3 }])
    if (number % 3 === 0) shop.refundOrder(id, [{ lineId, quantity: 1, restockType: 'no_restock' }])
    if (number % 4 === 0) shop.refundOrder(id, [{ lineId, quantity: 2, restockType: 'return' }])
    if (number % 4 === 1) shop.cancelOrder(id, { restock: number % 8 === 1 })
    if (number % 4 === 3) shop.editOrder(id, { remove: [{ lineId, quantity: 2 }] })
  }
  await platform.settled()
  await applyAll('ORDERS_CREATE')
  const byWebhooks = await sales()
  const earned = await revenues()
  t.equal(byWebhooks.length, 24)
  // of the newest, 3 of 4 pieces were shipped: at the price, less 1.00 and ten percent, and without the tax
  const price = Number(shop.catalogue.product(0)?.variants[0]?.price)
  const revenue = ((4 * price - 1) * 0.9 * 3) / 4 / 1.2
  t.ok(Math.abs((earned.at(-2) ?? 0) - revenue) < 0.02, `${earned.at(-2)} of ${revenue}`)
  await read()
  t.strictSame(await sales(), byWebhooks)
  // as a release stored them that counted the tax
  for (const table of ['sale', 'sale_order']) {
    await db.query(sql.typeAlias('void')`
      update ${sql.identifier([table])} set revenue = revenue * 1.2 where shop_id = ${alice.shopId}
    `)
  }
  await db.query(
    sql.typeAlias('void')`update sales_reading set read_until = null where shop_id = ${alice.shopId}`,
  )
  await read()
  t.strictSame(await revenues(), earned)
  await forget()
  await read()
  t.strictSame(await sales(), byWebhooks)
  t.strictSame(await revenues(), earned)
})

t.test('of an order with 30 lines, the reading and the webhook have all refunds and shipments', async (t) => {
  const { shop, sales, revenues, read, platform, applyAll, forget } = await start(t)
  // a request of 947 points would wait until the bucket holds them
  platform.faults.set({ throttle: { maximum: 100_000, restoreRate: 1000 } })
  const { variantIds } = shop.addProduct({ title: 'Bowl', variants: [{ price: '10.00' }] })
  const place = () => {
    const lines = Array.from({ length: 30 }, () => ({ variantId: variantIds[0] ?? '', quantity: 1 }))
    const order = shop.placeOrder(lines, { createdAt: daysAgo(1) })
    shop.fulfillOrder(order.id)
    return { id: order.id, lineIds: order.lines.map((line) => line.id) }
  }
  const returned = place()
  shop.refundOrder(
    returned.id,
    returned.lineIds.map((lineId) => ({ lineId, quantity: 1, restockType: 'return' })),
  )
  const kept = place()
  shop.refundOrder(kept.id, [{ lineId: kept.lineIds[29] ?? '', quantity: 1, restockType: 'no_restock' }])
  const expectAll = async (when: string) => {
    // both orders were shipped whole, so 2 x 30 units are sold at 10.00 each: 30 came back, and the customer kept the refunded one
    const lines = await sales()
    t.equal(lines.length, 60, when)
    t.notOk(
      lines.some(({ cancelled }) => cancelled > 0),
      when,
    )
    t.equal(lines.filter((line) => line.returned === 1).length, 30, when)
    t.strictSame(new Set(await revenues()), new Set([10]), when)
  }
  await platform.settled()
  await applyAll('ORDERS_CREATE')
  await expectAll('by the webhooks')
  await read()
  await expectAll('the nightly reading replaces no correct number')
  await forget()
  await read()
  await expectAll('by the first reading')
})

t.test(
  'units that were shipped before an order was cancelled stay sold, in the webhook and the reading',
  async (t) => {
    const { shop, variantId, sales, read, platform, applyAll, forget } = await start(t)
    const { id, lines } = shop.placeOrder([{ variantId, quantity: 10 }], { createdAt: daysAgo(1) })
    shop.fulfillOrder(id, [{ lineId: lines[0]?.id ?? '', quantity: 4 }])
    shop.cancelOrder(id, { refund: false })
    const unshipped = [{ quantity: 10, cancelled: 6, returned: 0 }]
    await platform.settled()
    await applyAll('ORDERS_CREATE')
    t.strictSame(await sales(), unshipped)
    await read()
    t.strictSame(await sales(), unshipped, 'the reading replaces no correct number')
    await forget()
    await read()
    t.strictSame(await sales(), unshipped, 'by the first reading')
  },
)

t.test(
  'an order that another system took counts on its own day, by the webhook and the reading',
  async (t) => {
    const {
      db,
      alice,
      shop,
      variantId,
      read,
      platform,
      applyAll,
      forget,
      importAll,
      computeAll,
      velocityOf,
    } = await start(t)
    const takenAt = daysAgo(200)
    takenAt.setUTCMilliseconds(0)
    shop.placeOrder([{ variantId, quantity: 400 }], { processedAt: takenAt })
    shop.placeOrder([{ variantId, quantity: 2 }])
    const expectDay = async (when: string) => {
      const instants = await db.anyFirst(sql.type(row(Type.Object({ orderedAt: Type.String() })))`
      select ordered_at from sale where shop_id = ${alice.shopId} and quantity = 400
    `)
      t.strictSame(instants, [takenAt.toISOString()], when)
    }
    await platform.settled()
    await applyAll('ORDERS_CREATE')
    await expectDay('by the webhook')
    await computeAll()
    t.match(await velocityOf(variantId, '7d'), { unitsSold: 2 })
    await forget()
    await read()
    await expectDay('by the reading')
    // as an earlier release stored it
    await db.query(sql.typeAlias('void')`update sale set ordered_at = now() where shop_id = ${alice.shopId}`)
    await importAll()
    await expectDay('by the sync after the update')
  },
)

t.test(
  'of two states of one second the same counts in any order, although rounding makes them equal',
  async (t) => {
    const { db, alice } = await start(t)
    await db.query(sql.typeAlias('void')`
    update shop_setting set currency = 'JPY' where shop_id = ${alice.shopId}
  `)
    const state = (orderGid: string, prices: readonly number[]): Order => ({
      orderGid,
      orderedAt: '2026-11-01T10:00:00Z',
      updatedAt: '2026-11-01T10:00:00Z',
      isTest: false,
      isCancelled: false,
      lines: prices.map((price, at) => ({
        lineGid: `gid://platform/LineItem/${at}`,
        variantGid: `gid://platform/ProductVariant/${at}`,
        ...{ quantity: 1, currentQuantity: 1, unshippedQuantity: 1, price, discount: 0, tax: 0 },
      })),
      refunds: [],
      shipments: [],
    })
    // both add up to 21 in JPY; the first one earns less
    const prices = [
      [10.4, 10.4],
      [10.5, 10.4],
    ]
    const stored = (orderGid: string) =>
      db.anyFirst(sql.type(row(Type.Object({ revenue: Type.Number() })))`
      select revenue from sale where shop_id = ${alice.shopId} and order_gid = ${orderGid} order by line_gid
    `)
    const inOrders = { 'gid://platform/Order/1': prices, 'gid://platform/Order/2': prices.toReversed() }
    for (const [orderGid, inOrder] of Object.entries(inOrders)) {
      for (const reported of inOrder) {
        await db.transaction((tx) => recordOrders(tx, alice.shopId, [state(orderGid, reported)]))
      }
      t.strictSame(await stored(orderGid), [10, 10])
    }
  },
)

t.test('an interrupted reading continues at its page', async (t) => {
  const { shop, variantId, read, sales, beforeRequest, syncedSales } = await start(t)
  for (let number = 0; number < 50; number += 1) shop.placeOrder([{ variantId, quantity: 1 }])
  const controller = new AbortController()
  const requests: number[] = []
  beforeRequest('query Orders', (count) => {
    requests.push(count)
    if (count === 2) controller.abort(new Error('The process stops'))
  })
  await t.rejects(read({ signal: controller.signal }))
  t.match(await syncedSales(), { readingSince: /Z$/, ordersRead: 15 })
  const before = requests.length
  await read()
  t.equal(requests.length - before, 3, 'the first page is not read again')
  t.equal((await sales()).length, 50)
  t.match(await syncedSales(), { readingSince: null, ordersRead: 50 })
})

t.test('two readings of a shop at the same time store each page once', async (t) => {
  const { shop, variantId, read, sales, syncedSales } = await start(t)
  for (let number = 0; number < 45; number += 1) shop.placeOrder([{ variantId, quantity: 1 }])
  await Promise.all([read(), read()])
  t.equal((await sales()).length, 45)
  t.match(await syncedSales(), { readingSince: null, ordersRead: 45 })
})

t.test('without read_all_orders every average divides by the 60 days known, and says so', async (t) => {
  const { shop, variantId, importAll, computeAll, velocityOf, syncedSales, alice } = await start(t)
  shop.placeOrder([{ variantId, quantity: 600 }], { createdAt: daysAgo(80) })
  shop.placeOrder([{ variantId, quantity: 120 }], { createdAt: daysAgo(59) })
  await importAll()
  await computeAll()
  const report = await velocityOf(variantId)
  t.match(report, { unitsSold: 120, avgDailySales: 2, periodDays: 60, confidence: 'high' })
  t.equal(Math.round(daysUntilNow(report?.knownSince)), 60)
  t.match(await velocityOf(variantId, '30d'), { unitsSold: 0, periodDays: 30 })
  t.match(await velocityOf(variantId, '7d'), { periodDays: 7, confidence: 'high' })
  t.match(await syncedSales(), { knownDays: 60 })
  await alice.post('/api/reorder/rules', { variantId, mode: 'auto' })
  const [rule] = (await alice.get('/api/reorder/rules')).json().data
  t.match(rule.inputs, { unitsSold: 120, periodDays: 60, countedDays: 60, avgDailySales: 2 })
})

t.test('with read_all_orders 90 days are known', async (t) => {
  const { shop, variantId, grant, importAll, computeAll, velocityOf, syncedSales } = await start(t)
  await grant('read_all_orders')
  shop.placeOrder([{ variantId, quantity: 60 }], { createdAt: daysAgo(80) })
  shop.placeOrder([{ variantId, quantity: 120 }], { createdAt: daysAgo(59) })
  await importAll()
  await computeAll()
  t.match(await velocityOf(variantId), {
    unitsSold: 180,
    avgDailySales: 2,
    periodDays: 90,
    confidence: 'high',
  })
  t.match(await syncedSales(), { knownDays: 90 })
})

t.test('demand is rolled up on the day of the installation, after the orders are read', async (t) => {
  const { db, alice, shop, variantId, forget, importAll, computeAll, perform } = await start(t)
  await forget()
  const rollUps = () => enqueued(db, jobs.rollUpDemand, alice.shopId)
  await computeAll()
  t.strictSame(await rollUps(), [], 'not before')
  shop.placeOrder([{ variantId, quantity: 12 }], { createdAt: daysAgo(20) })
  await importAll()
  await computeAll()
  await computeAll()
  t.strictSame(await rollUps(), [{ shopId: alice.shopId }], 'once')
  await perform(jobs.rollUpDemand, { shopId: alice.shopId })
  t.equal((await enqueued(db, jobs.recomputeForecasts, alice.shopId)).length, 1)
  await db.query(sql.typeAlias('void')`
    select from graphile_worker.remove_job(${`shop:${alice.shopId}:roll-up-demand`})
  `)
  await computeAll()
  t.strictSame(await rollUps(), [], 'later by the night')
})

t.test('a product of ten days has the velocity of ten days', async (t) => {
  const { shop, read, perform, alice, computeAll, velocityOf, importAll } = await start(t)
  const product = shop.addProduct({ title: 'New mug' })
  const young = shop.addProduct({ title: 'Newer mug' })
  const [ten = '', three = ''] = [product, young].flatMap(({ variantIds }) => variantIds)
  shop.placeOrder([{ variantId: ten, quantity: 30 }], { createdAt: daysAgo(10) })
  shop.placeOrder([{ variantId: three, quantity: 70 }], { createdAt: daysAgo(3) })
  await importAll()
  await read()
  await computeAll()
  t.match(await velocityOf(ten), { unitsSold: 30, periodDays: 10, avgDailySales: 3, confidence: 'high' })
  t.match(await velocityOf(ten, '30d'), { periodDays: 10, avgDailySales: 3 })
  t.match(await velocityOf(ten, '7d'), { unitsSold: 0, periodDays: 7 })
  t.match(await velocityOf(three), { unitsSold: 70, periodDays: 7, avgDailySales: 10, confidence: 'low' })

  const abc: AbcVariant[] = (await alice.get('/api/reports/abc')).json().data
  const classOf = (id: string) => abc.find(({ variantId }) => variantId === id)?.abcClass
  t.equal(classOf(three), null, 'too few days for a class')
  t.match(classOf(ten), /[ABC]/)
  const ofClass: AbcVariant[] = (await alice.get('/api/reports/abc?class=A')).json().data
  t.notOk(ofClass.some(({ variantId }) => variantId === three))

  for (const variantId of [ten, three]) await alice.post('/api/reorder/rules', { variantId, mode: 'auto' })
  await perform(jobs.recomputeReorderPoints, { shopId: alice.shopId })
  const rules: { variantId: string; inputs: unknown; computedAt: string | null }[] = (
    await alice.get('/api/reorder/rules')
  ).json().data
  t.match(rules.find(({ variantId }) => variantId === ten)?.inputs, { periodDays: 10, avgDailySales: 3 })
  t.match(
    rules.find(({ variantId }) => variantId === three),
    { inputs: null, computedAt: null },
  )
})

t.test('the first stock of a new product comes before its first sale', async (t) => {
  const { db, shop, alice, locations, computeAll, velocityOf, importAll, read } = await start(t)
  const { variantIds } = shop.addProduct({ title: 'New mug' })
  const [variantId = ''] = variantIds
  shop.setStock(variantId, locations[0] ?? '', 5)
  shop.placeOrder([{ variantId, quantity: 1 }], { createdAt: daysAgo(8) })
  await importAll()
  await read()
  await db.query(sql.typeAlias('void')`
    update stock_movement set occurred_at = ${daysAgo(20).toISOString()}
    where shop_id = ${alice.shopId} and variant_id = (
      select id from variant where shop_id = ${alice.shopId} and gid = ${variantId}
    )
  `)
  await computeAll()
  t.match(await velocityOf(variantId), { periodDays: 20, confidence: 'high' })
})

t.test('a shop of the previous release gets net sales and the days known by the job', async (t) => {
  const { db, alice, shop, variantId, read, sales, forget, velocityOf, syncedSales } = await start(t)
  const { id, lines } = shop.placeOrder([{ variantId, quantity: 20 }], { createdAt: daysAgo(20) })
  const test = shop.placeOrder([{ variantId, quantity: 7 }], { createdAt: daysAgo(20), isTest: true })
  shop.cancelOrder(id)
  await forget()
  // what the previous release has recorded: all that was ordered
  for (const [orderId, lineId, quantity] of [
    [id, lines[0]?.id ?? '', 20],
    [test.id, test.lines[0]?.id ?? '', 7],
  ] as const) {
    await db.query(sql.typeAlias('void')`
      insert into sale (shop_id, order_gid, line_gid, variant_gid, quantity, ordered_at)
      values (
        ${alice.shopId}, ${shop.gid('Order', orderId)}, ${shop.gid('LineItem', lineId)}, ${variantId}, ${quantity},
        ${daysAgo(20).toISOString()}
      )
    `)
  }
  await recomputeSalesVelocity(db, alice.shopId, { isWhole: true })
  t.match(await velocityOf(variantId), { unitsSold: 27, periodDays: 90, knownSince: null })
  t.match(await syncedSales(), { knownSince: null, knownDays: null })

  await read()
  t.strictSame(await sales(), [{ quantity: 20, cancelled: 20, returned: 0 }])
  t.match(await syncedSales(), { knownDays: 60, readUntil: /Z$/, ordersRead: 2 })
  t.match(await enqueued(db, jobs.recomputeSalesVelocity, alice.shopId), [{}, { isWhole: true }])
  await recomputeSalesVelocity(db, alice.shopId, { isWhole: true })
  t.match(await velocityOf(variantId), { unitsSold: 0, periodDays: 60, knownSince: /Z$/ })
})

t.test('without access to orders the reading ends, and sales are known since the import', async (t) => {
  const { db, alice, shop, read, forget, importAll, syncedSales } = await start(t)
  await forget()
  const sealed = createTokenCipher(testKeys).seal(
    shop.install(['read_products', 'read_inventory', 'read_locations']),
    alice.shopDomain,
  )
  await db.query(sql.typeAlias('void')`
    update shop_credential set access_token = ${sealed} where shop_id = ${alice.shopId}
  `)
  await importAll()
  await read()
  t.match(await syncedSales(), { knownDays: 0, readUntil: null, readingSince: null })
})

t.test('sales of more than three years ago are removed, and the day of the last sale stays', async (t) => {
  const { db, alice, shop, variantId, read, sales, computeAll } = await start(t)
  shop.placeOrder([{ variantId, quantity: 1 }])
  await read()
  const [orderedAt, keptAt] = [daysAgo(1_100), daysAgo(1_000)]
  const age = (at: Date) =>
    db.query(sql.typeAlias('void')`
      with orders as (
        update sale_order set updated_at = ${at.toISOString()} where shop_id = ${alice.shopId}
      )
      update sale set ordered_at = ${at.toISOString()} where shop_id = ${alice.shopId}
    `)
  /** The platform lists no order that changed in the future. */
  const readNothing = async () => {
    await db.query(sql.typeAlias('void')`
      update sales_reading set read_until = now() + interval '1 hour' where shop_id = ${alice.shopId}
    `)
    await read()
  }
  await age(keptAt)
  await readNothing()
  t.equal((await sales()).length, 1)
  await age(orderedAt)
  await computeAll()
  await readNothing()
  t.strictSame(await sales(), [])
  await computeAll()
  const stored = await db.anyFirst(sql.type(row(Type.Object({ at: Type.String() })))`
    select last_sold_at as at from variant_velocity where shop_id = ${alice.shopId} and last_sold_at is not null
  `)
  t.strictSame(stored, [orderedAt.toISOString()])
})

t.test('the reading of one shop changes no other', async (t) => {
  const { db, mallory, shop, variantId, read } = await start(t)
  shop.placeOrder([{ variantId, quantity: 1 }])
  await read()
  for (const table of ['sale', 'sale_order', 'sales_reading']) {
    const found = await db.exists(sql.typeAlias('void')`
      select from ${sql.identifier([table])} where shop_id = ${mallory.shopId}
    `)
    t.notOk(found, table)
  }
})
