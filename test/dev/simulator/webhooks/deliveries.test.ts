import { createHmac } from 'node:crypto'
import t, { type Test } from 'tap'
import type { PlatformOptions } from '../../../../dev/simulator/server.ts'
import type { Topic } from '../../../../dev/simulator/webhooks/topics.ts'
import { startTimer } from '../../../support/core/timers.ts'
import { until } from '../../../support/core/until.ts'
import { demo, type Received, startApp } from '../app.ts'
import { type Json, startShop } from '../caller.ts'
import { documents } from '../documents.ts'
import { keys } from '../simulator.ts'

type Respond = (received: Received, count: number) => number

/** A shop whose app subscribes to these topics. Retries follow within milliseconds. */
async function start(t: Test, topics: Topic[], respond?: Respond, options: Partial<PlatformOptions> = {}) {
  const app = await startApp(t, respond)
  const { platform, shop, call } = await startShop(t, { appUrl: app.url, retryScale: 0.0001, ...options })
  for (const topic of topics) {
    const { data } = await call(documents.createSubscription, {
      topic,
      webhookSubscription: { uri: app.address },
    })
    t.strictSame(data.webhookSubscriptionCreate.userErrors, [])
  }
  return { app, platform, shop, call }
}

/** The parsed body; large ids lose their last digits. */
const bodyOf = ({ body }: Received): Json => JSON.parse(body)
const header = ({ headers }: Received, name: string) => headers[`x-platform-${name}`]
const sign = (body: string) => createHmac('sha256', keys.apiSecret).update(body).digest('base64')
const mug = 'gid://platform/ProductVariant/2001'

t.test('a new order sends signed webhooks of the order and of its stock levels', async (t) => {
  const { app, platform, shop } = await start(t, ['ORDERS_CREATE', 'INVENTORY_LEVELS_UPDATE'])
  const warehouse = shop.locations[0]?.id ?? ''
  const before = shop.stockOf(mug, warehouse) ?? 0
  const order = shop.placeOrder([
    { variantId: mug, quantity: 2 },
    { variantId: mug, quantity: 1 },
    { tip: '2.00' },
    { title: 'Engraving <b>', price: '6.00', quantity: 1 },
  ])
  await platform.settled()
  t.equal(app.received.length, 2)
  for (const received of app.received) t.equal(header(received, 'hmac-sha256'), sign(received.body))
  const orders = app.received.filter((received) => header(received, 'topic') === 'orders/create')
  const levels = app.received.filter((received) => header(received, 'topic') === 'inventory_levels/update')
  const [webhook] = orders
  const [level] = levels
  if (!webhook || !level) return t.fail('a webhook is missing')
  t.match(webhook.headers, {
    'content-type': 'application/json',
    'x-platform-shop-domain': demo,
    'x-platform-webhook-id': /^[0-9a-f-]{36}$/,
    'x-platform-event-id': header(level, 'event-id'),
    'x-platform-triggered-at': /Z$/,
    'x-platform-api-version': '2026-07',
  })
  t.not(header(webhook, 'webhook-id'), header(level, 'webhook-id'))

  t.match(webhook.body, `"id":${order.id},`)
  t.notMatch(webhook.body, '<b>', 'the text is escaped')
  t.not(
    sign(JSON.stringify(bodyOf(webhook))),
    header(webhook, 'hmac-sha256'),
    'the signature covers the exact bytes only',
  )
  t.match(bodyOf(webhook), {
    admin_graphql_api_id: `gid://platform/Order/${order.id}`,
    created_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[01]:00$/,
    test: false,
    line_items: [
      {
        variant_id: 2001,
        product_id: 1001,
        quantity: 2,
        sku: 'MUG-STN-350',
        gift_card: false,
        product_exists: true,
      },
      { variant_id: 2001, quantity: 1 },
      { variant_id: null, product_id: null, tip_payment_gateway: String, product_exists: false },
      { variant_id: null, sku: null, title: 'Engraving <b>' },
    ],
  })
  t.match(bodyOf(level), {
    inventory_item_id: Number(shop.catalogue.itemId(0, 0)),
    location_id: Number(warehouse),
    available: before - 3,
    admin_graphql_api_id: /^gid:\/\/platform\/InventoryLevel\/\d+\?inventory_item_id=\d+$/,
  })
  t.equal(shop.stockOf(mug, warehouse), before - 3)
})

