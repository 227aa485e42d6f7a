import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { applyReading } from '../../../../shared/domain/documents/stock-counts/apply-reading.ts'
import { upsertProducts } from '../../../../shared/domain/exchange/sync/upsert-products.ts'
import { applyPlatformLevels } from '../../../../shared/domain/ledgers/stock/platform/platform-updates.ts'
import { enqueueReadLevelsOf } from '../../../../shared/domain/ledgers/stock/platform/read-requests.ts'
import { listStockedVariants } from '../../../../shared/domain/ledgers/stock/stocked-variants.ts'
import { upsertLocations } from '../../../../shared/domain/records/catalogue/locations.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import type { AdminApi } from '../../../../worker/platform/admin-api.ts'
import { openLevelReader } from '../../../../worker/sync/read-levels.ts'
import { openTestDb } from '../../../support/core/database.ts'
import { makeShop } from '../../../support/core/people.ts'
import { enqueued, startTasks } from '../../../support/core/worker.ts'
import { gidOf, product, storedVariants, variant } from '../../../support/make/catalogue.ts'
import { mockPlatform, type ShopVariant, shopOf, simulateShop } from '../../../support/platform/platform.ts'
import { startSimulatedShop } from '../../../support/platform/simulated-shop.ts'

const Level = Type.Object({ gid: Type.String(), location: Type.String(), quantity: Type.Integer() })
const Sum = Type.Object({ levels: Type.Integer(), movements: Type.Integer() })

/** A shop with a catalogue of variants, without stored stock. */
async function start(t: Test, variants: ShopVariant[], locations = 2) {
  const { db } = await openTestDb(t)
  const { shopId, shopDomain } = await makeShop(db, 'alice')
  const platform = mockPlatform(t, shopDomain)
  const shop = shopOf({ variants })
  simulateShop(platform, shop)
  await db.transaction(async (tx) => {
    const numbers = Array.from({ length: locations }, (_, at) => at + 1)
    await upsertLocations(
      tx,
      shopId,
      numbers.map((number) => ({
        gid: gidOf('Location', number),
        name: `Place ${number}`,
        isActive: true,
        isPrimary: number === 1,
      })),
    )
    await upsertProducts(tx, shopId, [
      product(
        1,
        variants.map(({ id }) => variant(id)),
      ),
    ])
  })
  const { perform, services } = await startTasks(t, db)
  return {
    db,
    shopId,
    platform,
    shop,
    perform,
    services,
    reconcile: () => perform(jobs.reconcileStock, { shopId }),
    levels: () =>
      db.any(sql.type(row(Level))`
        select v.gid, o.name as location, l.quantity
        from stock_level l
        join variant v on v.shop_id = l.shop_id and v.id = l.variant_id
        join location o on o.shop_id = l.shop_id and o.id = l.location_id
        where l.shop_id = ${shopId}
        order by v.id, o.id
      `),
    sums: () =>
      db.one(sql.type(row(Sum))`
        select (select coalesce(sum(quantity), 0)::int from stock_level where shop_id = ${shopId}) as levels,
          (select coalesce(sum(delta), 0)::int from stock_movement where shop_id = ${shopId}) as movements
      `),
    count: () =>
      db.oneFirst(sql.type(row(Type.Object({ count: Type.Integer() })))`
        select count(*) from stock_movement where shop_id = ${shopId}
      `),
  }
}

t.test('reconciling applies lost updates once, and each difference is in the ledger', async (t) => {
  const { shop, reconcile, levels, sums, count } = await start(t, [
    { id: 1, product: 1, levels: [{ location: 1, available: 5 }] },
    {
      id: 2,
      product: 1,
      levels: [
        { location: 1, available: 7 },
        { location: 9, available: 100 },
      ],
    },
  ])
  await reconcile()
  t.strictSame(await levels(), [
    { gid: gidOf('ProductVariant', 1), location: 'Place 1', quantity: 5 },
    { gid: gidOf('ProductVariant', 2), location: 'Place 1', quantity: 7 },
  ])
  t.strictSame(await sums(), { levels: 12, movements: 12 })
  await reconcile()
  t.equal(await count(), 2, 'a second run changes nothing')

  const [firstVariant] = shop.variants
  if (firstVariant) firstVariant.levels = [{ location: 1, available: 4, updatedAt: '2026-03-02T12:00:00Z' }]
  await reconcile()
  t.strictSame(await sums(), { levels: 11, movements: 11 })
})

