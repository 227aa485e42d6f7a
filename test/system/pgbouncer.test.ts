import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { withClient } from '../../dev/postgres/database.ts'
import { choosePort } from '../../dev/processes/ports.ts'
import { mintSessionToken } from '../../dev/simulator/session-token.ts'
import { openDb, sql } from '../../shared/db/db.ts'
import { createDatabase, testConfig, testEnvironment, testKeys } from '../support/core/database.ts'
import { makeShop } from '../support/core/people.ts'
import { startProcess, untilListening } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'
import { sign } from '../support/platform/webhooks.ts'

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find((path) =>
  existsSync(path),
)
const skip = program ? false : 'PgBouncer is not installed on this machine'

/** Starts PgBouncer as docs/operations.md configures it, with three server connections. Returns its address. */
async function startPooler(t: Test, databaseUrl: string): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const name = pathname.slice(1)
  const own = await choosePort(0, 'PORT')
  const folder = await mkdtemp(join(tmpdir(), 'quartermaster-pooler-'))
  await chmod(folder, 0o755)
  t.teardown(() => rm(folder, { recursive: true }))
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
${name} = host=${hostname} port=${port} dbname=${name} user=${username} password=${decodeURIComponent(password) || 'none'}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 100
ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,options
`,
  )
  const userOptions = process.getuid?.() === 0 ? ['--user', 'nobody'] : []
  const pooler = spawn(program ?? '', [...userOptions, file], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [pooler.stdout, pooler.stderr]) stream.on('data', (text) => (output += text))
  t.teardown(async () => {
    const ended = once(pooler, 'close')
    if (pooler.exitCode === null && pooler.kill('SIGKILL')) await ended
  })
  await until(() => {
    if (pooler.exitCode !== null) throw new Error(output)
    return /process up/.test(output)
  }, 'PgBouncer listens')
  return `postgres://quartermaster@127.0.0.1:${own}/${name}`
}

t.test('web works through PgBouncer in transaction mode', { skip }, async (t) => {
  const url = await createDatabase()
  const pooled = await startPooler(t, url)
  const db = await openDb(testConfig(url), 2)
  t.teardown(() => db.end())

  await t.test('the log warns about a setting that PgBouncer drops, until the database has it', async (t) => {
    const warning = /sessions lack a setting/
    const setJit = (to: string) =>
      withClient(url, (client) =>
        client.query(`alter database ${new URL(url).pathname.slice(1)} set jit = ${to}`),
      )
    for (const jit of ['on', 'off']) {
      await setJit(jit)
      const pooler = await startPooler(t, url)
      const web = startProcess(t, 'api/server.ts', { ...testEnvironment(pooler), LOG_LEVEL: 'info' })
      await untilListening(web)
      t.equal(warning.test(web.output()), jit === 'on', `jit is ${jit}`)
    }
  })
  const shop = await makeShop(db, 'alice')
  const origins = await Promise.all(
    [1, 2].map(async () => {
      const env = { ...testEnvironment(pooled), LOG_LEVEL: 'info' }
      const web = startProcess(t, 'api/server.ts', env)
      return untilListening(web)
    }),
  )
  const token = await mintSessionToken({
    shop: shop.shopDomain,
    apiKey: testKeys.PLATFORM_API_KEY,
    apiSecret: testKeys.PLATFORM_API_SECRET,
    lifetimeSeconds: 600,
  })
  const post = async (at: number, path: string, body: unknown, key?: string) => {
    const response = await fetch(`${origins[at % 2]}/api${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key && { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
    })
    return { status: response.status, text: await response.text() }
  }
  const supplier = await post(0, '/suppliers', { name: 'Northgate' })
  t.equal(supplier.status, 201, supplier.text)
  const { data }: { data: { id: number } } = JSON.parse(supplier.text)
  const lineItems = [
    {
      productId: 'gid://platform/Product/1',
      variantId: 'gid://platform/ProductVariant/1',
      sku: 'A',
      title: 'A',
      quantity: 1,
      costPrice: 1,
    },
  ]

  await t.test('concurrent transactions do not share a connection', async (t) => {
    const orders = Array.from({ length: 60 }, (_, at) =>
      post(at, '/purchase-orders', { supplierId: data.id, lineItems }),
    )
    t.ok((await Promise.all(orders)).every(({ status }) => status === 201))
    const numbers = await db.anyFirst(sql.unsafe`select po_number from purchase_order order by id`)
    t.equal(new Set(numbers).size, 60)
    t.ok(numbers.includes('PO-00060'), 'the numbers have no gap')
  })

  await t.test('requests with one key run once across processes', async (t) => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, at) => post(at, '/suppliers', { name: 'Once' }, 'one-key-for-all')),
    )
    t.ok(responses.every(({ status }) => status === 201 || status === 409))
    t.equal(await db.oneFirst(sql.unsafe`select count(*)::int from supplier where name = 'Once'`), 1)
  })

  await t.test('webhooks are stored with their jobs', async (t) => {
    const deliveries = Array.from({ length: 40 }, (_, at) => {
      const { headers, payload } = sign(shop, 'PRODUCTS_UPDATE', { id: at + 1, title: `Product ${at}` })
      return fetch(`${origins[at % 2]}/webhooks`, {
        method: 'POST',
        headers,
        body: new Uint8Array(payload),
      })
    })
    t.ok((await Promise.all(deliveries)).every(({ status }) => status === 200))
    t.equal(await db.oneFirst(sql.unsafe`select count(*)::int from webhook_delivery`), 40)
  })
})
