import t, { type Test } from 'tap'
import { startApp } from '../../../support/core/app.ts'
import { startTasks } from '../../../support/core/worker.ts'
import { importing } from '../../../support/make/imports.ts'
import { makeSentOrder, makeSupplier, readOrder, receive } from '../../../support/make/orders.ts'
import { makeStock, variantGid } from '../../../support/make/stock.ts'

async function start(t: Test) {
  const { db, alice } = await startApp(t)
  const { perform } = await startTasks(t, db)
  await makeStock(db, alice, { variants: 4, locations: 1 })
  const orders = async () => (await alice.get('/api/purchase-orders?limit=250')).json().data
  const orderOf = async (number: string) => {
    const found = (await orders()).find(
      ({ sourceNumber }: { sourceNumber: string }) => sourceNumber === number,
    )
    return readOrder(alice, found.id)
  }
  return { db, alice, orders, orderOf, ...importing(alice, perform) }
}

t.test('a line without a cost has an unknown cost, which no average and no price takes for 0', async (t) => {
  const { load, orderOf, alice } = await start(t)
  await load('costs.csv', 'SKU,Average cost\nSKU-1,2')
  const done = await load(
    'orders.csv',
    'PO number,Supplier,Status,Order date,SKU,Quantity\n31,Acme,Open,2024-03-01,SKU-1,10',
  )
  t.match(done.summary, { new: 1, faults: 0 })
  const order = await orderOf('31')
  t.match(order, { status: 'sent', lineItems: [{ costPrice: null, lineTotal: null }] })
  t.equal((await receive(alice, order.id, [10])).statusCode, 200)
  t.match((await alice.get('/api/variants/1/costs')).json().data, { onHand: 20, averageCost: 2 })

  const next = await alice.post('/api/purchase-orders', {
    supplierId: order.supplierId,
    lineItems: [{ productId: 'gid://platform/Product/1', variantId: variantGid(1), quantity: 1 }],
  })
  t.equal(next.statusCode, 201, next.body)
  t.match(await readOrder(alice, next.json().data.id), { lineItems: [{ costPrice: 2 }] })
})

t.test('a number of another system that looks like one of ours is another order', async (t) => {
  const { load, orders, alice } = await start(t)
  const supplierId = await makeSupplier(alice, { name: 'Acme' })
  const { poNumber } = await makeSentOrder(alice, { supplierId })
  const file = `PO number,Supplier,Order date,SKU,Quantity,Cost\n${poNumber},Acme,2024-03-01,SKU-2,4,1`
  t.match((await load('orders.csv', file)).summary, { new: 1, same: 0, faults: 0, orders: 1 })
  t.match(await orders(), [{ sourceNumber: poNumber }, { poNumber, sourceNumber: '' }])
  t.match((await load('orders.csv', file)).summary, { new: 0, same: 1, orders: 0 }, 'the same file again')
})

t.test('the file of one order takes the day of ordering from the order that is here', async (t) => {
  const { load, orderOf, alice, rows } = await start(t)
  const file = [
    'P.O. Number,Vendor/Supplier,SKU,Qty Ordered,Cost (base),Line Status',
    '77,Acme,SKU-1,10,2.50,Received',
  ].join('\n')
  const early = await load('purchase order 77.csv', file)
  t.match(await rows(early.id, 'fault'), [{ message: /^The file does not say when this was ordered/ }])
  t.equal((await alice.get('/api/suppliers')).json().data.length, 0, 'a fault adds no supplier')

  await load('all.csv', 'No.,Vendor/Supplier,PO Date,Total Cost,Received\n77,Acme,2024-02-13,25,10 of 10')
  t.match((await load('purchase order 77.csv', file)).summary, { changed: 1, faults: 0 })
  const order = await orderOf('77')
  t.match(order, {
    status: 'received',
    sentAt: '2024-02-13T12:00:00.000Z',
    lineItems: [{ sku: 'SKU-1', receivedQuantity: 10 }],
  })
  t.match((await alice.get(`/api/purchase-orders/${order.id}/receipts`)).json().data, [
    { isImported: true, createdAt: '2024-02-13T12:00:00.000Z' },
  ])
  t.match((await load('purchase order 77.csv', file)).summary, { same: 1, changed: 0, faults: 0 })
})

t.test('an order that an import cancels keeps its time of cancelling when it is edited', async (t) => {
  const { load, orderOf, alice } = await start(t)
  await load('all.csv', 'No.,Vendor/Supplier,PO Date,Total Cost,Received\n77,Acme,2024-02-13,25,0 of 10')
  await load('77.csv', 'No.,Vendor,SKU,Qty Ordered,Cost (base),Line Status\n77,Acme,SKU-1,10,2.50,Rejected')
  const { id, status, cancelledAt } = await orderOf('77')
  t.match({ status, cancelledAt }, { status: 'cancelled', cancelledAt: String })
  t.equal((await alice.put(`/api/purchase-orders/${id}`, { invoiceNumber: 'X' })).statusCode, 200)
  t.match(await orderOf('77'), { invoiceNumber: 'X', cancelledAt })
})

