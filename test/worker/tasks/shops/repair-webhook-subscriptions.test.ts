import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { fieldsOf } from '../../../../shared/domain/kit/webhook-fields/projection.ts'
import { jobs, requiredTopics, subscribedTopics, type WebhookTopic } from '../../../../shared/queue/jobs.ts'
import { captureLog } from '../../../support/core/app.ts'
import { openTestDb } from '../../../support/core/database.ts'
import { makeShop } from '../../../support/core/people.ts'
import { enqueued, startTasks } from '../../../support/core/worker.ts'
import { data, mockPlatform, page } from '../../../support/platform/platform.ts'

const url = 'http://localhost/webhooks'
const topics = subscribedTopics.toSorted()
const Check = Type.Object({ isComplete: Type.Boolean(), isNew: Type.Boolean() })

type Subscription = {
  id: string
  topic: string
  includeFields: string[]
  endpoint: { __typename: string; callbackUrl?: string }
}
type Input = { callbackUrl: string; includeFields: string[] }

const subscription = (
  topic: string,
  { callbackUrl = url, includeFields = fieldsOf(topic as WebhookTopic) }: Partial<Input> = {},
): Subscription => ({
  id: `gid://platform/WebhookSubscription/${topic}`,
  topic,
  includeFields,
  endpoint: { __typename: 'WebhookHttpEndpoint', callbackUrl },
})

/** A shop, and a mocked platform that stores subscriptions, two per page. */
async function start(t: Test, subscriptions: Subscription[] = []) {
  const { db } = await openTestDb(t)
  const { shopId, shopDomain } = await makeShop(db, 'alice')
  await db.query(sql.typeAlias('void')`
    update webhook_subscription_check set checked_at = '2026-01-01', is_complete = false where shop_id = ${shopId}
  `)
  const platform = mockPlatform(t, shopDomain)
  platform.on('WebhookSubscriptions', ({ after }) => {
    const at = Number(after ?? 0)
    return data({
      webhookSubscriptions: page(
        subscriptions.slice(at, at + 2),
        subscriptions.length > at + 2 ? String(at + 2) : null,
      ),
    })
  })
  platform.on('CreateWebhookSubscription', ({ topic, webhookSubscription }) => {
    const created = subscription(String(topic), webhookSubscription as Input)
    subscriptions.push(created)
    return data({ webhookSubscriptionCreate: { webhookSubscription: created, userErrors: [] } })
  })
  platform.on('UpdateWebhookSubscription', ({ id, webhookSubscription }) => {
    const { callbackUrl, includeFields } = webhookSubscription as Input
    const existing = subscriptions.find((subscription) => subscription.id === id)
    if (existing) Object.assign(existing, { includeFields, endpoint: { ...existing.endpoint, callbackUrl } })
    return data({ webhookSubscriptionUpdate: { webhookSubscription: existing ?? null, userErrors: [] } })
  })
  const captured = await captureLog()
  const { perform } = await startTasks(t, db, { log: captured.log })
  return {
    db,
    shopId,
    captured,
    platform,
    subscriptions,
    repair: () =>
      perform(jobs.repairWebhookSubscriptions, { shopId }).then(
        () => undefined,
        (error: Error) => error.message,
      ),
    check: () =>
      db.one(sql.type(row(Check))`
        select is_complete, checked_at > now() - interval '1 minute' as is_new
        from webhook_subscription_check where shop_id = ${shopId}
      `),
  }
}

