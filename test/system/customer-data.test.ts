import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { customerOf } from '../../dev/simulator/shops/customers.ts'
import { type Db, row, sql } from '../../shared/db/db.ts'
import { fieldsOf } from '../../shared/domain/kit/webhook-fields/projection.ts'
import { jobs } from '../../shared/queue/jobs.ts'
import { captureLog } from '../support/core/app.ts'
import { useOwnDatabase } from '../support/core/database.ts'
import { enqueued } from '../support/core/worker.ts'
import { startSimulatedShop } from '../support/platform/simulated-shop.ts'
import { deliver, orderBody, sign, startDeliveries } from '../support/platform/webhooks.ts'

useOwnDatabase()

/** Personal data of an invented customer; a test that finds one of these words has found a leak. */
const personalWords = [
  'Ottilie',
  'Brackenbury-Vane',
  'ottilie@customer.example',
  '+44 20 7946 0991',
  '7 Halfmoon Yard',
  'Nether Wallop',
  'ZZ9 9ZZ',
  '2001:db8::991',
  'Leave it with the neighbour at no. 9',
] as const

const [first_name, last_name, email, phone, address1, city, zip, browser_ip, note] = personalWords
const address = { first_name, last_name, name: `${first_name} ${last_name}`, phone, address1, city, zip }

/** The whole body of an order, as a platform sends it that was not asked for fields. */
const wholeOrder = (id: number | string, variant: number | null = 1) => {
  const { line_items, ...order } = orderBody(id, [[Number(id), variant, 2]])
  return {
    email,
    contact_email: email,
    phone,
    browser_ip,
    client_details: { browser_ip, user_agent: first_name },
    note,
    note_attributes: [{ name: 'gift for', value: last_name }],
    ...order,
    name: '#1001',
    customer: { id: 991, ...address, email, default_address: address },
    billing_address: address,
    shipping_address: address,
    line_items: line_items.map((line) => ({
      ...line,
      properties: [{ name: 'Engraving', value: first_name }],
      tax_lines: [{ title: last_name }],
    })),
    refunds: [{ note, transactions: [{ receipt: { payer: email } }] }],
    fulfillments: [{ destination: address }],
  }
}

/** Stores a delivery as the previous release did: the whole body. Returns its id. */
function makeWholeDelivery(
  db: Db,
  shopId: number,
  body: unknown,
  { topic = 'ORDERS_CREATE', state = 'received' }: { topic?: string; state?: string } = {},
): Promise<number> {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return db.oneFirst(sql.typeAlias('id')`
    insert into webhook_delivery (shop_id, topic, webhook_id, payload, state, settled_at)
    values (
      ${shopId}, ${topic}, ${randomUUID()}, ${sql.binary(bytes)}, ${state},
      case when ${state} <> 'received' then now() end
    )
    returning id
  `)
}

const Table = Type.Object({ schema: Type.String(), name: Type.String() })
const Text = Type.Object({ text: Type.String() })

/**
 * All rows of all tables as text, as in a dump of the database, with each `bytea` value also as text. A dump has the
 * same values: it copies each row in this form.
 */
async function dumpOf(db: Db): Promise<string> {
  const tables = await db.any(sql.type(row(Table))`
    select table_schema as schema, table_name as name
    from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
  `)
  const texts: string[] = []
  for (const { schema, name } of tables) {
    const table = sql.identifier([schema, name])
    texts.push(...(await db.anyFirst(sql.type(row(Text))`select t::text as text from ${table} t`)))
    const columns = await db.anyFirst(sql.type(row(Text))`
      select column_name as text
      from information_schema.columns
      where table_schema = ${schema} and table_name = ${name} and data_type = 'bytea'
    `)
    for (const column of columns) {
      const value = sql.identifier([column])
      texts.push(
        ...(await db.anyFirst(sql.type(row(Text))`select encode(${value}, 'escape') as text from ${table}`)),
      )
    }
  }
  return texts.join('\n')
}

/** The words that occur in a text, also in the form of `bytea` in a dump. */
const wordsIn = (words: readonly string[], text: string): string[] =>
  words.filter((word) => text.includes(word) || text.includes(Buffer.from(word).toString('hex')))

const Delivery = Type.Object({
  id: Type.Integer(),
  topic: Type.String(),
  state: Type.String(),
  reason: Type.String(),
  payload: Type.String(),
})

