import t, { type Test } from 'tap'
import { sql } from '../../../../shared/db/db.ts'
import { retireUnseen } from '../../../../shared/domain/catalogue/retire.ts'
import { upsertProducts } from '../../../../shared/domain/catalogue/upsert-products.ts'
import { resolveVariants } from '../../../../shared/domain/catalogue/variants.ts'
import { openTestDb } from '../../../support/core/database.ts'
import { makeShop } from '../../../support/core/people.ts'
import { gidOf, product, storedVariants, variant } from '../../../support/make/catalogue.ts'

type Told = Parameters<typeof upsertProducts>[2]

async function start(t: Test) {
  const { db } = await openTestDb(t)
  const { shopId } = await makeShop(db, 'alice')
  return {
    db,
    shopId,
    tell: (...products: Told) => db.transaction((tx) => upsertProducts(tx, shopId, products)),
    stored: () => storedVariants(db, shopId),
  }
}

t.test('a product is stored with its variants, and telling it again changes nothing', async (t) => {
  const { tell, stored } = await start(t)
  const mug = product(1, [
    variant(10),
    variant(11, { title: 'Default Title', price: null, isTracked: false }),
  ])
  await tell(mug)
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
  await tell(mug)
  t.strictSame(await stored(), first)
})

t.test('older news never overwrites newer, in whatever order it comes', async (t) => {
  const { tell, stored } = await start(t)
  const old = product(1, [variant(10, { sku: 'OLD' }), variant(11)], {
    title: 'Old',
    updatedAt: '2026-03-01T12:00:00Z',
  })
  const young = product(1, [variant(10, { sku: 'NEW' })], { title: 'New', updatedAt: '2026-03-01T12:00:01Z' })
  await tell(young)
  await tell(old)
  t.match(await stored(), [{ productTitle: 'New', sku: 'NEW' }])
  t.equal((await stored()).length, 1, 'nor does it bring back what was deleted since')

  await tell(young, old)
  t.match(await stored(), [{ productTitle: 'New', sku: 'NEW' }])
  await tell({ ...old, title: 'Newest', updatedAt: null })
  t.match(await stored(), [{ productTitle: 'Newest' }, {}], 'news without a time counts as new')
  await tell(old)
  t.match(await stored(), [{ productTitle: 'Newest' }, {}], 'and does not make older news newer')
})

t.test('a variant that the full list leaves out is marked, and one that comes back is not', async (t) => {
  const { tell, stored } = await start(t)
  await tell(product(1, [variant(10), variant(11), variant(12)]))
  await tell(product(1, [variant(10)]))
  t.match(await stored(), [{ isDeleted: false }, { isDeleted: true }, { isDeleted: true }])

  await tell(product(1, [variant(11)], { variantGids: null }))
  t.match(await stored(), [{ isDeleted: false }, { isDeleted: false }, { isDeleted: true }], 'told again')
  await tell(
    product(1, [variant(10)], { variantGids: [10, 11, 12].map((at) => gidOf('ProductVariant', at)) }),
  )
  t.match(await stored(), [{ isDeleted: false }, { isDeleted: false }, { isDeleted: false }], 'listed again')
})

t.test('a new title of the product is found with variants that were not told, too', async (t) => {
  const { tell, stored } = await start(t)
  await tell(product(1, [variant(10), variant(11)]))
  await tell(product(1, [variant(10)], { title: 'ÇAY Bardağı', variantGids: null }))
  t.match(await stored(), [{ searchText: /^çay bardağı size 10/ }, { searchText: /^çay bardağı size 11/ }])
})

t.test('what the news does not say stays', async (t) => {
  const { tell, stored } = await start(t)
  await tell(product(1, [variant(10, { isTracked: false })]))
  await tell(product(1, [variant(10, { isTracked: null, inventoryItemGid: null, sku: 'B' })]))
  t.match(await stored(), [{ isTracked: false, inventoryItemGid: gidOf('InventoryItem', 10), sku: 'B' }])
})