t.test('ids above 2^53 keep all digits', async (t) => {
  const { app, platform, shop } = await start(t, ['PRODUCTS_UPDATE'])
  const number = shop.seed.products - 1
  const id = shop.catalogue.productId(number)
  shop.editProduct(id, { title: 'Changed' })
  await platform.settled()
  t.not(String(Number(id)), id)
  t.match(app.received[0]?.body, `"id":${id},`)
  t.match(app.received[0]?.body, `"inventory_item_id":${shop.catalogue.itemId(number, 0)},`)
})

t.test('a product webhook has at most 100 full variants', async (t) => {
  const { app, platform, shop } = await start(t, ['PRODUCTS_UPDATE'])
  const numbers = Array.from({ length: shop.seed.products }, (_, number) => number)
  const yarn = numbers.find((number) => shop.seed.product(number).variants.length === 120) ?? -1
  const id = shop.catalogue.variantId(yarn, 0)
  shop.editProduct(shop.catalogue.productId(yarn), { variants: [{ id, price: '99.00' }] })
  await platform.settled()
  const [webhook] = app.received
  t.match(webhook && bodyOf(webhook), { status: 'active', variants: [{ price: '99.00', sku: /^YRN-/ }] })
  t.equal(webhook && bodyOf(webhook).variants.length, 100)
  t.equal(webhook && bodyOf(webhook).variant_gids.length, 120)
})

t.test('stock changes of the app send webhooks, too', async (t) => {
  const { app, platform, shop, call } = await start(t, ['INVENTORY_LEVELS_UPDATE'])
  const line = {
    inventoryItemId: shop.gid('InventoryItem', shop.catalogue.itemId(0, 0)),
    locationId: shop.gid('Location', shop.locations[0]?.id ?? ''),
    changeFromQuantity: null,
  }
  const input = { name: 'available', reason: 'correction', quantities: [{ ...line, quantity: -2 }] }
  for (const key of ['a', 'a']) await call(documents.setQuantities, { key, input })
  await platform.settled()
  t.strictSame(
    app.received.map((received) => bodyOf(received).available),
    [-2],
  )
})

t.test('an untracked variant has no available quantity', async (t) => {
  const { app, platform, shop } = await start(t, ['INVENTORY_LEVELS_UPDATE'])
  const card = shop.catalogue.variantId(shop.seed.products - 2, 0)
  shop.setStock(card, shop.locations[0]?.id ?? '', 5)
  await platform.settled()
  t.strictSame(
    app.received.map((received) => bodyOf(received).available),
    [null],
  )
})

t.test('an uninstalled app receives app/uninstalled and nothing afterwards', async (t) => {
  const { app, platform, shop } = await start(t, ['APP_UNINSTALLED', 'ORDERS_CREATE'])
  shop.uninstall()
  shop.placeRandomOrder()
  await platform.settled()
  t.equal(app.received.length, 1)
  const [webhook] = app.received
  t.equal(webhook && header(webhook, 'topic'), 'app/uninstalled')
  t.match(webhook && bodyOf(webhook), { id: Number(shop.facts.id), domain: null, myshopify_domain: null })
  t.strictSame(shop.subscriptions(), [])
})

t.test('compliance webhooks need no subscription', async (t) => {
  const { app, platform, shop } = await start(t, [])
  shop.sendCompliance('CUSTOMERS_DATA_REQUEST', { customerId: '5', orderIds: ['820982911946154508'] })
  shop.sendCompliance('CUSTOMERS_REDACT')
  shop.sendCompliance('SHOP_REDACT')
  await platform.settled()
  t.strictSame(app.received.map((received) => header(received, 'topic')).sort(), [
    'customers/data_request',
    'customers/redact',
    'shop/redact',
  ])
  t.match(app.received.map(({ body }) => body).join(), '"orders_requested":[820982911946154508]')
  platform.setAppUrl('https://app.example')
  shop.sendCompliance('SHOP_REDACT')
  const error = await until(() => shop.deliveries().at(-1)?.lastAnswer?.error, 'the webhook is refused')
  t.equal(error, 'The simulator calls this machine only.')
})