const deliveriesOf = (db: Db, shopId: number) =>
  db.any(sql.type(row(Delivery))`
    select id, topic, state, reason, convert_from(payload, 'UTF8') as payload
    from webhook_delivery where shop_id = ${shopId} order by id
  `)

const salesOf = (db: Db, shopId: number) =>
  db.anyFirst(sql.type(row(Type.Object({ gid: Type.String() })))`
    select order_gid as gid from sale where shop_id = ${shopId} order by order_gid
  `)

const redaction = (shopDomain: string, orders: number[]) => ({
  shop_id: 954_889,
  shop_domain: shopDomain,
  customer: { id: 991, email: personalWords[2], phone: personalWords[3] },
  orders_to_redact: orders,
})

t.test(
  'the platform sends only the requested fields; of an old subscription the rest is not stored',
  async (t) => {
    const { db, alice, shop, platform, variants, applyAll, perform } = await startSimulatedShop(t)
    const { shopId } = alice
    const subscription = shop.subscriptions().find(({ topic }) => topic === 'ORDERS_CREATE')
    t.strictSame(subscription?.includeFields, fieldsOf('ORDERS_CREATE'))

    const place = async () => {
      const order = shop.placeOrder([{ variantId: variants[0] ?? '', quantity: 1 }])
      await platform.settled()
      await applyAll('ORDERS_CREATE')
      const sent = shop.deliveries().findLast(({ topic }) => topic === 'ORDERS_CREATE')
      return {
        words: Object.values(customerOf(order.number)),
        body: String(sent?.body),
        number: order.number,
      }
    }
    const narrow = await place()
    t.notMatch(narrow.body, `invented-${narrow.number}`, 'the platform sends no personal data')

    if (subscription) subscription.includeFields = []
    const whole = await place()
    t.match(whole.body, `invented-${whole.number}`, 'the old subscription sends everything')
    const stored = await dumpOf(db)
    t.strictSame(wordsIn([...narrow.words, ...whole.words, 'invented-'], stored), [])
    t.equal((await salesOf(db, shopId)).length, 2, 'both orders count as sales')
    const states = (await deliveriesOf(db, shopId)).filter(({ topic }) => topic === 'ORDERS_CREATE')
    t.strictSame(
      states.map(({ state }) => state),
      ['applied', 'applied'],
    )

    await perform(jobs.repairWebhookSubscriptions, { shopId })
    t.strictSame(
      shop.subscriptions().find(({ topic }) => topic === 'ORDERS_CREATE')?.includeFields,
      fieldsOf('ORDERS_CREATE'),
    )
    const repaired = await place()
    t.notMatch(repaired.body, 'invented-', 'the repaired subscription sends the requested fields')
  },
)

