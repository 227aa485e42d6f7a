import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startPlatform } from '../../../../dev/simulator/server.ts'
import { instantIn } from '../../../support/core/instants.ts'
import { until } from '../../../support/core/until.ts'
import { demo, startApp } from '../app.ts'
import { callerOf, type Json, small, smallShop } from '../caller.ts'
import { documents } from '../documents.ts'
import { keys } from '../simulator.ts'

const mug = 'gid://platform/ProductVariant/2001'

t.test('a restarted simulator loads its state and resumes its deliveries', async (t) => {
  const dataFolder = t.testdir()
  const options = { ...keys, dataFolder, ...smallShop, retryScale: 0.05 }
  let isUp = false
  const app = await startApp(t, () => (isUp ? 200 : 500))
  const before = await startPlatform({ ...options, shops: [...smallShop.shops, { domain: demo }] })
  const shop = before.shops.get(demo)
  const token = shop.install()
  const call = callerOf(before, demo, token)
  const uri = app.address
  await call(documents.createSubscription, { topic: 'ORDERS_CREATE', webhookSubscription: { uri } })
  const [warehouse] = shop.locations
  const locationId = shop.gid('Location', warehouse?.id ?? '')
  shop.setStock(mug, locationId, 50)
  shop.editProduct('1001', { title: 'Renamed' })
  shop.deleteProduct('1002')
  const set = {
    key: 'key-1',
    input: {
      name: 'available',
      reason: 'correction',
      quantities: [
        {
          inventoryItemId: shop.gid('InventoryItem', shop.catalogue.itemId(0, 0)),
          locationId,
          quantity: 40,
          changeFromQuantity: 50,
        },
      ],
    },
  }
  const response = await call(documents.setQuantities, set)
  const order = shop.placeOrder([{ variantId: mug, quantity: 4 }])
  const [history] = shop.orders()
  await until(() => Number(shop.deliveries()[0]?.attempts) >= 1, 'the webhook was sent')
  await before.close()
  t.strictSame(readdirSync(dataFolder), ['platform.json'])
  writeFileSync(join(dataFolder, 'platform.json.part'), '{"version":')

  isUp = true
  const after = await startPlatform({ ...options, now: instantIn(1e9) })
  const restored = after.shops.get(demo)
  t.strictSame(restored.tokens(), [token])
  t.equal(restored.subscriptions().length, 1)
  t.equal(restored.stockOf(mug, locationId), 36)
  t.strictSame(restored.orders().at(-1), order)
  t.strictSame(restored.orders()[0], history, 'the history is unchanged')
  const read = callerOf(after, demo, token)
  const { data } = await read('{ products(first: 2) { nodes { id title } } }')
  t.strictSame(
    data.products.nodes.map(({ title }: Json) => title),
    ['Renamed', '青瓷茶壶 600 ml'],
  )
  const repeated = await read(documents.setQuantities, set)
  t.strictSame(repeated.data, response.data, 'the response is stored with its key')
  t.equal(restored.stockOf(mug, locationId), 36)
  t.equal(after.shops.get(small).seed.products, 3)

  await after.settled()
  t.match(restored.deliveries(), [{ state: 'delivered', attempts: 2 }])
  await after.close()
  t.strictSame(readdirSync(dataFolder), ['platform.json'])
})

t.test('the same seed and time generate the same shop', async (t) => {
  const now = new Date('2026-03-01T12:00:00Z')
  const shops = await Promise.all([1, 2].map(() => startPlatform({ ...keys, now })))
  for (const platform of shops) t.teardown(platform.close)
  const [first, second] = shops.map((platform) => platform.shops.get(demo))
  t.strictSame(first?.orders(), second?.orders())
  t.equal(first?.orders()[0]?.createdAt.slice(0, 10), '2025-11-01')
  t.ok((first?.orders().at(-1)?.createdAt ?? '') < '2026-03-01')
  const last = (first?.seed.products ?? 0) - 1
  t.strictSame(first?.seed.product(last), second?.seed.product(last))
})

t.test('the state file of another version is refused and left unchanged', async (t) => {
  const dataFolder = t.testdir({ 'platform.json': '{"version":0,"shops":[]}' })
  await t.rejects(startPlatform({ ...keys, dataFolder }), /another version of the simulator/)
  t.equal(readFileSync(join(dataFolder, 'platform.json'), 'utf8'), '{"version":0,"shops":[]}')
})
