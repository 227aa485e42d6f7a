import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import type { Test } from 'tap'
import { buildApp } from '../../../api/app.ts'
import { type Db, openDb, row, sql } from '../../../shared/db/db.ts'
import { createPdfRenderer } from '../../../shared/pdf/renderer.ts'
import { enqueue } from '../../../shared/queue/enqueue.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { testConfig, testEnvironment } from '../core/database.ts'
import { deadline } from '../core/machine.ts'
import { recordedLog } from '../core/outputs.ts'
import type { Person } from '../core/people.ts'
import { makePerson } from '../core/people.ts'
import { startProcess, untilListening } from '../core/processes.ts'
import { until } from '../core/until.ts'
import { startMailService } from '../core/worker.ts'
import { startClock } from '../faults/faults.ts'
import { servePlatform, simulateStock } from '../platform/platform.ts'
import { changeStock } from '../platform/stock-pushes.ts'
import { makeDelivery, orderBody, sign } from '../platform/webhooks.ts'
import { makeOrder, makeSupplier } from './orders.ts'
import { makeStock } from './stock.ts'

const Count = Type.Object({ count: Type.Integer() })
const Job = Type.Object({ id: Type.String() })
const Attempts = Type.Object({ failed: Type.Integer(), max: Type.Integer() })
const Check = Type.Object({ what: Type.String(), actual: Type.Number(), expected: Type.Number() })

/** Only these jobs count: the mocked platform does not support the requests of the daily jobs. */
const tasks = [jobs.sendPurchaseOrder.name, jobs.applyOrders.name, jobs.pushStock.name]
const isCounted = sql.fragment`task_identifier = any(${sql.array(tasks, 'text')})`
/** The quantity sold by each delivery. */
const unitsPerSale = 2
const variants = 3
const available = 10_000
const places = Array.from({ length: variants }, (_, at) => `${at + 1}/1`)

/** A shop with work of every kind, and the final state that it must reach after any failures. */
export async function openBusyShop(t: Test, url: string) {
  const config = testConfig(url)
  const mailService = await startMailService(t)
  const platformServer = await servePlatform(t)
  const platform = simulateStock(platformServer, places, available, () => {})
  // tests stop Postgres and load the machine: connections open late
  const db = await openDb(config, 4, undefined, 60_000)
  const pdf = createPdfRenderer()
  const log = recordedLog(config, 'web')
  const app = await buildApp({ config, db, log, pdf, isStopping: () => false, handlerTimeoutMs: 120_000 })
  t.teardown(async () => {
    await app.close()
    await pdf.close()
    await db.end()
  })
  const alice = await makePerson(app, db, 'alice')
  await makeStock(db, alice, { variants, available })
  const supplierId = await makeSupplier(alice)
  // the first order of a product enqueues a sync, which the mocked platform does not support
  await makeOrder(alice, { supplierId })
  await db.query(sql.typeAlias('void')`
    select from graphile_worker.complete_jobs((select array_agg(id) from graphile_worker.jobs))
  `)
  const expected = { mails: 0, moved: 0 }

  const count = (query: ReturnType<typeof sql.fragment>) =>
    db.oneFirst(sql.type(row(Count))`select count(*)::int from ${query}`)

  return {
    alice,
    /** Another shop of the same app. */
    addShop: () => makePerson(app, db, 'mallory'),
    mailService,
    platformServer,
    db,
    env: testEnvironment(url, {
      POSTMARK_API_URL: mailService.url,
      PLATFORM_GRAPHQL_URL: platformServer.url,
      LOG_LEVEL: 'info',
    }),
    /** Adds the given numbers of jobs of each kind. */
    work: async (counts: { mails: number; deliveries: number; pushes: number }) => {
      for (let number = 0; number < counts.mails; number += 1) {
        const { id } = await makeOrder(alice, { supplierId })
        await until(async () => {
          const { statusCode, body } = await alice.post(`/api/purchase-orders/${id}/send`)
          // a request that was refused for its time may have sent the order: then the next one answers 409
          if (statusCode === 503) return false
          if (statusCode !== 200 && statusCode !== 409) throw new Error(body)
          return true
        }, 'the order is sent')
      }
      for (let number = 0; number < counts.deliveries; number += 1) {
        const deliveryId = await makeDelivery(db, alice.shopId, { quantity: unitsPerSale })
        await enqueue(db, jobs.applyOrders, [{ shopId: alice.shopId, deliveryId }])
      }
      for (let number = 0; number < counts.pushes; number += 1) {
        await changeStock(db, alice, [1, 1, 1])
      }
      expected.mails += counts.mails
      expected.moved += counts.pushes * variants
    },
    /** The jobs that a worker is running. */
    running: () =>
      db.anyFirst(sql.type(row(Job))`
        select id::text from graphile_worker.jobs where locked_at is not null and ${isCounted}
      `),
    /** How many of these jobs are not done. */
    left: (ids: readonly string[]) =>
      count(sql.fragment`graphile_worker.jobs where id = any(${sql.array([...ids], 'int8')})`),
    /**
     * True when all work is done. Shifts times by a minute for mails with an unknown outcome, and runs waiting jobs
     * now.
     */
    isSettled: async () => {
      await db.query(sql.typeAlias('void')`
        update outgoing_mail set requested_at = requested_at - interval '61 seconds'
        where shop_id = ${alice.shopId} and state = 'unknown'
      `)
      await db.query(sql.typeAlias('void')`
        select from graphile_worker.reschedule_jobs(
          (select array_agg(id) from graphile_worker.jobs where locked_at is null and attempts < max_attempts and ${isCounted}),
          run_at => now()
        )
      `)
      return !(await db.exists(sql.typeAlias('void')`
        select from outgoing_mail where shop_id = ${alice.shopId} and settled_at is null
        union all
        select from webhook_delivery where shop_id = ${alice.shopId} and state = 'received'
        union all
        select from stock_push where shop_id = ${alice.shopId} and state <> 'done'
        union all
        select from graphile_worker.jobs where (attempts < max_attempts or locked_at is not null) and ${isCounted}
      `))
    },
    /**
     * Checks that each effect happened exactly once, that no job failed, and that every level is the sum of its
     * movements.
     */
    expectEachEffectOnce: async ({ mailsOfOthers = 0 } = {}) => {
      const { shopId } = alice
      const checks = await db.any(sql.type(row(Check))`
        select 'mails sent' as what, count(*)::int as actual, ${expected.mails}::int as expected
        from outgoing_mail where shop_id = ${shopId} and state = 'sent'
        union all
        select 'units sold', coalesce(sum(quantity), 0)::int, (
          select count(*)::int * ${unitsPerSale} from webhook_delivery where shop_id = ${shopId} and state = 'applied'
        )
        from sale where shop_id = ${shopId}
        union all
        select 'deliveries not applied', count(*)::int, 0
        from webhook_delivery where shop_id = ${shopId} and state <> 'applied'
        union all
        select 'units moved', (sum(quantity) - ${variants * available})::int, ${expected.moved}
        from stock_level where shop_id = ${shopId}
        union all
        select 'units in the ledger', (sum(delta) - ${variants * available})::int, ${expected.moved}
        from stock_movement where shop_id = ${shopId}
        union all
        select 'jobs failed permanently', count(*)::int, 0 from graphile_worker.jobs where attempts >= max_attempts and ${isCounted}
        union all
        select 'jobs recorded as crashed', count(*)::int, 0 from job_crash where crashes > 2
      `)
      for (const { what, actual, expected: total } of checks) t.equal(actual, total, what)
      const subjects = mailService.mails().map(({ Subject }) => Subject)
      const mails = expected.mails + mailsOfOthers
      t.equal(subjects.length, mails, 'mails at the service')
      t.equal(new Set(subjects).size, mails, 'each mail once')
      const platformTotal = [...platform.levels.values()].reduce((sum, level) => sum + level.available, 0)
      t.equal(platformTotal - variants * available, expected.moved, 'units on the platform')
    },
    /**
     * Failed attempts, and the highest attempt number: a kill must not use up an attempt. Jobs with a key are
     * excluded: when one is added while its predecessor runs, the queue sets the running one to its last attempt.
     */
    attempts: () =>
      db.one(sql.type(row(Attempts))`
        select count(*) filter (where state = 'failed')::int as failed, coalesce(max(attempt), 0) as max
        from job_run
        where task = any(${sql.array(tasks, 'text')})
      `),
  }
}

