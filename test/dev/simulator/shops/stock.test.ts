import t, { type Test } from 'tap'
import { startApp } from '../app.ts'
import { type Json, small, smallShop, startShop } from '../caller.ts'
import { documents } from '../documents.ts'

/** A small shop with one variant at two locations, and an app that receives its stock webhooks. */
async function start(t: Test) {
  const app = await startApp(t)
  const { platform, shop, call } = await startShop(t, { ...smallShop, now: new Date('2026-03-01') }, small)
  const variant = shop.gid('ProductVariant', shop.catalogue.variantId(0, 0))
  const item = shop.gid('InventoryItem', shop.catalogue.itemId(0, 0))
  const [location = ''] = shop.locations.map(({ id }) => shop.gid('Location', id))
  shop.setStock(variant, location, 10)
  for (const topic of ['INVENTORY_LEVELS_UPDATE', 'INVENTORY_LEVELS_CONNECT'])
    await call(documents.createSubscription, { topic, webhookSubscription: { uri: app.address } })
  const received = async () => {
    await platform.settled()
    return app.received.splice(0).map(({ body }): Json => JSON.parse(body).available)
  }
  return { shop, call, variant, item, location, received }
}

t.test('a webhook is sent only when the available quantity moves', async (t) => {
  const { shop, variant, location, received } = await start(t)
  shop.setStock(variant, location, 10)
  shop.setStates(variant, location, {
    damaged: 2,
    quality_control: 1,
    safety_stock: 3,
    reserved: 4,
    incoming: 50,
  })
  t.strictSame(await received(), [])
  t.strictSame(shop.statesOf(variant, location), {
    ...{ available: 10, committed: 0, on_hand: 20, incoming: 50 },
    ...{ damaged: 2, quality_control: 1, safety_stock: 3, reserved: 4 },
  })
  shop.moveState(variant, location, { from: 'available', to: 'damaged', quantity: 1 })
  t.strictSame(await received(), [9])
  t.match(shop.statesOf(variant, location), { available: 9, damaged: 3, on_hand: 20 })
  shop.moveState(variant, location, { from: 'damaged', to: 'reserved', quantity: 3 })
  t.strictSame(await received(), [])
  for (const move of [
    { from: 'available', to: 'available' } as const,
    { from: 'incoming', to: 'available' } as const,
  ])
    t.throws(() => shop.moveState(variant, location, { ...move, quantity: 1 }), /does not move/)
})

t.test('each quantity has the time of its own last change', async (t) => {
  const { shop, call, variant, item, location } = await start(t)
  const names = ['available', 'committed', 'on_hand', 'damaged', 'incoming']
  const read = async (): Promise<Json> => {
    const { data } = await call(
      `query Q($id: ID!, $location: ID!, $names: [String!]!) {
        inventoryItem(id: $id) { inventoryLevel(locationId: $location) {
          quantities(names: $names) { name quantity updatedAt }
        } }
      }`,
      { id: item, location, names },
    )
    const { quantities } = data.inventoryItem.inventoryLevel
    return Object.fromEntries(quantities.map(({ name, ...rest }: Json) => [name, rest]))
  }
  const recent = /^(?!2026-03-01)/
  t.match(await read(), {
    available: { quantity: 10, updatedAt: recent },
    on_hand: { quantity: 10, updatedAt: recent },
    committed: { quantity: 0, updatedAt: null },
    damaged: { quantity: 0, updatedAt: null },
  })
  shop.placeOrder([{ variantId: variant, quantity: 4, locationId: location }])
  t.match(await read(), {
    available: { quantity: 6 },
    committed: { quantity: 4, updatedAt: recent },
    on_hand: { quantity: 10 },
    incoming: { quantity: 0, updatedAt: null },
  })
  const other = shop.gid('InventoryItem', shop.catalogue.itemId(1, 0))
  const { data } = await call(documents.item, { id: other, location })
  t.equal(data.inventoryItem.inventoryLevel.quantities[0].updatedAt, '2026-03-01T00:00:00Z')
})
