import t, { type Test } from 'tap'
import { customerOf } from '../../../../dev/simulator/shops/customers.ts'
import { type Received, startApp } from '../app.ts'
import { type Json, small, smallShop, startShop } from '../caller.ts'
import { documents } from '../documents.ts'

/** A small shop, and an app that receives webhooks of orders. */
async function start(t: Test, topics = ['ORDERS_CREATE', 'ORDERS_UPDATED', 'ORDERS_DELETE']) {
  const app = await startApp(t)
  const { platform, shop, call } = await startShop(t, smallShop, small)
  for (const topic of topics)
    await call(documents.createSubscription, { topic, webhookSubscription: { uri: app.address } })
  const variant = shop.gid('ProductVariant', shop.catalogue.variantId(0, 0))
  const location = shop.gid('Location', shop.locations[0]?.id ?? '')
  shop.setStock(variant, location, 10)
  const received = async () => {
    await platform.settled()
    return app.received.splice(0)
  }
  /** The parsed body of the only webhook since the last call; large ids lose their last digits. */
  const body = async (): Promise<Json> => {
    const [only, ...others] = await received()
    t.equal(others.length, 0)
    return JSON.parse(only?.body ?? '{}')
  }
  return { shop, variant, location, received, body }
}

t.test('the body of a changed order has its refunds, shipments and current quantities', async (t) => {
  const { shop, variant, location, body } = await start(t)
  const { id, lines } = shop.placeOrder([{ variantId: variant, quantity: 5 }, { tip: '2.00' }])
  const lineId = lines[0]?.id ?? ''
  const locationNumber = Number(location.split('/').at(-1))
  t.match(await body(), {
    ...{ fulfillment_status: null, financial_status: 'paid', closed_at: null, cancelled_at: null },
    ...{ refunds: [], fulfillments: [], source_name: 'web' },
    line_items: [
      { quantity: 5, current_quantity: 5, fulfillable_quantity: 5, fulfillment_status: null },
      { quantity: 1, current_quantity: 1, fulfillable_quantity: 0 },
    ],
  })

  shop.fulfillOrder(id, [{ lineId, quantity: 2 }])
  t.match(await body(), {
    fulfillment_status: 'partial',
    fulfillments: [
      {
        ...{ status: 'success', location_id: locationNumber, name: /\.1$/ },
        line_items: [{ id: Number(lineId), quantity: 2 }],
      },
    ],
    line_items: [
      { quantity: 5, current_quantity: 5, fulfillable_quantity: 3, fulfillment_status: 'partial' },
      {},
    ],
  })

  shop.refundOrder(id, [{ lineId, quantity: 1, restockType: 'return' }])
  const price = Number(lines[0]?.price)
  t.match(await body(), {
    financial_status: 'partially_refunded',
    total_price: (5 * price + 2).toFixed(2),
    current_total_price: (4 * price + 2).toFixed(2),
    refunds: [
      {
        ...{
          order_id: Number(id),
          restock: true,
          transactions: [{ kind: 'refund', amount: price.toFixed(2) }],
        },
        refund_line_items: [
          {
            ...{ line_item_id: Number(lineId), quantity: 1, restock_type: 'return', subtotal: price },
            location_id: locationNumber,
          },
        ],
      },
    ],
    line_items: [{ quantity: 5, current_quantity: 4, fulfillable_quantity: 3 }, {}],
  })

  shop.editOrder(id, { remove: [{ lineId, quantity: 1 }], restock: false })
  t.match(await body(), {
    refunds: [
      {},
      {
        ...{ restock: false, transactions: [] },
        refund_line_items: [{ quantity: 1, restock_type: 'no_restock', location_id: null }],
      },
    ],
    line_items: [{ quantity: 5, current_quantity: 3, fulfillable_quantity: 2 }, {}],
  })

  shop.fulfillOrder(id)
  t.match(await body(), { fulfillment_status: 'fulfilled', closed_at: /^\d{4}-/ })
  shop.deleteOrder(id)
  t.strictSame(await body(), { id: Number(id) })
})

