import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { deliveryJobs, enqueued } from '../../../support/core/worker.ts'
import { line, makeOrder } from '../../../support/make/orders.ts'
import { startSimulatedShop } from '../../../support/platform/simulated-shop.ts'
import { deliver, sign, startDeliveries } from '../../../support/platform/webhooks.ts'

const Variant = Type.Object({
  gid: Type.String(),
  product: Type.String(),
  title: Type.String(),
  sku: Type.String(),
  barcode: Type.String(),
  isDeleted: Type.Boolean(),
})

const variant = (id: number, fields = {}) => ({
  id,
  title: `Size ${id}`,
  sku: `SKU-${id}`,
  barcode: `B${id}`,
  price: '9.50',
  inventory_item_id: 100 + id,
  ...fields,
})

const product = (minute: number, variants: object[], fields = {}) => ({
  id: 1,
  title: 'Mug',
  status: 'active',
  updated_at: `2026-11-01T10:${String(minute).padStart(2, '0')}:00+01:00`,
  variants,
  ...fields,
})

async function startCatalogue(t: Test) {
  const context = await startDeliveries(t)
  const { db, alice } = context
  return {
    ...context,
    variants: () =>
      db.any(sql.type(row(Variant))`
        select v.gid, p.title as product, v.title, v.sku, v.barcode, v.deleted_at is not null as is_deleted
        from variant v
        join product p on p.shop_id = v.shop_id and p.id = v.product_id
        where v.shop_id = ${alice.shopId}
        order by length(v.gid), v.gid
      `),
    syncs: () => enqueued(db, jobs.syncProduct, alice.shopId),
  }
}

t.test('an update stores the product and its variants as the merchant changed them', async (t) => {
  const { alice, deliverAndApply, variants, syncs } = await startCatalogue(t)
  await deliverAndApply('PRODUCTS_UPDATE', product(1, [variant(1), variant(2, { sku: null, barcode: null })]))
  t.strictSame(await variants(), [
    {
      gid: 'gid://platform/ProductVariant/1',
      product: 'Mug',
      title: 'Size 1',
      sku: 'SKU-1',
      barcode: 'B1',
      isDeleted: false,
    },
    {
      gid: 'gid://platform/ProductVariant/2',
      product: 'Mug',
      title: 'Size 2',
      sku: '',
      barcode: '',
      isDeleted: false,
    },
  ])
  const sync = { shopId: alice.shopId, productGid: 'gid://platform/Product/1' }
  t.strictSame(await syncs(), [sync], 'the payload lacks the costs of new variants, so a job reads them')
  await deliverAndApply('PRODUCTS_UPDATE', product(2, [variant(1), variant(2)]))
  t.strictSame(await syncs(), [sync], 'there are no new variants')
})

t.test('older updates never overwrite newer ones', async (t) => {
  const { deliverAndApply, variants } = await startCatalogue(t)
  await deliverAndApply(
    'PRODUCTS_UPDATE',
    product(5, [variant(1)], { title: 'New' }),
    product(3, [variant(1)], { title: 'Old' }),
  )
  await deliverAndApply('PRODUCTS_UPDATE', product(4, [variant(1)], { title: 'Older' }))
  t.match(await variants(), [{ product: 'New' }])
})

t.test('an update without a time is of the time of its delivery', async (t) => {
  const { app, alice, applyAll, deliverAndApply, variants } = await startCatalogue(t)
  const untimed = (title: string) => product(0, [variant(1)], { title, updated_at: undefined })
  await deliverAndApply('PRODUCTS_UPDATE', product(5, [variant(1)], { title: 'Known' }))
  const at = (time: string) => ({ 'x-platform-triggered-at': time })
  await deliver(app, sign(alice, 'products/update', untimed('Older'), at('2026-11-01T09:04:00Z')))
  await applyAll('PRODUCTS_UPDATE')
  t.match(await variants(), [{ product: 'Known' }])
  await deliver(app, sign(alice, 'products/update', untimed('Newer'), at('2026-11-01T09:06:00Z')))
  await applyAll('PRODUCTS_UPDATE')
  t.match(await variants(), [{ product: 'Newer' }])
})

