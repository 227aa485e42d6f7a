import { Type } from '@sinclair/typebox'
import t from 'tap'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { getOrderDocument } from '../../../shared/domain/documents/purchase-orders/mail/document.ts'
import type { PurchaseOrderLineItem } from '../../../shared/schemas/purchase-orders.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeOrder, makeSupplier, readOrder } from '../../support/make/orders.ts'
import { makeStock, variantGid } from '../../support/make/stock.ts'

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

/** Changes a product as the platform does: its title, and SKU and barcode of its variant. */
const rename = (db: Db, { shopId }: Person, number: number, to: string) =>
  db.query(sql.typeAlias('void')`
    with renamed as (
      update product p set title = ${to}
      from variant v
      where p.shop_id = ${shopId} and v.shop_id = ${shopId} and v.gid = ${variantGid(number)} and p.id = v.product_id
    )
    update variant set title = '', sku = ${`${to}-1`}, barcode = ${`${to}-bar`}
    where shop_id = ${shopId} and gid = ${variantGid(number)}
  `)

const words = async (person: Person, id: number) =>
  (await readOrder(person, id)).lineItems.map(({ sku, title, barcode }) => [sku, title, barcode])

t.test('a draft shows the current product, unless the caller sent its own words', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 2 })
  const known = { sku: 'SKU-1', title: 'Mug 1 - Size 1' }
  const lineItems = [
    untitledLine(1),
    { ...untitledLine(1), ...known },
    { ...untitledLine(1), sku: 'THEIRS' },
    { ...untitledLine(1), title: 'Our cup' },
  ]
  const { id } = (await create(alice, lineItems)).json().data
  await rename(db, mallory, 1, 'Foreign')
  t.match(await words(alice, id), [['SKU-1'], ['SKU-1', 'Mug 1 - Size 1'], ['THEIRS'], ['SKU-1', 'Our cup']])
  await rename(db, alice, 1, 'New')
  t.strictSame(await words(alice, id), [
    ['New-1', 'New', 'New-bar'],
    ['New-1', 'New', 'New-bar'],
    ['THEIRS', 'New', 'New-bar'],
    ['New-1', 'Our cup', 'New-bar'],
  ])
})

t.test('sending an order freezes its words, and cancelling a draft does not', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const lineItems = [untitledLine(1), { ...untitledLine(1), title: 'Our cup' }]
  // without an e-mail address, so that no mail is on its way when it is sent again
  const supplierId = await makeSupplier(alice, { email: '' })
  const { id } = await makeOrder(alice, { supplierId, lineItems })
  const cancelled = (await create(alice, lineItems)).json().data.id
  await rename(db, alice, 1, 'New')
  t.equal((await alice.post(`/api/purchase-orders/${id}/send`)).statusCode, 200)
  await alice.post(`/api/purchase-orders/${cancelled}/cancel`)
  await rename(db, alice, 1, 'Newer')
  const frozen = [
    ['New-1', 'New', 'New-bar'],
    ['New-1', 'Our cup', 'New-bar'],
  ]
  t.strictSame(await words(alice, id), frozen)
  t.match(await words(alice, cancelled), [
    ['Newer-1', 'Newer'],
    ['Newer-1', 'Our cup'],
  ])
  t.equal((await alice.post(`/api/purchase-orders/${id}/send`, { resend: true })).statusCode, 200)
  t.strictSame(await words(alice, id), frozen, 'also when it is sent again')
  const { lines } = await getOrderDocument(db, alice.shopId, id)
  t.match(lines, [
    { sku: 'New-1', title: 'New' },
    { sku: 'New-1', title: 'Our cup' },
  ])
})

t.test('an edit keeps the origin of words that it repeats, and stores new ones as its own', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const { id } = (await create(alice, [untitledLine(1), { ...untitledLine(2), title: 'Our cup' }])).json()
    .data
  const edit = async (change: (line: PurchaseOrderLineItem, at: number) => object) => {
    const { lineItems } = await readOrder(alice, id)
    const answer = await alice.put(`/api/purchase-orders/${id}`, {
      lineItems: lineItems.map((each, at) => ({ ...each, ...change(each, at) })),
    })
    t.equal(answer.statusCode, 200, answer.body)
  }
  await edit(() => ({ quantity: 9 }))
  await rename(db, alice, 1, 'New')
  await rename(db, alice, 2, 'Other')
  t.match(await words(alice, id), [
    ['New-1', 'New'],
    ['Other-1', 'Our cup'],
  ])
  await edit((_line, at) => ({ title: ['Called so', 'Other'][at] }))
  await rename(db, alice, 1, 'Newer')
  await rename(db, alice, 2, 'Another')
  t.match(await words(alice, id), [
    ['Newer-1', 'Called so'],
    ['Another-1', 'Another'],
  ])
})

t.test('the PDF of a draft has the current product', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 1 })
  const { id } = (await create(alice, [untitledLine(1)])).json().data
  await rename(db, alice, 1, 'New')
  t.match(await getOrderDocument(db, alice.shopId, id), { lines: [{ sku: 'New-1', title: 'New' }] })
})

t.test('a line that the previous release wrote keeps its words', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 1 })
  const { id } = (await create(alice, [])).json().data
  await db.query(sql.typeAlias('void')`
    insert into purchase_order_line (shop_id, purchase_order_id, position, variant_id, sku, title, quantity, cost_price)
    select shop_id, ${id}, 0, id, 'SKU-1', 'Mug 1 - Size 1', 1, 1 from variant where shop_id = ${alice.shopId}
  `)
  await rename(db, alice, 1, 'New')
  t.strictSame(await words(alice, id), [['SKU-1', 'Mug 1 - Size 1', 'New-bar']])
})

t.test('a line with an unknown variant keeps the words that the caller sent', async (t) => {
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
