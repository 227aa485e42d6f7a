import { Type } from '@sinclair/typebox'
import type { Test } from 'tap'
import { buildApp } from '../../../api/app.ts'
import { openDb, row, sql } from '../../../shared/db/db.ts'
import { createPdfRenderer } from '../../../shared/pdf/renderer.ts'
import { enqueue } from '../../../shared/queue/enqueue.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { testConfig, testEnvironment } from '../core/database.ts'
import { keptLog } from '../core/outputs.ts'
import { makePerson } from '../core/people.ts'
import { startMailService } from '../core/worker.ts'
import { servePlatform } from '../platform/platform-server.ts'
import { answerStock } from '../platform/stock-platform.ts'
import { changeStock } from '../platform/stock-pushes.ts'
import { makeDelivery } from '../platform/webhooks.ts'
import { makeOrder, makeSupplier } from './orders.ts'
import { makeStock } from './stock.ts'

const Count = Type.Object({ count: Type.Integer() })
const Job = Type.Object({ id: Type.String() })
const Attempts = Type.Object({ failed: Type.Integer(), most: Type.Integer() })
const Found = Type.Object({ what: Type.String(), found: Type.Number(), wanted: Type.Number() })

/** The daily jobs, which this platform knows nothing of, are left alone. */
const tasks = [jobs.sendPurchaseOrder.name, jobs.applyOrders.name, jobs.pushStock.name]
const isOurs = sql.fragment`task_identifier = any(${sql.array(tasks, 'text')})`
/** Each delivery sells so many. */
export const piecesEach = 2
const variants = 3
const available = 10_000
const places = Array.from({ length: variants }, (_, at) => `${at + 1}/1`)

/** A shop with work of every kind, and what must have come of it in the end, whatever happened on the way. */
export async function openBusyShop(t: Test, url: string) {
  const config = testConfig(url)
  const mailService = await startMailService(t)
  const double = await servePlatform(t)
  const platform = answerStock(double, places, available, () => {})
  const db = await openDb(config, 4)
  const pdf = createPdfRenderer()
  const app = await buildApp({ config, db, log: keptLog(config, 'web'), pdf, isStopping: () => false })
  t.teardown(async () => {
    await app.close()
    await pdf.close()
    await db.end()
  })
  const alice = await makePerson(app, db, 'alice')
  await makeStock(db, alice, { variants, available })
  const supplierId = await makeSupplier(alice)
  // the first order that names a product has it read again, which this platform knows nothing of
  await makeOrder(alice, { supplierId })
  await db.query(sql.typeAlias('void')`
    select from graphile_worker.complete_jobs((select array_agg(id) from graphile_worker.jobs))
  `)
  const wanted = { mails: 0, moved: 0 }

  const count = (query: ReturnType<typeof sql.fragment>) =>
    db.oneFirst(sql.type(row(Count))`select count(*)::int from ${query}`)

  return {
    alice,
    mailService,
    db,
    env: testEnvironment(url, {
      POSTMARK_API_URL: mailService.url,
      PLATFORM_GRAPHQL_URL: double.url,
      LOG_LEVEL: 'info',
    }),
    /** Adds so many jobs of each kind. */
    work: async (counts: { mails: number; deliveries: number; pushes: number }) => {
      for (let number = 0; number < counts.mails; number += 1) {
        const { id } = await makeOrder(alice, { supplierId })
        await alice.post(`/api/purchase-orders/${id}/send`)
      }
      for (let number = 0; number < counts.deliveries; number += 1) {
        const deliveryId = await makeDelivery(db, alice.shopId, { quantity: piecesEach })
        await enqueue(db, jobs.applyOrders, [{ shopId: alice.shopId, deliveryId }])
      }
      for (let number = 0; number < counts.pushes; number += 1) {
        await changeStock(db, alice, [1, 1, 1])
      }
      wanted.mails += counts.mails
      wanted.moved += counts.pushes * variants
    },
    /** Jobs that a worker holds now. */
    running: () =>
      db.anyFirst(sql.type(row(Job))`
        select id::text from graphile_worker.jobs where locked_at is not null and ${isOurs}
      `),
    /** How many of these are not done. */
    left: (ids: readonly string[]) =>
      count(sql.fragment`graphile_worker.jobs where id = any(${sql.array([...ids], 'int8')})`),
    /** Whether all is done; lets a minute pass for mails that nobody knows of, and for what waits. */
    isSettled: async () => {
      await db.query(sql.typeAlias('void')`
        update outgoing_mail set requested_at = requested_at - interval '61 seconds'
        where shop_id = ${alice.shopId} and state = 'unknown'
      `)
      await db.query(sql.typeAlias('void')`
        select from graphile_worker.reschedule_jobs(
          (select array_agg(id) from graphile_worker.jobs where locked_at is null and attempts < max_attempts and ${isOurs}),
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
        select from graphile_worker.jobs where (attempts < max_attempts or locked_at is not null) and ${isOurs}
      `))
    },
    /** Each effect once, nothing lost, nothing dead, and every level the sum of its movements. */
    expectOnce: async () => {
      const { shopId } = alice
      const found = await db.any(sql.type(row(Found))`
        select 'mails sent' as what, count(*)::int as found, ${wanted.mails}::int as wanted
        from outgoing_mail where shop_id = ${shopId} and state = 'sent'
        union all
        select 'pieces sold', coalesce(sum(quantity), 0)::int, (
          select count(*)::int * ${piecesEach} from webhook_delivery where shop_id = ${shopId} and state = 'applied'
        )
        from sale where shop_id = ${shopId}
        union all
        select 'deliveries not applied', count(*)::int, 0
        from webhook_delivery where shop_id = ${shopId} and state <> 'applied'
        union all
        select 'pieces moved', (sum(quantity) - ${variants * available})::int, ${wanted.moved}
        from stock_level where shop_id = ${shopId}
        union all
        select 'pieces in the ledger', (sum(delta) - ${variants * available})::int, ${wanted.moved}
        from stock_movement where shop_id = ${shopId}
        union all
        select 'failed for good', count(*)::int, 0 from graphile_worker.jobs where attempts >= max_attempts and ${isOurs}
        union all
        select 'noted as crashed', count(*)::int, 0 from job_crash where crashes > 2
      `)
      for (const { what, found: is, wanted: should } of found) t.equal(is, should, what)
      const subjects = mailService.mails().map(({ Subject }) => Subject)
      t.equal(subjects.length, wanted.mails, 'mails at the service')
      t.equal(new Set(subjects).size, wanted.mails, 'each once')
      const there = [...platform.levels.values()].reduce((sum, level) => sum + level.available, 0)
      t.equal(there - variants * available, wanted.moved, 'pieces at the platform')
    },
    /**
     * Attempts that ended in a failure, and the highest number of one: a kill burns none. Not of jobs with a key: when
     * one is added while its like runs, the queue itself sets that to its last attempt.
     */
    attempts: () =>
      db.one(sql.type(row(Attempts))`
        select count(*) filter (where state = 'failed')::int as failed, coalesce(max(attempt), 0) as most
        from job_run
        where task = any(${sql.array(tasks, 'text')})
      `),
  }
}