const euroList =
  'No.,Vendor,PO Date,Total Cost,Received,Currency,Exchange rate\n5,Euro,2024-02-13,40,0 of 10,EUR,1.1'

t.test('shipping and a discount in the currency of the shop complete an order in another one', async (t) => {
  const { load, orderOf } = await start(t)
  await load('all.csv', euroList)
  const file = 'No.,Vendor,SKU,Qty Ordered,Cost (base),Shipping,Adjustments\n5,Euro,SKU-1,10,4.40,11,-2.20'
  t.match((await load('5.csv', file)).summary, { changed: 1, faults: 0 })
  t.match(await orderOf('5'), {
    currency: 'EUR',
    rate: 1.1,
    discount: 2,
    total: 38,
    lineItems: [{ costPrice: 4 }],
    charges: [{ kind: 'freight', amount: 11, currency: 'USD', rate: 1 }],
  })
})

t.test('a discount and a typed tax have the decimals of the currency', async (t) => {
  const { read, change, run, load, orderOf } = await start(t)
  const header = 'PO number,Supplier,Order date,SKU,Quantity,Cost,Currency,Off,Tax paid,Typed'
  const { id } = await read('yen.csv', `${header}\n51,Yen,2024-03-01,SKU-1,10,40,JPY,10.6,3.4,yes`)
  const fields = { Off: 'discountAmount', 'Tax paid': 'taxAmount', Typed: 'isOwnTax' }
  await change(id, {
    mapping: Object.entries(fields).map(([column, field]) => ({ sheet: 'yen.csv', column, field })),
  })
  t.match(await run(id), { state: 'done', summary: { new: 1, faults: 0 } })
  t.match(await orderOf('51'), { currency: 'JPY', discount: 11, tax: 3, total: 392 })

  await load(
    'bare.csv',
    'PO number,Supplier,Order date,SKU,Quantity,Cost,Currency\n52,Yen,2024-03-01,SKU-1,10,40,JPY',
  )
  const later =
    'PO number,Supplier,Order date,SKU,Quantity,Cost,Currency,Adjustments\n52,Yen,2024-03-01,SKU-1,10,40,JPY,-10.6'
  t.match((await load('later.csv', later)).summary, { changed: 1, faults: 0 })
  t.match(await orderOf('52'), { discount: 11, total: 389 })
  t.match((await load('again.csv', later)).summary, { same: 1, changed: 0 })
})

t.test('costs that cannot be converted say which currency or rate to change', async (t) => {
  const { load, orderOf, rows } = await start(t)
  await load('all.csv', euroList)
  await load('usd.csv', 'No.,Vendor,PO Date,Total Cost,Received\n6,Acme,2024-02-13,40,0 of 10')
  const messageOf = async (number: string, supplier: string, currency: string) => {
    const file = `No.,Vendor,SKU,Qty Ordered,Cost,Currency\n${number},${supplier},SKU-1,10,4,${currency}`
    const [found] = await rows((await load('lines.csv', file)).id, 'fault')
    return found?.message
  }
  const [euro, dollar] = [await orderOf('5'), await orderOf('6')]
  t.equal(
    await messageOf('5', 'Euro', 'GBP'),
    `The file has costs in GBP, and ${euro.poNumber} is in EUR. Change the currency in the file.`,
  )
  t.equal(
    await messageOf('6', 'Acme', 'EUR'),
    `The file has costs in EUR, and ${dollar.poNumber} is in USD. Add a column with the exchange rate to the file, or change its currency.`,
  )
})

t.test('numbers of pieces that are too large are faults of their rows', async (t) => {
  const { read, change, run, rows } = await start(t)
  const file = [
    'PO number,Supplier,Order date,SKU,Quantity,Cost,Received,Withdrawn',
    '41,Acme,2024-03-01,SKU-1,6,1,99999999999 of 6,',
    '41,Acme,2024-03-01,SKU-2,4,1,0,99999999999',
    '41,Acme,2024-03-01,SKU-3,4,1,3,1',
  ].join('\n')
  const { id } = await read('large.csv', file)
  await change(id, { mapping: [{ sheet: 'large.csv', column: 'Withdrawn', field: 'cancelled' }] })
  t.match(await run(id), { state: 'done', summary: { new: 1, faults: 2 } })
  t.match(await rows(id), [
    { message: 'The line says "99999999999 of 6" received, which is out of range.' },
    { message: 'Cancelled "99999999999" is out of range.' },
    { state: 'new' },
  ])
})
