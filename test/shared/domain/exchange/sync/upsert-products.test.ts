import t, { type Test } from 'tap'
import { sql } from '../../../../../shared/db/db.ts'
import { upsertProducts } from '../../../../../shared/domain/exchange/sync/upsert-products.ts'
import { retireUnconfirmed } from '../../../../../shared/domain/records/catalogue/retire.ts'
import { resolveVariants } from '../../../../../shared/domain/records/catalogue/variants.ts'
import { openTestDb } from '../../../../support/core/database.ts'
import { instantIn } from '../../../../support/core/instants.ts'
import { makeShop } from '../../../../support/core/people.ts'
import { gidOf, product, storedVariants, variant } from '../../../../support/make/catalogue.ts'

type ProductInputs = Parameters<typeof upsertProducts>[2]

async function start(t: Test) {
  const { db } = await openTestDb(t)
  const { shopId } = await makeShop(db, 'alice')
  return {
    db,
    shopId,
    upsert: (...products: ProductInputs) => db.transaction((tx) => upsertProducts(tx, shopId, products)),
    stored: () => storedVariants(db, shopId),
  }
}

t.test('a product is stored with its variants, and a second upsert changes nothing', async (t) => {
  const { upsert, stored } = await start(t)
  const mug = product(1, [
    variant(10),
    variant(11, { title: 'Default Title', price: null, isTracked: false }),
  ])
  await upsert(mug)
  const first = await stored()
  t.strictSame(first, [
    {
      gid: gidOf('ProductVariant', 10),
      productTitle: 'Mug 1',
      title: 'Size 10',
      sku: 'SKU-10',
      barcode: '0010',
      price: 9.5,
      inventoryItemGid: gidOf('InventoryItem', 10),
      isTracked: true,
      isDeleted: false,
      isConfirmed: true,
      searchText: 'mug 1 size 10 sku-10 0010',
    },
    {
      gid: gidOf('ProductVariant', 11),
      productTitle: 'Mug 1',
      title: '',
      sku: 'SKU-11',
      barcode: '0011',
      price: null,
      inventoryItemGid: gidOf('InventoryItem', 11),
      isTracked: false,
      isDeleted: false,
      isConfirmed: true,
      searchText: 'mug 1 sku-11 0011',
    },
  ])
  await upsert(mug)
  t.strictSame(await stored(), first)
})

t.test('an older update never overwrites a newer one, in any order of arrival', async (t) => {
  const { upsert, stored } = await start(t)
  const old = product(1, [variant(10, { sku: 'OLD' }), variant(11)], {
    title: 'Old',
    updatedAt: '2026-03-01T12:00:00Z',
  })
  const young = product(1, [variant(10, { sku: 'NEW' })], { title: 'New', updatedAt: '2026-03-01T12:00:01Z' })
  await upsert(young)
  await upsert(old)
  t.match(await stored(), [{ productTitle: 'New', sku: 'NEW' }])
  t.equal((await stored()).length, 1, 'an older update does not restore a deleted variant')

  await upsert(young, old)
  t.match(await stored(), [{ productTitle: 'New', sku: 'NEW' }])
  await upsert({ ...old, title: 'Newest', updatedAt: null })
  t.match(await stored(), [{ productTitle: 'Newest' }, {}], 'an update without a time counts as new')
  await upsert(old)
  t.match(await stored(), [{ productTitle: 'Newest' }, {}], 'an update without a time keeps the stored time')
})

t.test('a variant missing from the full list is marked as deleted until it comes back', async (t) => {
  const { upsert, stored } = await start(t)
  await upsert(product(1, [variant(10), variant(11), variant(12)]))
  await upsert(product(1, [variant(10)]))
  t.match(await stored(), [{ isDeleted: false }, { isDeleted: true }, { isDeleted: true }])

  await upsert(product(1, [variant(11)], { variantGids: null }))
  t.match(
    await stored(),
    [{ isDeleted: false }, { isDeleted: false }, { isDeleted: true }],
    'a sent variant is restored',
  )
  await upsert(
    product(1, [variant(10)], { variantGids: [10, 11, 12].map((at) => gidOf('ProductVariant', at)) }),
  )
  t.match(
    await stored(),
    [{ isDeleted: false }, { isDeleted: false }, { isDeleted: false }],
    'a listed variant is restored',
  )
})

t.test('a new product title also updates the search text of variants that were not sent', async (t) => {
  const { upsert, stored } = await start(t)
  await upsert(product(1, [variant(10), variant(11)]))
  await upsert(product(1, [variant(10)], { title: 'ÇAY Bardağı', variantGids: null }))
  t.match(await stored(), [{ searchText: /^çay bardağı size 10/ }, { searchText: /^çay bardağı size 11/ }])
})

