import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { upsertLocations } from '../../../../shared/domain/records/catalogue/locations.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { startApp } from '../../../support/core/app.ts'
import { enqueued, startTasks } from '../../../support/core/worker.ts'
import { gidOf, storedVariants } from '../../../support/make/catalogue.ts'
import { line, makeOrder } from '../../../support/make/orders.ts'
import { mockPlatform, type ShopVariant, shopOf, simulateShop } from '../../../support/platform/platform.ts'

/** Alice's shop, and its platform with these variants. */
async function start(t: Test, variants: ShopVariant[]) {
  const { db, alice, mallory } = await startApp(t)
  const platform = mockPlatform(t, alice.shopDomain)
  const shop = shopOf({ variants })
  simulateShop(platform, shop)
  await db.transaction((tx) =>
    upsertLocations(tx, alice.shopId, [
      { gid: gidOf('Location', 1), name: 'Warehouse', isActive: true, isPrimary: true },
    ]),
  )
  const { perform } = await startTasks(t, db)
  return {
    db,
    alice,
    mallory,
    platform,
    shop,
    attempt: () => perform(jobs.syncProduct, { shopId: alice.shopId, productGid: gidOf('Product', 1) }),
    stored: () => storedVariants(db, alice.shopId),
    stock: () =>
      db.any(sql.type(row(Type.Object({ quantity: Type.Integer() })))`
        select quantity from stock_level where shop_id = ${alice.shopId} order by quantity
      `),
  }
}

const manyVariants = (count: number): ShopVariant[] =>
  Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    product: 1,
    levels: [{ location: 1, available: at }],
  }))

t.test('an order with unknown variants enqueues one sync per product', async (t) => {
  const { db, alice, mallory } = await start(t, [])
  await makeOrder(alice, {
    lineItems: [line(1), line(2, { productId: gidOf('Product', 1) }), line(3)],
  })
  const expectedJobs = [1, 3].map((number) => ({
    shopId: alice.shopId,
    productGid: gidOf('Product', number),
  }))
  t.strictSame(await enqueued(db, jobs.syncProduct, alice.shopId), expectedJobs)
  await makeOrder(alice, { lineItems: [line(1)] })
  t.strictSame(await enqueued(db, jobs.syncProduct, alice.shopId), expectedJobs, 'the variant is known now')
  t.strictSame(await enqueued(db, jobs.syncProduct, mallory.shopId), [])
})

t.test(
  'a sync reads all 120 variants of a product with their stock, and a second one changes nothing',
  async (t) => {
    const { platform, attempt, stored, stock } = await start(t, manyVariants(120))
    await attempt()
    const first = [await stored(), await stock()]
    t.equal(first[0]?.length, 120)
    t.strictSame(
      await stock(),
      Array.from({ length: 120 }, (_, quantity) => ({ quantity })),
    )
    await attempt()
    t.strictSame([await stored(), await stock()], first)
    t.equal(platform.variablesOf('Product').length, 2)
  },
)

t.test('many variants are read in pages, and missing ones are deleted after the last page', async (t) => {
  const { platform, shop, attempt, stored } = await start(t, manyVariants(450))
  await attempt()
  t.match(platform.variablesOf('Product'), [{ after: null }, { after: '190' }, { after: '380' }])
  shop.variants.splice(10, 1)
  await attempt()
  const deleted = (await stored()).filter(({ isDeleted }) => isDeleted)
  t.match(deleted, [{ gid: gidOf('ProductVariant', 11) }])
  t.equal((await stored()).length, 450)
})

t.test('a product that the platform does not have is marked as deleted', async (t) => {
  const { alice, attempt, stored } = await start(t, [])
  await makeOrder(alice, { lineItems: [line(1)] })
  t.match(await stored(), [{ isDeleted: false, isConfirmed: false }])
  await attempt()
  t.match(await stored(), [{ isDeleted: true, isConfirmed: false }])
  await attempt()
})

t.test('a variant of an order line is confirmed', async (t) => {
  const { alice, attempt, stored } = await start(t, [{ id: 1, product: 1, title: 'Large' }])
  await makeOrder(alice, { lineItems: [line(1, { title: 'Some mug', sku: 'X' })] })
  await attempt()
  t.match(await stored(), [{ productTitle: 'Mug 1', title: 'Large', sku: 'SKU-1', isConfirmed: true }])
})
