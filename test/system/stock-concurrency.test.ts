import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { mintSessionToken } from '../../dev/simulator/session-token.ts'
import { type Db, openDb, row, sql } from '../../shared/db/db.ts'
import type { StockLevel } from '../../shared/schemas/stock-levels.ts'
import { createDatabase, testConfig, testEnvironment, testKeys } from '../support/core/database.ts'
import { makeShop } from '../support/core/people.ts'
import { startProcess, startSupervised, untilListening } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'
import { createRandom } from '../support/faults/faults.ts'
import { line } from '../support/make/orders.ts'
import {
  expectLedger,
  levelsOf,
  locationGid,
  makeStock,
  movementsOf,
  variantGid,
} from '../support/make/stock.ts'
import { servePlatform, simulateStock } from '../support/platform/platform.ts'
import { sign } from '../support/platform/webhooks.ts'

const [variants, locations, available] = [5, 3, 100]

/** Two web processes on one database, for all tests of this file. */
async function startTwo() {
  const url = await createDatabase()
  const db = await openDb(testConfig(url), 2)
  t.teardown(() => db.end())
  const origins = await Promise.all(
    [1, 2].map(() =>
      untilListening(startProcess(t, 'api/server.ts', { ...testEnvironment(url), LOG_LEVEL: 'info' })),
    ),
  )
  return { db, url, origins }
}
const started = startTwo()