t.test('no table, job or log holds anything of the customers in signed webhooks', async (t) => {
  const captured = await captureLog({ LOG_LEVEL: 'trace' })
  const { app, db, alice, applyAll } = await startDeliveries(t, { log: captured.log })
  await db.query(sql.typeAlias('void')`
    create function refuse_sale() returns trigger language plpgsql as $$
    begin
      if new.order_gid like '%/3' then raise exception 'no sale' using detail = new::text; end if;
      return new;
    end $$
  `)
  await db.query(sql.typeAlias('void')`
    create trigger refuse_sale before insert on sale for each row execute function refuse_sale()
  `)
  t.teardown(() => db.query(sql.typeAlias('void')`drop function refuse_sale cascade`))
  const shop = alice.shopDomain
  const bodies: [topic: string, body: unknown][] = [
    ['orders/create', wholeOrder(1)],
    ['orders/create', { ...wholeOrder(2), id: { name: personalWords[0] } }],
    ['orders/create', wholeOrder(3)],
    ['orders/create', JSON.stringify(wholeOrder(4)).slice(0, -1)],
    ['orders/create', [wholeOrder(5)]],
    ['orders/create', JSON.stringify(personalWords[1])],
    ['products/update', wholeOrder(6)],
    ['inventory_levels/update', wholeOrder(7)],
    ['app/uninstalled', wholeOrder(8)],
    ['app/uninstalled', { ...wholeOrder(9), line_items: 'none', myshopify_domain: shop }],
    ['carts/update', wholeOrder(10)],
    ['customers/redact', redaction(shop, [1])],
    ['customers/data_request', { ...redaction(shop, []), orders_requested: [1], data_request: { id: 77 } }],
  ]
  for (const [topic, body] of bodies) {
    t.equal((await deliver(app, sign(alice, topic, body))).statusCode, 200, topic)
    const { payload, headers } = sign(alice, topic, body)
    t.equal(
      (await deliver(app, { payload, headers: { ...headers, 'x-platform-hmac-sha256': 'AAAA' } })).statusCode,
      401,
    )
  }
  for (const topic of [
    'ORDERS_CREATE',
    'PRODUCTS_UPDATE',
    'INVENTORY_LEVELS_UPDATE',
    'APP_UNINSTALLED',
  ] as const) {
    await applyAll(topic).catch(() => {})
  }
  await applyAll('CUSTOMERS_REDACT')
  await applyAll('CUSTOMERS_DATA_REQUEST')

  const states = (await deliveriesOf(db, alice.shopId)).map(({ topic, state }) => `${topic} ${state}`)
  t.equal(states[0], 'ORDERS_CREATE applied')
  t.equal(
    states.filter((state) => state.startsWith('APP_UNINSTALLED')).join(),
    'APP_UNINSTALLED rejected,APP_UNINSTALLED rejected',
    'an order cannot be replayed as an uninstall',
  )
  t.strictSame(await salesOf(db, alice.shopId), ['gid://platform/Order/1'])
  const dump = await dumpOf(db)
  t.match(dump, 'gid://platform/Order/1', 'the dump has the rows')
  t.strictSame(wordsIn(personalWords, dump), [])
  t.strictSame(wordsIn(personalWords, captured.text()), [])
  t.match(captured.text(), '"reception":"stored"')
})

t.test('deliveries that the previous release stored whole are projected, in any state', async (t) => {
  const captured = await captureLog()
  const { db, alice, mallory, perform, applyAll } = await startDeliveries(t, { log: captured.log })
  const { shopId } = alice
  const states = ['received', 'applied', 'ignored', 'rejected', 'failed']
  for (const [at, state] of states.entries())
    await makeWholeDelivery(db, shopId, wholeOrder(at + 1), { state })
  await makeWholeDelivery(db, shopId, `{"email":"${personalWords[2]}"`, { state: 'rejected' })
  await makeWholeDelivery(db, shopId, wholeOrder(9), { topic: 'CARTS_UPDATE', state: 'applied' })
  for (let at = 0; at < 450; at += 1)
    await makeWholeDelivery(db, mallory.shopId, wholeOrder(1_000 + at), { state: 'failed' })
  t.strictSame(wordsIn(personalWords, await dumpOf(db)), personalWords, 'the search finds what is stored')

  // a stop in the middle; the next attempt continues
  const stopped = new AbortController()
  stopped.abort(new Error('stopping'))
  await t.rejects(perform(jobs.projectDeliveries, {}, { signal: stopped.signal }))
  for (let runs = 0; runs < 2; runs += 1) await perform(jobs.projectDeliveries, {})

  t.strictSame(wordsIn(personalWords, await dumpOf(db)), [])
  const projected = await deliveriesOf(db, shopId)
  t.strictSame(
    projected.map(({ state }) => state),
    [...states, 'rejected', 'applied'],
    'no state changes',
  )
  t.strictSame(
    projected.map(({ payload }) => (payload ? JSON.parse(payload).id : payload)),
    [1, 2, 3, 4, 5, '', ''],
  )
  t.equal((await deliveriesOf(db, mallory.shopId)).length, 450)

  const failed = projected.find(({ state }) => state === 'failed')
  t.equal((await alice.post(`/api/sync/deliveries/${failed?.id}/replay`)).statusCode, 200)
  await perform(
    jobs.applyOrders,
    [projected[0]?.id ?? 0].map((deliveryId) => ({ shopId, deliveryId })),
  )
  await applyAll('ORDERS_CREATE')
  t.strictSame(await salesOf(db, shopId), ['gid://platform/Order/1', 'gid://platform/Order/5'])
})