t.test('a level that the platform no longer has becomes 0', async (t) => {
  const { shop, reconcile, levels, sums } = await start(t, [
    {
      id: 1,
      product: 1,
      levels: [
        { location: 1, available: 5 },
        { location: 2, available: 2 },
      ],
    },
    { id: 2, product: 1, levels: [{ location: 1, available: 3 }] },
  ])
  await reconcile()
  const [firstVariant] = shop.variants
  if (firstVariant) firstVariant.levels = [{ location: 1, available: 5 }]
  shop.variants.splice(1, 1)
  await reconcile()
  t.match(await levels(), [
    { location: 'Place 1', quantity: 5 },
    { location: 'Place 2', quantity: 0 },
    { quantity: 3 },
  ])
  t.strictSame(await sums(), { levels: 8, movements: 8 })
})

t.test('a level that the platform gets after its answer stays', async (t) => {
  const { db, shopId, services, reconcile, levels } = await start(t, [
    { id: 1, product: 1, levels: [{ location: 1, available: 5 }] },
  ])
  await reconcile()
  const keys = await db.one(sql.type(
    row(Type.Object({ variantId: Type.Integer(), locationId: Type.Integer() })),
  )`
    select v.id as variant_id, w.id as location_id
    from variant v
    join location w on w.shop_id = ${shopId} and w.gid = ${gidOf('Location', 2)}
    where v.shop_id = ${shopId}
  `)
  // the platform's instants are whole seconds, so the change may seem to be older than the reading
  const update = { ...keys, available: 3, updatedAt: '2026-03-01T12:00:00Z' }
  const api = services.adminApi(shopId)
  const query: AdminApi['query'] = async (...request) => {
    const answer = await api.query(...request)
    await db.transaction((tx) => applyPlatformLevels(tx, shopId, [update]))
    return answer
  }
  const reader = await openLevelReader({ query }, db, shopId, new AbortController().signal)
  const reading = await reader.read(await listStockedVariants(db, shopId, 0, 1))
  await db.transaction((tx) => applyReading(tx, shopId, reading))
  t.match(await levels(), [
    { location: 'Place 1', quantity: 5 },
    { location: 'Place 2', quantity: 3 },
  ])
})

t.test('untracked variants are marked', async (t) => {
  const { db, shopId, reconcile } = await start(t, [
    { id: 1, product: 1, isTracked: false, levels: [{ location: 1, available: 5 }] },
  ])
  await reconcile()
  t.match(await storedVariants(db, shopId), [{ isTracked: false }])
})

t.test('pending pushes get a job', async (t) => {
  const { db, shopId, reconcile, perform } = await start(t, [{ id: 1, product: 1 }])
  await reconcile()
  t.strictSame(await enqueued(db, jobs.pushStock, shopId), [])
  await db.query(sql.typeAlias('void')`
    insert into stock_push (shop_id, form, reason, state)
    values (${shopId}, 'adjust', 'other', 'failed'), (${shopId}, 'adjust', 'other', 'done')
  `)
  await reconcile()
  t.strictSame(await enqueued(db, jobs.pushStock, shopId), [], 'no push is pending')
  for (const state of ['queued', 'sending']) {
    await db.query(sql.typeAlias('void')`update stock_push set state = ${state} where shop_id = ${shopId}`)
    await reconcile()
  }
  t.strictSame(await enqueued(db, jobs.pushStock, shopId), [{ shopId }, { shopId }])
  await perform(jobs.reconcileStock, { shopId, afterVariantId: 1 })
  t.equal((await enqueued(db, jobs.pushStock, shopId)).length, 2, 'only the first job of a run enqueues one')
})