t.test('the body of a cancelled order has the reason and no current units', async (t) => {
  const { shop, variant, body } = await start(t, ['ORDERS_UPDATED'])
  const { id } = shop.placeOrder([{ variantId: variant, quantity: 2 }], { isTest: true })
  shop.cancelOrder(id, { reason: 'inventory' })
  t.match(await body(), {
    ...{ cancel_reason: 'inventory', cancelled_at: /^\d{4}-/, test: true },
    ...{ fulfillment_status: 'restocked', financial_status: 'refunded' },
    line_items: [{ quantity: 2, current_quantity: 0, fulfillable_quantity: 0 }],
    refunds: [{ refund_line_items: [{ quantity: 2, restock_type: 'cancel' }] }],
  })
})

t.test('a body has discounts of lines and of codes as allocations', async (t) => {
  const { shop, variant, body } = await start(t)
  const lines = [
    { variantId: variant, quantity: 4, discount: '2.00' },
    { title: 'Engraving', price: '10.00', quantity: 1 },
  ]
  const order = shop.placeOrder(lines, { discountCode: { code: 'SPRING', percent: 10 } })
  const list = Math.round(Number(order.lines[0]?.price) * 400)
  const byCode = Math.round((list - 200) / 10)
  const total = ((list - 200 - byCode + 1000 - 100) / 100).toFixed(2)
  t.match(await body(), {
    total_price: total,
    total_discounts: ((200 + byCode + 100) / 100).toFixed(2),
    discount_codes: [{ code: 'SPRING', amount: ((byCode + 100) / 100).toFixed(2) }],
    discount_applications: [{ type: 'automatic' }, { type: 'discount_code', code: 'SPRING' }],
    line_items: [
      {
        total_discount: '0.00',
        discount_allocations: [
          { amount: '2.00', discount_application_index: 0 },
          {
            ...{ amount: (byCode / 100).toFixed(2), discount_application_index: 1 },
            amount_set: { shop_money: { currency_code: 'USD' } },
          },
        ],
      },
      { discount_allocations: [{ amount: '1.00', discount_application_index: 1 }] },
    ],
  })
})

t.test('the time of a change can be chosen, and an earlier one leaves updated_at', async (t) => {
  const { shop, variant, received } = await start(t)
  const order = shop.placeOrder([{ variantId: variant, quantity: 2 }], {
    createdAt: new Date('2026-03-01T10:00:00Z'),
  })
  shop.fulfillOrder(order.id, undefined, { at: new Date('2026-03-02T11:00:00Z') })
  const returned = [{ lineId: order.lines[0]?.id ?? '', quantity: 1, restockType: 'return' }] as const
  shop.refundOrder(order.id, [...returned], { at: new Date('2026-03-02T10:00:00Z') })
  const times = (await received()).map((webhook) => JSON.parse(webhook.body).updated_at).sort()
  t.strictSame(times, ['2026-03-01T10:00:00+00:00', '2026-03-02T11:00:00+00:00', '2026-03-02T11:00:00+00:00'])
})

t.test('every body of an order has the personal data of its customer', async (t) => {
  const { shop, variant, received } = await start(t)
  const order = shop.placeOrder([{ variantId: variant, quantity: 2 }])
  shop.cancelOrder(order.id)
  const webhooks: Received[] = await received()
  t.equal(webhooks.length, 2)
  for (const { body } of webhooks)
    for (const [name, value] of Object.entries(customerOf(order.number)))
      t.ok(body.includes(value), `the body has the customer’s ${name}`)
  t.match(JSON.parse(webhooks[0]?.body ?? '{}'), {
    email: /@customer\.example$/,
    customer: { email: /@customer\.example$/, default_address: { zip: /^ZIP-invented/ } },
    shipping_address: { last_name: /^Lastname-invented/ },
  })
})

t.test('an app receives only the topics that it subscribed to', async (t) => {
  const { shop, variant, received } = await start(t, ['ORDERS_CREATE'])
  const { id } = shop.placeOrder([{ variantId: variant, quantity: 2 }])
  t.equal((await received()).length, 1)
  shop.cancelOrder(id)
  shop.deleteOrder(id)
  t.equal((await received()).length, 0)
})