t.test('a redaction empties what is stored of the shop without losing sales, and is recorded', async (t) => {
  const { app, db, alice, mallory, perform, applyAll, deliverAndApply } = await startDeliveries(t, {})
  const { shopId, shopDomain } = alice
  const waiting = await makeWholeDelivery(db, shopId, wholeOrder(1))
  await makeWholeDelivery(db, shopId, wholeOrder(2), { state: 'failed' })
  await makeWholeDelivery(db, shopId, wholeOrder(3), { state: 'applied' })
  const other = await makeWholeDelivery(db, mallory.shopId, wholeOrder(4), { state: 'failed' })

  const request = sign(alice, 'customers/redact', redaction(shopDomain, [1, 2, 3]))
  for (let times = 0; times < 2; times += 1) t.equal((await deliver(app, request)).statusCode, 200)
  await applyAll('CUSTOMERS_REDACT')
  const [repeated] = await deliverAndApply('CUSTOMERS_REDACT', redaction(shopDomain, [1, 2, 3]))
  t.match(repeated, {
    state: 'applied',
    reason: 'Redaction for 3 orders: no data of the customer was stored.',
  })

  const stored = await deliveriesOf(db, shopId)
  t.strictSame(wordsIn(personalWords, JSON.stringify(stored)), [])
  t.match(stored.at(-2), {
    topic: 'CUSTOMERS_REDACT',
    state: 'applied',
    reason: 'Redaction for 3 orders: personal data was removed from 3 stored updates.',
    payload: /orders_to_redact/,
  })
  t.strictSame(
    stored.slice(0, 3).map(({ state }) => state),
    ['received', 'failed', 'applied'],
  )
  t.match(
    (await deliveriesOf(db, mallory.shopId))[0],
    { id: other, payload: personalWords[0] },
    'no other shop is touched',
  )

  await perform(jobs.applyOrders, [{ shopId, deliveryId: waiting }])
  t.equal((await alice.post('/api/sync/deliveries/replay-failed')).statusCode, 200)
  await applyAll('ORDERS_CREATE')
  t.strictSame(await salesOf(db, shopId), ['gid://platform/Order/1', 'gid://platform/Order/2'])

  await makeWholeDelivery(db, shopId, wholeOrder(5), { state: 'applied' })
  const [single] = await deliverAndApply('CUSTOMERS_REDACT', redaction(shopDomain, [5]))
  t.match(single, {
    reason: 'Redaction for 1 order: personal data was removed from 1 stored update.',
  })

  const list = (await alice.get('/api/sync/deliveries?state=applied')).json()
  t.match(JSON.stringify(list), 'CUSTOMERS_REDACT', 'the merchant sees the request')
  const ofMallory = (await mallory.get('/api/sync/deliveries?state=applied')).body
  t.notMatch(ofMallory, 'CUSTOMERS_REDACT')
})

t.test('a data request leaves a record and a log line; a request of another shop is rejected', async (t) => {
  const captured = await captureLog()
  const { app, db, alice, mallory, applyAll, deliverAndApply } = await startDeliveries(t, {
    log: captured.log,
  })
  const body = (shop_domain: string) => ({
    ...redaction(shop_domain, []),
    orders_requested: [299_938, 820_982_911_946_154_508n.toString()],
    data_request: { id: 9_999 },
  })
  const [own, foreign, broken] = await deliverAndApply(
    'CUSTOMERS_DATA_REQUEST',
    body(alice.shopDomain.toUpperCase()),
    body(mallory.shopDomain),
    { customer: { email: personalWords[2] } },
  )
  t.strictSame(own, {
    state: 'applied',
    reason: 'Data request 9999 for 2 orders: no data of the customer is stored.',
  })
  t.strictSame(foreign, { state: 'rejected', reason: 'The payload does not belong to this shop.' })
  t.match(broken, { state: 'rejected', reason: /Invalid payload/ })
  t.strictSame(await enqueued(db, jobs.recordDataRequests, mallory.shopId), [])

  // the shop of the body, when the header is missing
  const { payload, headers } = sign(mallory, 'customers/data_request', body(mallory.shopDomain))
  const { 'x-platform-shop-domain': _, ...withoutShop } = headers
  t.equal((await deliver(app, { payload, headers: withoutShop })).statusCode, 200)
  await applyAll('CUSTOMERS_DATA_REQUEST', mallory)
  t.match(await deliveriesOf(db, mallory.shopId), [{ state: 'applied', reason: /^Data request 9999/ }])
})
