import t from 'tap'
import type { Platform } from '../../../../dev/simulator/server.ts'
import { appUrl, demo, startApp } from '../app.ts'
import { startShop } from '../caller.ts'
import { documents } from '../documents.ts'
import { keys, startSimulator } from '../simulator.ts'

const mug = 'gid://platform/ProductVariant/2001'

const pagesOf = (platform: Platform) => {
  const request = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${platform.url}${path}`, { redirect: 'manual', ...init })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const submit = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    request(path, { method: 'POST', body: new URLSearchParams(fields), headers })
  return { request, submit }
}

t.test(
  'the start page lists the shops, and the page of a shop shows whether the app is installed',
  async (t) => {
    const { platform } = await startSimulator(t)
    const { request, submit } = pagesOf(platform)
    t.match((await request('/')).text, `href="/shops/${demo}"`)
    t.match((await request(`/shops/${demo}`)).text, 'its address is not configured')
    platform.setAppUrl(appUrl)
    t.match((await request(`/shops/${demo}`)).text, `href="${appUrl}/auth?shop=${demo}"`)
    platform.shops.get(demo).install()
    t.match((await request(`/shops/${demo}`)).text, 'Quartermaster is installed')
    t.equal((await submit(`/shops/${demo}/uninstall`)).headers.get('location'), `/shops/${demo}`)
    t.notOk(platform.shops.get(demo).access.isInstalled())
    t.equal((await request('/shops/none.myshop.example')).status, 404)
  },
)

t.test('the admin of the shop shows the app', async (t) => {
  const { platform, shop } = await startShop(t, { appUrl })
  const { request } = pagesOf(platform)
  const address = `/shops/${demo}/admin/apps/${keys.apiKey}`
  t.equal((await request(`/shops/${demo}/admin`)).headers.get('location'), address)
  const page = await request(address)
  const host = Buffer.from(`${demo}/admin`).toString('base64url')
  t.match(page.text, `src="${appUrl}/?shop=${demo}&amp;host=${host}&amp;embedded=1&amp;locale=en-GB"`)
  const linked = await request(`/shops/${demo}/admin/apps/${keys.apiKey}/purchase-orders/5`)
  t.match(linked.text, `src="${appUrl}/purchase-orders/5?shop=${demo}`, 'a link opens a page of the app')
  const filtered = await request(`${address}/reports/abc?class=A&shop=other`)
  t.match(
    filtered.text,
    `src="${appUrl}/reports/abc?class=A&amp;shop=${demo}`,
    'the query string is passed on',
  )
  for (const script of ['admin-frame.js', 'app-bridge.js'])
    t.match((await request(`/${script}`)).headers.get('content-type'), 'text/javascript')
  t.match(page.headers.get('content-security-policy'), `frame-src ${appUrl}`)
  t.equal((await request(`/shops/${demo}/admin/apps/other`)).status, 404)
  shop.uninstall()
  t.match((await request(`/shops/${demo}/admin/apps/${keys.apiKey}`)).text, 'not installed')
})

