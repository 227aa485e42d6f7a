import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../shared/db/db.ts'
import { runJobs } from '../../worker/cli/jobs.ts'
import { createDatabase } from '../support/core/database.ts'
import { startSupervised } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'
import { expectPromised, isFull, startClock } from '../support/faults/faults.ts'
import { openBusyShop } from '../support/make/busy-shop.ts'

const behaviours = {
  'responds after 8 s': async (response: ServerResponse) => {
    await sleep(8_000, undefined, { ref: false })
    response.writeHead(503).end()
  },
  'never responds': async () => {},
  'returns 500': async (response: ServerResponse) => response.writeHead(500).end('{"Message":"no"}'),
  'returns garbage': async (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('<html>Welcome to the hotel Wi-Fi'),
}

/** Starts a server that acts as mail service and platform with this behaviour. */
async function startFaultyService(
  t: Test,
  behaviour: (response: ServerResponse) => Promise<unknown>,
): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    void behaviour(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const Ages = Type.Object({ job: Type.Number(), transaction: Type.Number() })
const State = Type.Object({ state: Type.String() })

for (const [name, behaviour] of Object.entries(behaviours)) {
  const skip = !isFull && name !== 'returns garbage' && 'a minute each: npm run test:faults'
  t.test(`a mail service and a platform that ${name} do not delay other work`, { skip }, async (t) => {
    const faultyService = await startFaultyService(t, behaviour)
    const shop = await openBusyShop(t, await createDatabase())
    const { db, alice } = shop
    await shop.work({ mails: 12, deliveries: 0, pushes: 12 })
    const env = { ...shop.env, POSTMARK_API_URL: faultyService, PLATFORM_GRAPHQL_URL: faultyService }
    const worker = startSupervised(t, 'worker/main.ts', env)
    await until(async () => (await shop.running()).length > 0, 'jobs run')
    await shop.work({ mails: 0, deliveries: 60, pushes: 0 })
    const sinceAdded = startClock()
    const [jobAges, transactionAges]: number[][] = [[], []]
    const measure = async () => {
      const { job, transaction } = await db.one(sql.type(row(Ages))`
        select
          (select coalesce(max(extract(epoch from now() - locked_at)), 0) * 1000 from graphile_worker.jobs) as job,
          (
            select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0) * 1000
            from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
          ) as transaction
      `)
      jobAges?.push(Math.round(job))
      transactionAges?.push(Math.round(transaction))
    }
    await until(async () => {
      await measure()
      return !(await db.exists(sql.typeAlias('void')`
        select from webhook_delivery where shop_id = ${alice.shopId} and state = 'received'
      `))
    }, 'the deliveries are applied')
    expectPromised(t, '60 deliveries were applied after', [sinceAdded()], 45_000)
    await until(async () => {
      await measure()
      return (await shop.attempts()).failed > 0
    }, 'a failure is recorded')
    // five attempts of a push, with 10 s each and the delays between them
    expectPromised(t, 'a job was locked', jobAges ?? [], 120_000)
    // no transaction is open during a request to a service
    expectPromised(t, 'a transaction was open', transactionAges ?? [], 3_000)
    const lines: string[] = []
    const output = {
      print: (line: string) => lines.push(line),
      printError: (line: string) => lines.push(line),
    }
    await runJobs(['runs', '--failed', '--json'], shop.env, output)
    t.match(lines.join('\n'), /push-stock.*"error":"[^"]+/, 'the job list shows the error')
    t.equal(worker.exits.length, 0, 'the worker was not restarted')
    const mails = await db.any(sql.type(row(State))`
      select distinct state from outgoing_mail where shop_id = ${alice.shopId}
    `)
    t.comment(`mails are ${mails.map(({ state }) => state).join(', ')}`)
  })
}
