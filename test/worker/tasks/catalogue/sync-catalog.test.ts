import { Type } from '@sinclair/typebox'
import pg from 'pg'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { getSync, startSync } from '../../../../shared/domain/exchange/sync/sync.ts'
import { upsertProducts } from '../../../../shared/domain/exchange/sync/upsert-products.ts'
import { listLocations } from '../../../../shared/domain/records/catalogue/locations.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { openTestDb } from '../../../support/core/database.ts'
import { daysAgo } from '../../../support/core/instants.ts'
import { makeShop } from '../../../support/core/people.ts'
import { enqueued, startTasks } from '../../../support/core/worker.ts'
import { gidOf, product, storedVariants, variant } from '../../../support/make/catalogue.ts'
import {
  mockPlatform,
  type PlatformShop,
  type ShopVariant,
  shopOf,
  simulateShop,
} from '../../../support/platform/platform.ts'

const Level = Type.Object({ gid: Type.String(), name: Type.String(), quantity: Type.Integer() })
const SaleRow = Type.Object({ orderGid: Type.String(), variantGid: Type.String(), quantity: Type.Integer() })
const Setting = Type.Object({
  companyName: Type.String(),
  email: Type.String(),
  currency: Type.String(),
  timeZone: Type.String(),
})

const variants = (count: number, perProduct = 4): ShopVariant[] =>
  Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    product: Math.floor(at / perProduct) + 1,
    levels: [{ location: 1, available: at % 10 }],
  }))

const recent = (days: number) => daysAgo(days).toISOString()

/** A shop on the mocked platform, its started sync, and the job of the sync. */
async function start(t: Test, fields: Partial<PlatformShop> = {}) {
  const { db } = await openTestDb(t)
  const { shopId, shopDomain } = await makeShop(db, 'alice')
  const platform = mockPlatform(t, shopDomain)
  const shop = shopOf(fields)
  simulateShop(platform, shop)
  const { perform } = await startTasks(t, db)
  const begin = async () => {
    await startSync(db, shopId, 'merchant')
    const payload = (await enqueued(db, jobs.syncCatalog, shopId)).at(-1)
    if (!payload) throw new Error('no job was enqueued')
    return payload
  }
  const payload = await begin()
  return {
    db,
    shopId,
    platform,
    shop,
    begin,
    attempt: (options?: { isLast?: boolean; signal?: AbortSignal }, of = payload) =>
      perform(jobs.syncCatalog, of, options).then(
        () => undefined,
        (error: Error) => error.message,
      ),
    sync: () => getSync(db, shopId),
    catalogue: () => storedVariants(db, shopId),
    levels: () =>
      db.any(sql.type(row(Level))`
        select v.gid, o.name, l.quantity
        from stock_level l
        join variant v on v.shop_id = l.shop_id and v.id = l.variant_id
        join location o on o.shop_id = l.shop_id and o.id = l.location_id
        where l.shop_id = ${shopId}
        order by v.id, o.name
      `),
    sales: () =>
      db.any(sql.type(row(SaleRow))`
        select order_gid, variant_gid, quantity from sale where shop_id = ${shopId} order by line_gid
      `),
    locations: () => listLocations(db, shopId),
    setting: () =>
      db.one(sql.type(row(Setting))`
        select company_name, email, currency, time_zone from shop_setting where shop_id = ${shopId}
      `),
  }
}

t.test('a sync reads the addresses of locations', async (t) => {
  const dock = {
    ...{ address1: '14 Dock Road', address2: null, city: 'Portland', province: 'Oregon' },
    ...{ zip: '97203', country: 'United States', countryCode: 'US', phone: '+1 503 555 0177' },
  }
  const { attempt, locations } = await start(t, {
    locations: [
      { id: 1, name: 'Warehouse', isActive: true, address: dock },
      { id: 2, name: 'Front', isActive: true },
    ],
  })
  t.equal(await attempt(), undefined)
  const [front, warehouse] = await locations()
  t.match(front, { name: 'Front', addressLines: [] })
  t.strictSame(warehouse?.address, { ...dock, address2: '' })
})

