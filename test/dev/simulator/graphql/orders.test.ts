import t, { type Test } from 'tap'
import { daysAgo, instantIn } from '../../../support/core/instants.ts'
import { type Call, callerOf, type Json, small, smallShop, startShop } from '../caller.ts'
import { documents } from '../documents.ts'

const lineOf = async (call: Call, id: string): Promise<Json> =>
  (await call(documents.order, { id })).data.order.lineItems.nodes[0]

/** A small shop with an order of five pieces of one variant. */
async function start(t: Test) {
  const { shop, call, platform } = await startShop(t, smallShop, small)
  const variant = shop.gid('ProductVariant', shop.catalogue.variantId(0, 0))
  const location = shop.gid('Location', shop.locations[0]?.id ?? '')
  shop.setStock(variant, location, 10)
  const lines = [{ variantId: variant, quantity: 5, discount: '2.50' }]
  const order = shop.placeOrder(lines, { discountCode: { code: 'SPRING', percent: 20 } })
  const price = Math.round(Number(order.lines[0]?.price) * 100)
  return { shop, call, platform, variant, location, order, price, lineId: order.lines[0]?.id ?? '' }
}

t.test('an order shows what was ordered, shipped, refunded and paid', async (t) => {
  const { shop, call, order, location, lineId, price } = await start(t)
  const id = shop.gid('Order', order.id)
  shop.fulfillOrder(order.id, [{ lineId, quantity: 2 }])
  shop.refundOrder(order.id, [{ lineId, quantity: 1, restockType: 'return' }], { note: 'Too small' })
  shop.editOrder(order.id, { remove: [{ lineId, quantity: 1 }] })
  const { data } = await call(documents.order, { id })
  const money = (cents: number) => ({ shopMoney: { amount: (cents / 100).toFixed(2), currencyCode: 'USD' } })
  const byLine = 5 * price - 250
  const byCode = Math.round(byLine / 5)
  t.match(data.order, {
    ...{ test: false, cancelledAt: null, cancelReason: null, closed: false, discountCodes: ['SPRING'] },
    displayFulfillmentStatus: 'PARTIALLY_FULFILLED',
    totalPriceSet: money(byLine - byCode),
    totalDiscountsSet: money(250 + byCode),
    fulfillments: [{ status: 'SUCCESS', totalQuantity: 2, location: { id: location } }],
    refunds: [
      {
        note: 'Too small',
        refundLineItems: {
          nodes: [
            {
              ...{ quantity: 1, restockType: 'RETURN', restocked: true, location: { id: location } },
              lineItem: { id: shop.gid('LineItem', lineId) },
            },
          ],
        },
      },
      {
        totalRefundedSet: money(0),
        refundLineItems: { nodes: [{ quantity: 1, restockType: 'CANCEL' }] },
      },
    ],
  })
  t.match(data.order.lineItems.nodes[0], {
    ...{ quantity: 5, currentQuantity: 3, refundableQuantity: 3 },
    ...{ unfulfilledQuantity: 2, nonFulfillableQuantity: 1 },
    originalTotalSet: money(5 * price),
    discountedTotalSet: money(byLine),
    withCodes: money(byLine - byCode),
    discountedUnitPriceAfterAllDiscountsSet: money(Math.round((byLine - byCode) / 5)),
    discountAllocations: [{ allocatedAmountSet: money(250) }, { allocatedAmountSet: money(byCode) }],
  })
})

t.test('a cancelled order keeps what was ordered', async (t) => {
  const { shop, call, order } = await start(t)
  shop.cancelOrder(order.id, { reason: 'customer' })
  const id = shop.gid('Order', order.id)
  const { data } = await call(documents.order, { id })
  t.match(data.order, {
    ...{ cancelledAt: /Z$/, cancelReason: 'CUSTOMER', closed: true, displayFulfillmentStatus: 'RESTOCKED' },
    currentTotalPriceSet: { shopMoney: { amount: '0.00' } },
  })
  t.match(await lineOf(call, id), { quantity: 5, currentQuantity: 0, unfulfilledQuantity: 0 })
})

