import { parse, validate } from 'graphql'
import t from 'tap'
import { readSchema } from '../../../../dev/simulator/graphql/execute.ts'
import { daysAgo, instantIn } from '../../../support/core/instants.ts'
import { demo } from '../app.ts'
import { type Call, callerOf, type Json, post, small, smallShop, startShop } from '../caller.ts'
import { documents } from '../documents.ts'

/** Reads all pages of a connection. */
async function pages(
  call: Call,
  document: string,
  variables: Json,
  read: (data: Json) => Json,
): Promise<Json[]> {
  const nodes: Json[] = []
  for (let after: string | undefined; ; ) {
    const { data } = await call(document, { ...variables, after })
    const page = read(data)
    nodes.push(...page.nodes)
    if (!page.pageInfo.hasNextPage) return nodes
    after = page.pageInfo.endCursor
  }
}

t.test('all our documents are valid', async (t) => {
  const schema = readSchema()
  for (const [name, document] of Object.entries(documents))
    t.strictSame(validate(schema, parse(document)), [], name)
})

t.test('a query returns the facts of the shop and the scopes of the app', async (t) => {
  const { call } = await startShop(t)
  const { data } = await call(documents.shop)
  t.match(data.shop, {
    id: /^gid:\/\/platform\/Shop\/\d+$/,
    name: 'Kestrel & Vine',
    myshopifyDomain: demo,
    currencyCode: 'GBP',
    ianaTimezone: 'Europe/London',
    shopAddress: { city: 'Bristol', countryCodeV2: 'GB' },
  })
  t.match(data.currentAppInstallation.accessScopes, [
    { handle: 'read_inventory' },
    { handle: 'read_locations' },
    { handle: 'read_orders' },
    { handle: 'read_products' },
    { handle: 'write_inventory' },
  ])
})

t.test('the demo shop has four locations, one closed, one with an id above 2^53', async (t) => {
  const { call } = await startShop(t)
  const { data } = await call(documents.locations, { first: 250 })
  const { nodes } = data.locations
  t.equal(nodes.length, 4)
  t.equal(nodes.filter(({ isActive }: Json) => !isActive).length, 1)
  t.equal(nodes.filter(({ isPrimary, shipsInventory }: Json) => isPrimary && shipsInventory).length, 1)
  t.ok(nodes.some(({ legacyResourceId }: Json) => BigInt(legacyResourceId) > 2n ** 53n))
  const active = await call('{ locations(first: 250) { nodes { id } } }')
  t.equal(active.data.locations.nodes.length, 3)
})

t.test('all products and variants are listed page by page, each once', async (t) => {
  const { call } = await startShop(t)
  const products = await pages(
    call,
    documents.products,
    { first: 7, variants: 20 },
    ({ products }) => products,
  )
  const ids = products.map(({ id }: Json) => id)
  t.equal(new Set(ids).size, ids.length)
  t.match(products[0], { id: 'gid://platform/Product/1001', variants: { nodes: [{ sku: 'MUG-STN-350' }] } })
  const numbers = ids.map((id: string) => BigInt(id.split('/').at(-1) ?? ''))
  t.strictSame(
    numbers,
    [...numbers].sort((a, b) => (a < b ? -1 : 1)),
    'in the order of their ids',
  )
  t.ok((numbers.at(-1) ?? 0n) > 2n ** 53n)

  const variants = await pages(call, documents.variants, { first: 90 }, (data) => data.productVariants)
  t.ok(variants.length > 280 && variants.length < 320)
  t.equal(new Set(variants.map(({ id }: Json) => id)).size, variants.length)
  t.equal(
    variants.length,
    products.reduce((sum, { variantsCount }: Json) => sum + variantsCount.count, 0),
  )
  const items = new Set(variants.map(({ inventoryItem }: Json) => inventoryItem.id))
  t.equal(items.size, variants.length)

  const [big] = products.filter(({ variantsCount }: Json) => variantsCount.count === 120)
  t.equal(big.variants.pageInfo.hasNextPage, true)
  const read = async (after?: string) =>
    (await call(documents.productVariants, { id: big.id, first: 100, after })).data.product.variants
  const first = await read()
  const second = await read(first.pageInfo.endCursor)
  t.strictSame([first.edges.length, second.edges.length, second.pageInfo.hasNextPage], [100, 20, false])
  t.equal(second.edges[0].node.position, 101)
})