t.test('a second webhook of one second deletes no variants, and the worker reads the product', async (t) => {
  const { deliverAndApply, variants, syncs } = await startCatalogue(t)
  const both = product(1, [variant(1), variant(2)])
  await deliverAndApply('PRODUCTS_UPDATE', both)
  t.equal((await syncs()).length, 1, 'the costs of new variants')
  await deliverAndApply('PRODUCTS_UPDATE', both)
  await deliverAndApply('PRODUCTS_UPDATE', product(1, [variant(1, { price: '9.5000' }), variant(2)]))
  t.equal((await syncs()).length, 1, 'the same again says nothing new')
  const others = [
    product(1, [variant(1)]),
    product(1, [variant(1), variant(2)], { title: 'Cup' }),
    product(1, [variant(1, { sku: 'OTHER' }), variant(2)], { title: 'Cup' }),
    product(1, [variant(1, { sku: 'OTHER' }), variant(2)], { title: 'Cup', vendor: 'Harbour' }),
  ]
  for (const [at, other] of others.entries()) {
    await deliverAndApply('PRODUCTS_UPDATE', other)
    t.match(await variants(), [{ isDeleted: false }, { isDeleted: false }])
    t.equal((await syncs()).length, 2 + at)
  }
})

t.test('of two different webhooks of one second in one batch, neither deletes variants', async (t) => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const { deliverAndApply, variants, syncs } = await startCatalogue(t)
    await deliverAndApply('PRODUCTS_UPDATE', product(1, [variant(1), variant(2)]))
    const bodies = [product(2, [variant(1)]), product(2, [variant(1), variant(2)])]
    await deliverAndApply('PRODUCTS_UPDATE', ...order.map((at) => bodies[at]))
    t.match(await variants(), [{ isDeleted: false }, { isDeleted: false }])
    t.equal((await syncs()).length, 2)
    await deliverAndApply('PRODUCTS_UPDATE', product(3, [variant(1)]), product(3, [variant(1)]))
    t.match(await variants(), [{ isDeleted: false }, { isDeleted: true }], 'twice the same is one')
    t.equal((await syncs()).length, 2)
  }
})

for (const isOneBatch of [true, false]) {
  const batches = isOneBatch ? 'one batch' : 'two batches'
  t.test(`two saves of one second, in reverse order and ${batches}, end as the last one`, async (t) => {
    const { db, alice, shop, platform, applyAll, perform, receiveUpdates } = await startSimulatedShop(t)
    const { shopId } = alice
    const id = shop.gid('Product', shop.catalogue.productId(0))
    platform.faults.set({ webhooks: [{ fault: 'reorder', topic: 'PRODUCTS_UPDATE', times: 2 }] })
    const at = new Date()
    shop.editProduct(id, { title: 'Renamed' }, { at })
    shop.editProduct(id, { addVariants: [{ sku: 'NEW-1' }, { sku: 'NEW-2' }] }, { at })
    await platform.settled()
    const arrived = await db.anyFirst(sql.type(row(Type.Object({ count: Type.Integer() })))`
      select jsonb_array_length(convert_from(payload, 'UTF8')::jsonb -> 'variants') as count
      from webhook_delivery
      where shop_id = ${shopId} and topic = 'PRODUCTS_UPDATE'
      order by id
    `)
    t.strictSame(arrived, [4, 2])
    if (isOneBatch) await applyAll('PRODUCTS_UPDATE')
    else {
      for (const delivery of (await deliveryJobs(db, jobs.applyProducts, shopId)).flat()) {
        const outcomes = await perform(jobs.applyProducts, [delivery])
        if (Array.isArray(outcomes)) await Promise.all(outcomes)
      }
    }
    await receiveUpdates()
    const skus = await db.anyFirst(sql.type(row(Type.Object({ sku: Type.String() })))`
      select v.sku
      from variant v
      join product p on p.shop_id = v.shop_id and p.id = v.product_id
      where v.shop_id = ${shopId} and p.gid = ${id} and p.title = 'Renamed' and v.deleted_at is null
      order by v.id
    `)
    t.equal(skus.length, 4)
    t.strictSame(
      skus,
      shop.catalogue.product(0)?.variants.map(({ sku }) => sku),
    )
  })
}

t.test('a missing variant is marked as deleted, and a returning one is restored', async (t) => {
  const { deliverAndApply, variants } = await startCatalogue(t)
  await deliverAndApply('PRODUCTS_UPDATE', product(1, [variant(1), variant(2)]))
  await deliverAndApply('PRODUCTS_UPDATE', product(2, [variant(1)]))
  t.match(await variants(), [{ isDeleted: false }, { isDeleted: true }])
  await deliverAndApply('PRODUCTS_UPDATE', product(3, [variant(1), variant(2)]))
  t.match(await variants(), [{ isDeleted: false }, { isDeleted: false }])
})

