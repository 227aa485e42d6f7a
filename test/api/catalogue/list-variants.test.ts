import t, { type Test } from 'tap'
import { upsertProducts } from '../../../shared/domain/exchange/sync/upsert-products.ts'
import type { VariantListItem } from '../../../shared/schemas/variants.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { gidOf, product, variant } from '../../support/make/catalogue.ts'
import { makeSupplier } from '../../support/make/orders.ts'
import { listSuggestions, makeRule, setVelocity } from '../../support/make/reorder.ts'
import { locationGid, makeStock, variantGid } from '../../support/make/stock.ts'

/** Alice and mallory have variants 1 to 4 with 20 pieces each, ten at both places; variant 1 of alice has a picture. */
async function start(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 4, locations: 2 })
  const picture = 'https://platform.example/1.jpg?v=3'
  await db.transaction((tx) =>
    upsertProducts(tx, alice.shopId, [
      product(1, [variant(1)], { picture, vendor: 'Kiln & Co', productType: 'Mugs' }),
      product(2, [variant(2)], { picture: 'https://elsewhere.example/2.jpg', vendor: 'Kiln & Co' }),
    ]),
  )
  return {
    db,
    alice,
    mallory,
    list: async (query = '', person: Person = alice): Promise<VariantListItem[]> => {
      const response = await person.get(`/api/variants${query}`)
      t.equal(response.statusCode, 200, response.body)
      return response.json().data
    },
  }
}

const numbersOf = (variants: readonly VariantListItem[]) =>
  variants.map(({ variantId }) => Number(/\d+$/.exec(variantId)?.[0]))

t.test('a variant has its stock, its sales, its picture, and what its rules suggest', async (t) => {
  const { db, alice, list } = await start(t)
  await makeRule(alice, { reorderPoint: 30, reorderQuantity: 25 })
  await setVelocity(db, alice, 1, 60)
  const [suggestion] = await listSuggestions(alice)
  t.ok(suggestion && suggestion.suggestedQuantity > 0)
  t.strictSame((await list()).at(-1), {
    variantId: variantGid(1),
    sku: 'SKU-1',
    barcode: '001',
    costPrice: null,
    isTracked: true,
    currentStock: 20,
    productId: gidOf('Product', 1),
    title: 'Mug 1 - Size 1',
    pictureUrl: 'https://platform.example/1.jpg?v=3&width=120',
    soldPerDay: 2,
    suggestedQuantity: suggestion?.suggestedQuantity,
  })
})

t.test('with hideStock, a variant has neither its stock nor a suggestion', async (t) => {
  const { alice, list } = await start(t)
  await makeRule(alice, { reorderPoint: 30, reorderQuantity: 25 })
  const hidden = { isTracked: true, currentStock: null, suggestedQuantity: null }
  t.match((await list('?hideStock=true')).at(-1), hidden)
  const products = (await alice.get('/api/products?hideStock=true')).json().data
  t.match(products[0].variants, [{ isTracked: true, currentStock: null }])
  t.match((await list('?hideStock=false')).at(-1), { currentStock: 20, suggestedQuantity: 25 })
  const wrong = expectFailure(t, await alice.get('/api/products?hideStock=maybe'), 400, 'invalid_request')
  t.match(wrong.details, [{ path: '/hideStock' }])
})

t.test('only pictures of the platform are shown', async (t) => {
  const { list } = await start(t)
  const variants = await list('?vendor=Kiln%20%26%20Co')
  t.strictSame(numbersOf(variants), [2, 1])
  t.strictSame(
    variants.map(({ pictureUrl }) => pictureUrl),
    [null, 'https://platform.example/1.jpg?v=3&width=120'],
  )
})

t.test('the low products of the shop and of a supplier are filtered, page by page', async (t) => {
  const { alice, list } = await start(t)
  const supplierId = await makeSupplier(alice, { name: 'Kiln' })
  const other = await makeSupplier(alice, { name: 'Loom' })
  for (const number of [1, 2])
    await makeRule(alice, { variantId: variantGid(number), supplierId, reorderPoint: 20 })
  await makeRule(alice, { variantId: variantGid(3), supplierId: other, reorderPoint: 20 })
  await makeRule(alice, { variantId: variantGid(4), supplierId, reorderPoint: 19 })
  t.strictSame(numbersOf(await list()), [4, 3, 2, 1])
  t.strictSame(numbersOf(await list('?low=all')), [3, 2, 1])
  t.strictSame(numbersOf(await list(`?low=supplier&supplierId=${supplierId}`)), [2, 1])
  t.strictSame(numbersOf(await list('?search=size%203')), [3])
  const first = await alice.get('/api/variants?low=all&limit=2')
  const next = /<[^>]*\/api\/variants\?([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1]
  t.strictSame(numbersOf(await list(`?${next}`)), [1], 'the next page')
  await expectFailure(t, await alice.get('/api/variants?low=supplier'), 422, 'no_supplier')
  await expectFailure(t, await alice.get('/api/variants?low=some'), 400, 'invalid_request')
})

t.test('a supplier that a rule has from the catalogue counts, too', async (t) => {
  const { alice, list } = await start(t)
  const supplierId = await makeSupplier(alice, { name: 'Kiln' })
  await makeRule(alice, { reorderPoint: 20 })
  t.strictSame(await list(`?low=supplier&supplierId=${supplierId}`), [])
  const added = await alice.post(`/api/suppliers/${supplierId}/products`, { variantId: variantGid(1) })
  t.equal(added.statusCode, 201, added.body)
  t.strictSame(numbersOf(await list(`?low=supplier&supplierId=${supplierId}`)), [1])
})

/*
 * 20 pieces, 10 at each place. The rule for all locations suggests for 20, those of the places for 10 each, all by their
 * own point and quantity: the larger of the first and the sum of the others.
 */
t.test('rules for all locations and for one count the same pieces once', async (t) => {
  const { alice, list } = await start(t)
  const ofPlace = { reorderPoint: 15, reorderQuantity: 12 }
  await makeRule(alice, { reorderPoint: 20, reorderQuantity: 10 })
  await makeRule(alice, { ...ofPlace, locationId: locationGid(1) })
  await makeRule(alice, { ...ofPlace, locationId: locationGid(2) })
  const quantities = (await listSuggestions(alice)).map(({ locationId, suggestedQuantity }) => [
    locationId === null,
    suggestedQuantity,
  ])
  t.strictSame(
    quantities.sort(([, one], [, other]) => Number(one) - Number(other)),
    [
      [true, 10],
      [false, 12],
      [false, 12],
    ],
  )
  t.equal((await list('?low=all'))[0]?.suggestedQuantity, 24)
})

t.test('the variants of another shop are not listed, nor its supplier', async (t) => {
  const { alice, mallory, list } = await start(t)
  const supplierId = await makeSupplier(alice, { name: 'Kiln' })
  await makeRule(alice, { supplierId, reorderPoint: 20 })
  t.strictSame(await list('?low=all', mallory), [])
  t.strictSame(await list(`?low=supplier&supplierId=${supplierId}`, mallory), [])
  t.equal((await list('?vendor=Kiln%20%26%20Co', mallory)).length, 0)
})
