import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { choosePort } from '../../dev/processes/ports.ts'
import { startPlatform } from '../../dev/simulator/server.ts'
import { openDb, row, sql } from '../../shared/db/db.ts'
import { startSync } from '../../shared/domain/exchange/sync/sync.ts'
import { jobs } from '../../shared/queue/jobs.ts'
import { createTokenCipher } from '../../shared/token-cipher.ts'
import { nightly } from '../../worker/schedule.ts'
import { testConfig, testEnvironment, testKeys } from '../support/core/database.ts'
import { makeShop } from '../support/core/people.ts'
import { startOwnPostgres } from '../support/core/postgres.ts'
import { startProcess, startSupervised, untilListening } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'
import { createRandom, isFull, report, startClock } from '../support/faults/faults.ts'
import { expectLedger } from '../support/make/stock.ts'

const operations = 20_000
const kills = 18
const restarts = 8
const clients = 8
/** The seventh attempt of a job comes 18 minutes after the sixth. */
const maxBackOffMs = 1_200_000
const available = 10_000
const products = 4
const variantsPerProduct = 3
const locations = 2

const Level = Type.Object({ variant: Type.String(), location: Type.String(), quantity: Type.Integer() })

const State = Type.Object({ state: Type.String() })

type Random = (below: number) => number

/** The kills of a worker and the restarts of Postgres, in random order. */
const disturbances = shuffled([
  ...Array.from({ length: kills }, () => 'kill' as const),
  ...Array.from({ length: restarts }, () => 'restart' as const),
])

/** The jobs that the schedule enqueues for later hours of the day. */
const scheduledTasks = [
  ...nightly.map(({ job }) => job.name),
  jobs.checkOverduePurchaseOrders.name,
  jobs.startDueSync.name,
]

