import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { mintSessionToken } from '../../../dev/simulator/session-token.ts'
import { openDb, sql } from '../../../shared/db/db.ts'
import { readSchemaVersion, requireKnownSchema, schemaVersion } from '../../../shared/db/schema-state.ts'
import { createDatabase, testConfig, testEnvironment, testKeys } from '../../support/core/database.ts'
import { makeShop } from '../../support/core/people.ts'
import { startProcess, startSupervised, untilListening } from '../../support/core/processes.ts'
import { until } from '../../support/core/until.ts'
import { expectPromised, rounds, startClock } from '../../support/faults/faults.ts'
import { locationGid, makeStock, variantGid } from '../../support/make/stock.ts'
import { sign } from '../../support/platform/webhooks.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Checks out the code before the newest change of the schema, a migration or an SQL function, in a temporary folder, with its
 * packages. Returns null without a git history, as in a shallow clone.
 */
async function checkOutPrevious(t: Test): Promise<string | null> {
  const commit = await commitBefore()
  if (commit === null) return null
  const folder = await mkdtemp(join(tmpdir(), 'quartermaster-previous-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, folder], { cwd: root })
  if (await hasSamePackages(folder)) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  else
    await run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit'], {
      cwd: folder,
    })
  return folder
}

async function hasSamePackages(folder: string): Promise<boolean> {
  const [previous, current] = await Promise.all(
    [folder, root].map((path) => readFile(join(path, 'package-lock.json'), 'utf8')),
  )
  return previous === current
}

async function commitBefore(): Promise<string | null> {
  try {
    // the baseline stands for migrations that a database of before has
    const migrations = [':(glob)db/migrations/*.sql', ':(exclude)db/migrations/0118_baseline.sql']
    const functions = ':(glob)shared/domain/**/functions/*.sql'
    // a merge that brought the change counts as its commit
    const newestOf = ['log', '-1', '--format=%H', '--first-parent', '-m', '--diff-filter=AM', '--']
    const changed = [...newestOf, ...migrations, functions]
    const { stdout: newest } = await run('git', changed, { cwd: root })
    const { stdout } = await run('git', ['rev-parse', '--verify', `${newest.trim()}^`], { cwd: root })
    return stdout.trim()
  } catch {
    return null
  }
}

/** Clients that send one request after another, so that a slow machine gets fewer requests instead of a longer queue. */
const clients = rounds(12, 3)
/** Requests of each step of the deploy. */
const requestsOfStep = rounds(200, 30)

t.test(
  'a release with another schema or other SQL functions is deployed while the previous one serves',
  async (t) => {
    const previous = await checkOutPrevious(t)
    if (previous === null) {
      t.plan(0, 'the history of the repository is not here, as in a shallow clone')
      return
    }
    const url = await createDatabase('nothing')
    const env = { ...testEnvironment(url), LOG_LEVEL: 'info' }
    t.equal(await startProcess(t, join(previous, 'db/migrate.ts'), env).ended, 0)
    const db = await openDb(testConfig(url), 2)
    t.teardown(() => db.end())
    await t.rejects(
      requireKnownSchema(db),
      /run "npm run migrate" first/,
      'the database is not that of this release',
    )

    const shop = await makeShop(db, 'alice')
    await makeStock(db, shop)
    const old = await startWeb(t, join(previous, 'api/server.ts'), env)
    const oldWorker = startProcess(t, join(previous, 'worker/main.ts'), env)
    await until(() => db.exists(sql.unsafe`select from worker_instance`), 'the older worker has started')
    const traffic = await startTraffic(t, shop.shopDomain, old.origin)
    await traffic.more(requestsOfStep)
    const slowestBefore = traffic.slowestMs()

    const release = startProcess(t, 'db/migrate.ts', env)
    t.equal(await release.ended, 0, release.output())
    t.equal(await readSchemaVersion(db), schemaVersion)
    await requireKnownSchema(db)
    await traffic.more(requestsOfStep)
    t.equal(oldWorker.child.exitCode, null, 'the older worker keeps running')

    const next = await startWeb(t, 'api/server.ts', env)
    startSupervised(t, 'worker/main.ts', env)
    // the host's router switches, and gets the last responses of the old process, before that stops
    await traffic.goTo(next.origin)
    old.process.kill('SIGTERM')
    oldWorker.kill('SIGTERM')
    t.equal(await old.process.ended, 0, old.process.output().slice(-2_000))
    t.equal(await oldWorker.ended, 0)
    await traffic.more(requestsOfStep)

    const results = await traffic.stop()
    const slowest = traffic.slowestMs()
    t.comment(`${results.length} requests, the slowest ${slowest} ms; before ${slowestBefore} ms`)
    t.strictSame(
      results.filter(({ status }) => status !== 200 && status !== 201),
      [],
      'no request has failed',
    )
    expectPromised(t, 'the additional response time during a deploy', [slowest - slowestBefore], 3_000)
    const created = results.filter(({ status }) => status === 201).length
    t.equal(await db.oneFirst(sql.unsafe`select count(*)::int from supplier`), created)
    await until(
      async () => !(await db.exists(sql.unsafe`select from webhook_delivery where state = 'received'`)),
      'all webhooks are applied',
    )
  },
)