t.test('a failed delivery is retried with the same webhook id', async (t) => {
  const statuses = [500, 302, 404]
  const { app, platform, shop } = await start(t, ['ORDERS_CREATE'], (_, count) => statuses[count - 1] ?? 204)
  shop.placeRandomOrder()
  await platform.settled()
  t.equal(app.received.length, 4)
  t.equal(new Set(app.received.map((received) => header(received, 'webhook-id'))).size, 1)
  t.equal(new Set(app.received.map(({ body }) => body)).size, 1)
  t.match(shop.deliveries(), [{ state: 'delivered', attempts: 4, lastAnswer: { status: 204 } }])
})

t.test('after 19 failed attempts the platform deletes the subscription', async (t) => {
  const { app, platform, shop } = await start(t, ['ORDERS_CREATE'], () => 500, { retryScale: 0.000_000_1 })
  shop.placeRandomOrder()
  await platform.settled()
  t.equal(app.received.length, 19)
  t.match(shop.deliveries(), [{ state: 'failed', attempts: 19 }])
  t.strictSame(shop.subscriptions(), [])
})

t.test('a timeout or a connection error is retried', async (t) => {
  const { app, platform, shop } = await start(t, ['ORDERS_CREATE'], (_, count) => (count === 1 ? 0 : 200), {
    // long enough for a busy machine to answer the second attempt
    webhookTimeoutMs: 3_000,
  })
  shop.placeRandomOrder()
  await platform.settled()
  t.equal(app.received.length, 2)
  t.match(shop.deliveries(), [{ attempts: 2, state: 'delivered' }])
})

t.test('scripted faults apply to deliveries', async (t) => {
  const { app, platform, shop } = await start(t, ['ORDERS_CREATE'])
  const placeOrders = async (count = 1) => {
    app.received.length = 0
    for (let index = 0; index < count; index += 1) shop.placeOrder([{ variantId: mug, quantity: index + 1 }])
    await platform.settled()
    return app.received
  }
  platform.faults.set({ webhooks: [{ fault: 'drop', topic: 'ORDERS_CREATE' }] })
  t.equal((await placeOrders()).length, 0)
  t.equal(shop.deliveries().at(-1)?.state, 'dropped')

  platform.faults.set({ webhooks: [{ fault: 'duplicate' }] })
  const [first, second] = await placeOrders()
  t.equal(first && header(first, 'webhook-id'), second && header(second, 'webhook-id'))

  platform.faults.set({ webhooks: [{ fault: 'wrong-signature' }] })
  const [forged] = await placeOrders()
  t.not(forged && header(forged, 'hmac-sha256'), sign(forged?.body ?? ''))

  platform.faults.set({ webhooks: [{ fault: 'delay', delayMs: 200 }] })
  const hasWaited = startTimer(199)
  t.equal((await placeOrders()).length, 1)
  t.ok(hasWaited())

  platform.faults.set({ webhooks: [{ fault: 'reorder', times: 3 }] })
  const quantities = (await placeOrders(3)).map((received) => bodyOf(received).line_items[0].quantity)
  t.strictSame(quantities, [3, 2, 1])

  platform.faults.set({
    webhooks: [
      { fault: 'drop', topic: 'PRODUCTS_UPDATE' },
      { fault: 'drop', shop: 'x' },
    ],
  })
  t.equal((await placeOrders()).length, 1, 'the faults are for other deliveries')
})

