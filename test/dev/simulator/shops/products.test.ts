import t, { type Test } from 'tap'
import { startApp } from '../app.ts'
import { type Json, small, smallShop, startShop } from '../caller.ts'
import { documents } from '../documents.ts'

/** A small shop, and an app that receives webhooks of products and inventory items. */
async function start(t: Test) {
  const app = await startApp(t)
  const { platform, shop, call } = await startShop(t, smallShop, small)
  for (const topic of ['PRODUCTS_CREATE', 'PRODUCTS_UPDATE', 'PRODUCTS_DELETE', 'INVENTORY_ITEMS_UPDATE'])
    await call(documents.createSubscription, { topic, webhookSubscription: { uri: app.address } })
  /** The bodies since the last call by their topic. */
  const received = async (): Promise<Json> => {
    await platform.settled()
    const webhooks = app.received.splice(0)
    return Object.fromEntries(
      webhooks.map(({ headers, body }) => [headers['x-platform-topic'], JSON.parse(body)]),
    )
  }
  const product = shop.gid('Product', shop.catalogue.productId(0))
  const variant = shop.gid('ProductVariant', shop.catalogue.variantId(0, 0))
  const item = shop.gid('InventoryItem', shop.catalogue.itemId(0, 0))
  return { shop, call, product, variant, item, received }
}

const itemFields = 'unitCost { amount currencyCode } tracked sku updatedAt'

t.test('a new cost is a change of the inventory item only', async (t) => {
  const { shop, call, product, variant, item, received } = await start(t)
  const read = async (): Promise<Json> =>
    (await call(`query Q($id: ID!) { inventoryItem(id: $id) { ${itemFields} } }`, { id: item })).data
      .inventoryItem
  const { updatedAt } = await read()
  shop.editProduct(product, { variants: [{ id: variant, cost: '7.35' }] })
  const webhooks = await received()
  t.strictSame(Object.keys(webhooks), ['inventory_items/update'])
  t.match(webhooks['inventory_items/update'], {
    ...{ id: Number(item.split('/').at(-1)), admin_graphql_api_id: item },
    ...{ cost: '7.35', tracked: true, sku: 'SKU-1-1' },
  })
  const after = await read()
  t.match(after, { unitCost: { amount: '7.35', currencyCode: 'USD' } })
  t.ok(after.updatedAt > updatedAt)
  shop.editProduct(product, { variants: [{ id: variant, cost: null }] })
  t.match(await received(), { 'inventory_items/update': { cost: null } })
  t.equal((await read()).unitCost, null)
})

t.test('an inventory item that is no longer tracked sends both webhooks', async (t) => {
  const { shop, product, variant, received } = await start(t)
  shop.editProduct(product, { variants: [{ id: variant, tracked: false, price: '9.00' }] })
  t.match(await received(), {
    'inventory_items/update': { tracked: false },
    'products/update': { variants: [{ price: '9.00' }, {}] },
  })
  shop.editProduct(product, { title: 'Renamed' })
  t.strictSame(Object.keys(await received()), ['products/update'])
})

t.test('variants that share an inventory item share its cost', async (t) => {
  const { shop, product, variant } = await start(t)
  shop.editProduct(product, { addVariants: [{ sku: 'TWIN', sharesItemWith: variant }] })
  shop.editProduct(product, { variants: [{ id: variant, cost: '3.00' }] })
  t.strictSame(
    shop.catalogue.product(0)?.variants.map(({ sku, cost }) => [sku, cost === '3.00']),
    [
      ['SKU-1-1', true],
      ['SKU-1-2', false],
      ['TWIN', true],
    ],
  )
})

t.test('products are created and deleted with vendor, type and tags', async (t) => {
  const { shop, call, received } = await start(t)
  const facts = { title: 'Teapot', vendor: 'Northgate', productType: 'Tea', tags: ['winter', 'new'] }
  const { id } = shop.addProduct({ ...facts, variants: [{ sku: 'POT' }] })
  t.match(await received(), {
    'products/create': { title: 'Teapot', vendor: 'Northgate', product_type: 'Tea', tags: 'new, winter' },
  })
  const { data } = await call('query Q($id: ID!) { product(id: $id) { vendor productType tags } }', { id })
  t.strictSame({ ...data.product }, { vendor: 'Northgate', productType: 'Tea', tags: ['winter', 'new'] })
  shop.editProduct(id, { tags: [] })
  t.match(await received(), { 'products/update': { tags: '' } })
  shop.deleteProduct(id)
  t.strictSame(await received(), { 'products/delete': { id: Number(id.split('/').at(-1)) } })
})
