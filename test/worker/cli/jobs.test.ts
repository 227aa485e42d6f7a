import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { type Db, openDb, row, sql } from '../../../shared/db/db.ts'
import { storeJobRuns } from '../../../shared/domain/kit/operations/job-runs.ts'
import { cancelQueueJobs, retryQueueJobs } from '../../../shared/domain/kit/operations/jobs.ts'
import { commands, runJobs } from '../../../worker/cli/jobs.ts'
import { createDatabase, testConfig, testEnvironment, testKeys } from '../../support/core/database.ts'
import { daysAgo } from '../../support/core/instants.ts'
import { queuedJobs } from '../../support/core/jobs.ts'
import { makeShop } from '../../support/core/people.ts'
import { runCommand } from '../../support/core/processes.ts'
import { makeDelivery } from '../../support/platform/webhooks.ts'

/** Runs the command as developers do. */
function spawnJobs(url: string, ...args: string[]) {
  const { status, stdout, stderr } = runCommand('worker/cli/jobs.ts', testEnvironment(url), args)
  return { status, lines: stdout.split('\n').filter(Boolean), stderr, stdout }
}

/** Runs the command in this process, which is five times as fast as another process. */
async function callJobs(url: string, ...args: string[]) {
  const [printed, errors]: [string[], string[]] = [[], []]
  const output = {
    print: (line: string) => printed.push(line),
    printError: (line: string) => errors.push(line),
  }
  const status = await runJobs(args, testEnvironment(url), output)
  const [stdout, stderr] = [printed.join('\n'), errors.join('\n')]
  const lines = stdout.split('\n').filter(Boolean)
  return { status, lines, stderr, stdout, records: () => lines.map((line) => JSON.parse(line)) }
}

/** A database with two shops, and the command on it. */
async function start(t: Test) {
  const url = await createDatabase()
  const db = await openDb(testConfig(url), 2)
  t.teardown(() => db.end())
  const [alice, mallory] = [await makeShop(db, 'alice'), await makeShop(db, 'mallory')]
  const jobs = (...args: string[]) => callJobs(url, ...args)
  const list = async (...args: string[]) => {
    const { records } = await jobs(...args, '--json')
    return records()
  }
  return {
    url,
    db,
    alice,
    mallory,
    jobs,
    list,
    ids: async (...args: string[]) => (await list(...args)).map(({ id }) => id),
  }
}

type JobFields = { attempts?: number; error?: string; runIn?: string; lockedBy?: string; changed?: string }

/** Makes a job in the state after some attempts. Returns its id. */
async function makeJob(
  db: Db,
  task: string,
  payload: unknown,
  { attempts = 0, error, runIn = '0', lockedBy, changed = '0' }: JobFields = {},
): Promise<number> {
  const { id } = await db.one(sql.typeAlias('id')`
    select id from graphile_worker.add_job(
      ${task}, ${JSON.stringify(payload)}::json, run_at => now() + ${runIn}::interval, max_attempts => 12
    )
  `)
  await db.query(sql.typeAlias('void')`
    update graphile_worker._private_jobs
    set attempts = ${attempts}, last_error = ${error ?? null}, locked_by = ${lockedBy ?? null},
      locked_at = case when ${lockedBy ?? null}::text is not null then now() end, updated_at = now() - ${changed}::interval
    where id = ${id}
  `)
  return id
}

const State = Type.Object({ attempts: Type.Integer(), isDue: Type.Boolean(), lastError: Type.Unknown() })

const jobOf = (db: Db, id: number) =>
  db.maybeOne(sql.type(row(State))`
    select attempts, run_at <= now() as is_due, last_error from graphile_worker.jobs where id = ${id}
  `)

async function makeWorker(db: Db, poolId: string, silent = '0'): Promise<string> {
  const id = randomUUID()
  await db.query(sql.typeAlias('void')`
    insert into worker_instance (id, pool_ids, last_seen_at) values (${id}, array[${poolId}], now() - ${silent}::interval)
  `)
  return id
}