/** A new shop with stock, and a client that can call either process. */
async function openShop() {
  const { db, url, origins } = await started
  const shop = await makeShop(db, 'alice')
  await makeStock(db, shop, { variants, locations, available })
  const token = await mintSessionToken({
    shop: shop.shopDomain,
    apiKey: testKeys.PLATFORM_API_KEY,
    apiSecret: testKeys.PLATFORM_API_SECRET,
    userId: 'alice-1',
    lifetimeSeconds: 600,
  })
  const request = async (
    process: number,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    for (;;) {
      const response = await fetch(`${origins[process % 2]}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      // repeat a request that got no database connection in time, as the 503 response asks; it changed nothing
      if (response.status !== 503) return { status: response.status, text, json: JSON.parse(text) }
      await sleep(Number(response.headers.get('retry-after')) * 100)
    }
  }
  const make = async (path: string, body: unknown): Promise<number> => {
    const { status, text, json } = await request(0, 'POST', path, body)
    if (status !== 201) throw new Error(text)
    return json.data.id
  }
  return { db, url, origins, shop, request, make }
}

type Request = Awaited<ReturnType<typeof openShop>>['request']
/** A request for either process, and its expected statuses. */
type Job = { run: (process: number) => ReturnType<Request>; expected: number[] }

const Deadlocks = Type.Object({ deadlocks: Type.Integer() })
const levelKeys = Array.from(
  { length: variants * locations },
  (_, at) => `${1 + (at % variants)}/${1 + Math.floor(at / variants)}`,
)

/** True when no push and no update of the platform is pending. */
async function isIdle(db: Db, shopId: number): Promise<boolean> {
  return !(await db.exists(sql.typeAlias('void')`
    select from stock_push where shop_id = ${shopId} and state in ('queued', 'sending')
    union all
    select from webhook_delivery where shop_id = ${shopId} and state = 'received'
    union all
    select from stock_level where shop_id = ${shopId} and quantity <> platform_quantity
  `))
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

t.test('200 concurrent stock changes, with orders and rules, lose nothing and do not deadlock', async (t) => {
  const { db, url, origins, shop, request, make } = await openShop()
  const random = createRandom(11)
  const platformServer = await servePlatform(t)
  const platform = simulateStock(
    platformServer,
    levelKeys,
    available,
    (levelKey, level) => void deliverUpdate(levelKey, level),
  )
  const updates: Promise<unknown>[] = []
  function deliverUpdate(
    levelKey: string,
    { available: quantity, updatedAt }: { available: number; updatedAt: string },
  ) {
    const [variant, location] = levelKey.split('/').map(Number)
    const body = {
      inventory_item_id: variant,
      location_id: location,
      available: quantity,
      updated_at: updatedAt,
    }
    const { headers, payload } = sign(shop, 'inventory_levels/update', body)
    const address = `${origins[random(2)]}/webhooks`
    const send = () => fetch(address, { method: 'POST', headers, body: new Uint8Array(payload) })
    // like the platform, which sends a webhook again that a busy process refused
    updates.push(until(async () => (await send()).status !== 503, 'the webhook is not refused'))
  }
  startSupervised(t, 'worker/main.ts', testEnvironment(url, { PLATFORM_GRAPHQL_URL: platformServer.url }))
  const supplierId = await make('/api/suppliers', { name: 'Acme' })
  const orderId = await make('/api/purchase-orders', {
    supplierId,
    lineItems: numbers(variants).map((number) => line(number, { quantity: 1000 })),
  })
  await request(0, 'POST', `/api/purchase-orders/${orderId}/send`)
  const lineItems: { id: number }[] = (await request(0, 'GET', `/api/purchase-orders/${orderId}`)).json.data
    .lineItems

  const work: Job[] = []
  const received = { quantity: 0 }
  for (const at of numbers(60)) {
    const chosen = lineItems.filter(() => random(2) === 1)
    const lines = (chosen.length > 0 ? chosen : lineItems).map(({ id }) => ({
      lineItemId: id,
      quantityReceived: 1 + random(3),
    }))
    received.quantity += lines.reduce((sum, { quantityReceived }) => sum + quantityReceived, 0)
    const body = {
      lineItems: lines.sort(() => random(3) - 1),
      locationId: locationGid(1 + random(locations)),
    }
    work.push({
      run: (process) =>
        request(process, 'POST', `/api/purchase-orders/${orderId}/receive`, body, {
          'idempotency-key': `van-${at}`,
        }),
      expected: [200],
    })
  }
  for (let at = 0; at < 60; at += 1) {
    const adjustments = numbers(4).map(() => ({
      variantId: variantGid(1 + random(variants)),
      locationId: locationGid(1 + random(locations)),
      delta: random(41) - 20,
    }))
    work.push({
      run: (process) => request(process, 'POST', '/api/stock-levels/adjust', { adjustments }),
      expected: [200, 422],
    })
  }
  for (let at = 0; at < 50; at += 1) {
    const source = 1 + random(locations)
    const id = await make('/api/stock-transfers', {
      sourceLocationId: locationGid(source),
      destinationLocationId: locationGid(1 + (source % locations)),
      items: numbers(3).map(() => ({
        variantId: variantGid(1 + random(variants)),
        quantity: 1 + random(9),
      })),
    })
    work.push({
      run: (process) => request(process, 'PUT', `/api/stock-transfers/${id}`, { status: 'completed' }),
      expected: [200, 422],
    })
  }
  for (let at = 0; at < 30; at += 1) {
    const id = await make('/api/stock-counts', {
      locationId: locationGid(1 + random(locations)),
      items: numbers(variants).map((number) => ({
        variantId: variantGid(number),
        countedQuantity: 60 + random(80),
      })),
    })
    work.push({
      run: (process) => request(process, 'PUT', `/api/stock-counts/${id}`, { status: 'submitted' }),
      expected: [200],
    })
  }
  t.equal(work.length, 200)
  await until(
    async () => !(await db.exists(sql.typeAlias('void')`select from stock_count_item where read_at is null`)),
    'the worker has read what the counts expect',
  )
  for (const number of numbers(variants)) {
    for (const location of [null, locationGid(1)]) {
      const rule = { variantId: variantGid(number), supplierId, reorderPoint: 500, reorderQuantity: 20 }
      const id = await make('/api/reorder/rules', { ...rule, locationId: location })
      for (const reorderPoint of [5, 600]) {
        work.push({
          run: (process) => request(process, 'PUT', `/api/reorder/rules/${id}`, { reorderPoint }),
          expected: [200],
        })
      }
    }
  }
  for (let at = 0; at < 5; at += 1) {
    work.push({
      run: (process) => request(process, 'POST', '/api/reorder/purchase-orders', {}),
      expected: [201],
    })
  }

  const sell = () => platform.sell(levelKeys[random(levelKeys.length)] ?? '', 1)
  type Response = Awaited<ReturnType<Request>> & { expected: number[] }
  const responses: Response[] = []
  const left = [...work.sort(() => random(3) - 1).entries()]
  // more clients than both processes have connections, and not so many that a slow machine refuses most requests
  const runAll = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [at, { run, expected }] = next
      sell()
      responses.push({ expected, ...(await run(at)) })
      sell()
    }
  }
  await Promise.all(numbers(30).map(runAll))
  const unexpected = responses.filter(({ status, expected }) => !expected.includes(status))
  t.strictSame(
    unexpected.map(({ text }) => text),
    [],
    'all requests get an expected status, and none fails by a deadlock',
  )
  const refused = responses.filter(({ status }) => status === 422)
  t.ok(refused.every(({ json }) => json.error.code === 'insufficient_stock'))
  t.ok(refused.length < 60, `${refused.length} were refused for insufficient stock`)

  /** A push fails when its level keeps changing; sales have stopped now, so retry it. */
  const retryFailed = async () => {
    const { data: failed }: { data: { id: number }[] } = (
      await request(0, 'GET', '/api/stock-pushes?state=failed')
    ).json
    for (const { id } of failed) await request(0, 'POST', `/api/stock-pushes/${id}/retry`)
  }
  await until(
    async () => {
      await retryFailed()
      await Promise.all(updates.splice(0))
      return updates.length === 0 && (await isIdle(db, shop.shopId))
    },
    'all pushes and updates are done',
    120_000,
  )
  await expectLedger(t, db, shop)
  t.equal(
    (
      await db.one(sql.type(row(Deadlocks))`
    select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()
  `)
    ).deadlocks,
    0,
    'there was no deadlock',
  )
  const movements = await movementsOf(db, shop)
  const sumOf = (kind: string) =>
    movements.filter((movement) => movement.kind === kind).reduce((sum, { delta }) => sum + delta, 0)
  t.equal(sumOf('transfer'), 0, 'transfers conserve the total')
  t.equal(sumOf('receipt'), received.quantity, 'all received units are in stock')
  const levels = Object.values(await levelsOf(db, shop))
  t.equal(
    levels.reduce((sum, [quantity]) => sum + quantity, 0),
    variants * locations * available +
      ['receipt', 'delta', 'count', 'platform'].reduce((sum, kind) => sum + sumOf(kind), 0),
  )
  t.strictSame(
    await levelsOf(db, shop),
    Object.fromEntries(
      levelKeys.map((levelKey) => [levelKey, Array(2).fill(platform.levels.get(levelKey)?.available)]),
    ),
    'the platform has the same quantities',
  )

  const lists = await Promise.all(
    [0, 1].map(async (process) => (await request(process, 'GET', '/api/stock-levels')).text),
  )
  t.equal(lists[0], lists[1], 'both processes return the same levels')
  const shown: StockLevel[] = JSON.parse(lists[0] ?? '').data
  t.strictSame(
    shown.map(({ currentStock }) => currentStock).sort(),
    levels.map(([quantity]) => quantity).sort(),
  )
})

t.test('one receive sent concurrently to both processes with one key makes one receipt', async (t) => {
  const { db, shop, request, make } = await openShop()
  const { orderId, lineItemId } = await sentOrder({ request, make }, 10)
  const body = { lineItems: [{ lineItemId, quantityReceived: 4 }] }
  const responses = await Promise.all(
    numbers(10).map((at) =>
      request(at, 'POST', `/api/purchase-orders/${orderId}/receive`, body, { 'idempotency-key': 'once' }),
    ),
  )
  t.strictSame(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size, 1)
  t.match(responses[0], { status: 200, json: { data: { id: orderId, status: 'partial' } } })
  t.match(await levelsOf(db, shop), { '1/1': [available + 4, available] })
  await request(0, 'POST', `/api/purchase-orders/${orderId}/receive`, body, { 'idempotency-key': 'twice' })
  t.match(
    await levelsOf(db, shop),
    { '1/1': [available + 8, available] },
    'another key makes another receipt',
  )
})

t.test('of two receives that together exceed the outstanding quantity, one succeeds', async (t) => {
  const { db, shop, request, make } = await openShop()
  const { orderId, lineItemId } = await sentOrder({ request, make }, 10)
  const responses = await Promise.all(
    [6, 7].map((quantityReceived, at) =>
      request(at, 'POST', `/api/purchase-orders/${orderId}/receive`, {
        lineItems: [{ lineItemId, quantityReceived }],
      }),
    ),
  )
  t.strictSame(responses.map(({ status }) => status).sort(), [200, 422])
  t.match(responses.find(({ status }) => status === 422)?.json, { error: { code: 'over_receipt' } })
  const [movement, ...others] = await movementsOf(db, shop)
  t.strictSame(others, [])
  t.ok(movement?.delta === 6 || movement?.delta === 7)
  await expectLedger(t, db, shop)
})

async function sentOrder(
  { request, make }: Pick<Awaited<ReturnType<typeof openShop>>, 'request' | 'make'>,
  quantity: number,
) {
  const supplierId = await make('/api/suppliers', { name: 'Acme' })
  const orderId = await make('/api/purchase-orders', { supplierId, lineItems: [line(1, { quantity })] })
  await request(0, 'POST', `/api/purchase-orders/${orderId}/send`)
  const [first] = (await request(0, 'GET', `/api/purchase-orders/${orderId}`)).json.data.lineItems
  return { orderId, lineItemId: first.id as number }
}
