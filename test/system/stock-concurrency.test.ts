import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { mintSessionToken } from '../../dev/simulator/session-token.ts'
import { type Db, openDb, row, sql } from '../../shared/db/db.ts'
import type { StockLevel } from '../../shared/schemas/stock-levels.ts'
import { createDatabase, testConfig, testEnvironment, testKeys } from '../support/core/database.ts'
import { makeShop } from '../support/core/people.ts'
import { startProcess, until } from '../support/core/processes.ts'
import { createRandom } from '../support/core/random.ts'
import { line } from '../support/make/orders.ts'
import {
  expectLedger,
  levelsOf,
  locationGid,
  makeStock,
  movementsOf,
  variantGid,
} from '../support/make/stock.ts'
import { servePlatform } from '../support/platform/platform-server.ts'
import { answerStock } from '../support/platform/stock-platform.ts'
import { sign } from '../support/platform/webhooks.ts'

const [variants, locations, available] = [5, 3, 100]

/** Two web processes on one database, and somebody who asks either. */
async function startTwo(t: Test, env: Record<string, string> = {}) {
  const url = await createDatabase()
  const db = await openDb(testConfig(url), 2)
  t.teardown(() => db.end())
  const shop = await makeShop(db, 'alice')
  await makeStock(db, shop, { variants, locations, available })
  const token = await mintSessionToken({
    shop: shop.shopDomain,
    apiKey: testKeys.PLATFORM_API_KEY,
    apiSecret: testKeys.PLATFORM_API_SECRET,
    userId: 'alice-1',
    lifetimeSeconds: 600,
  })
  const origins = await Promise.all(
    [1, 2].map(async () => {
      const web = startProcess(t, 'api/server.ts', { ...testEnvironment(url, env), LOG_LEVEL: 'info' })
      return until(() => /listening at (http:\/\/[\d.:]+)/.exec(web.output())?.[1], 'web listens')
    }),
  )
  const ask = async (
    process: number,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    for (;;) {
      const answer = await fetch(`${origins[process % 2]}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      // who got no connection in time comes again, as they are told to: nothing was done
      if (answer.status !== 503) return { status: answer.status, text, json: JSON.parse(text) }
      await sleep(Number(answer.headers.get('retry-after')) * 100)
    }
  }
  const make = async (path: string, body: unknown): Promise<number> => {
    const { status, text, json } = await ask(0, 'POST', path, body)
    if (status !== 201) throw new Error(text)
    return json.data.id
  }
  return { db, url, origins, shop, ask, make }
}

type Ask = Awaited<ReturnType<typeof startTwo>>['ask']
/** A step that both processes may be asked for, and what its answer may be. */
type Job = { run: (process: number) => ReturnType<Ask>; expected: number[] }

const Deadlocks = Type.Object({ deadlocks: Type.Integer() })
const places = Array.from(
  { length: variants * locations },
  (_, at) => `${1 + (at % variants)}/${1 + Math.floor(at / variants)}`,
)

/** Nothing waits to be told to the platform, and none of its news to be applied. */
async function isAtRest(db: Db, shopId: number): Promise<boolean> {
  return !(await db.exists(sql.typeAlias('void')`
    select from stock_push where shop_id = ${shopId} and state in ('queued', 'sending')
    union all
    select from webhook_delivery where shop_id = ${shopId} and state = 'received'
    union all
    select from stock_level where shop_id = ${shopId} and quantity <> platform_quantity
  `))
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

t.test(
  '200 changes of stock at once, among orders and rules, lose nothing and block nobody',
  { timeout: 180_000 },
  async (t) => {
    const { db, url, origins, shop, ask, make } = await startTwo(t)
    const random = createRandom(11)
    const double = await servePlatform(t)
    const platform = answerStock(double, places, available, (place, level) => void tell(place, level))
    const told: Promise<unknown>[] = []
    function tell(place: string, { available: pieces, updatedAt }: { available: number; updatedAt: string }) {
      const [variant, location] = place.split('/').map(Number)
      const body = {
        inventory_item_id: variant,
        location_id: location,
        available: pieces,
        updated_at: updatedAt,
      }
      const { headers, payload } = sign(shop, 'inventory_levels/update', body)
      told.push(
        fetch(`${origins[random(2)]}/webhooks`, { method: 'POST', headers, body: new Uint8Array(payload) }),
      )
    }
    startProcess(t, 'worker/main.ts', testEnvironment(url, { PLATFORM_GRAPHQL_URL: double.url }))
    const supplierId = await make('/api/suppliers', { name: 'Acme' })
    const orderId = await make('/api/purchase-orders', {
      supplierId,
      lineItems: numbers(variants).map((number) => line(number, { quantity: 1000 })),
    })
    await ask(0, 'POST', `/api/purchase-orders/${orderId}/send`)
    const lineItems: { id: number }[] = (await ask(0, 'GET', `/api/purchase-orders/${orderId}`)).json.data
      .lineItems

    const work: Job[] = []
    const received = { pieces: 0 }
    for (const at of numbers(60)) {
      const chosen = lineItems.filter(() => random(2) === 1)
      const lines = (chosen.length > 0 ? chosen : lineItems).map(({ id }) => ({
        lineItemId: id,
        quantityReceived: 1 + random(3),
      }))
      received.pieces += lines.reduce((sum, one) => sum + one.quantityReceived, 0)
      const body = {
        lineItems: lines.sort(() => random(3) - 1),
        locationId: locationGid(1 + random(locations)),
      }
      work.push({
        run: (process) =>
          ask(process, 'POST', `/api/purchase-orders/${orderId}/receive`, body, {
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
        run: (process) => ask(process, 'POST', '/api/stock-levels/adjust', { adjustments }),
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
        run: (process) => ask(process, 'PUT', `/api/stock-transfers/${id}`, { status: 'completed' }),
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
        run: (process) => ask(process, 'PUT', `/api/stock-counts/${id}`, { status: 'submitted' }),
        expected: [200],
      })
    }
    t.equal(work.length, 200)
    for (const number of numbers(variants)) {
      for (const location of [null, locationGid(1)]) {
        const rule = { variantId: variantGid(number), supplierId, reorderPoint: 500, reorderQuantity: 20 }
        const id = await make('/api/reorder/rules', { ...rule, locationId: location })
        for (const reorderPoint of [5, 600]) {
          work.push({
            run: (process) => ask(process, 'PUT', `/api/reorder/rules/${id}`, { reorderPoint }),
            expected: [200],
          })
        }
      }
    }
    for (let at = 0; at < 5; at += 1) {
      work.push({
        run: (process) => ask(process, 'POST', '/api/reorder/purchase-orders', {}),
        expected: [201],
      })
    }

    const buying = setInterval(() => platform.sell(places[random(places.length)] ?? '', 1), 20)
    t.teardown(() => clearInterval(buying))
    const answers = await Promise.all(
      work.sort(() => random(3) - 1).map(async ({ run, expected }, at) => ({ expected, ...(await run(at)) })),
    )
    const surprising = answers.filter(({ status, expected }) => !expected.includes(status))
    t.strictSame(
      surprising.map(({ text }) => text),
      [],
      'everybody is answered, and nobody by a deadlock',
    )
    const refused = answers.filter(({ status }) => status === 422)
    t.ok(refused.every(({ json }) => json.error.code === 'insufficient_stock'))
    t.ok(refused.length < 60, `${refused.length} were refused, since there was too little`)

    clearInterval(buying)
    /** A number that kept changing while it was told is left to people: now that nobody buys, one tries again. */
    const tryAgain = async () => {
      const { data: failed }: { data: { id: number }[] } = (
        await ask(0, 'GET', '/api/stock-pushes?state=failed')
      ).json
      for (const { id } of failed) await ask(0, 'POST', `/api/stock-pushes/${id}/retry`)
    }
    await until(async () => {
      await tryAgain()
      await Promise.all(told.splice(0))
      return told.length === 0 && (await isAtRest(db, shop.shopId))
    }, 'all is told, here and there')
    await expectLedger(t, db, shop)
    t.equal(
      (
        await db.one(sql.type(row(Deadlocks))`
    select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()
  `)
      ).deadlocks,
      0,
      'nobody was in the way of another',
    )
    const movements = await movementsOf(db, shop)
    const sumOf = (kind: string) =>
      movements.filter((one) => one.kind === kind).reduce((sum, { delta }) => sum + delta, 0)
    t.equal(sumOf('transfer'), 0, 'transfers conserve the total')
    t.equal(sumOf('receipt'), received.pieces, 'everything received is there')
    const levels = Object.values(await levelsOf(db, shop))
    t.equal(
      levels.reduce((sum, [quantity]) => sum + quantity, 0),
      variants * locations * available +
        ['receipt', 'delta', 'count', 'platform'].reduce((sum, kind) => sum + sumOf(kind), 0),
    )
    t.strictSame(
      await levelsOf(db, shop),
      Object.fromEntries(
        places.map((place) => [place, Array(2).fill(platform.levels.get(place)?.available)]),
      ),
      'the platform has the same',
    )

    const lists = await Promise.all(
      [0, 1].map(async (process) => (await ask(process, 'GET', '/api/stock-levels')).text),
    )
    t.equal(lists[0], lists[1], 'either process says the same')
    const shown: StockLevel[] = JSON.parse(lists[0] ?? '').data
    t.strictSame(
      shown.map(({ currentStock }) => currentStock).sort(),
      levels.map(([quantity]) => quantity).sort(),
    )
  },
)

t.test('one receive sent to both processes at once with one key is one receipt', async (t) => {
  const { db, shop, ask, make } = await startTwo(t)
  const { orderId, lineItemId } = await sentOrder({ ask, make }, 10)
  const body = { lineItems: [{ lineItemId, quantityReceived: 4 }] }
  const answers = await Promise.all(
    numbers(10).map((at) =>
      ask(at, 'POST', `/api/purchase-orders/${orderId}/receive`, body, { 'idempotency-key': 'once' }),
    ),
  )
  t.strictSame(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
  t.match(answers[0], { status: 200, json: { data: { id: orderId, status: 'partial' } } })
  t.match(await levelsOf(db, shop), { '1/1': [available + 4, available] })
  await ask(0, 'POST', `/api/purchase-orders/${orderId}/receive`, body, { 'idempotency-key': 'twice' })
  t.match(await levelsOf(db, shop), { '1/1': [available + 8, available] }, 'another key is another delivery')
})

t.test('of two receives that together exceed what is outstanding, one succeeds', async (t) => {
  const { db, shop, ask, make } = await startTwo(t)
  const { orderId, lineItemId } = await sentOrder({ ask, make }, 10)
  const answers = await Promise.all(
    [6, 7].map((quantityReceived, at) =>
      ask(at, 'POST', `/api/purchase-orders/${orderId}/receive`, {
        lineItems: [{ lineItemId, quantityReceived }],
      }),
    ),
  )
  t.strictSame(answers.map(({ status }) => status).sort(), [200, 422])
  t.match(answers.find(({ status }) => status === 422)?.json, { error: { code: 'over_receipt' } })
  const [movement, ...others] = await movementsOf(db, shop)
  t.strictSame(others, [])
  t.ok(movement?.delta === 6 || movement?.delta === 7)
  await expectLedger(t, db, shop)
})

async function sentOrder(
  { ask, make }: Pick<Awaited<ReturnType<typeof startTwo>>, 'ask' | 'make'>,
  quantity: number,
) {
  const supplierId = await make('/api/suppliers', { name: 'Acme' })
  const orderId = await make('/api/purchase-orders', { supplierId, lineItems: [line(1, { quantity })] })
  await ask(0, 'POST', `/api/purchase-orders/${orderId}/send`)
  const [first] = (await ask(0, 'GET', `/api/purchase-orders/${orderId}`)).json.data.lineItems
  return { orderId, lineItemId: first.id as number }
}
