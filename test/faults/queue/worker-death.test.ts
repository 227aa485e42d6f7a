import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../shared/db/db.ts'
import { listJobRuns } from '../../../shared/domain/kit/operations/job-runs.ts'
import { startApp } from '../../support/core/app.ts'
import { testEnvironment, useOwnDatabase } from '../../support/core/database.ts'
import { startProcess } from '../../support/core/processes.ts'
import { until } from '../../support/core/until.ts'
import { startMailService } from '../../support/core/worker.ts'
import { rounds } from '../../support/faults/faults.ts'
import { makeOrder, makeSupplier } from '../../support/make/orders.ts'

useOwnDatabase()

const Count = Type.Object({ count: Type.Integer() })

/** Sent orders of alice and a mail service, without a worker yet. */
async function startSending(t: Test, count: number) {
  const { db, url, alice } = await startApp(t)
  const platform = await startMailService(t)
  const supplierId = await makeSupplier(alice)
  const sendOrders = async (howMany: number) => {
    for (let number = 0; number < howMany; number += 1) {
      const { id } = await makeOrder(alice, { supplierId })
      await alice.post(`/api/purchase-orders/${id}/send`)
    }
  }
  // workers of earlier tests were killed, perhaps before they had removed a job that was done
  await db.query(sql.typeAlias('void')`delete from worker_instance`)
  await db.query(sql.typeAlias('void')`
    delete from graphile_worker._private_jobs where locked_at is not null
  `)
  await sendOrders(count)
  const env = testEnvironment(url, { POSTMARK_API_URL: platform.url, LOG_LEVEL: 'info' })
  const mailedOrders = () => platform.mails().map(({ Subject }) => Subject.split(' ')[2] ?? '')
  return {
    db,
    shopId: alice.shopId,
    platform,
    sendOrders,
    mailedOrders,
    startWorker: () => startProcess(t, 'worker/main.ts', env),
    count: (states: string[]) =>
      db.oneFirst(sql.type(row(Count))`
        select count(*) from outgoing_mail
        where shop_id = ${alice.shopId} and state = any(${sql.array(states, 'text')})
      `),
    workers: () => db.oneFirst(sql.type(row(Count))`select count(*) from worker_instance`),
    /** Shifts times by a minute: for the mail service's search, and for jobs that wait for their next attempt. */
    passMinute: async () => {
      await db.query(sql.typeAlias('void')`
        update outgoing_mail set requested_at = requested_at - interval '61 seconds'
        where shop_id = ${alice.shopId} and state = 'unknown'
      `)
      await db.query(sql.typeAlias('void')`
        select from graphile_worker.reschedule_jobs(
          (select array_agg(id) from graphile_worker.jobs where locked_at is null), run_at => now()
        )
      `)
    },
  }
}

t.test('orders are mailed exactly once although their worker is killed repeatedly', async (t) => {
  const orders = rounds(50, 20)
  const { platform, mailedOrders, startWorker, count, passMinute } = await startSending(t, orders)
  // slow enough to be killed at any moment; some mails are accepted without a confirmation
  platform.faults.set({
    mailDelayMs: 120,
    mails: Array.from({ length: rounds(3, 2) }, () => 5).flatMap((times) => [
      { fault: 'accept-drop' as const, times: 1 },
      { fault: 'accept-hang' as const, times },
    ]),
  })
  for (let kills = 0; kills < rounds(6, 3); kills += 1) {
    const worker = startWorker()
    const already = mailedOrders().length
    await until(() => mailedOrders().length > already || already === orders, 'a mail is accepted')
    await sleep(Math.random() * 400)
    worker.kill('SIGKILL')
    await worker.ended
  }
  platform.faults.clear()
  startWorker()
  await until(async () => (await count(['queued', 'sending'])) === 0, 'no mail is unsettled')
  await until(async () => {
    await passMinute()
    await sleep(500)
    return (await count(['sent'])) === orders
  }, 'all mails are settled')
  t.equal(mailedOrders().length, orders)
  t.equal(new Set(mailedOrders()).size, orders, 'each order is mailed once')
})

t.test('a worker takes over the jobs of a killed worker, whose attempt has no row', async (t) => {
  const { db, shopId, platform, mailedOrders, startWorker, count } = await startSending(t, 1)
  platform.faults.set({ mails: [{ fault: 'accept-hang', times: 1 }] })
  const first = startWorker()
  await until(() => mailedOrders().length === 1, 'the mail is accepted')
  startWorker()
  first.kill('SIGKILL')
  await until(async () => (await count(['sent'])) === 1, 'the other worker settles it')
  t.equal(mailedOrders().length, 1, 'the mail was accepted before the kill and is not sent again')
  const workerIds = await until(async () => {
    const runs = await listJobRuns(db, { shopIds: [shopId] }, 100)
    return runs.length > 0 && new Set(runs.map(({ workerId }) => workerId))
  }, 'the attempt is stored')
  t.equal(workerIds.size, 1, 'the attempt of the killed worker has no row')
})

t.test('a worker finishes its running jobs on SIGTERM and exits with 0', async (t) => {
  const { platform, mailedOrders, startWorker, count, workers, db } = await startSending(t, 5)
  platform.faults.set({ mailDelayMs: 1_000 })
  const worker = startWorker()
  await until(async () => (await count(['sending', 'sent'])) > 0, 'the worker sends mails')
  for (let signals = 0; signals < 3; signals += 1) worker.kill('SIGTERM')
  t.equal(await worker.ended, 0)
  t.equal(await count(['sending', 'unknown']), 0)
  t.equal(await count(['sent']), mailedOrders().length)
  t.equal(
    await db.exists(sql.typeAlias('void')`select from graphile_worker.jobs where locked_at is not null`),
    false,
  )
  t.equal(await workers(), 0)
})

t.test('a frozen worker that was removed from the list exits when it resumes', async (t) => {
  const { mailedOrders, startWorker, sendOrders, count, workers } = await startSending(t, 1)
  const frozen = startWorker()
  await until(async () => (await count(['sent'])) === 1, 'the worker works')
  frozen.kill('SIGSTOP')
  startWorker()
  await sendOrders(3)
  await until(async () => (await count(['sent'])) === 4, 'the other worker works')
  await until(async () => (await workers()) === 1, 'the frozen worker is removed')
  frozen.kill('SIGCONT')
  t.equal(await frozen.ended, 1)
  t.equal(mailedOrders().length, 4)
})