t.test('products can be searched and edited, and only changed fields send webhooks', async (t) => {
  const app = await startApp(t)
  const { platform, shop, call } = await startShop(t)
  for (const topic of ['PRODUCTS_UPDATE', 'INVENTORY_LEVELS_UPDATE'])
    await call(documents.createSubscription, { topic, webhookSubscription: { uri: app.address } })
  const { request, submit } = pagesOf(platform)
  t.match((await request(`/shops/${demo}/products`)).text, 'Stoneware mug, 350 ml — oat')
  t.match((await request(`/shops/${demo}/products`)).text, 'page=2')
  t.match((await request(`/shops/${demo}/products?page=2`)).text, 'Gift card')
  const results = (await request(`/shops/${demo}/products?q=yrn-peat`)).text
  t.match(results, 'Hand-dyed yarn')
  t.notMatch(results, 'Stoneware')

  const page = (await request(`/shops/${demo}/products/1001`)).text
  t.match(page, 'value="MUG-STN-350"')
  const location = shop.locations[0]?.id ?? ''
  const unchanged = {
    price: '9.50',
    sku: 'MUG-STN-350',
    barcode: shop.seed.product(0).variants[0]?.barcode ?? '',
  }
  await submit(`/shops/${demo}/variants/2001`, { ...unchanged, [`stock.${location}`]: '77' })
  t.equal(shop.stockOf(mug, location), 77)
  await platform.settled()
  t.strictSame(
    app.received.map(({ headers }) => headers['x-platform-topic']),
    ['inventory_levels/update'],
  )
  await submit(`/shops/${demo}/variants/2001`, { ...unchanged, price: '10', [`stock.${location}`]: '77' })
  await submit(`/shops/${demo}/products/1001`, { title: 'Mug' })
  t.match(shop.catalogue.product(0), { title: 'Mug', variants: [{ price: '10.00' }] })
  await platform.settled()
  t.equal(app.received.length, 3)

  for (const [path, fields] of [
    ['/products/1001', { title: ' ' }],
    ['/variants/2001', { ...unchanged, price: 'much' }],
    ['/variants/2001', { ...unchanged, [`stock.${location}`]: '1.5' }],
  ] as const)
    t.equal((await submit(`/shops/${demo}${path}`, fields)).status, 400)
  t.equal((await submit(`/shops/${demo}/variants/4711`, unchanged)).status, 404)
  t.equal((await request(`/shops/${demo}/products/4711`)).status, 404)
})

t.test('a form places a chosen or a random order', async (t) => {
  const { platform, shop } = await startShop(t)
  const { request, submit } = pagesOf(platform)
  const before = shop.orders().length
  const picked = { kind: 'picked', variant1: 'MUG-STN-350', quantity1: '3', variant2: '2002', quantity2: '' }
  t.equal((await submit(`/shops/${demo}/orders`, picked)).status, 303)
  t.match(shop.orders().at(-1)?.lines, [
    { sku: 'MUG-STN-350', quantity: 3 },
    { sku: 'BWL-STN-18', quantity: 1 },
  ])
  await submit(`/shops/${demo}/orders`, { kind: 'random' })
  t.equal(shop.orders().length, before + 2)
  t.match((await request(`/shops/${demo}/orders`)).text, '3 × Stoneware mug')
  t.equal((await request(`/shops/${demo}/orders?page=3`)).status, 200)
  for (const invalid of [{}, { variant1: 'NONE' }, { variant1: 'MUG-STN-350', quantity1: '0' }])
    t.equal((await submit(`/shops/${demo}/orders`, invalid)).status, 400)
  t.equal(shop.orders().length, before + 2)
})

t.test('the page of an order ships, edits, refunds, cancels and deletes it', async (t) => {
  const { platform, shop } = await startShop(t)
  const { request, submit } = pagesOf(platform)
  const location = shop.locations[0]?.id ?? ''
  shop.setStock(mug, location, 20)
  await submit(`/shops/${demo}/orders`, { variant1: 'MUG-STN-350', quantity1: '8', isTest: 'on' })
  const { id, lines, isTest } = shop.orders().at(-1) ?? {}
  t.ok(isTest)
  const path = `/shops/${demo}/orders/${id}`
  const line = `quantity.${lines?.[0]?.id}`
  const states = () => {
    const { available, committed, on_hand } = shop.statesOf(mug, location) ?? {}
    return [available, committed, on_hand]
  }
  t.match((await request(`/shops/${demo}/orders`)).text, `href="${path}"`)
  const steps: [Record<string, string> & { kind: string }, number[]][] = [
    [{ kind: 'ship', [line]: '3' }, [12, 5, 17]],
    [{ kind: 'edit', [line]: '1', restock: 'on' }, [13, 4, 17]],
    [{ kind: 'edit', [line]: '1' }, [13, 3, 16]],
    [{ kind: 'refund-cancel', [line]: '1' }, [14, 2, 16]],
    [{ kind: 'refund-return', [line]: '1' }, [15, 2, 17]],
    [{ kind: 'ship' }, [15, 0, 15]],
    [{ kind: 'refund-no_restock', [line]: '1' }, [15, 0, 15]],
  ]
  for (const [fields, expected] of steps) {
    t.equal((await submit(path, fields)).headers.get('location'), path, fields.kind)
    t.strictSame(states(), expected, fields.kind)
  }
  t.match((await request(path)).text, '8 ordered, 3 kept, 5 shipped, 0 to ship')
  for (const invalid of [{ kind: 'cancel' }, { kind: 'edit' }, { kind: 'refund-return' }, { kind: 'burn' }])
    t.equal((await submit(path, invalid)).status, 400, invalid.kind)
  t.equal((await submit(path, { kind: 'delete' })).headers.get('location'), `/shops/${demo}/orders`)
  t.equal((await request(path)).status, 404)

  await submit(`/shops/${demo}/orders`, { variant1: 'MUG-STN-350', quantity1: '2' })
  const second = shop.orders().at(-1)?.id
  await submit(`/shops/${demo}/orders/${second}`, { kind: 'cancel' })
  t.strictSame(states(), [13, 0, 13], 'cancelled without restock')
  t.match((await request(`/shops/${demo}/orders`)).text, 'cancelled')
})