function shuffled<T>(items: readonly T[]): T[] {
  const random = createRandom(26)
  return items
    .map((item) => ({ item, key: random(1_000_000) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

/** A shop on the simulator, on a Postgres of its own, with web and two workers that are restarted when they end. */
async function startShop(t: Test) {
  const postgres = await startOwnPostgres(t)
  const db = await openDb(testConfig(postgres.database), 2)
  t.teardown(() => db.end())
  const { shopId, shopDomain } = await makeShop(db, 'random')
  const platform = await startPlatform({
    apiKey: testKeys.PLATFORM_API_KEY,
    apiSecret: testKeys.PLATFORM_API_SECRET,
    serverToken: testKeys.POSTMARK_SERVER_TOKEN,
    // fast, so that the run measures our limits and not the platform's
    throttle: { maximum: 100_000, restoreRate: 50_000 },
    retryScale: 0.01,
    shops: [{ domain: shopDomain, generated: { products, variantsPerProduct, locations } }],
  })
  t.teardown(platform.close)
  const shop = platform.shops.get(shopDomain)
  const sealed = createTokenCipher(testKeys).seal(shop.install(), shopDomain)
  await db.query(sql.typeAlias('void')`
    update shop_credential set access_token = ${sealed} where shop_id = ${shopId}
  `)
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)
  const variants = numbers(products).flatMap((product) =>
    numbers(variantsPerProduct).map((slot) =>
      shop.gid('ProductVariant', shop.catalogue.variantId(product, slot)),
    ),
  )
  const places = shop.locations.map(({ id }) => shop.gid('Location', id))
  for (const variant of variants) for (const place of places) shop.setStock(variant, place, available)

  const port = await choosePort(0, 'PORT')
  const origin = `http://localhost:${port}`
  const env = testEnvironment(postgres.database, {
    APP_URL: origin,
    PORT: String(port),
    LOG_LEVEL: 'info',
    RATE_LIMIT_PER_MINUTE: '1000000',
    POSTMARK_API_URL: platform.url,
    PLATFORM_GRAPHQL_URL: `${platform.url}/shops/{shop_domain}/admin/api/2026-07/graphql.json`,
  })
  const web = startProcess(t, 'api/server.ts', env)
  const workers = [startSupervised(t, 'worker/main.ts', env), startSupervised(t, 'worker/main.ts', env)]
  await untilListening(web)
  // also subscribes to the webhooks
  await db.query(sql.typeAlias('void')`
    update webhook_subscription_check set is_complete = false, checked_at = null where shop_id = ${shopId}
  `)
  await db.query(sql.typeAlias('void')`
    select from graphile_worker.add_job('repair-webhook-subscriptions', ${JSON.stringify({ shopId })}::json)
  `)
  await startSync(db, shopId, 'merchant')
  await until(
    async () =>
      (await db.maybeOneFirst(sql.type(row(State))`
        select state from catalog_sync where shop_id = ${shopId} order by id desc limit 1
      `)) === 'done',
    'the shop is read',
  )
  return { db, postgres, platform, shop, shopId, origin, variants, places, workers }
}

type Shop = Awaited<ReturnType<typeof startShop>>

/** A client that repeats a request without an answer, or with 503, under the same idempotency key. */
function createClient({ origin, platform, shop }: Shop, failures: string[]) {
  return async (method: 'GET' | 'POST' | 'PUT', path: string, body: object = {}) => {
    const key = randomUUID()
    for (let tries = 0; tries < 200; tries += 1) {
      const token = await platform.mintSessionToken(shop.domain)
      const response = await fetch(`${origin}/api${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        ...(method !== 'GET' && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(15_000),
      }).catch(() => null)
      const answer = await response?.json().catch(() => null)
      if (!response || !answer || response.status === 503) {
        await sleep(100)
        continue
      }
      // 409 and 422: another client was faster
      if (response.status >= 500 || response.status === 400 || response.status === 404)
        failures.push(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
      return answer.data
    }
    failures.push(`${method} ${path}: no answer`)
    return undefined
  }
}

type Client = ReturnType<typeof createClient>

/** What clients did that the end is compared with. */
type Done = { sentOrders: Set<string>; supplierId: number }

/** One random operation of a merchant or of the platform. */
async function operate(
  { shop, variants, places }: Shop,
  call: Client,
  random: Random,
  done: Done,
): Promise<void> {
  const variantId = variants[random(variants.length)] ?? ''
  const locationId = places[random(places.length)] ?? ''
  const other = places[(places.indexOf(locationId) + 1) % places.length] ?? ''
  const quantity = 1 + random(5)
  switch (random(10)) {
    case 0:
    case 1:
    case 2: {
      const adjustments = [{ variantId, locationId, delta: quantity - 3 || 1 }]
      await call('POST', '/stock-levels/adjust', { adjustments, allowNegative: true })
      return
    }
    case 3: {
      const adjustments = [{ variantId, locationId, quantity: available - 50 + random(100) }]
      await call('PUT', '/stock-levels/bulk', { adjustments })
      return
    }
    case 4:
    case 5:
    case 6:
      shop.placeOrder([{ variantId, quantity, locationId }])
      return
    case 7: {
      const items = [{ variantId, quantity }]
      const route = { sourceLocationId: locationId, destinationLocationId: other }
      const transfer = await call('POST', '/stock-transfers', { ...route, items })
      await call('PUT', `/stock-transfers/${transfer?.id}`, { status: 'in_transit', allowNegative: true })
      await call('PUT', `/stock-transfers/${transfer?.id}`, { status: 'completed' })
      return
    }
    case 8: {
      shop.setStock(variantId, locationId, available - 50 + random(100))
      return
    }
    default: {
      const productId = shop.gid(
        'Product',
        shop.catalogue.productId(Math.floor(variants.indexOf(variantId) / variantsPerProduct)),
      )
      const lineItems = [{ productId, variantId, title: 'Thing', quantity, costPrice: 2 }]
      const order = await call('POST', '/purchase-orders', { supplierId: done.supplierId, lineItems })
      const sent = await call('POST', `/purchase-orders/${order?.id}/send`)
      if (sent) done.sentOrders.add(order.poNumber)
      const { lineItems: lines = [] } = (await call('GET', `/purchase-orders/${order?.id}`)) ?? {}
      await call('POST', `/purchase-orders/${order?.id}/receive`, {
        locationId,
        lineItems: [{ lineItemId: lines[0]?.id, quantityReceived: quantity }],
      })
    }
  }
}

t.test(
  'random operations survive killed workers and restarts of Postgres: nothing is lost or done twice',
  { skip: !isFull && 'npm run test:faults' },
  async (t) => {
    const context = await startShop(t)
    const { db, postgres, platform, shop, shopId, workers } = context
    const failures: string[] = []
    const setUp = createClient(context, failures)
    const supplier = await setUp('POST', '/suppliers', { name: 'Acme', email: 'orders@acme.example.com' })
    const done: Done = { sentOrders: new Set(), supplierId: supplier.id }

    let started = 0
    const work = Array.from({ length: clients }, async (_, number) => {
      const random = createRandom(number + 1)
      const call = createClient(context, failures)
      while (started < operations) {
        started += 1
        await operate(context, call, random, done)
      }
    })
    const disturb = async () => {
      const made = { kill: 0, restart: 0 }
      for (const [at, disturbance] of disturbances.entries()) {
        const next = (operations * (at + 1)) / (disturbances.length + 1)
        await until(() => started >= next, 'clients work', 3_000_000)
        const turn = made[disturbance]++
        if (disturbance === 'kill') workers[turn % workers.length]?.current().kill('SIGKILL')
        else {
          await postgres.stop(turn % 2 === 0 ? 'fast' : 'immediate')
          await sleep(500)
          await postgres.restart()
        }
      }
      t.strictSame(made, { kill: kills, restart: restarts })
    }
    await Promise.all([...work, disturb()])
    t.strictSame(failures.slice(0, 5), [], `${failures.length} unexpected answers`)
    const sinceWork = startClock()
    await platform.settled()

    /** What is not done, also what waits for its next attempt; without the jobs that the schedule planned for later. */
    const listLeft = () =>
      db.anyFirst(sql.type(row(State))`
        select task_identifier || ' ' || coalesce(last_error, '') as state
        from graphile_worker.jobs
        where attempts < max_attempts
          and not (attempts = 0 and run_at > now() and task_identifier = any(${sql.array(scheduledTasks, 'text')}))
        union all
        select 'push ' || state from stock_push where shop_id = ${shopId} and state in ('queued', 'sending')
        union all
        select 'webhook ' || topic from webhook_delivery where shop_id = ${shopId} and state = 'received'
        union all
        select 'mail ' || state from outgoing_mail where shop_id = ${shopId} and settled_at is null
      `)
    let left: readonly string[] = []
    const isEmpty = async () => {
      left = await listLeft().catch(() => ['no answer of Postgres'])
      return left.length === 0
    }
    await until(isEmpty, 'the queue is empty', maxBackOffMs).catch(() => {})
    t.strictSame(left, [], 'the queue is empty')
    report(t, 'until the queue was empty', [sinceWork()])

    const levels = await db.any(sql.type(row(Level))`
      select v.gid as variant, l.gid as location, s.quantity
      from stock_level s
      join variant v on v.shop_id = s.shop_id and v.id = s.variant_id
      join location l on l.shop_id = s.shop_id and l.id = s.location_id
      where s.shop_id = ${shopId}
      order by v.id, l.id
    `)
    t.equal(levels.length, products * variantsPerProduct * locations)
    for (const { variant, location, quantity } of levels)
      t.equal(quantity, shop.stockOf(variant, location), `${variant} at ${location}`)
    await expectLedger(t, db, { shopId })

    const subjects = platform.mails().map(({ Subject }) => Subject)
    const mailsOf = [...done.sentOrders].map(
      (poNumber) => subjects.filter((subject) => subject.includes(poNumber)).length,
    )
    t.ok(mailsOf.length > 0)
    t.strictSame(
      mailsOf.filter((count) => count !== 1),
      [],
      `each of ${mailsOf.length} mails once`,
    )
    const setAside = await db.any(sql.type(row(State))`
      select task_identifier || ': ' || coalesce(last_error, '') as state
      from graphile_worker.jobs where attempts >= max_attempts
    `)
    t.strictSame(setAside, [], 'no job failed for good')
  },
)
