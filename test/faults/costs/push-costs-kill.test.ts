import { Type } from '@sinclair/typebox'
import t from 'tap'
import { row, sql } from '../../../shared/db/db.ts'
import { fileDatabase, testEnvironment, useOwnDatabase } from '../../support/core/database.ts'
import { startProcess, startSupervised } from '../../support/core/processes.ts'
import { until } from '../../support/core/until.ts'
import { line, makeSentOrder, receive } from '../../support/make/orders.ts'
import { startSimulatedShop } from '../../support/platform/simulated-shop.ts'

useOwnDatabase()

const Source = Type.Object({ unitCost: Type.Number(), source: Type.String(), movements: Type.Integer() })

t.test('a worker killed between the request and the deletion loses no cost', async (t) => {
  const { db, alice, app, shop, platform, variants } = await startSimulatedShop(t)
  const { shopId } = alice
  const [variantId = ''] = variants
  const productId = shop.gid('Product', shop.catalogue.productId(0))
  const waiting = () => db.exists(sql.typeAlias('void')`select from cost_push where shop_id = ${shopId}`)
  await alice.put('/api/settings', { costWriteBack: 'last' })
  const { id } = await makeSentOrder(alice, {
    lineItems: [line(1, { productId, variantId, quantity: 10, costPrice: 77.5 })],
  })
  t.equal((await receive(alice, id, [10])).statusCode, 200)
  t.ok(await waiting())

  const env = testEnvironment(await fileDatabase(), {
    APP_URL: `http://localhost:${(app.server.address() as { port: number }).port}`,
    PLATFORM_GRAPHQL_URL: `${platform.url}/shops/{shop_domain}/admin/api/2026-07/graphql.json`,
    LOG_LEVEL: 'info',
  })
  platform.faults.set({ graphql: [{ fault: 'accept-hang', operation: 'UpdateInventoryItem', times: 1 }] })
  const first = startProcess(t, 'worker/main.ts', env)
  await until(() => shop.catalogue.product(0)?.variants[0]?.cost === '77.50', 'the platform has the cost')
  first.kill('SIGKILL')
  await first.ended
  t.ok(await waiting(), 'the worker died before it stored the answer')

  startSupervised(t, 'worker/main.ts', env)
  startSupervised(t, 'worker/main.ts', env)
  await until(async () => !(await waiting()), 'another worker sends it again')
  t.equal(shop.catalogue.product(0)?.variants[0]?.cost, '77.50')
  await platform.settled()
  await until(
    async () =>
      !(await db.exists(sql.typeAlias('void')`
        select from webhook_delivery
        where shop_id = ${shopId} and topic = 'INVENTORY_ITEMS_UPDATE' and state = 'received'
      `)),
    'the echo is applied',
  )
  t.strictSame(
    await db.one(sql.type(row(Source))`
      select v.unit_cost, v.cost_source as source, (
        select count(*) from cost_movement m where m.shop_id = v.shop_id and m.variant_id = v.id and m.cause <> 'opening'
      ) as movements
      from variant v
      where v.shop_id = ${shopId} and v.gid = ${variantId}
    `),
    { unitCost: 77.5, source: 'receipt', movements: 1 },
  )
})