t.test('the last page ends the list, forwards and backwards', async (t) => {
  const { call } = await startShop(t, smallShop, small)
  const read = async (args: string) =>
    (await call(`{ productVariants(${args}) { nodes { sku } pageInfo { hasNextPage endCursor } } }`)).data
      .productVariants
  const skus = ({ nodes }: Json) => nodes.map(({ sku }: Json) => sku)
  const all = ['SKU-1-1', 'SKU-1-2', 'SKU-2-1', 'SKU-2-2', 'SKU-3-1', 'SKU-3-2']
  t.strictSame(skus(await read('first: 6')), all)
  t.equal((await read('first: 6')).pageInfo.hasNextPage, false)
  const firstPage = await read('first: 3, reverse: true')
  t.strictSame(skus(firstPage), all.toReversed().slice(0, 3))
  const rest = await read(`first: 3, reverse: true, after: "${firstPage.pageInfo.endCursor}"`)
  t.strictSame(skus(rest), all.toReversed().slice(3))
  t.strictSame(skus(await read('first: 0')), [])
})

t.test('objects are found by their ids', async (t) => {
  const { call, shop } = await startShop(t)
  const { data } = await call(documents.variants, { first: 250 })
  const [first] = data.productVariants.nodes
  const location = shop.gid('Location', shop.locations[0]?.id ?? '')
  const item = (await call(documents.item, { id: first.inventoryItem.id, location })).data.inventoryItem
  t.match(item, { tracked: true, variant: { id: first.id }, variants: { nodes: [{ id: first.id }] } })
  const available = shop.stockOf(first.id, location)
  t.equal(item.inventoryLevel.quantities[0].quantity, available)
  t.match(item.inventoryLevel.id, /\/InventoryLevel\/\d+\?inventory_item_id=\d+$/)

  const unknown = 'gid://platform/ProductVariant/4711'
  const nodes = (await call(documents.nodes, { ids: [first.id, item.inventoryLevel.id, location, unknown] }))
    .data.nodes
  t.match(nodes, [
    { __typename: 'ProductVariant', sku: first.sku },
    { __typename: 'InventoryLevel', item: { id: item.id }, location: { id: location } },
    { __typename: 'Location', name: String },
    null,
  ])
  const invalid = await call(documents.nodes, { ids: ['gid://shopify/Product/1'] })
  t.match(invalid.errors[0].message, 'Invalid global id')
  t.equal((await call('{ product(id: "gid://platform/Location/1") { id } }')).data.product, null)
})

t.test('the levels of a location are listed page by page', async (t) => {
  const { call, shop } = await startShop(t, smallShop, small)
  const id = shop.gid('Location', shop.locations[1]?.id ?? '')
  const levels = await pages(
    call,
    documents.locationLevels,
    { id, first: 4 },
    ({ location }) => location.inventoryLevels,
  )
  t.equal(levels.length, 6)
  t.equal(new Set(levels.map(({ item }: Json) => item.id)).size, 6)
})

t.test('an inventory item lists all variants that share it', async (t) => {
  const { call, shop } = await startShop(t, smallShop, small)
  const { id, variantIds } = shop.addProduct({ title: 'Shared', variants: [{ sku: 'A' }] })
  const [original = ''] = variantIds
  shop.editProduct(id, { addVariants: [{ sku: 'B', sharesItemWith: original }] })
  const { data } = await call(documents.nodes, { ids: [original] })
  const location = shop.gid('Location', shop.locations[0]?.id ?? '')
  const item = (await call(documents.item, { id: data.nodes[0].inventoryItem.id, location })).data
    .inventoryItem
  t.strictSame(
    item.variants.nodes.map(({ sku }: Json) => sku),
    ['A', 'B'],
  )
})

t.test('orders of the last 60 days are found by time', async (t) => {
  const { call, shop, platform } = await startShop(t)
  const since = (days: number) => daysAgo(days).toISOString()
  const read = async (query?: string, caller = call) =>
    pages(caller, documents.orders, { first: 25, query, sortKey: 'CREATED_AT' }, ({ orders }) => orders)
  const all = await read()
  const recent = await read(`created_at:>='${since(10)}'`)
  t.ok(recent.length > 40 && recent.length < all.length)
  t.ok(recent.every(({ createdAt }: Json) => createdAt >= since(10.01)))
  t.ok(all.every(({ createdAt }: Json) => createdAt >= since(60.01)))
  const both = await read(`created_at:>='${since(20)}' AND created_at:<'${since(10)}'`)
  t.ok(both.length > 40 && both.length < recent.length * 2)
  const lines = all.flatMap(({ lineItems }: Json) => lineItems.nodes)
  t.ok(
    lines.some(({ variant }: Json) => variant === null),
    'tips have no variant',
  )
  t.ok(all.some(({ id }: Json) => BigInt(id.split('/').at(-1)) > 2n ** 53n))
  t.ok(all.some(({ cancelledAt }: Json) => cancelledAt !== null))

  const fullAccess = callerOf(
    platform,
    demo,
    shop.install(['read_products', 'read_all_orders', 'read_orders']),
  )
  t.equal((await read(undefined, fullAccess)).length, shop.orders().length)
  t.ok(shop.orders().length > 1000)
  t.match(
    (await call('{ orders(first: 1, query: "customer:x") { nodes { id } } }')).errors[0].message,
    'customer:x',
  )
})

