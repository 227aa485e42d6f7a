import type { Test } from 'tap'
import { choosePort } from '../../../dev/processes/ports.ts'
import { type DatabasePool, openDb, sql } from '../../../shared/db/db.ts'
import { shopTables } from '../../../shared/domain/records/shops/shop-tables.ts'
import { createDatabase, testConfig, testEnvironment } from '../core/database.ts'
import { queuedJobs, removeJobs } from '../core/jobs.ts'
import {
  type SupervisedProcess,
  startProcess,
  startSupervised,
  type TestProcess,
  untilListening,
} from '../core/processes.ts'
import { processEnd } from '../core/shared.ts'
import { until } from '../core/until.ts'

type Owner = Pick<Test, 'teardown'>

/** Web and worker as processes with their database, and the port where they expect the simulator. */
export type System = {
  db: DatabasePool
  webUrl: string
  simulatorPort: number
  web: TestProcess
  worker: SupervisedProcess
  /** Starts web again after it has stopped. */
  startWeb: () => Promise<TestProcess>
}

export async function startSystem(owner: Owner): Promise<System> {
  const url = await createDatabase('template', owner)
  const webPort = await choosePort(0, 'PORT')
  const simulatorPort = await choosePort(0, 'SIMULATOR_PORT')
  const webUrl = `http://localhost:${webPort}`
  const simulatorUrl = `http://localhost:${simulatorPort}`
  const env = testEnvironment(url, {
    PORT: String(webPort),
    APP_URL: webUrl,
    POSTMARK_API_URL: simulatorUrl,
    PLATFORM_SHOP_AUTH_URL: `${simulatorUrl}/shops/{shop_domain}/admin/oauth`,
    PLATFORM_GRAPHQL_URL: `${simulatorUrl}/shops/{shop_domain}/admin/api/2026-07/graphql.json`,
    PLATFORM_ADMIN_APP_URL: `${simulatorUrl}/shops/{shop_domain}/admin/apps/{api_key}`,
    PLATFORM_FRAME_ANCESTORS: simulatorUrl,
    PLATFORM_APP_BRIDGE_URL: `${simulatorUrl}/app-bridge.js`,
    PLATFORM_PICTURE_ORIGINS: simulatorUrl,
    LOG_LEVEL: 'info',
  })
  const startWeb = async () => {
    const web = startProcess(owner, 'api/server.ts', env)
    await untilListening(web)
    return web
  }
  const worker = startSupervised(owner, 'worker/main.ts', env)
  const db = await openDb(testConfig(url), 2)
  owner.teardown(() => db.end())
  const web = await startWeb()
  const isWorking = () => db.exists(sql.typeAlias('void')`select from worker_instance`)
  await until(isWorking, 'the worker takes jobs')
  return { db, webUrl, simulatorPort, web, startWeb, worker }
}

let free: System | undefined

/**
 * The system that the test files of this process use one after another, because web and worker start slowly. A test
 * that failed does not return it: after a timeout the test is still running.
 */
export async function lendSystem(borrower: Test): Promise<System> {
  const system = free ?? (await startSystem(processEnd))
  free = undefined
  const { length: exitCount } = system.worker.exits
  borrower.teardown(async () => {
    if (!borrower.passing()) return
    await emptySystem(system)
    const { exits, output } = system.worker
    if (exits.length > exitCount) throw new Error(`The worker ended: ${output().slice(-2000)}`)
    free = system
  })
  return system
}

/** Removes all shops with their jobs and records, so that the ids of the next test begin with 1, too. */
async function emptySystem({ db }: System): Promise<void> {
  await until(async () => {
    await removeJobs(db)
    return (await queuedJobs(db)).length === 0
  }, 'the worker has ended its jobs')
  const tables = sql.join(
    ['shop', ...shopTables].map((table) => sql.identifier([table])),
    sql.fragment`, `,
  )
  await db.query(sql.typeAlias('void')`truncate ${tables} restart identity`)
}
