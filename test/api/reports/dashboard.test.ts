import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { withoutTimeouts } from '../../../dev/demo/large-shop.ts'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { upsertProducts } from '../../../shared/domain/exchange/sync/upsert-products.ts'
import { getDashboard } from '../../../shared/domain/views/reports/dashboard.ts'
import type { Dashboard } from '../../../shared/schemas/dashboard.ts'
import { startApp } from '../../support/core/app.ts'
import { useOwnDatabase } from '../../support/core/database.ts'
import { makeShop, type Person } from '../../support/core/people.ts'
import { isFullSize } from '../../support/faults/faults.ts'
import { makeAlert } from '../../support/make/alerts.ts'
import { product, variant } from '../../support/make/catalogue.ts'
import { line, makeOrder, makeOrderIn, makeSentOrder, makeSupplier } from '../../support/make/orders.ts'
import { insertRule } from '../../support/make/reorder.ts'
import { makeStock, markVariant } from '../../support/make/stock.ts'
import { makeFailedPush } from '../../support/platform/stock-pushes.ts'
import { makeDelivery } from '../../support/platform/webhooks.ts'

useOwnDatabase()

const read = async (person: Person): Promise<Dashboard> => (await person.get('/api/dashboard')).json().data

t.test('the dashboard of a new shop is empty', async (t) => {
  const { alice } = await startApp(t)
  t.strictSame(await read(alice), {
    stats: { totalProducts: 0, lowStockItems: 0, openPurchaseOrders: 0, pendingReceives: 0 },
    attention: {
      overdueOrders: 0,
      dueOrders: 0,
      stockGaps: 0,
      failedMails: 0,
      failedPushes: 0,
      failedDeliveries: 0,
    },
    setup: { hasSupplier: false, hasSentOrder: false, hasReorderRule: false, vendorCount: 0 },
    recentPOs: [],
    alerts: [],
  })
})

t.test('the dashboard counts products of the platform that are not deleted', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { variants: 3 })
  await makeOrder(alice, { lineItems: [line(77)] })
  t.equal((await read(alice)).stats.totalProducts, 3, 'a product known only from an order does not count')
  await db.query(sql.typeAlias('void')`
    update product set deleted_at = now() where shop_id = ${alice.shopId} and gid like '%/2'
  `)
  t.equal((await read(alice)).stats.totalProducts, 2)
  t.equal((await read(mallory)).stats.totalProducts, 0)
})

t.test('the dashboard counts tracked variants at or below their reorder point as low', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { variants: 5 })
  const points = [9, 10, 11, 30, 30]
  for (const [at, reorderPoint] of points.entries()) {
    await insertRule(db, alice, { variant: at + 1, reorderPoint })
  }
  await markVariant(db, alice, 4, 'untracked')
  await markVariant(db, alice, 5, 'deleted')
  t.equal((await read(alice)).stats.lowStockItems, 2)
  t.equal((await read(mallory)).stats.lowStockItems, 0)
})

t.test('the dashboard counts orders by stage and lists the five newest', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice)
  const supplierId = await makeSupplier(alice, { name: 'Kestrel & Vine' })
  const statuses = ['received', 'draft', 'sent', 'partial', 'received', 'cancelled', 'draft'] as const
  const orders: Awaited<ReturnType<typeof makeOrderIn>>[] = []
  for (const status of statuses) orders.push(await makeOrderIn(alice, status, { supplierId }))
  const { stats, recentPOs } = await read(alice)
  t.match(stats, { openPurchaseOrders: 4, pendingReceives: 2 })
  t.strictSame(
    recentPOs.map(({ id, status }) => [id, status]),
    statuses
      .map((status, at) => [orders[at]?.id, status])
      .toReversed()
      .slice(0, 5),
  )
  const [newest] = recentPOs
  const { createdAt } = (await alice.get(`/api/purchase-orders/${newest?.id}`)).json().data
  t.strictSame(newest, {
    id: orders.at(-1)?.id,
    poNumber: 'PO-00007',
    emailStatus: 'none',
    supplier: 'Kestrel & Vine',
    status: 'draft',
    total: 7.5,
    currency: 'USD',
    ...{ isClosedShort: false, receivedValue: 0, unknownCosts: 0, orderedQuantity: 3, receivedQuantity: 0 },
    createdAt,
  })
  t.match(await read(mallory), { stats: { openPurchaseOrders: 0 }, recentPOs: [] })
})

t.test('the dashboard counts what needs attention', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { variants: 2, locations: 2 })
  await makeSentOrder(alice, { expectedAt: '2026-01-01T00:00:00Z' })
  await makeSentOrder(alice, { expectedAt: '2126-01-01T00:00:00Z' })
  await makeOrder(alice, { expectedAt: '2026-01-01T00:00:00Z' })
  await makeAlert(db, alice, { type: 'mail_failed' })
  await makeAlert(db, alice, { type: 'mail_failed', isResolved: true })
  await makeFailedPush(db, alice)
  await makeDelivery(db, alice.shopId, { state: 'failed' })
  await makeDelivery(db, alice.shopId, { state: 'applied' })
  const expected = {
    overdueOrders: 1,
    dueOrders: 1,
    stockGaps: 0,
    failedMails: 1,
    failedPushes: 1,
    failedDeliveries: 1,
  }
  t.strictSame((await read(alice)).attention, expected)
  t.match((await read(mallory)).attention, { dueOrders: 0, failedPushes: 0, failedDeliveries: 0 })
})

