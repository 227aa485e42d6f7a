import t, { type Test } from 'tap'
import { startPlatform } from '../../../../dev/simulator/server.ts'
import { startApp } from '../app.ts'
import { callerOf, type Json, small, smallShop, startShop } from '../caller.ts'
import { documents } from '../documents.ts'
import { keys } from '../simulator.ts'

const topics = ['CREATE', 'UPDATE', 'DEACTIVATE', 'ACTIVATE', 'DELETE'].map((verb) => `LOCATIONS_${verb}`)

/** A small shop, and an app that receives webhooks of locations. */
async function start(t: Test) {
  const app = await startApp(t)
  const { platform, shop, call } = await startShop(t, smallShop, small)
  for (const topic of topics) {
    const { data } = await call(documents.createSubscription, {
      topic,
      webhookSubscription: { uri: app.address },
    })
    t.strictSame(data.webhookSubscriptionCreate.userErrors, [])
  }
  const variant = shop.gid('ProductVariant', shop.catalogue.variantId(0, 0))
  const [location = '', second = ''] = shop.locations.map(({ id }) => shop.gid('Location', id))
  /** The topic and the body of the only webhook since the last call. */
  const received = async (): Promise<Json> => {
    await platform.settled()
    const [only, ...others] = app.received.splice(0)
    t.equal(others.length, 0)
    return [only?.headers['x-platform-topic'], JSON.parse(only?.body ?? '{}')]
  }
  const read = async (id: string): Promise<Json> => (await call(documents.location, { id })).data.location
  return { shop, call, variant, location, second, received, read }
}

t.test('a location has an address, and each change of it sends its webhook', async (t) => {
  const { shop, received, read } = await start(t)
  const id = shop.addLocation({
    name: 'Outlet',
    phone: '+1 555 0100',
    address: {
      address1: '1 Quay',
      address2: 'Gate 3',
      city: 'Portland',
      province: 'Oregon',
      provinceCode: 'OR',
    },
  })
  const number = Number(id.split('/').at(-1))
  const address = { address1: '1 Quay', address2: 'Gate 3', city: 'Portland', province: 'Oregon' }
  t.match(await received(), [
    'locations/create',
    { id: number, name: 'Outlet', active: true, phone: '+1 555 0100', country_code: 'US', ...address },
  ])
  t.match(await read(id), { name: 'Outlet', isActive: true, address: { ...address, phone: '+1 555 0100' } })

  shop.editLocation(id, { name: 'Factory outlet', address: { zip: '97201' } })
  t.match(await received(), ['locations/update', { name: 'Factory outlet', zip: '97201', city: 'Portland' }])
  shop.deactivateLocation(id)
  t.match(await received(), ['locations/deactivate', { id: number, active: false }])
  t.match(await read(id), { isActive: false, deactivatedAt: /Z$/ })
  shop.activateLocation(id)
  t.match(await received(), ['locations/activate', { id: number, active: true }])
  t.throws(() => shop.deleteLocation(id), /deactivated/)
  shop.deactivateLocation(id)
  await received()
  shop.deleteLocation(id)
  t.strictSame(await received(), ['locations/delete', { id: number }])
  t.equal(await read(id), null)
  t.throws(() => shop.editLocation(id, {}), /no location/)
})

t.test('the stock of a deactivated location is hidden until it is active again', async (t) => {
  const { shop, call, variant, location, second } = await start(t)
  shop.setStock(variant, second, 6)
  shop.placeOrder([{ variantId: variant, quantity: 1, locationId: second }])
  t.throws(() => shop.deactivateLocation(second), /unshipped orders/)
  shop.fulfillOrder(shop.orders().at(-1)?.id ?? '')
  shop.deactivateLocation(second)
  t.equal(shop.stockOf(variant, second), undefined)
  const id = shop.gid('InventoryItem', shop.catalogue.itemId(0, 0))
  const { data } = await call(documents.item, { id, location: second })
  t.equal(data.inventoryItem.inventoryLevel, null)
  t.match(data.inventoryItem.inventoryLevels.nodes, [{ location: { id: location } }])
  shop.activateLocation(second)
  t.equal(shop.stockOf(variant, second), 5)
})

t.test('locations are stored', async (t) => {
  const options = { ...keys, ...smallShop, dataFolder: t.testdir() }
  const before = await startPlatform(options)
  const id = before.shops.get(small).addLocation({ name: 'Outlet' })
  await before.close()
  const after = await startPlatform(options)
  const shop = after.shops.get(small)
  const { data } = await callerOf(after, small, shop.install())(documents.locations, { first: 10 })
  t.match(
    data.locations.nodes.find((location: Json) => location.id === id),
    { name: 'Outlet', isActive: true },
  )
  await after.close()
})