t.test('a sync reads the shop, its locations, products, stock and the sales of 90 days', async (t) => {
  const { db, shopId, attempt, sync, catalogue, levels, sales, setting } = await start(t, {
    variants: [
      {
        id: 10,
        product: 1,
        levels: [
          { location: 1, available: 5 },
          { location: 2, available: -2 },
        ],
      },
      { id: '9007199254740995', product: '9007199254740993', title: 'Default Title' },
      { id: 11, product: 1, isTracked: false, levels: [{ location: 1, available: 3 }] },
    ],
    orders: [
      { id: 1, createdAt: recent(100), lines: [{ id: 1, variant: 10, quantity: 1 }] },
      {
        id: 2,
        createdAt: recent(80),
        lines: [
          { id: 2, variant: 10, quantity: 3 },
          { id: 3, variant: null, quantity: 1 },
        ],
      },
    ],
  })
  await db.query(sql.typeAlias('void')`
    update shop_credential set scopes = 'read_all_orders,read_products' where shop_id = ${shopId}
  `)
  t.equal(await attempt(), undefined)
  t.match(await sync(), {
    state: 'done',
    phase: null,
    counts: { locations: 2, products: 2, variants: 3, levels: 3, orders: 1 },
    finishedAt: /Z$/,
  })
  t.match(await catalogue(), [
    { gid: gidOf('ProductVariant', 10), productTitle: 'Mug 1', sku: 'SKU-10', barcode: '' },
    { gid: gidOf('ProductVariant', 11), isTracked: false },
    { gid: gidOf('ProductVariant', '9007199254740995'), title: '' },
  ])
  t.strictSame(await levels(), [
    { gid: gidOf('ProductVariant', 10), name: 'Front', quantity: -2 },
    { gid: gidOf('ProductVariant', 10), name: 'Warehouse', quantity: 5 },
    { gid: gidOf('ProductVariant', 11), name: 'Warehouse', quantity: 0 },
  ])
  t.strictSame(await sales(), [
    { orderGid: gidOf('Order', 2), variantGid: gidOf('ProductVariant', 10), quantity: 3 },
  ])
  t.strictSame(await setting(), {
    companyName: 'Kestrel & Vine',
    email: 'owner@kestrel.example.com',
    currency: 'GBP',
    timeZone: 'Europe/London',
  })

  t.equal(await attempt(), undefined, 'a repeated job does nothing')
})

t.test('a second sync stores only changes', async (t) => {
  const { attempt, begin, catalogue, levels, sales, shop } = await start(t, {
    variants: variants(6, 3),
    orders: [{ id: 1, createdAt: recent(1), lines: [{ id: 1, variant: 1, quantity: 2 }] }],
  })
  t.equal(await attempt(), undefined)
  const first = [await catalogue(), await levels(), await sales()]
  t.equal(await attempt({}, await begin()), undefined)
  t.strictSame([await catalogue(), await levels(), await sales()], first)

  shop.variants.splice(1, 4)
  t.equal(await attempt({}, await begin()), undefined)
  t.strictSame(
    (await catalogue()).map(({ isDeleted }) => isDeleted),
    [false, true, true, true, true, false],
  )
})

t.test('after a crash only the unstored page is read again', async (t) => {
  const { platform, shop, attempt, sync, catalogue } = await start(t, { variants: variants(450) })
  platform.on('Variants', () => [403])
  t.match(await attempt(), /forbids/)
  t.match(await sync(), { state: 'running', phase: 'products', counts: { locations: 2, variants: 0 } })

  simulateShop(platform, shop)
  const stop = new AbortController()
  platform.on('InventoryLevels', () => {
    stop.abort(new Error('stopping'))
    return [500]
  })
  t.match(await attempt({ signal: stop.signal, isLast: true }), 'stopping')
  t.match(await sync(), {
    state: 'running',
    phase: 'levels',
    counts: { products: 113, variants: 450, levels: 0 },
  })
  t.equal((await catalogue()).length, 450)

  platform.requests.length = 0
  simulateShop(platform, shop)
  t.equal(await attempt(), undefined)
  t.match(await sync(), {
    state: 'done',
    counts: { locations: 2, products: 113, variants: 450, levels: 450 },
  })
  t.strictSame(platform.variablesOf('Locations'), [])
  t.strictSame(platform.variablesOf('Variants'), [])
})

