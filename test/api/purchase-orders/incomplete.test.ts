import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { getOrderDocument } from '../../../shared/domain/documents/purchase-orders/mail/document.ts'
import { orderCsv } from '../../../shared/mail/order-csv.ts'
import { readPdf } from '../../shared/pdf/read-pdf.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { line, makeSupplier, readOrder, receive } from '../../support/make/orders.ts'
import { makeStock } from '../../support/make/stock.ts'

/** A draft with a complete line, one without a cost, and one without a cost and a quantity. */
async function start(t: Test) {
  const app = await startApp(t)
  const { db, alice } = app
  await makeStock(db, alice, { variants: 4 })
  await db.query(sql.typeAlias('void')`
    update variant set unit_cost = null, cost_source = null where shop_id = ${alice.shopId}
  `)
  const supplierId = await makeSupplier(alice)
  const without = (number: number, fields: object) => {
    const { costPrice: _cost, quantity: _quantity, ...product } = line(number)
    return { ...product, ...fields }
  }
  const lineItems = [line(1, { quantity: 2, costPrice: 5 }), without(2, { quantity: 3 }), without(3, {})]
  const answer = await alice.post('/api/purchase-orders', { supplierId, lineItems })
  t.equal(answer.statusCode, 201)
  const { id } = answer.json().data
  const send = (body: object = {}) => alice.post(`/api/purchase-orders/${id}/send`, body)
  const edit = (body: object) => alice.put(`/api/purchase-orders/${id}`, body)
  return { ...app, id, supplierId, send, edit }
}

t.test('a draft keeps lines without a cost or a quantity', async (t) => {
  const { alice, id, edit } = await start(t)
  const order = await readOrder(alice, id)
  t.match(order, {
    total: 10,
    unknownCosts: 2,
    warnings: [],
    lineItems: [
      { quantity: 2, costPrice: 5, lineTotal: 10 },
      { quantity: 3, costPrice: null, lineTotal: null },
      { quantity: 0, costPrice: null, lineTotal: null },
    ],
  })
  t.match((await alice.get('/api/purchase-orders')).json().data, [{ id, total: 10, unknownCosts: 2 }])
  t.match((await alice.get('/api/dashboard')).json().data.recentPOs, [{ id, total: 10, unknownCosts: 2 }])
  const csv = await alice.get('/api/purchase-orders', { accept: 'text/csv' })
  t.match(csv.body, /Lines without cost/)
  const { data } = (await edit({ lineItems: order.lineItems, notes: 'Later' })).json()
  t.strictSame(data.lineItems, order.lineItems, 'what was read can be sent back')
  const entries = order.lineItems.map((entry) => ({ id: entry.id }))
  t.match(
    (await edit({ lineItems: [{ ...entries[0], costPrice: null }, ...entries.slice(1)] })).json().data,
    {
      total: 0,
      unknownCosts: 3,
    },
  )
})

t.test('the landed cost of a draft has lines without a cost or a quantity', async (t) => {
  const { alice, id, edit } = await start(t)
  const landed = () => alice.get(`/api/purchase-orders/${id}/landed-cost`)
  const { lineItems } = await readOrder(alice, id)
  const entries = lineItems.map((entry, at) => ({ id: entry.id, ...(at === 2 && { costPrice: 4 }) }))
  await edit({ lineItems: entries })
  await alice.post(`/api/purchase-orders/${id}/charges`, { kind: 'freight', amount: 10, basis: 'value' })
  const answer = await landed()
  t.equal(answer.statusCode, 200)
  t.match(answer.json().data, {
    total: null,
    lines: [
      { quantity: 2, unitCost: 5, landedUnitCost: 10 },
      { quantity: 3, unitCost: null, landedUnitCost: null },
      { quantity: 0, unitCost: 4, landedUnitCost: null },
    ],
  })
})

