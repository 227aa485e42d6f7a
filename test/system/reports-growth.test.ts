import t from 'tap'
import { buildApp } from '../../api/app.ts'
import { growShop, withoutTimeouts } from '../../dev/demo/large-shop.ts'
import { forecastShop, planShop } from '../../dev/demo/plan-shop.ts'
import { planOf, recordStatements } from '../../dev/postgres/statements.ts'
import { type DatabasePool, sql } from '../../shared/db/db.ts'
import { recomputeMargins } from '../../shared/domain/ledgers/margins/recompute.ts'
import { recomputeSalesVelocity } from '../../shared/domain/ledgers/sales/velocity.ts'
import { createPdfRenderer } from '../../shared/pdf/renderer.ts'
import { fileDatabase, openTestDb, testConfig, useOwnDatabase } from '../support/core/database.ts'
import { dayFromToday } from '../support/core/instants.ts'
import { recordedLog } from '../support/core/outputs.ts'
import { makePerson, makeShop, type Person } from '../support/core/people.ts'
import { until } from '../support/core/until.ts'
import { isFull, isFullSize, startClock } from '../support/faults/faults.ts'
import { recordSales, saleOf } from '../support/make/sales.ts'

useOwnDatabase()

/** By variant, of a stored period, without a search or a filter. */
const storedMargins = [
  '/api/reports/margin',
  `/api/reports/margin?startDate=${dayFromToday(-6)}&endDate=${dayFromToday(0)}`,
  `/api/reports/margin?startDate=${dayFromToday(-89)}`,
]

const addresses = [
  '/api/products',
  '/api/stock-levels',
  '/api/stock-movements',
  '/api/suppliers?search=supplier',
  '/api/suppliers?search=vendor+of+supplier+7',
  ...['', '?search=sku-99', '?search=s1-sku-99', '?search=mug', '?search=nothing+like+this'].map(
    (query) => `/api/suppliers/first/products${query}`,
  ),
  ...[
    'newest',
    'oldest',
    'number',
    '-number',
    'supplier',
    '-supplier',
    'expected',
    '-expected',
    'total',
    '-total',
  ].flatMap((sort) => [
    `/api/purchase-orders?sort=${sort}&limit=50`,
    `/api/purchase-orders?sort=${sort}&limit=50&search=sku-99`,
  ]),
  ...Object.keys(levelIndexes()).flatMap((sort) => [
    `/api/stock-levels?sort=${sort}&limit=50`,
    `/api/stock-levels?sort=${sort}&limit=50&locationId=gid%3A%2F%2Fplatform%2FLocation%2F1`,
    `/api/stock-levels?sort=${sort}&limit=50&search=sku-99`,
  ]),
  '/api/stock-levels?stock=out&limit=50',
  '/api/stock-levels?stock=out&sort=available&limit=50&count=true',
  '/api/stock-levels?stock=low&limit=50',
  '/api/stock-levels?stock=low&sort=sku&limit=50',
  '/api/purchase-orders?sort=expected&limit=50&stage=incoming',
  '/api/purchase-orders?sort=expected&limit=50&stage=overdue',
  '/api/purchase-orders?sort=supplier&limit=50&status=draft',
  '/api/purchase-orders?limit=50&stage=undelivered',
  '/api/purchase-orders?limit=50&payment=unpaid',
  '/api/purchase-orders?limit=50&payment=overdue',
  '/api/purchase-orders?limit=50&payment=paid',
  '/api/purchase-orders?search=po-00001',
  '/api/purchase-orders?search=sku-99',
  '/api/purchase-orders?search=nothing+like+this',
  '/api/reorder/suggestions',
  '/api/reorder/suggestions?search=sku-99',
  '/api/reorder/suggestions?search=mug',
  '/api/reorder/suggestions?search=nothing+like+this',
  '/api/reorder/rules',
  '/api/reorder/rules?search=sku-99',
  '/api/reorder/rules?search=mug',
  '/api/reorder/rules?search=nothing+like+this',
  '/api/replenishment?days=30&limit=50',
  '/api/replenishment?days=30&limit=50&basis=90d',
  '/api/replenishment?days=30&limit=50&locationId=gid%3A%2F%2Fplatform%2FLocation%2F1',
  '/api/buying-budgets',
  '/api/stock-transfers',
  '/api/stock-transfers/suggestions',
  '/api/stock-transfers/suggestions?destinationLocationId=gid%3A%2F%2Fplatform%2FLocation%2F1',
  '/api/dashboard',
  '/api/reports/adjustments',
  '/api/reports/adjustment-reasons',
  '/api/reports/count-accuracy',
  '/api/reports/procurement-spend',
  `/api/reports/procurement-spend?basis=received&startDate=${dayFromToday(-14)}`,
  '/api/reports/sales-velocity',
  '/api/reports/sales-velocity?period=7d',
  '/api/reports/sales-velocity?period=90d&search=sku-99',
  '/api/reports/sales-velocity?search=nothing+like+this',
  '/api/reports/inventory-value',
  '/api/reports/abc',
  '/api/reports/abc?class=C',
  '/api/reports/dead-stock',
  '/api/reports/dead-stock?days=1',
  '/api/reports/supplier-performance',
  ...[
    '/api/products',
    '/api/stock-levels',
    '/api/reorder/suggestions',
    '/api/reorder/rules',
    '/api/reports/adjustments',
    '/api/reports/sales-velocity',
    '/api/reports/abc',
    '/api/reports/dead-stock',
  ].flatMap((path) =>
    [
      'vendor=Vendor+7',
      'vendor=Vendor+of+one',
      'vendor=none',
      'productType=mug',
      'tag=season-1',
      'tag=none',
    ].map((filter) => `${path}?${filter}`),
  ),
  ...storedMargins,
  '/api/reports/margin?groupBy=product',
  `/api/reports/margin?groupBy=product&startDate=${dayFromToday(-89)}`,
  `/api/reports/margin?startDate=${dayFromToday(-59)}&endDate=${dayFromToday(-30)}`,
  '/api/reports/margin?groupBy=product&search=sku-99',
  '/api/reports/price-history',
  ...['search=sku-99', 'search=mug', 'search=nothing+like+this', 'vendor=Vendor+7'].flatMap((filter) => [
    `/api/reports/margin?${filter}`,
    `/api/reports/price-history?${filter}`,
  ]),
  '/api/reports/commitments',
  '/api/reports/forecast-accuracy',
  '/api/reports/forecast-accuracy?search=sku-99',
  '/api/reports/forecast-accuracy/total',
  '/api/reports/stock-gaps',
  '/api/reports/stock-gaps?vendor=Vendor+7',
  '/api/reports/lost-sales',
  '/api/reports/lost-sales?period=365d&tag=season-1',
  '/api/reports/overstock',
  '/api/reports/overstock?days=365&productType=mug',
  '/api/reports/arrivals',
  '/api/reports/arrivals?overdue=true',
  '/api/reports/open-to-buy',
]