t.test(
  'a product with more variants than its webhook has in full is synced by a job, and no variant is lost',
  async (t) => {
    const { deliverAndApply, variants, syncs, alice } = await startCatalogue(t)
    const all = Array.from({ length: 250 }, (_, at) => variant(at + 1))
    await deliverAndApply('PRODUCTS_UPDATE', product(1, all))
    t.equal((await variants()).length, 250)
    const named = all.map(({ id }) => ({ admin_graphql_api_id: `gid://platform/ProductVariant/${id}` }))
    await deliverAndApply(
      'PRODUCTS_UPDATE',
      product(2, all.slice(0, 100), { variant_gids: named.slice(0, 249) }),
    )
    const after = await variants()
    t.equal(
      after.filter(({ isDeleted }) => isDeleted).length,
      1,
      'only the variant on neither list is deleted',
    )
    const sync = { shopId: alice.shopId, productGid: 'gid://platform/Product/1' }
    t.strictSame(await syncs(), [sync, sync], '250 variants without a list of ids may be incomplete')
  },
)

t.test('a possibly incomplete list deletes no variant and enqueues a sync', async (t) => {
  for (const list of [
    [],
    ['gid://platform/ProductVariant/1', 'nonsense'],
    ['gid://platform/ProductVariant/2'],
  ]) {
    const { deliverAndApply, variants, syncs } = await startCatalogue(t)
    await deliverAndApply('PRODUCTS_UPDATE', product(1, [variant(1), variant(2), variant(3)]))
    const before = (await syncs()).length
    const named = list.map((gid) => ({ admin_graphql_api_id: gid }))
    await deliverAndApply('PRODUCTS_UPDATE', product(2, [variant(1)], { variant_gids: named }))
    t.ok(
      (await variants()).every(({ isDeleted }) => !isDeleted),
      String(list),
    )
    t.equal((await syncs()).length - before, 1)
  }
})

t.test('an update completes a variant known only from an order line', async (t) => {
  const { alice, deliverAndApply } = await startCatalogue(t)
  const { supplierId } = await makeOrder(alice, { lineItems: [line(1, { sku: 'OLD', title: 'As ordered' })] })
  await deliverAndApply('PRODUCTS_UPDATE', product(1, [variant(1, { title: 'Default Title' })]))
  const { productId, variantId } = line(1)
  const { id } = await makeOrder(alice, {
    supplierId,
    lineItems: [{ productId, variantId, quantity: 1, costPrice: 1 }],
  })
  const order = (await alice.get(`/api/purchase-orders/${id}`)).json().data
  t.match(order.lineItems, [{ sku: 'SKU-1', title: 'Mug' }])
})

t.test('ids keep all digits, and invalid payloads are rejected', async (t) => {
  const { deliverAndApply, variants } = await startCatalogue(t)
  const outcomes = await deliverAndApply(
    'PRODUCTS_UPDATE',
    '{"id":788032119674292922,"title":"Big","updated_at":"2026-11-01T00:00:00Z","variants":[{"id":9007199254740993}]}',
    {},
    product(1, [{ id: 0 }]),
    product(1, [variant(1)], { updated_at: 'never' }),
  )
  t.strictSame(
    outcomes.map(({ state }) => state),
    ['applied', 'rejected', 'rejected', 'rejected'],
  )
  t.match(await variants(), [{ gid: 'gid://platform/ProductVariant/9007199254740993' }])
})

t.test('an update stores, keeps and removes the picture of the product', async (t) => {
  const { db, alice, deliverAndApply } = await startCatalogue(t)
  const Stored = Type.Object({ picture: Type.Union([Type.String(), Type.Null()]) })
  const picture = () =>
    db.oneFirst(sql.type(row(Stored))`select picture from product where shop_id = ${alice.shopId}`)
  const src = 'https://pictures.example/mug.jpg?v=1'
  const updates = [
    [{ image: { src } }, src, 'stored'],
    [{}, src, 'a body of an earlier subscription has no picture'],
    [{ image: { src: 'javascript:alert(1)' } }, '', 'not an address of a picture'],
    [{ image: { src } }, src, 'stored again'],
    [{ image: null }, '', 'the merchant has removed it'],
  ] as const
  for (const [minute, [fields, stored, message]] of updates.entries()) {
    await deliverAndApply('PRODUCTS_UPDATE', product(minute, [variant(1)], fields))
    t.equal(await picture(), stored, message)
  }
})