t.test('changed products are found by time', async (t) => {
  const { call, shop } = await startShop(t)
  const before = instantIn(-1000).toISOString()
  shop.editProduct('1003', { title: 'Changed' })
  const { data } = await call(
    'query Q($q: String) { products(first: 5, query: $q, sortKey: UPDATED_AT) { nodes { title } } }',
    {
      q: `updated_at:>'${before}'`,
    },
  )
  t.strictSame(data.products.nodes, [{ title: 'Changed' }])
})

t.test('deleted products and variants are not returned', async (t) => {
  const { call, shop } = await startShop(t, smallShop, small)
  const { data } = await call(documents.products, { first: 3, variants: 2 })
  const [first, second] = data.products.nodes
  shop.deleteProduct(first.id)
  shop.editProduct(second.id, { removeVariants: [second.variants.nodes[0].id] })
  const after = (await call(documents.products, { first: 3, variants: 2 })).data.products.nodes
  t.equal(after.length, 2)
  t.strictSame(after[0].variants.nodes.length, 1)
  t.strictSame((await call(documents.nodes, { ids: [first.id] })).data.nodes, [null])
})

t.test('page sizes are limited', async (t) => {
  const { call } = await startShop(t, { maxQueryCost: 1_000_000 })
  for (const args of ['', '(first: 251)', '(first: -1)', '(first: 1, after: "x")'])
    t.match(
      (await call(`{ products${args} { nodes { id } } }`)).errors,
      [{ extensions: { code: 'BAD_REQUEST' } }],
      args,
    )
  const ids = Array.from({ length: 251 }, (_, index) => `gid://platform/Product/${index + 1}`)
  t.match((await call(documents.nodes, { ids })).errors, [
    { extensions: { code: 'MAX_INPUT_SIZE_EXCEEDED' } },
  ])
})

t.test('an app can only read what its scopes allow', async (t) => {
  const { platform, shop } = await startShop(t)
  const call = callerOf(platform, demo, shop.install(['write_products']))
  t.ok((await call(documents.products, { first: 1, variants: 1 })).data.products)
  for (const document of [
    '{ orders(first: 1) { nodes { id } } }',
    '{ locations(first: 1) { nodes { id } } }',
  ])
    t.match((await call(document)).errors, [{ extensions: { code: 'ACCESS_DENIED' } }])
})

t.test('requests without a token or with an invalid document fail', async (t) => {
  const { platform, shop, token } = await startShop(t)
  const query = '{ shop { id } }'
  t.equal((await post(platform, demo, 'wrong', { query })).status, 401)
  t.equal((await post(platform, 'none.myshop.example', token, { query })).status, 404)
  t.equal((await post(platform, demo, token, {})).status, 400)
  const unknown = await post(platform, demo, token, { query: '{ shop { nonsense } }' })
  t.equal(unknown.status, 200)
  t.match(JSON.parse(unknown.text).errors[0].message, 'Cannot query field "nonsense"')
  t.match(
    JSON.parse((await post(platform, demo, token, { query: '{' })).text).errors[0].message,
    'Syntax Error',
  )
  const missing = await post(platform, demo, token, { query: documents.nodes })
  t.match(JSON.parse(missing.text).errors[0].extensions.code, 'INVALID_VARIABLE')
  shop.uninstall()
  t.equal((await post(platform, demo, token, { query })).status, 401)
})

t.test('the namespace of the real platform is supported', async (t) => {
  const { call, shop, platform, token } = await startShop(t, { namespace: 'shopify' })
  t.match((await call(documents.shop)).data.shop.id, /^gid:\/\/shopify\/Shop\//)
  t.equal(shop.gid('Product', '1'), 'gid://shopify/Product/1')
  const response = await fetch(`${platform.url}/shops/${demo}/admin/api/2026-07/graphql.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-shopify-access-token': token },
    body: JSON.stringify({ query: '{ shop { id } }' }),
  })
  t.equal(response.status, 200)
  t.equal(response.headers.get('x-shopify-api-version'), '2026-07')
})

t.test('a shop of 100,000 variants is generated on demand', async (t) => {
  const domain = 'huge.myshop.example'
  const generated = { products: 10_000, variantsPerProduct: 10, locations: 2 }
  const { call, shop } = await startShop(t, { shops: [{ domain, generated }] }, domain)
  const last = shop.catalogue.variantId(9999, 9)
  t.ok(BigInt(last) > 2n ** 53n)
  const { data } = await call('query Q($id: ID!) { productVariant(id: $id) { sku product { title } } }', {
    id: shop.gid('ProductVariant', last),
  })
  t.strictSame(data.productVariant, { sku: 'SKU-10000-10', product: { title: 'Product 10000' } })
  const page = await call(documents.variants, { first: 90, after: undefined })
  t.equal(page.data.productVariants.nodes.length, 90)
  t.strictSame(page.data.productVariantsCount, { count: 10000, precision: 'AT_LEAST' })
})
