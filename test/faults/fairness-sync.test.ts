import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { buildApp } from '../../api/app.ts'
import { startPlatform } from '../../dev/simulator/server.ts'
import { openDb, row, sql } from '../../shared/db/db.ts'
import { startSync } from '../../shared/domain/exchange/sync/sync.ts'
import { createPdfRenderer } from '../../shared/pdf/renderer.ts'
import { enqueue } from '../../shared/queue/enqueue.ts'
import { jobs } from '../../shared/queue/jobs.ts'
import { createTokenCipher } from '../../shared/token-cipher.ts'
import { createDatabase, testConfig, testEnvironment, testKeys } from '../support/core/database.ts'
import { recordedLog } from '../support/core/outputs.ts'
import { makePerson } from '../support/core/people.ts'
import { startProcess } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'
import { expectPromised, report, rounds, startClock } from '../support/faults/faults.ts'
import { uploadImport } from '../support/make/imports.ts'
import { makeDelivery } from '../support/platform/webhooks.ts'

const products = rounds(50_000, 600)
const variantsPerProduct = 2
const suppliers = rounds(20_000, 500)
/** The other shop gets a webhook this often. */
const everyMs = rounds(500, 0)
const webhooks = rounds(100, 10)

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
    // so the sync lasts until the webhooks are applied on any machine; the time limit of a request is longer
    platform.faults.set({ graphqlDelayMs: rounds(0, 5_000) })
    await startSync(db, shopId, 'merchant')
    await until(async () => (await progress()).variants > 0, 'the sync reads products')
    await large.post(`/api/imports/${importId}/run`, { dryRun: false })

    const sinceRun = startClock()
    const applied = () =>
      db.oneFirst(sql.type(row(Count))`
        select count(*) from webhook_delivery where shop_id = ${other.shopId} and state = 'applied'
      `)
    for (let delivered = 0; delivered < webhooks; delivered += 1) {
      const deliveryId = await makeDelivery(db, other.shopId)
      await enqueue(db, jobs.applyOrders, [{ shopId: other.shopId, deliveryId }])
      await until(async () => (await applied()) > delivered, 'the webhook is applied')
      await sleep(everyMs)
    }
    t.equal((await progress()).state, 'running', 'all webhooks are applied before the sync ends')
    platform.faults.clear()
    await until(
      async () => (await progress()).state !== 'running' && (await importState()) !== 'running',
      'the sync and the import end',
      3_000_000,
    )
    report(t, 'the sync and the import', [sinceRun()])
    const waits = await db.anyFirst(sql.type(row(Wait))`
      select ceil(extract(epoch from settled_at - received_at) * 1000)::int as ms
      from webhook_delivery
      where shop_id = ${other.shopId} and state = 'applied'
    `)
    t.equal(waits.length, webhooks)
    expectPromised(t, 'from a webhook to its effect', waits, 2_000)
    const variants = products * variantsPerProduct
    t.match(await progress(), { state: 'done', variants, levels: 2 * variants })
    t.equal(await importState(), 'done')
  },
)