const State = Type.Object({ state: Type.String() })

export type DeliveryResponse = { status: number; ms: number; webhookId: string }

let nextOrder = 1_000_000

/** Starts web as a process, with a client that delivers webhooks. Status 0 means no response in time. */
export async function startWeb(t: Test, env: Record<string, string>, shop: Pick<Person, 'shopDomain'>) {
  const web = startProcess(t, 'api/server.ts', env)
  const origin = await untilListening(web)
  const acknowledged = new Set<string>()

  async function deliver(): Promise<DeliveryResponse> {
    const order = nextOrder++
    const { headers, payload } = sign(shop, 'orders/create', orderBody(order, [[order, 1, unitsPerSale]]))
    const webhookId = headers['x-platform-webhook-id'] ?? ''
    const sinceRequest = startClock()
    const response = await fetch(`${origin}/webhooks`, {
      method: 'POST',
      headers,
      body: new Uint8Array(payload),
      signal: AbortSignal.timeout(deadline(10_000)),
    }).catch(() => undefined)
    await response?.arrayBuffer()
    const status = response?.status ?? 0
    if (status === 200) acknowledged.add(webhookId)
    return { status, ms: sinceRequest(), webhookId }
  }

  return {
    web,
    acknowledged,
    deliver,
    ready: async () =>
      (await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(deadline(10_000)) })).status,
    /** Delivers continuously. The returned function stops it and returns all responses. */
    deliverSteadily: () => {
      const responses: DeliveryResponse[] = []
      let isStopped = false
      // a test that fails before it stops them would keep its process alive
      t.teardown(() => {
        isStopped = true
      })
      const running = (async () => {
        for (; !isStopped; await sleep(50)) responses.push(await deliver())
      })()
      return async () => {
        isStopped = true
        await running
        return responses
      }
    },
  }
}

/** True when the delivery has been applied; false also while the database is unavailable. */
export const isApplied = (db: Db, webhookId: string) =>
  db
    .maybeOneFirst(sql.type(row(State))`select state from webhook_delivery where webhook_id = ${webhookId}`)
    .then((state) => state === 'applied')
    .catch(() => false)