t.test('a sync resumes in the middle of a phase', async (t) => {
  const { platform, shop, attempt, catalogue } = await start(t, { variants: variants(450) })
  const respond = platform.handler('Variants')
  platform.on('Variants', (variables, call) => (call === 2 ? [403] : respond(variables, call)))
  t.match(await attempt(), /forbids/)
  t.equal((await catalogue()).length, 140)
  platform.requests.length = 0
  simulateShop(platform, shop)
  t.equal(await attempt(), undefined)
  t.match(platform.variablesOf('Variants'), [{ after: '140' }, { after: '280' }, { after: '420' }])
  t.equal((await catalogue()).length, 450)
})

t.test('a job at the end of its time budget enqueues the rest', async (t) => {
  const { db, shopId, platform, attempt, sync } = await start(t, { variants: variants(450) })
  let now = 0
  t.intercept(performance, 'now', { value: () => (now += 15_000) })
  t.equal(await attempt(), undefined)
  t.match(await sync(), { state: 'running' })
  const requestCount = platform.requests.length
  t.ok(requestCount < 4, `${requestCount} pages`)
  const [first, next, ...others] = await enqueued(db, jobs.syncCatalog, shopId)
  t.strictSame(next, first, 'the job continues the same sync')
  t.strictSame(others, [])
  for (let slices = 0; slices < 12; slices += 1) t.equal(await attempt(), undefined)
  t.match(await sync(), { state: 'done', counts: { products: 113, variants: 450, levels: 450 } })
})

t.test('two jobs of one sync store each page once', async (t) => {
  const { attempt, sync } = await start(t, { variants: variants(450) })
  t.strictSame(await Promise.all([attempt(), attempt(), attempt()]), [undefined, undefined, undefined])
  t.match(await sync(), {
    state: 'done',
    counts: { locations: 2, products: 113, variants: 450, levels: 450 },
  })
})

t.test('5,000 variants are read in pages with a bounded number of statements each', async (t) => {
  const { platform, attempt, sync } = await start(t, { variants: variants(5_000) })
  const statements = t.capture(pg.Client.prototype, 'query', pg.Client.prototype.query)
  // on a busy machine one job reaches the end of its time budget
  for (let job = 0; job < 10 && (await sync())?.state !== 'done'; job += 1)
    t.equal(await attempt(), undefined)
  const perRequest = statements().length / platform.requests.length
  t.ok(perRequest > 5 && perRequest < 20, String(perRequest))
  t.match(await sync(), { state: 'done', counts: { products: 1_250, variants: 5_000, levels: 5_000 } })
  t.equal(platform.variablesOf('Variants').length, 36)
  t.equal(platform.variablesOf('InventoryLevels').length, 50)
})

t.test('a list longer than the limit of the platform is continued by a new query', async (t) => {
  const { db, shopId, platform, attempt, catalogue } = await start(t, { variants: variants(450) })
  await db.query(sql.typeAlias('void')`
    update catalog_sync
    set phase = 'products', cursor = ${JSON.stringify({ after: null, from: null, count: 19_900 })}
    where shop_id = ${shopId}
  `)
  t.equal(await attempt(), undefined)
  t.match(platform.variablesOf('Variants'), [
    { after: null, query: null },
    { after: null, query: 'id:>=141' },
    { after: '140', query: 'id:>=141' },
  ])
  t.equal((await catalogue()).length, 450)
})