/** Makes an order's mail with its job. Returns the job's id. */
async function makeMailJob(
  db: Db,
  shopId: number,
  mail: { state: string; isSettled: boolean },
): Promise<number> {
  const { id } = await db.one(sql.typeAlias('id')`
    with s as (insert into supplier (shop_id, name) values (${shopId}, 'Acme') returning id),
    o as (
      insert into purchase_order (shop_id, supplier_id, number, created_by)
      select ${shopId}, id, id, 'alice-1' from s
      returning id
    )
    insert into outgoing_mail (shop_id, purchase_order_id, send_no, recipient, state, created_by, settled_at)
    select ${shopId}, id, 1, 'bob@acme.example.com', ${mail.state}, 'alice-1', case when ${mail.isSettled} then now() end
    from o
    returning id
  `)
  return makeJob(
    db,
    'send-purchase-order',
    { shopId, outgoingMailId: id },
    { attempts: 12, error: 'no luck' },
  )
}

t.test('list filters jobs by their properties, of all shops or of one', async (t) => {
  const { url, db, alice, mallory, jobs, ids } = await start(t)
  const [{ shopId }, other] = [alice, mallory.shopId]
  const worker = await makeWorker(db, 'pool-1')
  const dead = await makeJob(
    db,
    'push-stock',
    { shopId },
    { attempts: 12, error: 'The platform said 503', changed: '3 days' },
  )
  const running = await makeJob(
    db,
    'sync-product',
    { shopId, productGid: 'gid://platform/Product/7' },
    { attempts: 1, lockedBy: 'pool-1' },
  )
  const list = await makeJob(
    db,
    'apply-orders',
    [
      { shopId, deliveryId: 1 },
      { shopId, deliveryId: 2 },
      { shopId: other, deliveryId: 3 },
    ],
    { attempts: 2, error: 'deadlock detected', runIn: '1 hour' },
  )
  const otherShops = await makeJob(
    db,
    'push-stock',
    { shopId: other },
    { attempts: 12, error: 'platform SAID no' },
  )
  const withoutShop = await makeJob(db, 'prune', {})

  t.strictSame(await ids('list'), [withoutShop, otherShops, list, running, dead], 'the newest first')
  t.strictSame(await ids('list', '--failed'), [otherShops, dead])
  t.strictSame(await ids('list', '--running'), [running])
  t.strictSame(await ids('list', '--waiting'), [withoutShop, list])
  t.strictSame(await ids('list', '--task', 'push-stock'), [otherShops, dead])
  t.strictSame(await ids('list', '--shop', alice.shopDomain), [list, running, dead])
  t.strictSame(
    await ids('list', '--shop', mallory.shopDomain),
    [otherShops, list],
    'a delivery list belongs to each of its shops',
  )
  t.strictSame(await ids('list', '--error', 'platform said'), [otherShops, dead])
  t.strictSame(await ids('list', '--failed', '--since', '2d'), [otherShops])
  t.strictSame(await ids('list', '--limit', '2'), [withoutShop, otherShops])

  const { status, lines } = spawnJobs(url, 'list')
  t.equal(status, 0)
  t.ok(
    lines.every((line) => line.length <= 100),
    'the table fits 100 columns',
  )
  t.match(lines[0], /^ID +TASK +STATE +TRIES +WHEN +SHOP +WHAT +ERROR$/)
  t.match(lines[3], / apply-orders +waiting +2\/12 +in (5\dm|1h) +alice.* deliveryI.*deadlock/)
  t.match(lines[4], / sync-product +running +1\/12 +for /)
  t.match((await jobs('list', '--limit', '2')).lines.at(-1), /more than these 2/)
  t.match((await jobs('list', '--running', '--json')).records(), [
    {
      id: running,
      task: 'sync-product',
      workerId: worker,
      ids: { productGid: 'gid://platform/Product/7' },
      shops: [alice.shopDomain],
    },
  ])
  t.match(spawnJobs(url, 'list', '--task', 'send-purchase-order'), { status: 1, lines: ['Nothing matches.'] })
})

