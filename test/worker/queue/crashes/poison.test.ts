import t from 'tap'
import { sql } from '../../../../shared/db/db.ts'
import { listJobRuns } from '../../../../shared/domain/kit/operations/job-runs.ts'
import { enqueue } from '../../../../shared/queue/enqueue.ts'
import { type Delivery, jobs } from '../../../../shared/queue/jobs.ts'
import { beginRequest } from '../../../../shared/telemetry/request-context.ts'
import { runJobs } from '../../../../worker/cli/jobs.ts'
import { startApp } from '../../../support/core/app.ts'
import { testEnvironment, useOwnDatabase } from '../../../support/core/database.ts'
import { startProcess } from '../../../support/core/processes.ts'
import { until } from '../../../support/core/until.ts'
import { mailsOf, makeSentOrder } from '../../../support/make/orders.ts'
import { makeDelivery } from '../../../support/platform/webhooks.ts'

useOwnDatabase()

t.test(
  'a job that is set aside raises an alert, and of a list only the failing delivery is set aside',
  async (t) => {
    const { db, url, alice } = await startApp(t)
    const order = await makeSentOrder(alice)
    const deliveries: Delivery[] = []
    for (let number = 0; number < 3; number += 1) {
      deliveries.push({ shopId: alice.shopId, deliveryId: await makeDelivery(db, alice.shopId) })
    }
    await beginRequest('request-of-all').enter(() => enqueue(db, jobs.applyOrders, deliveries))
    // the state of jobs after a third crash, alone
    await db.query(sql.typeAlias('void')`
    insert into job_crash (job_id, crashes) select id, 3 from graphile_worker.jobs
  `)
    await db.query(sql.typeAlias('void')`
    select from graphile_worker.reschedule_jobs(
      (select array_agg(id) from graphile_worker.jobs), attempts => 11
    )
  `)
    const worker = startProcess(t, 'worker/main.ts', testEnvironment(url, { LOG_LEVEL: 'info' }))
    const isDone = async () => {
      const mails = await mailsOf(db, alice, order.id)
      const waiting = await db.exists(sql.typeAlias('void')`
      select from webhook_delivery where shop_id = ${alice.shopId} and state = 'received'
    `)
      return mails[0]?.state === 'failed' && !waiting
    }
    await until(isDone, 'both are set aside')
    const { data: alerts } = (await alice.get('/api/alerts')).json()
    t.strictSame(
      alerts.map(({ type }: { type: string }) => type),
      ['mail_failed'],
    )
    t.equal(
      await db.exists(sql.typeAlias('void')`
      select from webhook_delivery where shop_id = ${alice.shopId} and state <> 'applied'
    `),
      false,
      'each delivery of the list has its own job',
    )
    worker.kill('SIGTERM')
    t.equal(await worker.ended, 0)
    const runs = await listJobRuns(db, { task: 'apply-orders' }, 10)
    t.strictSame(
      runs.map(({ state, ids }) => [state, ids.requestId]),
      [...deliveries.map(() => ['done', ['request-of-all']]), ['failed', ['request-of-all']]],
      'with the context of the same request',
    )
    const lines: string[] = []
    const print = (line: string) => lines.push(line)
    t.equal(
      await runJobs(['list', '--failed', '--json'], testEnvironment(url), { print, printError: print }),
      0,
    )
    t.match(lines.join('\n'), /send-purchase-order.*The job crashed its process 3 times/)
    t.notMatch(lines.join('\n'), 'apply-orders', 'the list job is done')

    const { id } = JSON.parse(lines.find((line) => line.includes('send-purchase-order')) ?? '{}')
    t.equal(
      await runJobs(['retry', String(id), '--force'], testEnvironment(url), { print, printError: print }),
      0,
    )
    t.equal(
      await db.exists(sql.typeAlias('void')`select from job_crash where job_id = ${id}`),
      false,
      'a retry resets the crash count',
    )
  },
)
