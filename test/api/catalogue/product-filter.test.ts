import t, { type Test } from 'tap'
import { upsertProducts } from '../../../shared/domain/exchange/sync/upsert-products.ts'
import { startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { product, variant } from '../../support/make/catalogue.ts'
import { line, makeOrder, makeSentOrder, makeSupplier } from '../../support/make/orders.ts'
import { makeRule } from '../../support/make/reorder.ts'
import { sell } from '../../support/make/sales.ts'
import { locationGid, makeStock, variantGid } from '../../support/make/stock.ts'

const facts = [
  { vendor: 'Kiln & Co', productType: 'Mugs', tags: ['clay', 'gift'] },
  { vendor: 'Kiln & Co', productType: 'Plates', tags: ['clay'] },
  { vendor: 'Loom', productType: 'Mugs', tags: [] },
]

async function start(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  for (const person of [alice, mallory]) {
    await makeStock(db, person, { variants: 3 })
    await db.transaction((tx) =>
      upsertProducts(
        tx,
        person.shopId,
        facts.map((fields, at) => product(at + 1, [variant(at + 1)], fields)),
      ),
    )
  }
  return { db, alice, mallory }
}

const queries = [
  ['vendor=Kiln%20%26%20Co', [1, 2]],
  ['productType=Mugs', [1, 3]],
  ['tag=gift', [1]],
  ['vendor=Kiln%20%26%20Co&productType=Plates&tag=clay', [2]],
  ['vendor=kiln', []],
  ['tag=mug', []],
] as const

t.test('lists and reports show the products of a vendor, a type or a tag', async (t) => {
  const { db, alice } = await start(t)
  for (const number of [1, 2, 3]) await makeRule(alice, { variantId: variantGid(number) })
  await sell(db, alice, [
    [1, 1, 1],
    [2, 1, 1],
    [3, 1, 1],
  ])
  const adjustments = [1, 2, 3].map((number) => ({
    variantId: variantGid(number),
    locationId: locationGid(1),
    delta: 1,
  }))
  t.equal((await alice.post('/api/stock-levels/adjust', { adjustments })).statusCode, 200)
  for (const path of [
    '/api/stock-levels',
    '/api/reorder/rules',
    '/api/reorder/suggestions',
    '/api/reports/sales-velocity',
    '/api/reports/abc',
    '/api/reports/adjustments',
  ]) {
    for (const [query, numbers] of queries) {
      const { data } = (await alice.get(`${path}?${query}`)).json()
      const listed = data.map(({ variantId }: { variantId: string }) => variantId).sort()
      t.strictSame(listed, numbers.map(variantGid), `${path}?${query}`)
    }
  }
  const productsOf = async (query: string) =>
    (await alice.get(`/api/products?${query}`))
      .json()
      .data.map(({ productId }: { productId: string }) => productId)
  for (const [query, numbers] of queries) t.equal((await productsOf(query)).length, numbers.length, query)
})

t.test('dead stock is filtered, too', async (t) => {
  const { db, alice } = await start(t)
  await sell(db, alice, [])
  for (const [query, numbers] of queries) {
    const { data } = (await alice.get(`/api/reports/dead-stock?${query}`)).json()
    t.strictSame(
      data.map(({ variantId }: { variantId: string }) => variantId).sort(),
      numbers.map(variantGid),
      query,
    )
  }
})

t.test('the facets are the values of the products of the shop', async (t) => {
  const { db, alice, mallory } = await start(t)
  await db.transaction((tx) =>
    upsertProducts(tx, mallory.shopId, [
      product(9, [variant(9)], { vendor: 'Zed', productType: '', tags: ['Zed'] }),
    ]),
  )
  const read = async (person: Person) => (await person.get('/api/products/facets')).json().data
  t.strictSame(await read(alice), {
    vendors: ['Kiln & Co', 'Loom'],
    productTypes: ['Mugs', 'Plates'],
    tags: ['clay', 'gift'],
  })
  t.match(await read(mallory), { vendors: ['Kiln & Co', 'Loom', 'Zed'], productTypes: ['Mugs', 'Plates'] })
})

t.test('an update without vendor, type and tags keeps them', async (t) => {
  const { db, alice } = await start(t)
  await db.transaction((tx) => upsertProducts(tx, alice.shopId, [product(1, [variant(1)])]))
  const [, , first] = (await alice.get('/api/products')).json().data
  t.match(first, facts[0])
})

t.test("a new order line costs the supplier's last price, else the unit cost", async (t) => {
  const { db, alice, mallory } = await start(t)
  const costs = async (query = '') =>
    (await alice.get(`/api/products${query}`))
      .json()
      .data.map(({ variants: [first] }: { variants: { costPrice: number | null }[] }) => first?.costPrice)
      .reverse()
  const reported = { cost: '4.25', itemUpdatedAt: '2026-03-01T12:00:00Z' }
  await db.transaction((tx) =>
    upsertProducts(tx, alice.shopId, [
      product(1, [variant(1, reported)]),
      product(2, [variant(2, reported)]),
    ]),
  )
  t.strictSame(await costs(), [4.25, 4.25, null])
  const supplierId = await makeSupplier(alice)
  await makeSentOrder(alice, { supplierId, lineItems: [line(1, { costPrice: 3 })] })
  await makeSentOrder(alice, { supplierId, lineItems: [line(1, { costPrice: 3.5 })] })
  await makeOrder(alice, { supplierId, lineItems: [line(1, { costPrice: 0 })] })
  const cancelled = await makeSentOrder(alice, { supplierId, lineItems: [line(1, { costPrice: 9 })] })
  await alice.post(`/api/purchase-orders/${cancelled.id}/cancel`)
  t.strictSame(await costs(`?supplierId=${supplierId}`), [3.5, 4.25, null], 'drafts do not count')
  t.strictSame(
    await costs(`?supplierId=${await makeSupplier(alice)}`),
    [4.25, 4.25, null],
    'another supplier',
  )
  const theirs = await makeSupplier(mallory)
  await makeSentOrder(mallory, { supplierId: theirs, lineItems: [line(1, { costPrice: 99 })] })
  t.strictSame(await costs(`?supplierId=${theirs}`), [4.25, 4.25, null], 'a supplier of another shop')
})