t.test('older responses do not revert later updates', async (t) => {
  const { db, shopId, reconcile, levels } = await start(t, [
    { id: 1, product: 1, levels: [{ location: 1, available: 5, updatedAt: '2026-03-01T12:00:00Z' }] },
  ])
  await reconcile()
  const ids = await db.one(sql.type(
    row(Type.Object({ variantId: Type.Integer(), locationId: Type.Integer() })),
  )`
    select variant_id, location_id from stock_level where shop_id = ${shopId}
  `)
  await db.transaction((tx) =>
    applyPlatformLevels(tx, shopId, [{ ...ids, available: 2, updatedAt: '2026-03-01T12:00:05Z' }]),
  )
  await reconcile()
  t.match(await levels(), [{ quantity: 2 }])
})

t.test('a shop with many locations is read in smaller pages, and no level is missed', async (t) => {
  const shopLevels = Array.from({ length: 60 }, (_, at) => ({ location: at + 1, available: 1 }))
  const variants = Array.from({ length: 7 }, (_, at) => ({ id: at + 1, product: 1, levels: shopLevels }))
  const { platform, reconcile, levels } = await start(t, variants, 60)
  await reconcile()
  t.equal((await levels()).length, 420)
  const first = platform.variablesOf('InventoryLevels').filter(({ after }) => after === null)
  t.equal(first.length, 2)
  t.match(first[0], { first: 50 })
})

t.test('a job at the end of its time budget enqueues the rest after its last compared variant', async (t) => {
  const variants = Array.from({ length: 350 }, (_, at) => ({
    id: at + 1,
    product: 1,
    levels: [{ location: 1, available: 1 }],
  }))
  const { db, shopId, reconcile, sums, perform } = await start(t, variants)
  let now = 0
  t.intercept(performance, 'now', { value: () => (now += 30_000) })
  await reconcile()
  t.match(await sums(), { levels: 100 })
  for (let at = 0; at < 3; at += 1) {
    const nextJob = (await enqueued(db, jobs.reconcileStock, shopId))[at]
    if (nextJob) await perform(jobs.reconcileStock, nextJob)
  }
  t.match(await sums(), { levels: 350 })
  t.equal((await enqueued(db, jobs.reconcileStock, shopId)).length, 3)
})

t.test('a thousand variants need one request per hundred', async (t) => {
  const variants = Array.from({ length: 1_000 }, (_, at) => ({
    id: at + 1,
    product: 1,
    levels: [{ location: 1, available: 1 }],
  }))
  const { platform, reconcile, sums } = await start(t, variants)
  await reconcile()
  t.match(await sums(), { levels: 1_000 })
  t.equal(platform.requests.length, 10)
})

t.test(
  'a product that was deleted while its webhook was lost has no stock after the comparison',
  async (t) => {
    for (const job of [jobs.reconcileStock, jobs.readLevels]) {
      const { db, alice, shop, perform, variants } = await startSimulatedShop(t)
      const { shopId } = alice
      const stockOf = async (variantId = '') =>
        (await alice.get(`/api/stock-levels?${new URLSearchParams({ variantId })}`)).json().data.length
      shop.deleteProduct(shop.gid('Product', shop.catalogue.productId(0)))
      await db.transaction((tx) => enqueueReadLevelsOf(tx, shopId, variants))
      await perform(job, { shopId })
      const syncs = await enqueued(db, jobs.syncProduct, shopId)
      t.equal(syncs.length, 1, 'its two variants request one sync')
      for (const sync of syncs) await perform(jobs.syncProduct, sync)
      t.equal(await stockOf(variants[0]), 0)
      t.equal(await stockOf(variants[2]), 2, 'another product stays at its two locations')
      await perform(job, { shopId })
      t.equal((await enqueued(db, jobs.syncProduct, shopId)).length, 1, 'a second run requests none')
    }
  },
)
