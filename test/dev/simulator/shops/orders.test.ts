import t, { type Test } from 'tap'
import { startPlatform } from '../../../../dev/simulator/server.ts'
import { type LineUnits, unitsOf } from '../../../../dev/simulator/shops/order-lines.ts'
import type { Order } from '../../../../dev/simulator/shops/orders.ts'
import { demo, type Received, startApp } from '../app.ts'
import { type Json, small, smallShop, startShop } from '../caller.ts'
import { documents } from '../documents.ts'
import { keys } from '../simulator.ts'

const topics = ['ORDERS_CREATE', 'ORDERS_UPDATED', 'ORDERS_DELETE', 'INVENTORY_LEVELS_UPDATE']

/** A small shop with 10 pieces of two variants, and an app that receives webhooks of orders and stock. */
async function start(t: Test) {
  const app = await startApp(t)
  const { platform, shop, call } = await startShop(t, smallShop, small)
  const [variant, other] = [0, 1].map((slot) => shop.gid('ProductVariant', shop.catalogue.variantId(0, slot)))
  const [location = '', second = ''] = shop.locations.map(({ id }) => shop.gid('Location', id))
  if (!variant || !other) throw new Error('The shop has too few variants')
  for (const id of [variant, other]) shop.setStock(id, location, 10)
  for (const topic of topics)
    await call(documents.createSubscription, { topic, webhookSubscription: { uri: app.address } })
  /** The topics received since the last call, sorted. */
  const received = async () => {
    await platform.settled()
    return app.received.splice(0).map(topicOf).sort()
  }
  const states = () => {
    const { available, committed, on_hand } = shop.statesOf(variant, location) ?? {}
    return [available, committed, on_hand]
  }
  const place = async (quantity = 3) => {
    const order = shop.placeOrder([
      { variantId: variant, quantity },
      { variantId: other, quantity: 1 },
    ])
    await received()
    return { order, id: order.id, lineId: order.lines[0]?.id ?? '' }
  }
  return { shop, call, variant, other, location, second, received, states, place }
}

const topicOf = ({ headers }: Received) => String(headers['x-platform-topic'])

function units(order: Order): LineUnits {
  const [line] = order.lines
  if (!line) throw new Error('The order has no line')
  return unitsOf(order, line)
}

t.test('a sale commits stock, and its shipment takes it from the shelf', async (t) => {
  const { shop, place, states, received } = await start(t)
  const { id, lineId } = await place()
  t.strictSame(states(), [7, 3, 10])
  shop.fulfillOrder(id, [{ lineId, quantity: 1 }])
  t.strictSame(states(), [7, 2, 9])
  t.strictSame(await received(), ['orders/updated'], 'the available quantity did not move')
  const shipped = shop.fulfillOrder(id)
  t.strictSame(states(), [7, 0, 7])
  t.match(units(shipped), { current: 3, shipped: 3, unshipped: 0 })
  t.equal(shipped.fulfillments.length, 2)
  t.throws(() => shop.fulfillOrder(id), /nothing left to ship/)
  t.throws(() => shop.fulfillOrder(id, [{ lineId, quantity: 1 }]), /Only 0 units/)
})

t.test('a cancelled order gives its stock back, or not', async (t) => {
  const { shop, place, states, received } = await start(t)
  const first = await place()
  const cancelled = shop.cancelOrder(first.id, { reason: 'fraud' })
  t.strictSame(states(), [10, 0, 10])
  t.strictSame(await received(), ['inventory_levels/update', 'inventory_levels/update', 'orders/updated'])
  t.match(cancelled, { cancelledAt: /Z$/, cancelReason: 'fraud' })
  t.match(units(cancelled), { ordered: 3, current: 0, unshipped: 0 })
  t.throws(() => shop.cancelOrder(first.id), /cancelled already/)

  const second = await place()
  shop.cancelOrder(second.id, { restock: false })
  t.strictSame(states(), [7, 0, 7])
  t.strictSame(await received(), ['orders/updated'])

  const third = await place()
  shop.fulfillOrder(third.id, [{ lineId: third.lineId, quantity: 1 }])
  t.throws(() => shop.cancelOrder(third.id), /cannot be cancelled/)
})

t.test('an edit removes units with or without restock, and adds lines', async (t) => {
  const { shop, variant, place, states, received } = await start(t)
  const { id, lineId } = await place(5)
  shop.editOrder(id, { remove: [{ lineId, quantity: 1 }] })
  t.strictSame(states(), [6, 4, 10])
  t.strictSame(await received(), ['inventory_levels/update', 'orders/updated'])
  const edited = shop.editOrder(id, { remove: [{ lineId, quantity: 2 }], restock: false })
  t.strictSame(states(), [6, 2, 8])
  t.strictSame(await received(), ['orders/updated'])
  t.match(units(edited), { ordered: 5, current: 2, unshipped: 2 })
  t.match(edited.refunds, [{ isPaidBack: false }, { isPaidBack: false }])

  const grown = shop.editOrder(id, { add: [{ variantId: variant, quantity: 2 }] })
  t.strictSame(states(), [4, 4, 8])
  t.equal(grown.lines.length, 3)
  t.equal(new Set(grown.lines.map((line) => line.id)).size, 3)
  t.throws(() => shop.editOrder(id, { remove: [{ lineId, quantity: 3 }] }), /Only 2 units/)
})

