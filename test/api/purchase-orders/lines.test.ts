import { Type } from '@sinclair/typebox'
import t from 'tap'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeOrder, makeSupplier, readOrder } from '../../support/make/orders.ts'

const CatalogueRow = Type.Object({
  productGid: Type.String(),
  gid: Type.String(),
  sku: Type.String(),
  title: Type.String(),
})

/** The products and variants in the catalogue of the shop. */
const catalogueOf = (db: Db, { shopId }: Person) =>
  db.any(sql.type(row(CatalogueRow))`
    select p.gid as product_gid, v.gid, v.sku, v.title
    from product p
    left join variant v on v.shop_id = p.shop_id and v.product_id = p.id
    where p.shop_id = ${shopId}
    order by v.gid
  `)

/** A line without SKU and title, which the catalogue supplies. */
const untitledLine = (number: number, product = number) => {
  const { sku, title, ...rest } = line(number)
  return { ...rest, productId: `gid://platform/Product/${product}` }
}

const create = async (person: Person, lineItems: object[]) =>
  person.post('/api/purchase-orders', { supplierId: await makeSupplier(person), lineItems })

t.test('a line with an unknown variant adds it to the catalogue', async (t) => {
  const { db, alice } = await startApp(t)
  await create(alice, [line(1), { ...untitledLine(2), title: 'No SKU' }])
  t.strictSame(await catalogueOf(db, alice), [
    {
      productGid: 'gid://platform/Product/1',
      gid: 'gid://platform/ProductVariant/1',
      sku: 'SKU-1',
      title: 'Thing 1',
    },
    {
      productGid: 'gid://platform/Product/2',
      gid: 'gid://platform/ProductVariant/2',
      sku: '',
      title: 'No SKU',
    },
  ])
  const answer = await create(alice, [untitledLine(1)])
  t.match(await readOrder(alice, answer.json().data.id), { lineItems: [{ sku: 'SKU-1', title: 'Thing 1' }] })
})

t.test('a line takes SKU and title from the catalogue unless it has its own', async (t) => {
  const { db, alice } = await startApp(t)
  await create(alice, [line(1, { title: 'Shirt' }), { ...line(2), title: 'Mug' }])
  await db.query(sql.typeAlias('void')`
    update variant set confirmed_at = now(), title = case gid when ${line(1).variantId} then 'Red' else '' end
    where shop_id = ${alice.shopId}
  `)
  const own = { sku: 'THEIRS-1', title: 'Red shirt, as on the phone' }
  const { id } = (
    await create(alice, [untitledLine(1), untitledLine(2), { ...untitledLine(1), ...own }])
  ).json().data
  const { lineItems } = await readOrder(alice, id)
  t.match(lineItems, [{ sku: 'SKU-1', title: 'Shirt - Red' }, { sku: 'SKU-2', title: 'Mug' }, own])
  t.match(
    await catalogueOf(db, alice),
    [{ sku: 'SKU-1', title: 'Red' }],
    'an order does not rename a product',
  )
})

t.test('a line keeps its SKU and title when the catalogue changes', async (t) => {
  const { db, alice } = await startApp(t)
  const { id } = (await create(alice, [line(1)])).json().data
  await db.query(sql.typeAlias('void')`
    update variant set title = 'New', sku = 'NEW', confirmed_at = now() where shop_id = ${alice.shopId}
  `)
  t.match(await readOrder(alice, id), { lineItems: [{ sku: 'SKU-1', title: 'Thing 1' }] })
})

t.test('the API names every invalid line and stores nothing of the order', async (t) => {
  const { db, alice } = await startApp(t)
  await create(alice, [line(1)])
  const before = await catalogueOf(db, alice)

  const answer = await create(alice, [
    line(5),
    untitledLine(6),
    untitledLine(1),
    untitledLine(1, 9),
    untitledLine(7),
  ])
  const { details } = expectFailure(t, answer, 422, 'unknown_variant')
  t.strictSame(details, [
    { path: '/lineItems/1/variantId', message: 'is not in the catalogue; send its title too' },
    { path: '/lineItems/3/productId', message: 'is not the product of this variant' },
    { path: '/lineItems/4/variantId', message: 'is not in the catalogue; send its title too' },
  ])
  t.strictSame(await catalogueOf(db, alice), before, 'the valid line is not stored')
  t.equal((await alice.get('/api/purchase-orders')).json().data.length, 1)
})

t.test('the API refuses two products for one variant', async (t) => {
  const { db, alice } = await startApp(t)
  const answer = await create(alice, [line(1), { ...line(1), productId: 'gid://platform/Product/2' }])
  const { details } = expectFailure(t, answer, 422, 'unknown_variant')
  t.equal(details?.length, 1)
  t.match(details, [{ path: /^\/lineItems\/[01]\/productId$/ }])
  t.strictSame(await catalogueOf(db, alice), [])
})

t.test('two lines can have the same variant', async (t) => {
  const { alice } = await startApp(t)
  const order = await makeOrder(alice, { lineItems: [line(1, { quantity: 2 }), line(1, { quantity: 3 })] })
  const { lineItems } = await readOrder(alice, order.id)
  t.match(lineItems, [{ quantity: 2 }, { quantity: 3 }])
  t.equal(order.total, 5)
})

t.test('concurrent orders of the same new products all succeed', async (t) => {
  const { db, alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const forward = Array.from({ length: 40 }, (_, at) => line(at + 1))
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      alice.post('/api/purchase-orders', { supplierId, lineItems: at % 2 ? forward : forward.toReversed() }),
    ),
  )
  t.strictSame(new Set(answers.map(({ statusCode }) => statusCode)), new Set([201]))
  t.equal((await catalogueOf(db, alice)).length, 40)
})

t.test('the API accepts only ids of its platform', async (t) => {
  const { alice } = await startApp(t)
  const bad = [
    'gid://shopify/ProductVariant/1',
    'gid://platform/Product/1',
    'gid://platform/ProductVariant/0',
    'gid://platform/ProductVariant/01',
    'gid://platform/ProductVariant/-1',
    'gid://platform/ProductVariant/1?x=1',
    `gid://platform/ProductVariant/${'1'.repeat(21)}`,
    'GID://platform/ProductVariant/1',
    '1',
  ]
  for (const variantId of bad) {
    const answer = await create(alice, [{ ...line(1), variantId }])
    const { details } = expectFailure(t, answer, 400, 'invalid_request', variantId)
    t.match(details, [{ path: '/lineItems/0/variantId' }], variantId)
  }
  const largest = `gid://platform/ProductVariant/${'9'.repeat(20)}`
  const { id } = (await create(alice, [{ ...line(1), variantId: largest }])).json().data
  t.match(
    await readOrder(alice, id),
    { lineItems: [{ variantId: largest }] },
    'an id above the range of a number',
  )
})