t.test('every subscribed topic is subscribed once, with the fields that the jobs read', async (t) => {
  const { platform, subscriptions, repair, check } = await start(t)
  t.equal(await repair(), undefined)
  t.strictSame(
    platform
      .variablesOf('CreateWebhookSubscription')
      .sort((a, b) => (String(a.topic) < String(b.topic) ? -1 : 1)),
    topics.map((topic) => ({
      topic,
      webhookSubscription: { callbackUrl: url, includeFields: fieldsOf(topic) },
    })),
  )
  t.strictSame(
    platform.requests.flatMap(({ variables: { topic } }) => topic ?? []).slice(0, 4),
    ['ORDERS_CREATE', 'PRODUCTS_UPDATE', 'INVENTORY_LEVELS_UPDATE', 'APP_UNINSTALLED'],
    'those of the specification first',
  )
  t.strictSame(fieldsOf('ORDERS_DELETE'), ['id'])
  t.strictSame(fieldsOf('INVENTORY_LEVELS_UPDATE'), [
    'inventory_item_id',
    'location_id',
    'available',
    'updated_at',
  ])
  t.strictSame(await check(), { isComplete: true, isNew: true })

  t.equal(await repair(), undefined)
  t.equal(subscriptions.length, topics.length, 'a second run adds none')
  t.strictSame(platform.variablesOf('UpdateWebhookSubscription'), [], 'and changes none')
})

t.test('only missing subscriptions are added, and an old address of the app is updated', async (t) => {
  const { platform, subscriptions, repair } = await start(t, [
    subscription('ORDERS_CREATE'),
    subscription('PRODUCTS_UPDATE', { callbackUrl: 'https://before.example/webhooks' }),
    subscription('SHOP_UPDATE'),
    { ...subscription('APP_UNINSTALLED'), endpoint: { __typename: 'WebhookEventBridgeEndpoint' } },
  ])
  t.equal(await repair(), undefined)
  t.match(platform.variablesOf('UpdateWebhookSubscription'), [
    { id: /PRODUCTS_UPDATE/, webhookSubscription: { callbackUrl: url } },
  ])
  t.strictSame(
    platform
      .variablesOf('CreateWebhookSubscription')
      .map(({ topic }) => topic)
      .sort(),
    topics.filter((topic) => topic !== 'ORDERS_CREATE' && topic !== 'PRODUCTS_UPDATE'),
  )
  const ours = subscriptions.filter(({ endpoint }) => endpoint.callbackUrl === url)
  t.equal(ours.length, topics.length + 1, 'with that of SHOP_UPDATE')
})

t.test('a subscription that sends all fields or others is changed to those that the jobs read', async (t) => {
  const orders = fieldsOf('ORDERS_CREATE')
  const { platform, subscriptions, repair } = await start(t, [
    subscription('ORDERS_CREATE', { includeFields: [] }),
    subscription('PRODUCTS_UPDATE', { includeFields: [...fieldsOf('PRODUCTS_UPDATE'), 'body_html'] }),
    subscription('INVENTORY_LEVELS_UPDATE', {
      includeFields: fieldsOf('INVENTORY_LEVELS_UPDATE').toReversed(),
    }),
    subscription('APP_UNINSTALLED', { includeFields: fieldsOf('APP_UNINSTALLED').slice(1) }),
    ...topics.filter((topic) => !requiredTopics.includes(topic)).map((topic) => subscription(topic)),
  ])
  t.equal(await repair(), undefined)
  t.strictSame(platform.variablesOf('CreateWebhookSubscription'), [])
  t.match(platform.variablesOf('UpdateWebhookSubscription'), [
    { id: /ORDERS_CREATE/, webhookSubscription: { callbackUrl: url, includeFields: orders } },
    { id: /PRODUCTS_UPDATE/ },
    { id: /APP_UNINSTALLED/ },
  ])
  t.equal(platform.variablesOf('UpdateWebhookSubscription').length, 3, 'their order does not matter')
  t.strictSame(subscriptions[0]?.includeFields, orders)
})

t.test('the error of a taken address counts as subscribed; other errors do not', async (t) => {
  const { platform, repair, check } = await start(t)
  const refuse = (message: string) =>
    platform.on('CreateWebhookSubscription', () =>
      data({
        webhookSubscriptionCreate: {
          webhookSubscription: null,
          userErrors: [{ field: ['webhookSubscription', 'callbackUrl'], message }],
        },
      }),
    )
  refuse('Address for this topic has already been taken')
  t.equal(await repair(), undefined)
  t.match(await check(), { isComplete: true })

  refuse('Address is not allowed')
  t.match(await repair(), /are missing\. .*ORDERS_CREATE: Address is not allowed/)
  t.strictSame(await check(), { isComplete: false, isNew: true })
})