/** A tenth of the large shop gets the same query plans. */
const size = isFullSize ? 1 : 0.1
const large = { variants: 100_000 * size, sales: 1_000_000 * size, orders: 10_000 * size }

/** The index of each filter by payment. */
const paymentIndexes: Record<string, string> = {
  unpaid: 'purchase_order_unpaid',
  overdue: 'purchase_order_payment_due',
  paid: 'purchase_order_paid',
}

/** The index whose order each sort of orders reads, so that no sort reads the orders of the whole shop. */
const sortIndexes: Record<string, string> = {
  newest: 'purchase_order_pkey',
  oldest: 'purchase_order_pkey',
  number: 'purchase_order_shop_id_number_key',
  '-number': 'purchase_order_shop_id_number_key',
  supplier: 'supplier_name',
  '-supplier': 'supplier_name',
  expected: 'purchase_order_due',
  '-expected': 'purchase_order_due_last',
  total: 'purchase_order_total',
  '-total': 'purchase_order_total',
}

/** As above, of each sort of stock levels. */
function levelIndexes(): Record<string, string> {
  return {
    sku: 'variant_sku',
    '-sku': 'variant_sku',
    title: 'product_title',
    '-title': 'product_title',
    available: 'stock_level_quantity',
    '-available': 'stock_level_quantity',
  }
}

/** Far above the target of 300 ms, and checked by `npm run test:faults` alone, which runs beside nothing else: query plans decide. */
const maxMs = 2_000

/** Of the recomputed velocity to the sums alone; as above. */
const maxRatio = 6

/** Of each measurement. The first one is enough where no time is compared. */
const rounds = isFull ? 5 : 1

/** The supplier that sells most variants. */
const firstSupplierOf = (pool: DatabasePool, { shopId }: Person) =>
  pool.oneFirst(sql.typeAlias('maybeId')`select min(id) as id from supplier where shop_id = ${shopId}`)