t.test('a draft order becomes an order', async (t) => {
  const { platform, shop } = await startShop(t)
  const { request, submit } = pagesOf(platform)
  const before = shop.orders().length
  await submit(`/shops/${demo}/orders`, { kind: 'draft', variant1: 'MUG-STN-350' })
  t.equal(shop.orders().length, before)
  t.match((await request(`/shops/${demo}/orders`)).text, '#D1, 1 lines')
  await submit(`/shops/${demo}/orders`, { draft: shop.draftOrders()[0]?.id ?? '' })
  t.match(shop.orders().at(-1), { sourceName: 'shopify_draft_order' })
  t.notMatch((await request(`/shops/${demo}/orders`)).text, '#D1')
})

t.test('forms change the cost and the states of a variant, and the facts of a product', async (t) => {
  const { platform, shop } = await startShop(t)
  const { request, submit } = pagesOf(platform)
  const location = shop.locations[0]?.id ?? ''
  shop.setStock(mug, location, 20)
  const { barcode } = shop.seed.product(0).variants[0] ?? {}
  const unchanged = { price: '9.50', sku: 'MUG-STN-350', barcode: barcode ?? '' }
  const path = `/shops/${demo}/variants/2001`
  const fields = { ...unchanged, cost: '4.2', [`damaged.${location}`]: '2', [`incoming.${location}`]: '30' }
  await submit(path, fields)
  t.match(shop.statesOf(mug, location), { available: 20, damaged: 2, incoming: 30, on_hand: 22 })
  t.equal(shop.catalogue.product(0)?.variants[0]?.cost, '4.20')
  t.match((await request(`/shops/${demo}/products/1001`)).text, '22 on hand, 0 committed')
  t.equal((await submit(path, { ...unchanged, cost: 'dear' })).status, 400)
  t.equal((await submit(path, { ...unchanged, [`reserved.${location}`]: 'x' })).status, 400)

  const facts = { title: 'Mug', vendor: 'Potter', productType: 'Cups', tags: 'new, , gift' }
  await submit(`/shops/${demo}/products/1001`, facts)
  t.match(shop.catalogue.product(0), { ...facts, tags: ['new', 'gift'] })
  await submit(`/shops/${demo}/products`, { title: 'Teapot', sku: 'POT', price: '30' })
  const number = shop.catalogue.end() - 1
  t.match(shop.catalogue.product(number), { title: 'Teapot', variants: [{ sku: 'POT', price: '30.00' }] })
  await submit(`/shops/${demo}/products/${shop.catalogue.productId(number)}`, { kind: 'delete' })
  t.equal(shop.catalogue.product(number), undefined)
})