t.test('the dashboard shows the completed setup steps', async (t) => {
  const { db, alice } = await startApp(t)
  const setup = async () => (await read(alice)).setup
  await makeStock(db, alice)
  const order = await makeOrder(alice)
  const done = { hasSupplier: true, vendorCount: 0 }
  t.strictSame(await setup(), { ...done, hasSentOrder: false, hasReorderRule: false })
  await alice.post(`/api/purchase-orders/${order.id}/send`)
  await insertRule(db, alice)
  t.strictSame(await setup(), { ...done, hasSentOrder: true, hasReorderRule: true })
})

t.test('the dashboard counts the vendors of a shop without a supplier', async (t) => {
  const { db, alice } = await startApp(t)
  const vendors = ['Acme ', 'ACME', 'Kiln', ' ', null]
  const products = vendors.map((vendor, at) => product(at + 1, [variant(at + 1)], { vendor }))
  await db.transaction((tx) => upsertProducts(tx, alice.shopId, products))
  t.equal((await read(alice)).setup.vendorCount, 2)
  await makeSupplier(alice)
  t.equal((await read(alice)).setup.vendorCount, 0)
})

t.test('the dashboard lists the ten newest open and unread alerts', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const ids: number[] = []
  for (let number = 1; number <= 13; number += 1) {
    ids.push(await makeAlert(db, alice, { message: `Alert ${number}.`, isResolved: number === 12 }))
  }
  await alice.post(`/api/alerts/${ids[10]}/read`)
  const { alerts } = await read(alice)
  t.strictSame(
    alerts.map(({ message }) => message),
    [13, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((number) => `Alert ${number}.`),
  )
  t.strictSame((await read(mallory)).alerts, [])
})

t.test('an alert on the dashboard names its product, if any', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { available: 1 })
  await insertRule(db, alice)
  const order = await makeSentOrder(alice, { expectedAt: '2026-01-01T12:00:00Z' })
  await alice.put(`/api/purchase-orders/${order.id}`, { expectedAt: '2026-03-03T12:00:00Z' })
  const [overdue, low] = (await alice.get('/api/alerts')).json().data
  t.strictSame((await read(alice)).alerts, [
    { id: overdue.id, type: 'po_overdue', message: overdue.message, createdAt: overdue.createdAt },
    {
      id: low.id,
      type: 'low_stock',
      message: low.message,
      productId: 'gid://platform/Product/1',
      createdAt: low.createdAt,
    },
  ])
})

const products = isFullSize ? 100_000 : 20_000

/** Adds products with a rule each, every tenth of them low, 5 000 orders and 10 000 alerts to a shop. */
async function fill(db: Db, shopId: number): Promise<void> {
  const statements = [
    sql.fragment`
      insert into product (shop_id, gid, title, status)
      select ${shopId}, 'gid://platform/Product/' || n, 'Mug ' || n, 'active' from generate_series(1, ${products}::int) n
    `,
    sql.fragment`
      insert into variant (shop_id, gid, product_id, sku, confirmed_at)
      select shop_id, replace(gid, 'Product', 'ProductVariant'), id, 'S', now() from product where shop_id = ${shopId}
    `,
    // as growShop does: a plan for empty tables checks the foreign keys row by row
    sql.fragment`analyze product, variant`,
    sql.fragment`
      insert into reorder_rule (shop_id, variant_id, reorder_point, reorder_quantity, current_stock, created_by)
      select shop_id, id, 10, 20, case when id % 10 = 0 then 1 else 50 end, 'alice-1' from variant
      where shop_id = ${shopId}
    `,
    sql.fragment`insert into supplier (shop_id, name) values (${shopId}, 'Acme')`,
    sql.fragment`
      insert into purchase_order (shop_id, number, supplier_id, status, created_by)
      select s.shop_id, n, s.id, (array['draft', 'sent', 'partial', 'received', 'received'])[1 + n % 5], 'alice-1'
      from supplier s, generate_series(1, 5000) n
      where s.shop_id = ${shopId}
    `,
    sql.fragment`
      insert into alert (shop_id, type, subject, message, is_read, resolved_at)
      select ${shopId}, 'low_stock', 'reorder_rule/' || n, 'Low.', n % 2 = 0, case when n % 3 > 0 then now() end
      from generate_series(1, 10000) n
    `,
  ]
  for (const statement of statements) await db.query(sql.typeAlias('void')`${statement}`)
}

const Plan = Type.Object({ 'QUERY PLAN': Type.String() })

/** The query plan of the dashboard with row counts. */
async function explain(t: Test, db: Db, shopId: number): Promise<string> {
  let plan = ''
  const explaining: Pick<Db, 'one'> = {
    one: async (query) => {
      const lines = await db.anyFirst(sql.type(row(Plan))`explain (analyze, costs off, timing off) ${query}`)
      plan = lines.join('\n')
      return db.one(query)
    },
  }
  await getDashboard(explaining as Db, shopId)
  t.comment(plan)
  return plan
}

t.test('the dashboard of a large shop reads its own rows only, by indexes', async (t) => {
  const { db, url, alice } = await startApp(t)
  const other = await makeShop(db, 'other')
  await withoutTimeouts(url, async (connection) => {
    for (const { shopId } of [alice, other]) await fill(connection, shopId)
  })
  const stats = {
    totalProducts: products,
    lowStockItems: products / 10,
    openPurchaseOrders: 3000,
    pendingReceives: 2000,
  }
  t.match(await read(alice), { stats }, 'before Postgres knows the size of the tables')

  // As autovacuum does.
  await db.query(sql.typeAlias('void')`vacuum analyze product, variant, reorder_rule, purchase_order, alert`)
  t.notMatch(await explain(t, db, alice.shopId), /Seq Scan on (product|variant|alert|reorder_rule)/)
  t.match(await read(alice), { stats })
})