/** The fastest time in milliseconds of some requests. */
async function fastest(person: Person, address: string): Promise<number> {
  let fastestMs = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round += 1) {
    const sinceRequest = startClock()
    const response = await until(async () => {
      const answer = await person.get(address)
      // the time limit of a statement or of the request has passed
      return answer.statusCode !== 503 && answer
    }, `${address} is answered`)
    if (response.statusCode !== 200) throw new Error(`${address}: ${response.body}`)
    fastestMs = Math.min(fastestMs, sinceRequest())
  }
  return fastestMs
}

/** Not `sales_reading`, which has a row per shop. */
const allSales = /Seq Scan on sale(_order)?\b/

/** The minimum work: the sales of 90 days by variant. */
async function aggregate(pool: DatabasePool, { shopId }: Person): Promise<number> {
  const sinceStart = startClock()
  await pool.query(sql.typeAlias('void')`
    select count(*), sum(v.id), sum(s.units_90d), sum(s.units_30d), sum(s.units_7d), sum(s.returned_90d),
      sum(s.revenue), max(s.last_sold_at)
    from variant v
    join (
      select variant_gid, sum(quantity - cancelled) as units_90d, max(ordered_at) as last_sold_at,
        sum(quantity - cancelled) filter (where ordered_at >= current_date - 29) as units_30d,
        sum(quantity - cancelled) filter (where ordered_at >= current_date - 6) as units_7d,
        sum(returned) as returned_90d, sum(revenue) as revenue
      from sale
      where shop_id = ${shopId} and ordered_at >= current_date - 89
      group by variant_gid
    ) s on s.variant_gid = v.gid
    where v.shop_id = ${shopId}
  `)
  return sinceStart()
}