t.test('a variant that an order line named first is confirmed under its own words', async (t) => {
  const { db, shopId, tell, stored } = await start(t)
  const reference = { productId: gidOf('Product', 1), variantId: gidOf('ProductVariant', 10) }
  await db.transaction((tx) =>
    resolveVariants(tx, shopId, [{ ...reference, sku: 'X', title: 'Mug, large' }], () => ''),
  )
  t.match(await stored(), [{ title: 'Mug, large', isConfirmed: false }])
  await tell(product(1, [variant(10, { title: 'Large' })]))
  t.match(await stored(), [{ productTitle: 'Mug 1', title: 'Large', isConfirmed: true }])
})

t.test('ids above 2^53 and characters that Postgres has no room for are taken', async (t) => {
  const { tell, stored } = await start(t)
  await tell(product('9007199254740993', [variant('9007199254740995', { title: 'A\u0000B' })]))
  await tell(product('9007199254740992', [variant('9007199254740994')]))
  t.match(await stored(), [
    { gid: gidOf('ProductVariant', '9007199254740995'), title: 'AB' },
    { gid: gidOf('ProductVariant', '9007199254740994') },
  ])
})

t.test('the same gids in another shop are other products', async (t) => {
  const { db, tell, stored } = await start(t)
  const mallory = await makeShop(db, 'mallory')
  await tell(product(1, [variant(10)]))
  await db.transaction((tx) =>
    upsertProducts(tx, mallory.shopId, [product(1, [variant(10, { sku: 'M' })], { title: 'Theirs' })]),
  )
  t.match(await stored(), [{ productTitle: 'Mug 1', sku: 'SKU-10', isDeleted: false }])
  await db.transaction((tx) => upsertProducts(tx, mallory.shopId, [product(1, [])]))
  t.match(await stored(), [{ isDeleted: false }])
  t.match(await storedVariants(db, mallory.shopId), [{ isDeleted: true }])
})

t.test('many writers at once in any order neither deadlock nor lose what is newest', async (t) => {
  const { tell, stored } = await start(t)
  const numbers = Array.from({ length: 30 }, (_, at) => at + 1)
  const news = (second: number) =>
    numbers.map((number) =>
      product(number, [variant(number), variant(number + 100, { sku: `at ${second}` })], {
        updatedAt: new Date(Date.UTC(2026, 2, 1) + second * 1000).toISOString(),
      }),
    )
  const rounds = Array.from({ length: 12 }, (_, second) => second)
  await Promise.all(rounds.map((second) => tell(...(second % 2 ? news(second) : news(second).reverse()))))
  const all = await stored()
  t.equal(all.length, 60)
  t.strictSame(
    new Set(all.filter(({ sku }) => sku.startsWith('at')).map(({ sku }) => sku)),
    new Set(['at 11']),
  )
})

t.test(
  'a reading of the whole catalogue retires what it has not met, and nothing that news has listed meanwhile',
  async (t) => {
    const { db, shopId, tell, stored } = await start(t)
    const all = [1, 2, 3].map((number) => variant(number))
    await tell(product(1, all), product(2, [variant(9)]))
    await db.query(sql.typeAlias('void')`
    update variant set confirmed_at = now() - interval '1 hour' where shop_id = ${shopId}
  `)
    const since = new Date(Date.now() - 60_000).toISOString()
    await tell(
      product(1, [variant(1)], { updatedAt: '2026-03-02T12:00:00Z', variantGids: all.map(({ gid }) => gid) }),
    )
    await tell(product(1, all, { updatedAt: '2026-03-01T12:00:00Z' }))
    await db.transaction((tx) => retireUnseen(tx, shopId, since))
    t.strictSame(
      (await stored()).filter(({ isDeleted }) => isDeleted).map(({ gid }) => gid),
      [variant(9).gid],
    )
  },
)