t.test(
  'the output contains no secrets, personal data or control characters of payloads and errors',
  async (t) => {
    const { db, alice, jobs } = await start(t)
    const { shopId } = alice
    const error = `No luck for bob@acme.example.com\n\u001b[2Jwith ${testKeys.POSTMARK_SERVER_TOKEN}`
    const id = await makeJob(
      db,
      'push-stock',
      { shopId, note: 'Bob Miller', key: testKeys.PLATFORM_API_SECRET },
      { attempts: 12, error },
    )
    for (const args of [['list'], ['list', '--json'], ['show', String(id)], ['show', String(id), '--json']]) {
      const { status, stdout } = await jobs(...args)
      t.equal(status, 0)
      t.match(stdout, 'No luck', args.join(' '))
      t.notMatch(stdout, /bob@|Miller|test-|\u001b/, args.join(' '))
    }
  },
)

t.test('a job without attempts left stays, and retry resets its attempts', async (t) => {
  const { db, alice, jobs } = await start(t)
  const { shopId } = alice
  const dead = await makeJob(db, 'push-stock', { shopId }, { attempts: 12, error: 'no luck' })
  t.match((await jobs('list', '--failed')).lines[1], /push-stock +failed +12\/12/)
  const { status, lines } = await jobs('retry', String(dead))
  t.equal(status, 0)
  t.equal(lines.at(-1), 'Retried 1 of 1.')
  t.match(await jobOf(db, dead), { attempts: 0, isDue: true })
  t.equal((await jobs('list', '--failed')).status, 1)
})

t.test('several jobs need --yes, and running jobs are skipped with a message', async (t) => {
  const { db, alice, mallory, jobs } = await start(t)
  const { shopId } = alice
  const first = await makeJob(db, 'push-stock', { shopId }, { attempts: 12, error: 'no luck' })
  const second = await makeJob(
    db,
    'push-stock',
    { shopId },
    { attempts: 3, error: 'no luck', runIn: '1 hour' },
  )
  const running = await makeJob(db, 'push-stock', { shopId }, { attempts: 1, lockedBy: 'pool-1' })
  const otherShops = await makeJob(
    db,
    'push-stock',
    { shopId: mallory.shopId },
    { attempts: 12, error: 'no luck' },
  )

  const dry = await jobs('retry', '--shop', alice.shopDomain)
  t.equal(dry.lines.length, 5)
  t.match(dry.lines.slice(-2), [
    `Job ${running} is left alone: it is running`,
    'Nothing was changed. To retry these 2, add --yes.',
  ])
  t.match(await jobOf(db, first), { attempts: 12 })

  const real = await jobs('retry', '--shop', alice.shopDomain, '--yes', '--json')
  t.equal(real.status, 1, 'one job could not be changed')
  t.match(real.records(), [
    { id: second, outcome: 'retry' },
    { id: first, outcome: 'retry' },
    { id: running, outcome: 'left alone', reason: /^it is running/ },
  ])
  for (const id of [first, second]) t.match(await jobOf(db, id), { attempts: 0, isDue: true })
  t.match(await jobOf(db, running), { attempts: 1 })
  t.match(await jobOf(db, otherShops), { attempts: 12 }, 'jobs of the other shop are unchanged')
  // a job that a worker takes between the selection and the change
  t.strictSame(await retryQueueJobs(db, [first, running, 4711]), [first])
  t.strictSame(await cancelQueueJobs(db, [first, running, 4711]), [first])

  t.match(await jobs('retry', '4711'), {
    status: 1,
    lines: [/^Job 4711 is left alone: it is not in the queue/, 'Retried 0 of 1.'],
  })
  t.match(await jobs('retry', '--task', 'prune'), { status: 1, lines: ['Nothing matches.'] })
})