t.test(
  'orders with many lines are read completely, and a sync without the order scope skips sales',
  async (t) => {
    const lines = Array.from({ length: 40 }, (_, at) => ({ id: at + 1, variant: at + 1, quantity: 1 }))
    const { platform, attempt, begin, sales, sync } = await start(t, {
      orders: [{ id: 1, createdAt: recent(3), lines }],
    })
    t.equal(await attempt(), undefined)
    t.equal((await sales()).length, 40)

    platform.on('Orders', () => [
      200,
      { errors: [{ message: 'Access denied', extensions: { code: 'ACCESS_DENIED' } }] },
    ])
    t.equal(await attempt({}, await begin()), undefined)
    t.match(await sync(), { state: 'done', reason: /orders could not be read/ })
  },
)

t.test('a finished sync enqueues the sales velocity', async (t) => {
  const { db, shopId, attempt } = await start(t, { variants: variants(3) })
  t.equal(await attempt(), undefined)
  const payloads = await enqueued(db, jobs.recomputeSalesVelocity, shopId)
  t.strictSame(
    payloads.filter(({ isWhole }) => isWhole),
    [{ shopId, isWhole: true }],
  )
})

t.test('company settings that the merchant changed stay unchanged', async (t) => {
  const { db, shopId, shop, attempt, begin, setting } = await start(t)
  await db.query(sql.typeAlias('void')`
    insert into shop_setting (shop_id, company_name) values (${shopId}, 'Kestrel Ltd')
  `)
  t.equal(await attempt(), undefined)
  t.match(await setting(), { companyName: 'Kestrel Ltd', currency: 'GBP', timeZone: 'Europe/London' })

  await db.query(sql.typeAlias('void')`
    update shop_setting set time_zone = 'Europe/Paris' where shop_id = ${shopId}
  `)
  Object.assign(shop.facts, { currencyCode: 'EUR', ianaTimezone: 'Europe/Dublin', name: 'Other' })
  t.equal(await attempt({}, await begin()), undefined)
  t.match(await setting(), { companyName: 'Kestrel Ltd', currency: 'EUR', timeZone: 'Europe/Paris' })
})

t.test('a failed sync stores the reason', async (t) => {
  const { platform, attempt, sync } = await start(t)
  platform.on('Locations', () => [402])
  t.match(await attempt(), /frozen/)
  t.match(await sync(), { state: 'running' })
  t.match(await attempt({ isLast: true }), /frozen/)
  t.match(await sync(), { state: 'failed', phase: 'locations', reason: /frozen/, finishedAt: /Z$/ })
})

t.test('the job ends without an error when the shop has revoked its access', async (t) => {
  const { platform, attempt, sync } = await start(t)
  platform.on('Locations', () => [401])
  t.equal(await attempt(), undefined)
  t.match(await sync(), { state: 'failed', reason: /no longer has access/ })
})

t.test('a sync stores nothing for a shop that is uninstalled during it', async (t) => {
  const { db, shopId, platform, shop, attempt, catalogue, sync } = await start(t, { variants: variants(3) })
  const respond = platform.handler('Variants')
  platform.on('Variants', async (variables, call) => {
    await db.query(sql.typeAlias('void')`update shop set uninstalled_at = now() where id = ${shopId}`)
    return respond(variables, call)
  })
  t.equal(await attempt(), undefined)
  t.strictSame(await catalogue(), [])
  t.match(await sync(), { counts: { variants: 0 } })
  t.ok(shop)
})

t.test('the catalogue of another shop with the same ids is unchanged', async (t) => {
  const { db, attempt } = await start(t, { variants: variants(2) })
  const mallory = await makeShop(db, 'mallory')
  await db.transaction((tx) =>
    upsertProducts(tx, mallory.shopId, [product(1, [variant(1), variant(99)], { title: 'Theirs' })]),
  )
  const before = await storedVariants(db, mallory.shopId)
  t.equal(await attempt(), undefined)
  t.strictSame(await storedVariants(db, mallory.shopId), before)
})