t.test('sending needs a quantity of each line, and asks about lines without a cost', async (t) => {
  const { db, alice, id, send, edit } = await start(t)
  const empty = expectFailure(t, await send({ allowUnknownCosts: true }), 422, 'incomplete_lines')
  t.strictSame(empty.details, [{ path: '/lineItems/2/quantity', message: 'is needed to send the order' }])
  const { lineItems } = await readOrder(alice, id)
  await edit({ lineItems: lineItems.slice(0, 2) })
  const unknown = expectFailure(t, await send(), 422, 'unknown_cost')
  t.strictSame(unknown.details, [{ path: '/lineItems/1/costPrice', message: 'is needed to send the order' }])
  t.equal((await readOrder(alice, id)).status, 'draft')
  t.equal((await send({ allowUnknownCosts: true })).statusCode, 200)
  t.match(await readOrder(alice, id), { status: 'sent', unknownCosts: 1 })

  const document = await getOrderDocument(db, alice.shopId, id)
  t.match(document.lines, [{ costPrice: 5 }, { costPrice: 0, isCostToBeAgreed: true, lineTotal: 0 }])
  const pdf = await alice.get(`/api/purchase-orders/${id}/pdf`, { accept: 'application/pdf' })
  const { text } = await readPdf(new Uint8Array(pdf.rawPayload))
  t.match(text, /to be agreed/)
  t.match(text, /Subtotal\s+\$10\.00 \+ 1 line to be\s+agreed\s+Total\s+\$10\.00 \+ 1 line to be\s+agreed/)
  t.notMatch(text, /\$0\.00/, 'an unknown price is not 0')
  t.match(orderCsv(document).split(/\r?\n/)[2], /,3,,0,0,,USD$/, 'the CSV has no price')
})

t.test('a receipt of a line without a cost books none, and the line teaches no price', async (t) => {
  const { db, alice, id, supplierId, send, edit } = await start(t)
  const { lineItems } = await readOrder(alice, id)
  await edit({ lineItems: lineItems.slice(0, 2) })
  await send({ allowUnknownCosts: true })
  t.equal((await receive(alice, id, [2, 3])).statusCode, 200)
  const costs = await db.any(sql.typeAlias('id')`
    select v.unit_cost::float8 as id from variant v where v.shop_id = ${alice.shopId} and v.unit_cost is not null
  `)
  t.equal(costs.length, 1, 'only the line with a cost sets a cost')
  const { costPrice: _, ...product } = line(2)
  const later = (await alice.post('/api/purchase-orders', { supplierId, lineItems: [product] })).json().data
  t.match((await readOrder(alice, later.id)).lineItems, [{ costPrice: null }])
})

t.test('a revision cannot remove a cost or a quantity', async (t) => {
  const { alice, id, send, edit } = await start(t)
  const { lineItems } = await readOrder(alice, id)
  await edit({ lineItems: lineItems.slice(0, 2) })
  await send({ allowUnknownCosts: true })
  const { version, lineItems: sent } = await readOrder(alice, id)
  const revise = (fields: object) =>
    alice.post(`/api/purchase-orders/${id}/revise`, {
      version,
      lineItems: [{ id: sent[0]?.id, ...fields }, { id: sent[1]?.id }],
    })
  t.match(expectFailure(t, await revise({ costPrice: null }), 422, 'unknown_cost').details, [
    { path: '/lineItems/0/costPrice' },
  ])
  expectFailure(t, await revise({ quantity: 0 }), 400, 'invalid_request')
  expectFailure(t, await revise({}), 422, 'no_change')
})

t.test('a draft of suggestions without a known cost has none', async (t) => {
  const { db, alice, supplierId } = await start(t)
  await alice.post('/api/reorder/rules', {
    variantId: line(4).variantId,
    supplierId,
    reorderPoint: 100_000,
    reorderQuantity: 5,
  })
  const { data } = (await alice.post('/api/reorder/purchase-orders')).json()
  t.match(data.purchaseOrders, [{ total: 0, unknownCosts: 1 }])
  const drafted = await readOrder(alice, data.purchaseOrders[0].id)
  t.match(drafted, { unknownCosts: 1, lineItems: [{ costPrice: null }] })
  t.ok(db)
})