t.test('a cancelled job counts as permanently failed, and a job with other shops is skipped', async (t) => {
  const { db, alice, mallory, jobs } = await start(t)
  const { shopId } = alice
  const waiting = await makeJob(db, 'sync-product', { shopId, productGid: 'gid://platform/Product/7' })
  const running = await makeJob(db, 'push-stock', { shopId }, { attempts: 1, lockedBy: 'pool-1' })
  const dead = await makeJob(db, 'push-stock', { shopId }, { attempts: 12, error: 'no luck' })
  const shared = await makeJob(db, 'apply-orders', [
    { shopId, deliveryId: 1 },
    { shopId: mallory.shopId, deliveryId: 2 },
  ])

  const { status, lines } = await jobs('cancel', '--shop', alice.shopDomain, '--yes')
  t.equal(status, 1)
  t.match(lines.slice(2), [
    `Job ${shared} is left alone: it works for other shops, too; give its id to cancel it.`,
    `Job ${dead} is left alone: it has failed for good already.`,
    `Job ${running} is left alone: it is running`,
    'Cancelled 1 of 4.',
  ])
  t.match(await jobOf(db, waiting), { attempts: 12, lastError: 'cancelled by hand' })
  t.match(await jobOf(db, running), { attempts: 1, lastError: null })
  t.match(await jobOf(db, dead), { lastError: 'no luck' })
  t.match(await jobOf(db, shared), { attempts: 0 })
  t.equal((await jobs('cancel', String(shared))).status, 0)
  t.match(await jobOf(db, shared), { attempts: 12 })
})

t.test('a job with a recorded effect is retried only with --force', async (t) => {
  const { db, alice, jobs } = await start(t)
  const { shopId } = alice
  const sent = await makeMailJob(db, shopId, { state: 'sent', isSettled: true })
  const queued = await makeMailJob(db, shopId, { state: 'queued', isSettled: false })
  const [applied, failed] = [
    await makeDelivery(db, shopId, { state: 'applied' }),
    await makeDelivery(db, shopId, { state: 'failed' }),
  ]
  const dead = { attempts: 12, error: 'no luck' }
  const allApplied = await makeJob(db, 'apply-orders', [{ shopId, deliveryId: applied }], dead)
  const oneUnsettled = await makeJob(
    db,
    'apply-orders',
    [
      { shopId, deliveryId: applied },
      { shopId, deliveryId: failed },
    ],
    dead,
  )

  t.match((await jobs('show', String(sent))).stdout, /effect +recorded already: its mail is settled: sent/)
  const { status, lines } = await jobs('retry', '--failed', '--yes')
  t.equal(status, 1)
  t.match(lines.slice(-3), [
    `Job ${allApplied} is left alone: its effect is recorded already, its deliveries are settled: applied; see --force.`,
    `Job ${sent} is left alone: its effect is recorded already, its mail is settled: sent; see --force.`,
    'Retried 2 of 4.',
  ])
  for (const id of [queued, oneUnsettled]) t.match(await jobOf(db, id), { attempts: 0 })
  for (const id of [sent, allApplied]) t.match(await jobOf(db, id), { attempts: 12 })
  t.equal((await jobs('retry', String(sent), '--force')).status, 0)
  t.match(await jobOf(db, sent), { attempts: 0 })
})

const Delivery = Type.Object({ state: Type.String(), reason: Type.String(), isSettled: Type.Boolean() })
const deliveryOf = (db: Db, id: number) =>
  db.maybeOne(sql.type(row(Delivery))`
    select state, reason, settled_at is not null as is_settled from webhook_delivery where id = ${id}
  `)
const payloads = async (db: Db) => (await queuedJobs(db)).map(({ payload }) => payload)

