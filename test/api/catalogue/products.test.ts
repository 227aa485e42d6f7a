import t, { type Test } from 'tap'
import { upsertProducts } from '../../../shared/domain/exchange/sync/upsert-products.ts'
import { applyPlatformLevels } from '../../../shared/domain/ledgers/stock/platform/platform-updates.ts'
import { listStockedVariantsOf } from '../../../shared/domain/ledgers/stock/stocked-variants.ts'
import { findLocationIds, upsertLocations } from '../../../shared/domain/records/catalogue/locations.ts'
import { startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { gidOf, product, variant } from '../../support/make/catalogue.ts'
import { line, makeOrder } from '../../support/make/orders.ts'

type ProductInputs = Parameters<typeof upsertProducts>[2]

async function start(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  return {
    db,
    alice,
    mallory,
    upsert: (person: Person, ...products: ProductInputs) =>
      db.transaction((tx) => upsertProducts(tx, person.shopId, products)),
    /** Sets the stock of each variant of a product, one quantity per location. */
    stock: (person: Person, productGid: string, quantities: number[]) =>
      db.transaction(async (tx) => {
        await upsertLocations(
          tx,
          person.shopId,
          quantities.map((_, at) => ({
            gid: gidOf('Location', at + 1),
            name: `Place ${at + 1}`,
            isActive: true,
            isPrimary: at === 0,
          })),
        )
        const locations = await findLocationIds(tx, person.shopId)
        const variants = await listStockedVariantsOf(tx, person.shopId, productGid)
        await applyPlatformLevels(
          tx,
          person.shopId,
          variants.flatMap(({ id }) =>
            quantities.map((available, at) => ({
              variantId: id,
              locationId: locations.get(gidOf('Location', at + 1)) ?? 0,
              available,
              updatedAt: '2026-03-01T12:00:00Z',
            })),
          ),
        )
      }),
  }
}

const titles = (answer: { json: () => { data: { title: string }[] } }) =>
  answer.json().data.map(({ title }) => title)

/** Of a product whose vendor, type and tags the platform has not reported. */
const unknown = { vendor: '', productType: '', tags: [] }

t.test('products are listed with their variants and the stock of each', async (t) => {
  const { alice, upsert, stock } = await start(t)
  await upsert(
    alice,
    product(1, [variant(10), variant(11, { title: 'Default Title', price: null })], { status: 'DRAFT' }),
    product(2, [variant(20, { isTracked: false })]),
  )
  await stock(alice, gidOf('Product', 1), [5, -2])
  const answer = await alice.get('/api/products')
  t.equal(answer.statusCode, 200)
  t.strictSame(answer.json(), {
    success: true,
    data: [
      {
        productId: gidOf('Product', 2),
        title: 'Mug 2',
        status: 'active',
        ...unknown,
        variants: [
          {
            variantId: gidOf('ProductVariant', 20),
            sku: 'SKU-20',
            title: 'Size 20',
            barcode: '0020',
            price: 9.5,
            costPrice: null,
            isTracked: false,
            currentStock: null,
          },
        ],
      },
      {
        productId: gidOf('Product', 1),
        title: 'Mug 1',
        status: 'draft',
        ...unknown,
        variants: [
          {
            variantId: gidOf('ProductVariant', 10),
            sku: 'SKU-10',
            title: 'Size 10',
            barcode: '0010',
            price: 9.5,
            costPrice: null,
            isTracked: true,
            currentStock: 3,
          },
          {
            variantId: gidOf('ProductVariant', 11),
            sku: 'SKU-11',
            title: '',
            barcode: '0011',
            price: null,
            costPrice: null,
            isTracked: true,
            currentStock: 3,
          },
        ],
      },
    ],
  })
})

t.test(
  'a search matches any part of title, SKU and barcode in any case and returns the whole product',
  async (t) => {
    const { alice, upsert } = await start(t)
    await upsert(
      alice,
      product(1, [variant(10, { sku: 'BLUE-1', barcode: '4006381333931' }), variant(11)], {
        title: 'Çay Bardağı',
      }),
      product(2, [variant(20, { sku: '50%_off\\' })], { title: 'Plate' }),
    )
    const search = async (text: string) =>
      titles(await alice.get(`/api/products?search=${encodeURIComponent(text)}`))
    for (const text of ['bardağı', 'ÇAY', 'lue-1', '638133', 'size 11', 'ay bar']) {
      t.strictSame(await search(text), ['Çay Bardağı'], text)
    }
    t.equal((await alice.get('/api/products?search=blue')).json().data[0].variants.length, 2)
    for (const text of ['%_', '_off\\']) t.strictSame(await search(text), ['Plate'], text)
    for (const text of ['x%', 'B_UE', 'nothing']) t.strictSame(await search(text), [], text)
    for (const text of ['', '  ']) t.equal((await search(text)).length, 2, 'an empty search lists everything')
  },
)

t.test('the pages of a search contain every product once', async (t) => {
  const { alice, upsert } = await start(t)
  await upsert(alice, ...Array.from({ length: 7 }, (_, at) => product(at + 1, [variant(at + 1)])))
  const listed: string[] = []
  for (let url: string | undefined = '/api/products?limit=3&search=mug'; url; ) {
    const answer = await alice.get(url)
    listed.push(...titles(answer))
    url = /^<(.+)>; rel="next"$/.exec(String(answer.headers.link ?? ''))?.[1]
  }
  t.strictSame(listed, ['Mug 7', 'Mug 6', 'Mug 5', 'Mug 4', 'Mug 3', 'Mug 2', 'Mug 1'])
})

t.test('deleted products and those known only from orders are not listed', async (t) => {
  const { alice, upsert } = await start(t)
  await makeOrder(alice, { lineItems: [line(9)] })
  t.strictSame(titles(await alice.get('/api/products')), [])
  await upsert(alice, product(1, [variant(10), variant(11)]), product(2, [variant(20)]))
  await upsert(alice, product(1, [variant(10)]), product(2, []))
  const { data } = (await alice.get('/api/products')).json()
  t.match(data, [{ title: 'Mug 1', variants: [{ sku: 'SKU-10' }] }])
  t.equal(data.length, 1)
  t.equal(data[0].variants.length, 1)
  t.strictSame(titles(await alice.get('/api/products?search=sku-11')), [])
})

t.test('another shop sees no products', async (t) => {
  const { alice, mallory, upsert } = await start(t)
  await upsert(alice, product(1, [variant(10)]))
  t.strictSame(titles(await mallory.get('/api/products')), [])
  t.strictSame(titles(await mallory.get('/api/products?search=mug')), [])
})

t.test('the API refuses an unknown parameter or an invalid page', async (t) => {
  const { alice } = await start(t)
  for (const query of ['limit=0', 'limit=251', 'cursor=x', 'colour=blue', `search=${'a'.repeat(201)}`]) {
    t.equal((await alice.get(`/api/products?${query}`)).statusCode, 400, query)
  }
})