t.test('refunds cancel unshipped units, return shipped ones, or restock none', async (t) => {
  const { shop, variant, second, place, states, received } = await start(t)
  const { id, lineId } = await place(6)
  shop.fulfillOrder(id, [{ lineId, quantity: 3 }])
  t.strictSame(states(), [4, 3, 7])
  await received()
  shop.refundOrder(id, [{ lineId, quantity: 1, restockType: 'cancel' }])
  t.strictSame(states(), [5, 2, 7])
  shop.refundOrder(id, [{ lineId, quantity: 1, restockType: 'return' }])
  t.strictSame(states(), [6, 2, 8])
  t.strictSame((await received()).filter((topic) => topic === 'inventory_levels/update').length, 2)
  const atSecond = shop.stockOf(variant, second) ?? 0
  shop.refundOrder(id, [{ lineId, quantity: 1, restockType: 'return', locationId: second }])
  t.equal(shop.stockOf(variant, second), atSecond + 1)
  await received()
  const last = shop.refundOrder(id, [{ lineId, quantity: 3, restockType: 'no_restock' }], { note: 'Lost' })
  t.strictSame(states(), [6, 0, 6], 'the two unshipped units are gone; the third was shipped')
  t.strictSame(await received(), ['orders/updated'])
  t.match(units(last), { ordered: 6, current: 0, shipped: 3, withCustomer: 0, unshipped: 0 })
  t.match(last.refunds.at(-1), {
    note: 'Lost',
    lines: [
      { quantity: 2, wasShipped: false },
      { quantity: 1, wasShipped: true },
    ],
  })
  for (const restockType of ['cancel', 'return', 'no_restock'] as const)
    t.throws(() => shop.refundOrder(id, [{ lineId, quantity: 1, restockType }]), /Only 0 units/)
})

t.test('an order is deleted once it has nothing to ship', async (t) => {
  const { shop, call, place, received } = await start(t)
  const { id, order } = await place()
  t.throws(() => shop.deleteOrder(id), /cancel it first/)
  shop.cancelOrder(id)
  await received()
  shop.deleteOrder(id)
  t.strictSame(await received(), ['orders/delete'])
  t.throws(() => shop.order(id), /no order/)
  const { data } = await call('query Q($id: ID!) { order(id: $id) { id } }', { id: shop.gid('Order', id) })
  t.equal(data.order, null)
  const { order: next } = await place()
  t.equal(next.number, order.number + 1, 'the number is not given again')
})

t.test('a draft order takes no stock until it becomes an order', async (t) => {
  const { shop, variant, states, received } = await start(t)
  const draft = shop.addDraftOrder([{ variantId: variant, quantity: 4 }])
  t.strictSame(states(), [10, 0, 10])
  t.strictSame(await received(), [])
  const order = shop.completeDraftOrder(draft.id, { isTest: true })
  t.strictSame(states(), [6, 4, 10])
  t.match(order, { sourceName: 'shopify_draft_order', isTest: true })
  t.strictSame(await received(), ['inventory_levels/update', 'orders/create'])
  t.throws(() => shop.completeDraftOrder(draft.id), /completed already/)
  t.throws(() => shop.addDraftOrder([{ variantId: '4711', quantity: 1 }]), /no variant/)
})

t.test('orders of the history are shipped or cancelled, and can still change', async (t) => {
  const dataFolder = t.testdir()
  const before = await startPlatform({ ...keys, dataFolder })
  const shop = before.shops.get(demo)
  const history = shop.orders()
  t.ok(history.every((order) => order.lines.every((line) => unitsOf(order, line).unshipped === 0)))
  const sold = history.find(({ fulfillments, lines }) => fulfillments.length > 0 && lines[0]?.variantId)
  const [line] = sold?.lines ?? []
  if (!sold || !line) return t.fail('the history has no sale')
  shop.refundOrder(sold.id, [{ lineId: line.id, quantity: 1, restockType: 'return' }])
  const cancelled = history.find(({ cancelledAt }) => cancelledAt !== null)
  shop.deleteOrder(cancelled?.id ?? '')
  await before.close()
  const after = await startPlatform({ ...keys, dataFolder })
  const restored = after.shops.get(demo)
  t.equal(restored.orders().length, shop.orders().length)
  t.strictSame(restored.order(sold.id), shop.order(sold.id))
  t.throws(() => restored.order(cancelled?.id ?? ''), /no order/)
  await after.close()
})

t.test('a product can be deleted while its order is open', async (t) => {
  const { shop, variant, place } = await start(t)
  const { id } = await place()
  const { product } = shop.variantKey(variant)
  shop.deleteProduct(shop.catalogue.productId(product))
  const shipped: Json = shop.fulfillOrder(id)
  t.equal(shipped.fulfillments.length, 1)
})