t.test('fields that an update omits keep their values', async (t) => {
  const { upsert, stored } = await start(t)
  await upsert(product(1, [variant(10, { isTracked: false })]))
  await upsert(product(1, [variant(10, { isTracked: null, inventoryItemGid: null, sku: 'B' })]))
  t.match(await stored(), [{ isTracked: false, inventoryItemGid: gidOf('InventoryItem', 10), sku: 'B' }])
})

t.test('a variant that an order line created gets its own title from the platform', async (t) => {
  const { db, shopId, upsert, stored } = await start(t)
  const reference = { productId: gidOf('Product', 1), variantId: gidOf('ProductVariant', 10) }
  await db.transaction((tx) =>
    resolveVariants(tx, shopId, [{ ...reference, sku: 'X', title: 'Mug, large' }], () => ''),
  )
  t.match(await stored(), [{ title: 'Mug, large', isConfirmed: false }])
  await upsert(product(1, [variant(10, { title: 'Large' })]))
  t.match(await stored(), [{ productTitle: 'Mug 1', title: 'Large', isConfirmed: true }])
})

t.test('ids above 2^53 are accepted, and null characters are removed', async (t) => {
  const { upsert, stored } = await start(t)
  await upsert(product('9007199254740993', [variant('9007199254740995', { title: 'A\u0000B' })]))
  await upsert(product('9007199254740992', [variant('9007199254740994')]))
  t.match(await stored(), [
    { gid: gidOf('ProductVariant', '9007199254740995'), title: 'AB' },
    { gid: gidOf('ProductVariant', '9007199254740994') },
  ])
})

t.test('the same gids in another shop are other products', async (t) => {
  const { db, upsert, stored } = await start(t)
  const mallory = await makeShop(db, 'mallory')
  await upsert(product(1, [variant(10)]))
  await db.transaction((tx) =>
    upsertProducts(tx, mallory.shopId, [product(1, [variant(10, { sku: 'M' })], { title: 'Theirs' })]),
  )
  t.match(await stored(), [{ productTitle: 'Mug 1', sku: 'SKU-10', isDeleted: false }])
  await db.transaction((tx) => upsertProducts(tx, mallory.shopId, [product(1, [])]))
  t.match(await stored(), [{ isDeleted: false }])
  t.match(await storedVariants(db, mallory.shopId), [{ isDeleted: true }])
})

t.test('concurrent writers neither deadlock nor lose the newest update', async (t) => {
  const { upsert, stored } = await start(t)
  const numbers = Array.from({ length: 30 }, (_, at) => at + 1)
  const updatesAt = (second: number) =>
    numbers.map((number) =>
      product(number, [variant(number), variant(number + 100, { sku: `at ${second}` })], {
        updatedAt: new Date(Date.UTC(2026, 2, 1) + second * 1000).toISOString(),
      }),
    )
  const rounds = Array.from({ length: 12 }, (_, second) => second)
  await Promise.all(
    rounds.map((second) => upsert(...(second % 2 ? updatesAt(second) : updatesAt(second).reverse()))),
  )
  const all = await stored()
  t.equal(all.length, 60)
  t.strictSame(
    new Set(all.filter(({ sku }) => sku.startsWith('at')).map(({ sku }) => sku)),
    new Set(['at 11']),
  )
})

t.test(
  'a catalogue sync retires variants that it did not read, except those listed by an update in the meantime',
  async (t) => {
    const { db, shopId, upsert, stored } = await start(t)
    const all = [1, 2, 3].map((number) => variant(number))
    await upsert(product(1, all), product(2, [variant(9)]))
    await upsert(product(3, [variant(30), variant(31)], { updatedAt: '2026-03-05T12:00:00.9Z' }))
    await db.query(sql.typeAlias('void')`
    update variant set confirmed_at = now() - interval '1 hour' where shop_id = ${shopId}
  `)
    const since = instantIn(-60_000).toISOString()
    await upsert(
      product(1, [variant(1)], { updatedAt: '2026-03-02T12:00:00Z', variantGids: all.map(({ gid }) => gid) }),
    )
    await upsert(product(1, all, { updatedAt: '2026-03-01T12:00:00Z' }))
    await upsert(product(3, [variant(30)], { title: 'Older', updatedAt: '2026-03-05T12:00:00Z' }))
    await db.transaction((tx) => retireUnconfirmed(tx, shopId, since))
    t.strictSame(
      (await stored()).filter(({ isDeleted }) => isDeleted).map(({ gid }) => gid),
      [variant(9).gid, variant(31).gid],
      'a variant that was read exists, even when the stored product is newer',
    )
    t.notOk((await stored()).some(({ productTitle }) => productTitle === 'Older'))
  },
)