async function startWeb(t: Test, file: string, env: Record<string, string>) {
  const process = startProcess(t, file, env)
  const origin = await untilListening(process)
  return { process, origin }
}

type Result = { what: string; status: number }

/** Sends reads, writes and webhooks all the time. Changes of stock and webhooks call SQL functions. */
async function startTraffic(t: Test, shopDomain: string, first: string) {
  let origin = first
  let count = 0
  let slowestMs = 0
  const { PLATFORM_API_KEY: apiKey, PLATFORM_API_SECRET: apiSecret } = testKeys
  const token = await mintSessionToken({ shop: shopDomain, apiKey, apiSecret, lifetimeSeconds: 600 })
  let pending: Promise<void>[] = []
  let isStopped = false
  const results: Result[] = []

  function requestOf(at: number): [path: string, init: RequestInit] {
    const authorization = { authorization: `Bearer ${token}` }
    if (at % 5 === 0) {
      const body = JSON.stringify({ name: `Supplier ${at}` })
      const headers = { ...authorization, 'content-type': 'application/json' }
      return ['/api/suppliers', { method: 'POST', headers, body }]
    }
    if (at % 5 === 1) {
      const { headers, payload } = sign({ shopDomain }, 'PRODUCTS_UPDATE', { id: at, title: `Product ${at}` })
      return ['/webhooks', { method: 'POST', headers, body: new Uint8Array(payload) }]
    }
    if (at % 5 === 2) {
      const level = { variantId: variantGid(1), locationId: locationGid(1), quantity: at }
      const body = JSON.stringify({ adjustments: [level] })
      const headers = { ...authorization, 'content-type': 'application/json' }
      return ['/api/stock-levels/bulk', { method: 'PUT', headers, body }]
    }
    const path = ['/api/purchase-orders', '/api/products', '/api/stock-levels'][at % 3] ?? ''
    return [path, { headers: authorization }]
  }

  async function send(): Promise<Result> {
    count += 1
    const [path, init] = requestOf(count)
    const sinceRequest = startClock()
    const status = await fetch(`${origin}${path}`, init).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      () => 0,
    )
    slowestMs = Math.max(slowestMs, sinceRequest())
    return { what: `${init.method ?? 'GET'} ${path}`, status }
  }

  async function sendAll(): Promise<void> {
    const sentTo = origin
    while (!isStopped && origin === sentTo) {
      results.push(await send())
      await sleep(20)
    }
  }
  const start = () => {
    pending = Array.from({ length: clients }, sendAll)
  }
  start()
  t.teardown(() => {
    isStopped = true
  })

  return {
    /** Waits for the answers of `count` further requests. */
    more: async (count: number) => {
      const enough = results.length + count
      await until(() => results.length >= enough, 'web answers')
    },
    goTo: async (next: string) => {
      origin = next
      await Promise.all(pending)
      start()
    },
    slowestMs: () => slowestMs,
    stop: async () => {
      isStopped = true
      await Promise.all(pending)
      return results
    },
  }
}