t.test('lists and reports stay fast as a shop grows, and none scans all sales', async (t) => {
  const { db: pool } = await openTestDb(t)
  const { db, statements } = recordStatements(pool)
  const config = testConfig(await fileDatabase(), { RATE_LIMIT_PER_MINUTE: '1000000' })
  const pdf = createPdfRenderer()
  const app = await buildApp({
    config,
    db,
    pdf,
    log: recordedLog(config, 'web'),
    isStopping: () => false,
    handlerTimeoutMs: 120_000,
  })
  t.teardown(async () => {
    await app.close()
    await pdf.close()
  })
  const alice = await makePerson(app, pool, 'alice')
  const mallory = await makePerson(app, pool, 'mallory')
  await withoutTimeouts(await fileDatabase(), async (connection) => {
    await growShop(connection, mallory, { variants: 1_000, sales: 10_000, orders: 50 })
    // a second shop, so that the data of one shop is not nearly the whole table: its sales are a third
    await growShop(connection, await makeShop(connection, 'others'), {
      variants: 1_000,
      sales: 2 * large.sales,
      orders: 50,
    })
    await growShop(connection, alice, large)
    // of every fifth variant the first location is low, and the second one has goods for one in six of these
    await connection.query(sql.typeAlias('void')`
      insert into reorder_rule (
        shop_id, variant_id, location_id, reorder_point, reorder_quantity, current_stock, created_by
      )
      select l.shop_id, l.variant_id, l.location_id, 100, 20, l.quantity, 'alice-1'
      from stock_level l
      join location w on w.shop_id = l.shop_id and w.id = l.location_id
      where l.shop_id = ${alice.shopId} and l.variant_id % 5 = 0 and (w.is_primary or l.variant_id % 6 > 0)
    `)
    await connection.query(sql.typeAlias('void')`
      insert into buying_budget (shop_id, name, starts_on, ends_on, amount, created_by, created_at, updated_at)
      select id, 'The last year', current_date - 364, current_date, 100000, 'alice-1', now(), now() from shop
    `)
    // of a hundred orders twenty have an invoice: one of these is paid, one is overdue, the others have no day of payment
    await connection.query(sql.typeAlias('void')`
      update purchase_order
      set invoice_number = 'INV-1', paid_at = case when id % 100 = 0 then now() end,
        payment_due_on = case when id % 50 = 0 then current_date - 1 end
      where shop_id = ${alice.shopId} and id % 5 = 0
    `)
    await connection.query(sql.typeAlias('void')`vacuum analyze`)
  })

  const compute = async (shopId: number, isWhole = true) => {
    const sinceStart = startClock()
    await recomputeSalesVelocity(db, shopId, { isWhole })
    return sinceStart()
  }
  await compute(mallory.shopId)
  t.comment(`the velocity of all for the first time: ${Math.round(await compute(alice.shopId))} ms`)
  await pool.query(sql.typeAlias('void')`vacuum analyze variant_velocity`)
  let [repeatedMs, aggregateMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const ratio = () => repeatedMs / aggregateMs
  // the lowest times of some rounds, as in `fastest`
  for (let round = 0; round < rounds; round += 1) {
    repeatedMs = Math.min(repeatedMs, await compute(alice.shopId))
    aggregateMs = Math.min(aggregateMs, await aggregate(pool, alice))
  }
  t.comment(`repeated: ${Math.round(repeatedMs)} ms, ${ratio().toFixed(2)} times the aggregate alone`)
  const sold = Array.from({ length: 1_000 }, (_, at) => saleOf(1 + at * 99 * size, 1, new Date()))
  await pool.transaction((tx) => recordSales(tx, alice.shopId, sold))
  t.comment(`of 1 000 that were sold: ${Math.round(await compute(alice.shopId, false))} ms`)
  if (isFull) t.ok(ratio() < maxRatio, 'at most 6 times the sums alone')
  for (const statement of statements) {
    if (/^\s*set /.test(statement.sql)) continue
    t.notMatch(await planOf(pool, statement), allSales, statement.sql.slice(0, 60))
  }

  await recomputeMargins(pool, mallory.shopId)
  for (const which of ['for the first time', 'again']) {
    const sinceStart = startClock()
    await recomputeMargins(pool, alice.shopId)
    t.comment(`the margins ${which}: ${sinceStart()} ms`)
  }
  await pool.query(sql.typeAlias('void')`vacuum analyze variant_margin`)

  await withoutTimeouts(await fileDatabase(), async (connection) => {
    for (const person of [mallory, alice]) await forecastShop(connection, person)
  })
  await pool.query(sql.typeAlias('void')`vacuum analyze variant_forecast, demand_day`)
  await planShop(pool, mallory)
  t.comment(`the planning reports for the first time: ${Math.round(await planShop(pool, alice))} ms`)
  const planMs = await planShop(pool, alice)
  t.comment(`the planning reports again: ${Math.round(planMs)} ms`)
  if (isFull)
    t.ok(planMs < large.variants * 2, 'at most 2 ms per variant, so 200 s of the ten minutes of a night')
  await pool.query(sql.typeAlias('void')`vacuum analyze stock_gap, overstock, lost_sale, forecast_need`)

  const firstSuppliers = new Map([
    [mallory, await firstSupplierOf(pool, mallory)],
    [alice, await firstSupplierOf(pool, alice)],
  ])
  for (const address of addresses) {
    const addressOf = (person: Person) => address.replace('first', String(firstSuppliers.get(person)))
    const small = isFullSize
      ? `${(await fastest(mallory, addressOf(mallory))).toFixed(1)} ms of 1 000 variants, `
      : ''
    statements.length = 0
    const largeMs = await fastest(alice, addressOf(alice))
    const statement = statements.at(-1)
    if (!statement) throw new Error(`${address} runs no statement`)
    const plan = await planOf(pool, statement, { isRun: isFullSize })
    t.comment(`${address}: ${small}${largeMs.toFixed(1)} ms of ${large.variants}\n${plan}`)
    t.notMatch(plan, allSales, address)
    if (storedMargins.includes(address)) t.match(plan, /using variant_margin_list\b/, address)
    if (address.startsWith('/api/reports/arrivals')) t.match(plan, /using stock_transfer_route\b/, address)
    // a tenth of the receipts fits in eight pages, which Postgres rather reads
    if (isFullSize && address.includes('basis=received')) t.match(plan, /on receipt_posted\b/, address)
    const sorted = /^\/api\/purchase-orders\?sort=([-\w]+)&limit=50$/.exec(address)?.[1]
    if (sorted)
      t.match(plan, new RegExp(`Index .*using ${sortIndexes[sorted]}\\b`), `${address} reads its index`)
    const payment = /^\/api\/purchase-orders\?limit=50&payment=(\w+)$/.exec(address)?.[1]
    if (payment) t.match(plan, new RegExp(`\\b${paymentIndexes[payment]}\\b`), address)
    const levels = /^\/api\/stock-levels\?sort=([-\w]+)&limit=50$/.exec(address)?.[1]
    if (levels)
      t.match(plan, new RegExp(`Index .*using ${levelIndexes()[levels]}\\b`), `${address} reads its index`)
    if (isFull) t.ok(largeMs < maxMs, `${address} within ${maxMs} ms`)
  }
})