t.test('an order that changed is found by its update time, in that order', async (t) => {
  const { shop, call, variant } = await start(t)
  const at = (minute: number) => instantIn((minute - 60) * 60_000)
  const [first, second, third] = [0, 1, 2].map((minute) =>
    shop.placeOrder([{ variantId: variant, quantity: 1 }], { createdAt: at(minute) }),
  )
  if (!first || !second || !third) return t.fail('an order is missing')
  shop.cancelOrder(first.id, { at: at(30) })
  shop.fulfillOrder(second.id, undefined, { at: at(20) })
  const query = `updated_at:>'${at(10).toISOString()}' AND updated_at:<'${at(40).toISOString()}'`
  const { data } = await call(documents.orders, { first: 10, query, sortKey: 'UPDATED_AT' })
  t.strictSame(
    data.orders.nodes.map(({ id }: Json) => id),
    [second.id, first.id].map((id) => shop.gid('Order', id)),
  )
})

t.test('changed orders older than 60 days are hidden without read_all_orders', async (t) => {
  const { shop, call, platform, variant } = await start(t)
  const createdAt = daysAgo(61)
  const old = shop.placeOrder([{ variantId: variant, quantity: 1 }], { createdAt })
  shop.fulfillOrder(old.id)
  const query = `updated_at:>'${instantIn(-60_000).toISOString()}'`
  const read = async (caller: Call): Promise<string[]> => {
    const { data } = await caller(documents.orders, { first: 10, query, sortKey: 'UPDATED_AT' })
    return data.orders.nodes.map(({ id }: Json) => id)
  }
  const id = shop.gid('Order', old.id)
  t.notOk((await read(call)).includes(id))
  t.equal((await call(documents.order, { id })).data.order, null)
  const withAll = callerOf(platform, small, shop.install(['read_orders', 'read_all_orders', 'read_products']))
  t.ok((await read(withAll)).includes(id))
})

t.test('the lines of a refund and of a shipment come in pages', async (t) => {
  const { shop, call, platform, variant } = await start(t)
  const createdAt = daysAgo(59)
  const three = Array.from({ length: 3 }, () => ({ variantId: variant, quantity: 1 }))
  const placed = shop.placeOrder(three, { createdAt })
  shop.fulfillOrder(placed.id)
  const { fulfillments, refunds, lines } = shop.refundOrder(
    placed.id,
    placed.lines.map(({ id }) => ({ lineId: id, quantity: 1, restockType: 'return' })),
  )
  const wanted = lines.map(({ id }) => shop.gid('LineItem', id))
  for (const [field, id, connection] of [
    ['refund', shop.gid('Refund', refunds[0]?.id ?? ''), 'refundLineItems'],
    ['fulfillment', shop.gid('Fulfillment', fulfillments[0]?.id ?? ''), 'fulfillmentLineItems'],
  ] as const) {
    const query = `query Q($id: ID!, $after: String) {
      ${field}(id: $id) {
        ${connection}(first: 2, after: $after) { nodes { lineItem { id } } pageInfo { hasNextPage endCursor } }
      }
    }`
    const pageAfter = async (after?: string) =>
      (await call(query, { id, after })).data[field][connection] as Json
    const first = await pageAfter()
    const second = await pageAfter(first.pageInfo.endCursor)
    t.strictSame(
      [...first.nodes, ...second.nodes].map(({ lineItem }: Json) => lineItem.id),
      wanted,
    )
    t.match([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage], [true, false])
    const other = callerOf(platform, small, shop.install(['read_products']))
    t.match((await other(query, { id })).errors, [{ extensions: { code: 'ACCESS_DENIED' } }])
    t.equal((await call(query, { id: `${id}9` })).data[field], null)
  }
})