t.test('a page adds, changes, closes and deletes locations', async (t) => {
  const { platform, shop } = await startShop(t)
  const { request, submit } = pagesOf(platform)
  const path = `/shops/${demo}/locations`
  const fields = { name: 'Outlet', phone: '1', address1: '1 Quay', address2: '', city: 'Bath', zip: 'BA1' }
  t.equal((await submit(path, fields)).headers.get('location'), path)
  const { id = '' } = shop.locations.at(-1) ?? {}
  t.match(shop.locations.at(-1), { name: 'Outlet', address: { city: 'Bath', countryCode: 'GB' } })
  await submit(`${path}/${id}`, { ...fields, name: 'Factory outlet' })
  t.match((await request(path)).text, 'Factory outlet')
  t.equal((await submit(`${path}/${id}`, { ...fields, name: ' ' })).status, 400)
  t.equal((await submit(`${path}/${id}`, { kind: 'delete' })).status, 400)
  await submit(`${path}/${id}`, { kind: 'deactivate' })
  t.match((await request(path)).text, '1 Quay, Bath BA1 · deactivated')
  await submit(`${path}/${id}`, { kind: 'activate' })
  t.ok(shop.locations.at(-1)?.isActive)
  await submit(`${path}/${id}`, { kind: 'deactivate' })
  await submit(`${path}/${id}`, { kind: 'delete' })
  t.notMatch((await request(path)).text, 'Factory outlet')
})

t.test('deliveries are shown with their outcome and can be sent again', async (t) => {
  const app = await startApp(t)
  const { platform, shop, call } = await startShop(t, { appUrl: app.url })
  const { request, submit } = pagesOf(platform)
  t.match((await request(`/shops/${demo}/deliveries`)).text, 'No deliveries yet')
  await call(documents.createSubscription, {
    topic: 'ORDERS_CREATE',
    webhookSubscription: { uri: app.address },
  })
  shop.placeOrder([{ variantId: mug, quantity: 1 }])
  await platform.settled()
  t.match(
    (await request(`/shops/${demo}/deliveries`)).text,
    /orders\/create[\s\S]*delivered[\s\S]*200 after \d+ ms/,
  )
  const [delivery] = shop.deliveries()
  const path = `/shops/${demo}/deliveries/${delivery?.id}`
  const page = (await request(path)).text
  t.match(page, '&quot;line_items&quot;')
  t.match(page, delivery?.webhookId ?? 'none')
  t.equal((await submit(`${path}/resend`)).headers.get('location'), path)
  await platform.settled()
  t.equal(app.received.length, 2)
  t.equal((await submit(`/shops/${demo}/compliance`, { topic: 'SHOP_REDACT' })).status, 303)
  t.equal((await submit(`/shops/${demo}/compliance`, { topic: 'ELSE' })).status, 400)
  await platform.settled()
  t.equal(app.received[2]?.headers['x-platform-topic'], 'shop/redact')
  t.equal((await request(`/shops/${demo}/deliveries/none`)).status, 404)
})

t.test('a page of another site cannot submit the forms of a shop', async (t) => {
  const { platform, shop } = await startShop(t)
  const { submit } = pagesOf(platform)
  const number = shop.orders().at(-1)?.id
  const paths = [
    ...['uninstall', 'compliance', 'orders', `orders/${number}`, 'products', 'products/1001'],
    ...['variants/2001', 'locations', `locations/${shop.locations[0]?.id}`, 'deliveries/x/resend'],
  ]
  for (const path of paths)
    t.equal(
      (await submit(`/shops/${demo}/${path}`, {}, { 'sec-fetch-site': 'cross-site' })).status,
      403,
      path,
    )
  t.ok(shop.access.isInstalled())
})

t.test('the pages escape all input', async (t) => {
  const { platform, shop } = await startShop(t)
  const { request } = pagesOf(platform)
  const evil = `"'><script>alert(1)</script>`
  const { id, variantIds } = shop.addProduct({
    title: evil,
    vendor: evil,
    variants: [{ sku: evil, values: [evil], barcode: evil, price: '1.00' }],
  })
  shop.placeOrder([{ variantId: variantIds[0] ?? '', quantity: 1 }])
  const order = shop.orders().at(-1)
  shop.addLocation({ name: evil, phone: evil, address: { address1: evil } })
  shop.editProduct(id, { tags: [evil], productType: evil })
  const number = id.split('/').at(-1) ?? ''
  const search = encodeURIComponent(evil)
  for (const path of [
    '/products?page=2',
    `/products/${number}`,
    '/orders',
    `/orders/${order?.id}`,
    '/locations',
    `/products?q=${search}`,
    '/deliveries',
    '',
  ]) {
    const { status, text, headers } = await request(`/shops/${demo}${path}`)
    t.equal(status, 200, path)
    t.notMatch(text, '<script', path)
    t.notMatch(headers.get('content-security-policy'), 'script-src')
  }
})