t.test('deliveries are listed and replayed by new jobs', async (t) => {
  const { db, alice, mallory, jobs, ids } = await start(t)
  const { shopId, shopDomain } = alice
  const [failed, applied, received] = [
    await makeDelivery(db, shopId, { state: 'failed', reason: 'no luck' }),
    await makeDelivery(db, shopId, { state: 'applied' }),
    await makeDelivery(db, shopId),
  ]
  const otherShops = await makeDelivery(db, mallory.shopId, { state: 'failed' })
  await db.query(
    sql.typeAlias(
      'void',
    )`update webhook_delivery set received_at = now() - interval '3 days' where id = ${failed}`,
  )

  t.strictSame(await ids('deliveries'), [otherShops, received, applied, failed])
  t.strictSame(await ids('deliveries', '--failed'), [otherShops, failed])
  t.strictSame(await ids('deliveries', '--shop', shopDomain), [received, applied, failed])
  t.strictSame(await ids('deliveries', '--since', '2d', '--topic', 'orders/create', '--failed'), [otherShops])
  const table = await jobs('deliveries')
  t.ok(table.lines.every((line) => line.length <= 100))
  t.notMatch(table.stdout, /line_items/)
  t.equal((await jobs('deliveries', '--topic', 'PRODUCTS_UPDATE')).status, 1)

  t.match(await jobs('replay', String(otherShops), '--shop', shopDomain), {
    status: 1,
    lines: [`Delivery ${otherShops} is left alone: the shop has no such delivery.`, 'Replayed 0 of 1.'],
  })
  t.match(await jobs('replay', String(failed), '--shop', shopDomain), { status: 0 })
  t.strictSame(await deliveryOf(db, failed), { state: 'received', reason: '', isSettled: false })
  t.strictSame(await payloads(db), [[{ shopId, deliveryId: failed }]])
  t.match(await deliveryOf(db, otherShops), { state: 'failed' })

  const refused = await jobs('replay', String(applied), '--shop', shopDomain)
  t.match(refused, { status: 1, lines: [/it is applied already; see --force/, 'Replayed 0 of 1.'] })
  t.match(await deliveryOf(db, applied), { state: 'applied' })
  t.equal((await jobs('replay', String(applied), '--shop', shopDomain, '--force')).status, 0)
  t.match(await deliveryOf(db, applied), { state: 'received' })
  t.equal((await payloads(db)).length, 2)

  t.match(
    (await jobs('replay', '--topic', 'ORDERS_CREATE')).lines.at(-1),
    /Nothing was changed. To replay these 4/,
  )
  t.equal((await payloads(db)).length, 2)
  await db.query(sql.typeAlias('void')`update shop set uninstalled_at = now() where id = ${mallory.shopId}`)
  const all = await jobs('replay', '--topic', 'ORDERS_CREATE', '--yes')
  t.match(all.lines.slice(-2), [
    `Delivery ${otherShops} is left alone: the shop has uninstalled the app.`,
    'Replayed 3 of 4.',
  ])
  t.equal(all.status, 1)
  t.equal((await payloads(db)).length, 5, 'each delivery has its own job')
})

t.test('runs lists attempts, also of finished jobs', async (t) => {
  const { db, alice, mallory, jobs, list } = await start(t)
  const run = { attempt: 1, maxAttempts: 12, ids: {}, error: '', startedAt: new Date(), ms: 1_500 }
  await storeJobRuns(db, randomUUID(), [
    { ...run, jobId: '41', task: 'push-stock', shopId: alice.shopId, state: 'failed', error: 'no luck' },
    { ...run, jobId: '41', task: 'push-stock', shopId: alice.shopId, state: 'done', attempt: 2 },
    {
      ...run,
      jobId: '42',
      task: 'apply-orders',
      shopId: mallory.shopId,
      state: 'done',
      ids: { deliveryId: [1, 2] },
    },
    {
      ...run,
      jobId: '43',
      task: 'prune',
      shopId: null,
      state: 'done',
      startedAt: daysAgo(3),
    },
  ])
  const listed = async (...args: string[]) =>
    (await list('runs', ...args)).map(({ jobId, state }) => `${jobId} ${state}`)
  t.strictSame(await listed(), ['43 done', '42 done', '41 done', '41 failed'])
  t.strictSame(await listed('--failed'), ['41 failed'])
  t.strictSame(await listed('--task', 'apply-orders'), ['42 done'])
  t.strictSame(await listed('--shop', alice.shopDomain), ['41 done', '41 failed'])
  t.strictSame(await listed('--since', '1h'), ['42 done', '41 done', '41 failed'])
  t.strictSame(await listed('--error', 'LUCK'), ['41 failed'])
  const { lines } = await jobs('runs')
  t.ok(lines.every((line) => line.length <= 100))
  t.match(lines[2], /42 +apply-orders +done +1\/12 .* 1500 +mallory.*deliveryI/)

  const shown = await jobs('show', '41')
  t.equal(shown.status, 0)
  t.match(shown.lines, [
    'Job 41 is not in the queue: it is done.',
    /^JOB/,
    /push-stock +done/,
    /push-stock +failed.*no luck/,
  ])
  t.match(await jobs('show', '4711'), {
    status: 1,
    lines: ['Job 4711 is not in the queue and has no attempts.'],
  })
})

