import t from 'tap'
import { demo } from '../app.ts'
import { callerOf, type Json, startShop } from '../caller.ts'
import { documents } from '../documents.ts'

const address = 'http://localhost:4555/webhooks'
const create = (topic: string, webhookSubscription: Json = { callbackUrl: address }) => ({
  topic,
  webhookSubscription,
})

t.test('a topic can have one subscription per address', async (t) => {
  const { call, shop } = await startShop(t)
  const { data } = await call(documents.createSubscription, create('ORDERS_CREATE'))
  t.match(data.webhookSubscriptionCreate, {
    webhookSubscription: {
      id: /^gid:\/\/platform\/WebhookSubscription\/\d+$/,
      topic: 'ORDERS_CREATE',
      endpoint: { callbackUrl: address },
    },
    userErrors: [],
  })
  const repeated = await call(documents.createSubscription, create('ORDERS_CREATE', { uri: address }))
  t.strictSame(repeated.data.webhookSubscriptionCreate.webhookSubscription, null)
  t.match(repeated.data.webhookSubscriptionCreate.userErrors, [
    { field: Array, message: 'Address for this topic has already been taken' },
  ])
  await call(documents.createSubscription, create('PRODUCTS_UPDATE'))
  await call(
    documents.createSubscription,
    create('ORDERS_CREATE', { callbackUrl: 'https://app.example/webhooks' }),
  )
  t.equal(shop.subscriptions().length, 3)

  const list = (await call(documents.subscriptions, { first: 2 })).data.webhookSubscriptions
  t.match(list, {
    nodes: [{ callbackUrl: address, uri: address, format: 'JSON', endpoint: { callbackUrl: address } }, {}],
    pageInfo: { hasNextPage: true },
  })
  const rest = await call(documents.subscriptions, { first: 2, after: list.pageInfo.endCursor })
  t.match(rest.data.webhookSubscriptions.nodes, [{ uri: 'https://app.example/webhooks' }])
  const orders = await call(documents.subscriptions, { first: 9, topics: ['ORDERS_CREATE'] })
  t.equal(orders.data.webhookSubscriptions.nodes.length, 2)
})

t.test('a subscription can be changed and deleted', async (t) => {
  const { call, shop } = await startShop(t)
  const { data } = await call(documents.createSubscription, create('ORDERS_CREATE'))
  const { id } = data.webhookSubscriptionCreate.webhookSubscription
  const uri = 'https://app.example/webhooks'
  const changed = await call(documents.updateSubscription, { id, webhookSubscription: { uri } })
  t.match(changed.data.webhookSubscriptionUpdate, { webhookSubscription: { id, uri }, userErrors: [] })
  const deleted = await call(documents.deleteSubscription, { id })
  t.match(deleted.data.webhookSubscriptionDelete, { deletedWebhookSubscriptionId: id, userErrors: [] })
  t.strictSame(shop.subscriptions(), [])
  const deletedAgain = await call(documents.deleteSubscription, { id })
  t.match(deletedAgain.data.webhookSubscriptionDelete, {
    deletedWebhookSubscriptionId: null,
    userErrors: [{ message: 'Webhook subscription does not exist' }],
  })
})

t.test('invalid addresses and unsupported formats are refused', async (t) => {
  const { call, shop } = await startShop(t)
  for (const wrong of [
    {},
    { uri: '' },
    { uri: 'nonsense' },
    { callbackUrl: 'http://app.example/webhooks' },
    { uri: address, format: 'XML' },
  ]) {
    const { data } = await call(documents.createSubscription, create('ORDERS_CREATE', wrong))
    t.match(data.webhookSubscriptionCreate, {
      webhookSubscription: null,
      userErrors: [{ message: String }],
    })
  }
  t.match((await call(documents.createSubscription, create('SHOP_REDACT'))).errors, [
    { message: /SHOP_REDACT/ },
  ])
  t.strictSame(shop.subscriptions(), [])
})

t.test('a topic requires its scope', async (t) => {
  const { platform, shop } = await startShop(t)
  const call = callerOf(platform, demo, shop.install(['read_products']))
  const { data } = await call(documents.createSubscription, create('ORDERS_CREATE'))
  t.match(data.webhookSubscriptionCreate.userErrors, [{ message: /permission.*orders\/create/ }])
  const free = await call(documents.createSubscription, create('APP_UNINSTALLED'))
  t.strictSame(free.data.webhookSubscriptionCreate.userErrors, [])
})