t.test('unreliable webhooks are lost, repeated and late, the same for the same seed', async (t) => {
  const { app, platform, shop } = await start(t, ['ORDERS_CREATE'])
  const unreliable = { seed: 7, deliveries: 30, lost: 0.2, repeated: 0.3, late: 0.5, maxDelayMs: 40 }
  const placeOrders = async (count: number) => {
    app.received.length = 0
    const before = shop.deliveries().length
    for (let index = 0; index < count; index += 1) shop.placeOrder([{ variantId: mug, quantity: index + 1 }])
    const first = shop.orders().length - count
    await platform.settled()
    const deliveries = shop.deliveries().slice(before)
    return {
      states: deliveries.map(({ state, nextAt, triggeredAt }) => [state, nextAt - Date.parse(triggeredAt)]),
      arrived: app.received.map((webhook) => bodyOf(webhook).order_number - 1000 - first),
    }
  }
  platform.faults.set({ webhooks: [], unreliableWebhooks: unreliable })
  const { states, arrived } = await placeOrders(30)
  const lost = states.filter(([state]) => state === 'dropped').length
  t.ok(lost > 0 && lost < 15, `${lost} are lost`)
  t.ok(new Set(arrived).size < arrived.length, 'some are repeated')
  t.equal(new Set(arrived).size, 30 - lost)
  t.not(arrived.join(), arrived.toSorted((a, b) => a - b).join(), 'they arrive out of order')
  t.ok(states.every(([, delay]) => Number(delay) <= 40))

  t.equal(platform.faults.current().unreliableWebhooks, null, 'the script is used up')
  t.strictSame((await placeOrders(3)).arrived.length, 3)
  platform.faults.set({ unreliableWebhooks: unreliable })
  t.strictSame((await placeOrders(30)).states, states)

  platform.faults.set({ unreliableWebhooks: { ...unreliable, lost: 1, topic: 'PRODUCTS_UPDATE' } })
  t.equal((await placeOrders(2)).arrived.length, 2, 'the script is for another topic')
})

t.test('a delivery with a wrong signature is sent once', async (t) => {
  const { app, platform, shop } = await start(t, ['ORDERS_CREATE'], () => 401)
  platform.faults.set({ webhooks: [{ fault: 'wrong-signature' }] })
  shop.placeRandomOrder()
  await platform.settled()
  t.equal(app.received.length, 1)
  t.equal(shop.subscriptions().length, 1)
})

t.test('many deliveries are sent concurrently, and one is sent again', async (t) => {
  const { app, platform, shop } = await start(t, [
    'ORDERS_CREATE',
    'PRODUCTS_UPDATE',
    'INVENTORY_LEVELS_UPDATE',
  ])
  shop.deliver('INVENTORY_LEVELS_UPDATE', 150)
  shop.deliver('PRODUCTS_UPDATE', 60)
  await platform.settled()
  // a slow machine answers some too late, and they are repeated
  t.equal(new Set(app.received.map((received) => header(received, 'webhook-id'))).size, 210)
  app.received.length = 0
  shop.deliver('ORDERS_CREATE', 250)
  await platform.settled()
  const orders = app.received.filter((received) => header(received, 'topic') === 'orders/create')
  t.equal(new Set(orders.map((received) => bodyOf(received).name)).size, 250)
  t.equal(shop.deliveries().length, 500, 'older deliveries are deleted')

  app.received.length = 0
  const last = shop.deliveries().at(-1)
  shop.resend(last?.id ?? '')
  await platform.settled()
  t.strictSame(
    app.received.map((received) => header(received, 'webhook-id')),
    [last?.webhookId],
  )
  t.throws(() => shop.resend('none'), /Unknown delivery/)
})

t.test('a subscription receives only its included fields', async (t) => {
  const { app, platform, shop, call } = await start(t, [])
  const includeFields = ['id', 'admin_graphql_api_id', 'line_items.variant_id', 'line_items.quantity']
  const webhookSubscription = { uri: app.address, includeFields }
  await call(documents.createSubscription, { topic: 'ORDERS_CREATE', webhookSubscription })
  const order = shop.placeOrder([{ variantId: mug, quantity: 2 }, { tip: '1.00' }])
  await platform.settled()
  t.strictSame(app.received.map(bodyOf), [
    {
      id: Number(order.id),
      admin_graphql_api_id: shop.gid('Order', order.id),
      line_items: [
        { quantity: 2, variant_id: 2001 },
        { quantity: 1, variant_id: null },
      ],
    },
  ])
})

t.test('the shopify namespace sends the real platform’s headers', async (t) => {
  const { app, platform, shop } = await start(t, ['ORDERS_CREATE'], undefined, { namespace: 'shopify' })
  shop.placeRandomOrder()
  await platform.settled()
  const [webhook] = app.received
  t.match(webhook?.headers, {
    'x-shopify-topic': 'orders/create',
    'x-shopify-hmac-sha256': sign(webhook?.body ?? ''),
  })
  t.match(webhook?.body, 'gid:\\/\\/shopify\\/Order')
  t.notOk(Object.keys(webhook?.headers ?? {}).some((name) => name.startsWith('x-platform-')))
})