t.test('stats counts waiting, due and failed jobs, deliveries and workers', async (t) => {
  const { db, alice, jobs } = await start(t)
  const { shopId } = alice
  t.match((await jobs('stats')).lines, [
    'The queue is empty.',
    'No deliveries are stored.',
    'No worker is running.',
  ])
  // the command may start only after the seconds in which a worker counts as alive
  const [alive, silent] = [
    await makeWorker(db, 'pool-1', '-10 minutes'),
    await makeWorker(db, 'pool-2', '1 minute'),
  ]
  await makeJob(db, 'push-stock', { shopId }, { runIn: '-90 minutes' })
  await makeJob(db, 'push-stock', { shopId }, { attempts: 1, error: 'no luck', runIn: '1 hour' })
  await makeJob(db, 'push-stock', { shopId }, { attempts: 12, error: 'no luck' })
  await makeJob(db, 'push-stock', { shopId }, { attempts: 1, lockedBy: 'pool-1' })
  await makeDelivery(db, shopId)
  const { status, lines } = await jobs('stats')
  t.equal(status, 0)
  t.match(lines, [
    /^TASK +WAITING +DUE +OLDEST DUE +RUNNING +FAILED +RETRIES$/,
    /^push-stock +2 +1 +1h +1 +1 +1$/,
    /^DELIVERIES/,
    /^received +1 /,
    /^WORKER/,
    new RegExp(`^${alive} +alive .* 1$`),
    new RegExp(`^${silent} +silent .* 0$`),
  ])
  t.match((await jobs('stats', '--json')).records(), [
    { kind: 'task', task: 'push-stock', waiting: 2, due: 1, running: 1, failed: 1, retries: 1 },
    { kind: 'deliveries', state: 'received', count: 1 },
    { kind: 'worker', id: alive, isSilent: false, running: 1 },
    { kind: 'worker', id: silent, isSilent: true },
  ])
})

t.test('invalid commands print an error and exit with 2', async (t) => {
  const { url, jobs } = await start(t)
  const cases: [string[], RegExp][] = [
    [['mend'], /Unknown command "mend"/],
    [['list', '--failed', '--running'], /cannot be combined/],
    [['list', '--since', 'yesterday'], /--since must be 30m/],
    [['list', '--limit', 'all'], /positive whole number/],
    [['list', '42'], /Unexpected argument "42"/],
    [['list', '--yes'], /--yes/],
    [['list', '--shop', 'nobody.myshop.example'], /never been installed in nobody/],
    [['show'], /id of one job/],
    [['retry'], /Give either job ids or filter options/],
    [['retry', '42', '--failed'], /not both/],
    [['retry', 'x42'], /An id must be/],
    [['replay', '42'], /--shop/],
  ]
  for (const [args, printed] of cases) {
    const { status, stderr, stdout } = await jobs(...args)
    t.equal(status, 2, args.join(' '))
    t.match(stderr, printed)
    t.equal(stdout, '')
  }
  t.match(spawnJobs(url, 'mend'), { status: 2, stderr: /Unknown command "mend"/ })
  const unreachable = spawnJobs('postgres://app:planted-password@127.0.0.1:1/quartermaster', 'list')
  t.equal(unreachable.status, 2)
  t.notMatch(unreachable.stderr, 'planted-password')
  t.match(await callJobs(await createDatabase('nothing'), 'stats'), { status: 2, stderr: /npm run migrate/ })
})

t.test('every command has a help text', async (t) => {
  const { url, jobs } = await start(t)
  const { status, stdout } = spawnJobs(url, '--help')
  t.equal(status, 0)
  for (const { name } of commands) {
    t.match(stdout, `npm run jobs -- ${name}`)
    const help = await jobs(name, '--help')
    t.equal(help.status, 0)
    t.match(help.stdout, '--json')
    t.notMatch(`${stdout}\n${help.stdout}`, /^.{101}/m)
  }
})
