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
  const paths = ['uninstall', 'compliance', 'orders', 'products/1001', 'variants/2001', 'deliveries/x/resend']
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
  const number = id.split('/').at(-1) ?? ''
  const search = encodeURIComponent(evil)
  for (const path of [
    '/products?page=2',
    `/products/${number}`,
    '/orders',
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
