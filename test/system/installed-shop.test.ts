import { Type } from '@sinclair/typebox'
import t from 'tap'
import { installApp } from '../../dev/demo/install.ts'
import { choosePort } from '../../dev/processes/ports.ts'
import { startPlatform } from '../../dev/simulator/server.ts'
import { openDb, row, sql } from '../../shared/db/db.ts'
import { subscribedTopics } from '../../shared/queue/jobs.ts'
import { createDatabase, testConfig, testEnvironment, testKeys } from '../support/core/database.ts'
import { startProcess, untilListening } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'

const domain = 'whole.myshop.example'

/** The fields of responses that this test reads. */
type Data = {
  length: number
  state: string
  counts: Record<string, number>
  failedDeliveries: number
  [at: number]: { productId: string; locationId: string; variants: { variantId: string }[] }
}

t.test('a shop installs the app, its updates arrive, and uninstalling deletes its data', async (t) => {
  const url = await createDatabase()
  const webPort = await choosePort(0, 'PORT')
  const webUrl = `http://localhost:${webPort}`
  const platform = await startPlatform({
    apiKey: testKeys.PLATFORM_API_KEY,
    apiSecret: testKeys.PLATFORM_API_SECRET,
    serverToken: testKeys.POSTMARK_SERVER_TOKEN,
    appUrl: webUrl,
    shops: [
      {
        domain,
        generated: { products: 6, variantsPerProduct: 2, locations: 2, ordersPerDay: 2, orderDays: 5 },
      },
    ],
  })
  t.teardown(platform.close)
  const simulatorUrl = `http://localhost:${platform.port}`
  const env = testEnvironment(url, {
    PORT: String(webPort),
    APP_URL: webUrl,
    POSTMARK_API_URL: simulatorUrl,
    PLATFORM_SHOP_AUTH_URL: `${simulatorUrl}/shops/{shop_domain}/admin/oauth`,
    PLATFORM_GRAPHQL_URL: `${simulatorUrl}/shops/{shop_domain}/admin/api/2026-07/graphql.json`,
    PLATFORM_ADMIN_APP_URL: `${simulatorUrl}/shops/{shop_domain}/admin/apps/{api_key}`,
    LOG_LEVEL: 'info',
  })
  const web = startProcess(t, 'api/server.ts', env)
  const worker = startProcess(t, 'worker/main.ts', env)
  const db = await openDb(testConfig(url), 2)
  t.teardown(() => db.end())
  await untilListening(web)
  const get = async (path: string) => {
    const token = await platform.mintSessionToken(domain, 60)
    const response = await fetch(`${webUrl}/api${path}`, { headers: { authorization: `Bearer ${token}` } })
    const { data }: { data: Data } = JSON.parse(await response.text())
    return { status: response.status, data }
  }
  const count = (table: string) =>
    db.oneFirst(sql.type(row(Type.Object({ count: Type.Integer() })))`
      select count(*) from ${sql.identifier([table])}
    `)

  t.equal((await get('/suppliers')).status, 401, 'before the installation')
  await installApp(webUrl, simulatorUrl, domain)
  await until(async () => (await get('/sync')).data.state === 'done', 'the first sync ends')
  t.match((await get('/sync')).data.counts, { locations: 2, products: 6, variants: 12 })
  const shop = platform.shops.get(domain)
  await until(() => shop.subscriptions().length === subscribedTopics.length, 'all topics are subscribed')

  const products = (await get('/products')).data
  t.equal(products.length, 6)
  const [product, location] = [products[0], (await get('/locations')).data[0]]
  const variantId = product?.variants[0]?.variantId ?? ''
  const [productId, locationId] = [product?.productId ?? '', location?.locationId ?? '']
  const salesBefore = await count('sale')

  await t.test('changes of orders, products and stock on the platform reach the app', async (t) => {
    shop.placeOrder([{ variantId, quantity: 3 }])
    shop.editProduct(productId, { title: 'A new name' })
    shop.setStock(variantId, locationId, 77)
    await platform.settled()
    await until(async () => (await get('/products?search=new%20name')).data.length === 1, 'the title arrives')
    await until(async () => (await count('sale')) === salesBefore + 1, 'the sale arrives')
    await until(
      async () =>
        (await db.exists(sql.typeAlias('void')`select from stock_level where quantity = 77`)) || undefined,
      'the stock arrives',
    )
    t.equal((await get('/sync')).data.failedDeliveries, 0)
  })

  await t.test('uninstalling deletes the data of the shop', async () => {
    shop.uninstall()
    await until(async () => (await get('/suppliers')).status === 401, 'the API refuses the shop')
    for (const table of [
      'product',
      'variant',
      'stock_level',
      'stock_movement',
      'sale',
      'shop_credential',
      'location',
    ]) {
      await until(async () => (await count(table)) === 0, `${table} is empty`)
    }
  })

  await t.test('the app can be installed again from the start', async (t) => {
    await installApp(webUrl, simulatorUrl, domain)
    await until(async () => (await get('/sync')).data.state === 'done', 'the sync ends')
    t.equal((await get('/products')).data.length, 6)
  })

  for (const started of [web, worker]) started.kill('SIGTERM')
  t.strictSame(await Promise.all([web.ended, worker.ended]), [0, 0])
  t.notMatch(web.output() + worker.output(), testKeys.PLATFORM_API_SECRET)
})
