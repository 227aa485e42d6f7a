import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { buildApp } from '../../api/app.ts'
import { startPlatform } from '../../dev/simulator/server.ts'
import { openDb, row, sql } from '../../shared/db/db.ts'
import { startSync } from '../../shared/domain/sync/sync.ts'
import { createPdfRenderer } from '../../shared/pdf/renderer.ts'
import { enqueue } from '../../shared/queue/enqueue.ts'
import { jobs } from '../../shared/queue/jobs.ts'
import { createTokenCipher } from '../../shared/token-cipher.ts'
import { createDatabase, testConfig, testEnvironment, testKeys } from '../support/core/database.ts'
import { recordedLog } from '../support/core/outputs.ts'
import { makePerson } from '../support/core/people.ts'
import { startProcess } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'
import { report, rounds, within } from '../support/faults/faults.ts'
import { uploadImport } from '../support/make/imports.ts'
import { makeDelivery } from '../support/platform/webhooks.ts'

const products = rounds(50_000, 600)
const variantsPerProduct = 2
const suppliers = rounds(20_000, 500)
/** The other shop gets a webhook this often. */
const everyMs = rounds(500, 100)

const Progress = Type.Object({ state: Type.String(), variants: Type.Integer(), levels: Type.Integer() })
const State = Type.Object({ state: Type.String() })
const Wait = Type.Object({ ms: Type.Integer() })
const Count = Type.Object({ count: Type.Integer() })

t.test(
  'the sync of a large catalogue and an import beside it do not delay the webhooks of another shop',
  async (t) => {
    const url = await createDatabase()
    const config = testConfig(url)
    const db = await openDb(config, 4)
    const pdf = createPdfRenderer()
    const app = await buildApp({
      config,
      db,
      log: recordedLog(config, 'web'),
      pdf,
      isStopping: () => false,
      handlerTimeoutMs: 120_000,
    })
    t.teardown(async () => {
      await app.close()
      await pdf.close()
      await db.end()
    })
    const large = await makePerson(app, db, 'large')
    const other = await makePerson(app, db, 'other')
    const { shopId, shopDomain } = large
    const platform = await startPlatform({
      apiKey: testKeys.PLATFORM_API_KEY,
      apiSecret: testKeys.PLATFORM_API_SECRET,
      serverToken: testKeys.POSTMARK_SERVER_TOKEN,
      // of the platform's largest plan
      throttle: { maximum: 20_000, restoreRate: 1_000 },
      shops: [{ domain: shopDomain, generated: { products, variantsPerProduct, locations: 2 } }],
    })
    t.teardown(platform.close)
    const token = createTokenCipher(testKeys).seal(platform.shops.get(shopDomain).install(), shopDomain)
    await db.query(sql.typeAlias('void')`
      update shop_credential set access_token = ${token} where shop_id = ${shopId}
    `)
    const rows = Array.from({ length: suppliers }, (_, at) => `Supplier ${at},supplier-${at}@example.com`)
    const { id: importId } = await uploadImport(
      large,
      'suppliers.csv',
      ['Supplier,E-mail', ...rows, ''].join('\n'),
      'suppliers',
    )
    t.equal((await large.post(`/api/imports/${importId}/read`)).statusCode, 200)
    const progress = () =>
      db.one(sql.type(row(Progress))`
        select state, variant_count as variants, level_count as levels from catalog_sync where shop_id = ${shopId}
      `)
    const importState = () =>
      db.oneFirst(sql.type(row(State))`
        select state from import where shop_id = ${shopId} and id = ${importId}
      `)
    startProcess(
      t,
      'worker/main.ts',
      testEnvironment(url, {
        LOG_LEVEL: 'info',
        PLATFORM_GRAPHQL_URL: `${platform.url}/shops/{shop_domain}/admin/api/2026-07/graphql.json`,
      }),
    )
    await until(async () => (await importState()) !== 'reading', 'the file is read')
    await startSync(db, shopId, 'merchant')
    await until(async () => (await progress()).variants > 0, 'the sync reads products')
    await large.post(`/api/imports/${importId}/run`, { dryRun: false })

    const startedAt = performance.now()
    const isWorking = async () =>
      (await progress()).state === 'running' || (await importState()) === 'running'
    const applied = () =>
      db.oneFirst(sql.type(row(Count))`
        select count(*) from webhook_delivery where shop_id = ${other.shopId} and state = 'applied'
      `)
    let [delivered, appliedMeanwhile] = [0, 0]
    for (; await isWorking(); await sleep(everyMs)) {
      const deliveryId = await makeDelivery(db, other.shopId)
      await enqueue(db, jobs.applyOrders, [{ shopId: other.shopId, deliveryId }])
      delivered += 1
      appliedMeanwhile = await applied()
    }
    report(t, 'the sync and the import', [Math.round(performance.now() - startedAt)])
    const hasWaiting = () =>
      db.exists(sql.typeAlias('void')`
        select from webhook_delivery where shop_id = ${other.shopId} and settled_at is null
      `)
    await until(async () => !(await hasWaiting()), 'all webhooks are applied')
    const waits = await db.anyFirst(sql.type(row(Wait))`
      select ceil(extract(epoch from settled_at - received_at) * 1000)::int as ms
      from webhook_delivery
      where shop_id = ${other.shopId} and state = 'applied'
    `)
    t.ok(waits.length >= 10, 'webhooks arrived during the work')
    t.ok(appliedMeanwhile > delivered / 4, `${appliedMeanwhile} of ${delivered} were applied meanwhile`)
    t.ok(report(t, 'from a webhook to its effect', waits).max <= within(2_000), 'webhook within 2 s')
    const variants = products * variantsPerProduct
    t.match(await progress(), { state: 'done', variants, levels: 2 * variants })
    t.equal(await importState(), 'done')
  },
)