t.test('the job ends without an error when the shop has revoked its access', async (t) => {
  const { platform, repair, check } = await start(t)
  platform.on('WebhookSubscriptions', () => [401])
  t.equal(await repair(), undefined)
  t.match(await check(), { isComplete: false })
})

const created = (topic: unknown) => ({ webhookSubscription: subscription(String(topic)), userErrors: [] })

t.test('a topic that the specification does not require may be refused: the log says so', async (t) => {
  const { platform, repair, check, captured } = await start(t)
  platform.on('CreateWebhookSubscription', ({ topic }) => {
    if (topic === 'LOCATIONS_CREATE') {
      return [200, { errors: [{ message: 'Expected "LOCATIONS_CREATE" to be one of: ORDERS_CREATE' }] }]
    }
    const message = 'You do not have permission to create or update webhooks with locations/update topic.'
    const refusal = { webhookSubscription: null, userErrors: [{ field: ['topic'], message }] }
    return data({ webhookSubscriptionCreate: topic === 'LOCATIONS_UPDATE' ? refusal : created(topic) })
  })
  t.equal(await repair(), undefined)
  t.match(await check(), { isComplete: true })
  const [line, ...others] = captured.lines().filter(({ msg }) => msg === 'webhook subscriptions refused')
  t.match(line, { optionalErrors: [/^LOCATIONS_CREATE: /, /^LOCATIONS_UPDATE: You do not have permission/] })
  t.strictSame(others, [])
})

t.test('an added subscription reads what its webhooks would have contained', async (t) => {
  const existing = (except: string) =>
    topics.filter((topic) => topic !== except).map((topic) => subscription(topic))
  for (const [missing, syncs, comparisons] of [
    ['INVENTORY_ITEMS_UPDATE', 1, 0],
    ['ORDERS_CREATE', 0, 0],
    ['INVENTORY_LEVELS_UPDATE', 0, 1],
    ['APP_UNINSTALLED', 0, 0],
    ['', 0, 0],
  ] as const) {
    const { db, shopId, repair } = await start(t, existing(missing))
    t.equal(await repair(), undefined)
    t.equal((await enqueued(db, jobs.syncCatalog, shopId)).length, syncs, missing)
    t.equal((await enqueued(db, jobs.reconcileStock, shopId)).length, comparisons, missing)
  }
})

t.test('the first check of an installation reads nothing: the installation has started a sync', async (t) => {
  const { db, shopId, repair } = await start(t)
  await db.query(sql.typeAlias('void')`
    update webhook_subscription_check set checked_at = null where shop_id = ${shopId}
  `)
  t.equal(await repair(), undefined)
  t.strictSame(await enqueued(db, jobs.syncCatalog, shopId), [])
  t.strictSame(await enqueued(db, jobs.reconcileStock, shopId), [])
})

t.test('orders are read again at once when a subscription of theirs was missing', async (t) => {
  const { db, shopId, subscriptions, repair } = await start(
    t,
    topics.map((topic) => subscription(topic)),
  )
  t.equal(await repair(), undefined)
  t.strictSame(await enqueued(db, jobs.readOrders, shopId), [], 'nothing was missing')
  for (const missing of ['PRODUCTS_UPDATE', 'ORDERS_UPDATED']) {
    subscriptions.splice(
      subscriptions.findIndex(({ topic }) => topic === missing),
      1,
    )
    t.equal(await repair(), undefined)
    const expected = missing === 'ORDERS_UPDATED' ? [{ shopId }] : []
    t.strictSame(await enqueued(db, jobs.readOrders, shopId), expected)
  }
})
