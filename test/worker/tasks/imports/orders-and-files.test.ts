import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { startApp } from '../../../support/core/app.ts'
import { startTasks } from '../../../support/core/worker.ts'
import { importing } from '../../../support/make/imports.ts'
import { makeSupplier, readOrder } from '../../../support/make/orders.ts'
import { locationGid, makeStock } from '../../../support/make/stock.ts'
import { zipOf } from '../../../support/make/zip.ts'

/* The list of all orders has no lines, and the file of one order has little else: dropped together or one after the other. */

async function start(t: Test) {
  const { db, alice } = await startApp(t)
  const { perform } = await startTasks(t, db)
  await makeStock(db, alice, { variants: 4, locations: 2 })
  const orders = async () => (await alice.get('/api/purchase-orders?limit=250')).json().data
  const orderOf = async (number: string) => {
    const found = (await orders()).find(
      ({ sourceNumber }: { sourceNumber: string }) => sourceNumber === number,
    )
    return readOrder(alice, found.id)
  }
  const receiptsOf = async (id: number) =>
    (await alice.get(`/api/purchase-orders/${id}/receipts`)).json().data
  return { db, alice, orders, orderOf, receiptsOf, ...importing(alice, perform) }
}

const csv = (...rows: string[]) => rows.join('\n')
const list = (...rows: string[]) =>
  csv('No.,Invoice No.,Vendor/Supplier,PO Date,Payment Due,Total Cost,Received,Paid', ...rows)
const lines = (...rows: string[]) => csv('SKU,Qty Ordered,Cost (base)', ...rows)

t.test('the list of all orders and the files of two of them, dropped together, are two orders', async (t) => {
  const all = list('21,INV-1,Acme,2024-02-13,2024-03-13,52,14 of 14,Yes', '22,,Best,2024-02-14,,4,0 of 1,No')
  // a ZIP is read in the order of its names
  for (const name of ['All orders.csv', 'zz all orders.csv']) {
    await t.test(name, async (t) => {
      const { load, orderOf, orders, rows } = await start(t)
      const done = await load(
        'orders.zip',
        await zipOf({
          [name]: all,
          'Purchase order 21.csv': lines('SKU-1,10,4', 'SKU-2,4,3'),
          'PO_22.csv': lines('SKU-3,1,4'),
        }),
      )
      t.match(done.summary, { faults: 0, orders: 2, openOrders: 1 })
      t.same(await rows(done.id, 'fault'), [])
      t.equal((await orders()).length, 2)
      t.match(await orderOf('21'), {
        status: 'received',
        supplierName: 'Acme',
        sentAt: '2024-02-13T12:00:00.000Z',
        invoiceNumber: 'INV-1',
        paymentDueOn: '2024-03-13',
        total: 52,
        lineItems: [
          { sku: 'SKU-1', receivedQuantity: 10 },
          { sku: 'SKU-2', receivedQuantity: 4 },
        ],
      })
      t.match(await orderOf('22'), {
        status: 'sent',
        supplierName: 'Best',
        lineItems: [{ sku: 'SKU-3', outstandingQuantity: 1 }],
      })
    })
  }
})

t.test(
  'two orders of a supplier with one number: the second is a fault, in the same slice or in another',
  async (t) => {
    const numbered = (id: number, number: number, day: string, sku = 1) =>
      `${id},${number},Acme,${day},SKU-${sku},1,2`
    for (const others of [0, 150]) {
      await t.test(`${others} orders between them`, async (t) => {
        const { read, change, rehearse, run, rows, orderOf } = await start(t)
        const file = csv(
          'id,number,supplier_name,ordered_at,sku,quantity,cost',
          numbered(1, 7, '2024-01-01'),
          ...Array.from({ length: others }, (_, at) => numbered(100 + at, 100 + at, '2024-01-02')),
          numbered(2, 7, '2024-01-03', 2),
        )
        const { id } = await read('orders.csv', file)
        await change(id, { mapping: [{ sheet: 'orders.csv', column: 'id', field: 'orderId' }] })
        t.match((await rehearse(id)).summary, { new: others + 1, faults: 1 })
        const done = await run(id)
        t.match(done.summary, { new: others + 1, faults: 1 })
        t.match(await rows(done.id, 'fault'), [{ message: 'Two orders of Acme have the number 7.' }])
        t.match(await orderOf('7'), { lineItems: [{ sku: 'SKU-1' }] })
        t.equal((await orderOf('7')).lineItems.length, 1)
      })
    }
  },
)

t.test('an order that cannot be imported does not take another one of its number down', async (t) => {
  const { load, rows } = await start(t)
  const file = csv(
    'id,number,supplier_name,invoice_date,ordered,sku,quantity,received,cost',
    '1,7,Acme,,,SKU-1,1,1,2',
    '2,7,Acme,,2024-01-03,SKU-2,1,1,2',
  )
  const done = await load('orders.csv', file, {
    mapping: [{ sheet: 'orders.csv', column: 'id', field: 'orderId' }],
  })
  t.match(await rows(done.id), [
    { state: 'fault', message: /^The file does not say when this was ordered/ },
    { state: 'new' },
  ])
})

t.test('"3 of 10" repeated on each line is a fault, and "10 of 10" means that all came', async (t) => {
  const { load, rows, orderOf } = await start(t)
  const file = (share: string) =>
    csv(
      'PO number,Supplier,Order date,SKU,Quantity,Cost,Received',
      `${share.slice(0, 2).trim()},Acme,2024-03-01,SKU-1,6,1,${share}`,
      `${share.slice(0, 2).trim()},Acme,2024-03-01,SKU-2,4,1,${share}`,
    )
  const part = await load('part.csv', file('3 of 10'))
  const message = /^3 of 10 pieces arrived, but no line says which/
  t.match(await rows(part.id), [
    { state: 'fault', message },
    { state: 'fault', message },
  ])
  t.match((await load('all.csv', file('10 of 10'))).summary, { new: 2, faults: 0 })
  t.match(await orderOf('10'), {
    status: 'received',
    lineItems: [{ receivedQuantity: 6 }, { receivedQuantity: 4 }],
  })
  t.match((await load('none.csv', file('0 of 10'))).summary, { new: 2, faults: 0 })
  t.match(await orderOf('0'), {
    status: 'sent',
    lineItems: [{ outstandingQuantity: 6 }, { outstandingQuantity: 4 }],
  })

  const own = csv(
    'PO number,Supplier,Order date,SKU,Quantity,Cost,Received',
    '40,Acme,2024-03-01,SKU-1,6,1,3 of 6',
    '40,Acme,2024-03-01,SKU-2,4,1,1 of 5',
  )
  const done = await load('own.csv', own)
  t.match(await rows(done.id), [
    { state: 'new' },
    { state: 'fault', message: 'The line says "1 of 5" received, but its quantity is 4.' },
  ])
  t.match(await orderOf('40'), { status: 'partial', lineItems: [{ receivedQuantity: 3 }] })
})

t.test('an order that is "partially received" is a fault unless its lines say what arrived', async (t) => {
  const { load, rows, orderOf } = await start(t)
  const file = (...rows: string[]) =>
    csv('PO number,Supplier,Order date,Status,SKU,Quantity,Cost,Received', ...rows)
  const message =
    /^Some pieces arrived, but no line says which\. (Give each line its received pieces|Import the order's own file)/
  for (const status of ['Partially received', 'partial', 'Partly Received']) {
    const silent = await load(
      'silent.csv',
      file(`1,Acme,2024-03-01,${status},SKU-1,10,1,`, `1,Acme,2024-03-01,${status},SKU-2,10,1,`),
    )
    const fault = { state: 'fault', message }
    t.match(await rows(silent.id), [fault, fault], status)
  }
  const bare = await load('list.csv', 'No.,Vendor,PO Date,Total Cost,Status\n2,Acme,2024-03-01,20,Partial')
  t.match(await rows(bare.id), [{ state: 'fault', message }], 'without lines')

  const counted = await load(
    'counted.csv',
    file('3,Acme,2024-03-01,Partial,SKU-1,10,1,4', '3,Acme,2024-03-01,Partial,SKU-2,10,1,'),
  )
  t.match(counted.summary, { new: 2, faults: 0 })
  // 10 ordered - 4 received = 6 on order
  t.match(await orderOf('3'), {
    status: 'partial',
    lineItems: [{ receivedQuantity: 4, outstandingQuantity: 6 }, { outstandingQuantity: 10 }],
  })

  const nothing = await load(
    'nothing.csv',
    csv(
      'PO number,Supplier,Order date,Status,SKU,Quantity,Cost,Line Status',
      '4,Acme,2024-03-01,Partial,SKU-1,10,1,Not received',
      '4,Acme,2024-03-01,Partial,SKU-2,10,1,',
    ),
  )
  t.match(nothing.summary, { new: 0, faults: 2 }, 'the other line must have arrived')
})

t.test('a line whose status does not say how many pieces arrived is a fault', async (t) => {
  const { load, rows, orderOf } = await start(t)
  for (const [number, column] of ['Line Status', 'Status'].entries()) {
    const done = await load(
      'lines.csv',
      csv(
        `PO number,Supplier,Order date,SKU,Quantity,Cost,${column}`,
        `${number},Acme,2024-03-01,SKU-1,10,1,Received`,
        `${number},Acme,2024-03-01,SKU-2,10,1,Partially received`,
        `${number},Acme,2024-03-01,SKU-3,10,1,Backordered`,
        `${number},Acme,2024-03-01,SKU-4,10,1,`,
      ),
    )
    t.match(await rows(done.id), [
      { state: 'new' },
      {
        state: 'fault',
        message:
          'The line says "Partially received", but not how many pieces. Map a column with the received pieces.',
      },
      {
        state: 'fault',
        message:
          'The line status "Backordered" is not known. Change the status in the file, or do not map its column.',
      },
      { state: 'new' },
    ])
    t.match(await orderOf(`${number}`), {
      status: 'partial',
      lineItems: [{ receivedQuantity: 10 }, { sku: 'SKU-4', outstandingQuantity: 10 }],
    })
  }
})

t.test('an open order does not become a draft', async (t) => {
  const { load, rows, orderOf } = await start(t)
  const open = csv('PO number,Supplier,SKU,Quantity,Cost,Line Status', '1,Acme,SKU-1,6,1,Not received')
  const failed = await load('open.csv', open)
  t.match(await rows(failed.id), [{ message: /^The file does not say when this was ordered/ }])
  await load('open.csv', open, { defaults: { orderedOn: '2024-03-01' } })
  t.match(await orderOf('1'), { status: 'sent', sentAt: /^2024-03-01/, emailStatus: 'none' })

  const bare = csv('PO number,Supplier,SKU,Quantity,Cost', '2,Acme,SKU-1,6,1')
  await load('bare.csv', bare, { defaults: { orderedOn: '2024-03-01' } })
  t.match(await orderOf('2'), { status: 'sent', sentAt: /^2024-03-01/ })
  await load('draft.csv', bare.replace('2,', '3,'))
  t.match(await orderOf('3'), { status: 'draft' })
})

t.test('an order whose lines were all rejected is cancelled', async (t) => {
  const { load, orderOf, alice } = await start(t)
  const file = csv(
    'PO number,Supplier,Order date,SKU,Quantity,Cost,Line Status',
    '1,Acme,2024-03-01,SKU-1,6,1,Rejected',
    '1,Acme,2024-03-01,SKU-2,4,1,Rejected',
  )
  await load('rejected.csv', file)
  t.match(await orderOf('1'), { status: 'cancelled', lineItems: [{ cancelledQuantity: 6 }, {}] })
  const { data } = (await alice.get('/api/reports/supplier-performance')).json()
  t.strictSame(data, [], 'a cancelled order says nothing about the supplier')
})

t.test('a line that was cancelled, voided or closed is no longer outstanding', async (t) => {
  const { load, orderOf, rows } = await start(t)
  const statuses = [
    ['Line Status', 'Cancelled'],
    ['Status', 'Void'],
    ['Line Status', 'Closed'],
  ] as const
  for (const [number, [column, status]] of statuses.entries()) {
    const done = await load(
      'lines.csv',
      csv(
        `PO number,Supplier,Order date,SKU,Quantity,Cost,${column}`,
        `${number},Acme,2024-03-01,SKU-1,10,1,Received`,
        `${number},Acme,2024-03-01,SKU-2,10,1,${status}`,
        `${number},Acme,2024-03-01,SKU-3,5,1,Completed`,
      ),
    )
    t.match(done.summary, { new: 3, faults: 0, openOrders: 0 }, status)
    t.match(await orderOf(`${number}`), {
      status: 'received',
      lineItems: [
        { receivedQuantity: 10 },
        { receivedQuantity: 0, cancelledQuantity: 10, outstandingQuantity: 0 },
        { receivedQuantity: 5 },
      ],
    })
  }

  // 10 ordered - 4 received = 6 cancelled; the list of orders says "Open"
  const counted = await load(
    'orders.zip',
    await zipOf({
      'All orders.csv': 'No.,Vendor,PO Date,Status\n7,Acme,2024-03-01,Open',
      'Purchase order 7.csv': csv('SKU,Qty Ordered,Cost (base),Received,Status', 'SKU-1,10,4,4,Cancelled'),
    }),
  )
  t.match(await rows(counted.id, 'fault'), [])
  t.match(await orderOf('7'), {
    status: 'received',
    lineItems: [{ receivedQuantity: 4, cancelledQuantity: 6, outstandingQuantity: 0 }],
  })
})

t.test('closed lines of an order that has arrived have arrived', async (t) => {
  const { load, orderOf } = await start(t)
  const header = 'PO number,Supplier,Order date,SKU,Quantity,Cost'
  const repeated = csv(
    `${header},Status`,
    '1,Acme,2024-03-01,SKU-1,6,1,Closed',
    '1,Acme,2024-03-01,SKU-2,4,1,Closed',
  )
  await load('repeated.csv', repeated)
  const dated = csv(
    `${header},Line Status,Received at`,
    '2,Acme,2024-03-01,SKU-1,6,1,Closed,2024-03-08',
    '2,Acme,2024-03-01,SKU-2,4,1,Closed,2024-03-08',
  )
  await load('dated.csv', dated)
  await load(
    'listed.zip',
    await zipOf({
      'All orders.csv': list('3,,Acme,2024-03-01,,10,10 of 10,Yes'),
      'Purchase order 3.csv': csv(
        'SKU,Qty Ordered,Cost (base),Line Status',
        'SKU-1,6,1,Closed',
        'SKU-2,4,1,Closed',
      ),
    }),
  )
  for (const number of ['1', '2', '3'])
    t.match(
      await orderOf(number),
      { status: 'received', lineItems: [{ receivedQuantity: 6 }, { receivedQuantity: 4 }] },
      number,
    )
})

t.test('pieces that came without being ordered are over-received', async (t) => {
  const { load, orderOf, receiptsOf, rows } = await start(t)
  const file = csv(
    'PO number,Supplier,Order date,SKU,Quantity,Cost,Received,Line Status',
    '1,Acme,2024-03-01,SKU-1,6,1,6,Received',
    '1,Acme,2024-03-01,SKU-2,0,1,2,Extra Received',
    '1,Acme,2024-03-01,SKU-3,0,1,,Extra Received',
  )
  const done = await load('extra.csv', file)
  t.match(await rows(done.id), [
    { state: 'new' },
    { state: 'new' },
    {
      state: 'fault',
      message:
        'The line says "Extra Received", but not how many pieces. Map a column with the received pieces.',
    },
  ])
  const order = await orderOf('1')
  t.match(order, { status: 'received', total: 6, lineItems: [{}, { quantity: 0, receivedQuantity: 2 }] })
  t.match(await receiptsOf(order.id), [{ lineItems: [{ quantity: 6 }, { quantity: 2 }] }])
})

t.test(
  'the file of a received order brings its lines as received, and no stock can come twice',
  async (t) => {
    const { load, orderOf, receiptsOf, alice } = await start(t)
    await load('all.csv', list('21,,Acme,2024-02-13,,52,14 of 14,No'))
    const file = csv('Vendor,SKU,Qty Ordered,Cost (base)', 'Acme,SKU-1,10,4', 'Acme,SKU-2,4,3')
    const done = await load('Purchase order 21.csv', file)
    t.match(done.summary, { changed: 2, faults: 0 })
    const order = await orderOf('21')
    t.match(order, {
      status: 'received',
      receivedAt: '2024-02-13T12:00:00.000Z',
      total: 52,
      lineItems: [
        { receivedQuantity: 10, outstandingQuantity: 0 },
        { receivedQuantity: 4, outstandingQuantity: 0 },
      ],
    })
    t.match(await receiptsOf(order.id), [
      { isImported: true, lineItems: [{ quantity: 10 }, { quantity: 4 }] },
    ])
    const again = await alice.post(`/api/purchase-orders/${order.id}/receive`, {
      locationId: locationGid(1),
      lineItems: [{ lineItemId: order.lineItems[0]?.id, quantityReceived: 10 }],
    })
    t.equal(again.statusCode, 409, again.body)
    const [performance] = (await alice.get('/api/reports/supplier-performance')).json().data
    t.match(performance, { leadTimeDays: null }, 'the day of arrival is not known')
  },
)

const header =
  'P.O. Number,Vendor/Supplier,SKU,Qty Ordered,Cost (base),Supplier Ref #,Receive Location,Expected Date,Shipping'
const ownFile = csv(header, '77,Acme,SKU-1,10,2.50,S-9,Place 2,2024-05-01,12.50')
const ofList = list('77,INV-7,Acme,2024-04-01,2024-06-01,25,0 of 10,Yes')
const complete = {
  status: 'sent',
  supplierReference: 'S-9',
  destinationLocationName: 'Place 2',
  expectedAt: /^2024-05-01/,
  invoiceNumber: 'INV-7',
  paymentDueOn: '2024-06-01',
  paidAt: /^2024-04-01/,
  charges: [{ kind: 'freight', amount: 12.5 }],
  lineItems: [{ sku: 'SKU-1', outstandingQuantity: 10 }],
}

t.test('the list and the file of an order complete each other, in both orders', async (t) => {
  await t.test('the list first', async (t) => {
    const { load, orderOf } = await start(t)
    await load('all.csv', ofList)
    t.match((await load('77.csv', ownFile)).summary, { changed: 1, same: 0, faults: 0 })
    t.match(await orderOf('77'), complete)
    t.match((await load('77.csv', ownFile)).summary, { changed: 0, same: 1 }, 'the same file again')
    t.match((await load('all.csv', ofList)).summary, { changed: 0, same: 1 }, 'the same list again')
    t.equal((await orderOf('77')).charges.length, 1)
  })
  await t.test('the file first', async (t) => {
    const { load, orderOf } = await start(t)
    await load('77.csv', ownFile, { defaults: { orderedOn: '2024-04-01' } })
    t.match((await load('all.csv', ofList)).summary, { changed: 1, same: 0, faults: 0 })
    t.match(await orderOf('77'), complete)
    t.match((await load('all.csv', ofList)).summary, { changed: 0, same: 1 }, 'the same list again')
  })
})

t.test('what the merchant has changed since is not filled in again', async (t) => {
  const { load, orderOf, alice, rows } = await start(t)
  await load('all.csv', ofList)
  const { id } = await orderOf('77')
  t.equal((await alice.put(`/api/purchase-orders/${id}`, { paidAt: null })).statusCode, 200)
  const again = await load('all.csv', ofList)
  t.match(again.summary, { changed: 0, same: 1 })
  t.match(await rows(again.id), [{ message: /has been changed here since it was imported/ }])
  t.equal((await orderOf('77')).paidAt, null)
})

t.test('costs in another currency than that of the order are converted, or are a fault', async (t) => {
  const { load, orderOf, rows, alice, db } = await start(t)
  await makeSupplier(alice, { name: 'Euro', currency: 'EUR' })
  await load('all.csv', list('5,,Euro,2024-02-13,,40,0 of 10,No'))
  const file = csv('No.,Vendor,SKU,Qty Ordered,Cost (base)', '5,Euro,SKU-1,10,4.40')
  const failed = await load('5.csv', file)
  t.match(await rows(failed.id), [
    { state: 'fault', message: /is in EUR and has no exchange rate, so costs in USD cannot be converted/ },
  ])
  t.equal((await orderOf('5')).lineItems.length, 0)
  await db.query(sql.typeAlias('void')`
    update purchase_order set rate = 1.1 where shop_id = ${alice.shopId} and source_number = '5'
  `)
  t.match((await load('5.csv', file)).summary, { changed: 1, faults: 0 })
  t.match(await orderOf('5'), { currency: 'EUR', rate: 1.1, total: 40, lineItems: [{ costPrice: 4 }] })
})

t.test(
  "without a currency the supplier's cost is not taken for one in the currency of the shop",
  async (t) => {
    const { load, orderOf, alice } = await start(t)
    const file = (number: number, supplier: string) =>
      csv(
        'PO number,Supplier,Order date,SKU,Quantity,cost_price,supplier_cost_price',
        `${number},${supplier},2024-03-01,SKU-1,10,4.40,4.00`,
      )
    await load('unknown.csv', file(1, 'Acme'))
    t.match(await orderOf('1'), { currency: 'USD', rate: 1, total: 44, lineItems: [{ costPrice: 4.4 }] })
    await makeSupplier(alice, { name: 'Euro', currency: 'EUR' })
    await load('known.csv', file(2, 'Euro'))
    t.match(await orderOf('2'), { currency: 'EUR', rate: 1.1, total: 40, lineItems: [{ costPrice: 4 }] })
  },
)

t.test('a line that was removed from an imported draft does not come back', async (t) => {
  const { load, orderOf, rows, alice } = await start(t)
  const file = csv('PO number,Supplier,SKU,Quantity,Cost', '3,Acme,SKU-1,6,1', '3,Acme,SKU-2,4,1')
  await load('draft.csv', file)
  const { id, lineItems } = await orderOf('3')
  const kept = { lineItems: [{ id: lineItems[0]?.id }] }
  t.equal((await alice.put(`/api/purchase-orders/${id}`, kept)).statusCode, 200)
  const again = await load('draft.csv', file)
  t.match(again.summary, { changed: 0 })
  t.match(await rows(again.id, 'fault'), [{ message: /has been changed here since it was imported/ }, {}])
  t.equal((await orderOf('3')).lineItems.length, 1)
})

t.test('lines that another import added count as what imports left', async (t) => {
  const { load, orderOf } = await start(t)
  const file = (...skus: number[]) =>
    csv('PO number,Supplier,SKU,Quantity,Cost', ...skus.map((sku) => `3,Acme,SKU-${sku},6,1`))
  await load('one.csv', file(1))
  t.match((await load('two.csv', file(2))).summary, { changed: 1, faults: 0 })
  t.match((await load('three.csv', file(3))).summary, { changed: 1, faults: 0 })
  t.equal((await orderOf('3')).lineItems.length, 3)
})

t.test('a supplier that comes with its orders says what the import made of it', async (t) => {
  const { load, db, alice } = await start(t)
  const { id } = await load('all.csv', ofList)
  const targets = await db.any(sql.type(row(Type.Object({ before: Type.Unknown() })))`
    select before from import_target where shop_id = ${alice.shopId} and import_id = ${id} and target = 'supplier'
  `)
  t.strictSame(targets, [{ before: { contacts: 0, version: 1 } }])
})

t.test('a supplier that was renamed is found by its old name', async (t) => {
  const { load, alice, orders } = await start(t)
  await load('all.csv', ofList)
  const [{ id }] = (await alice.get('/api/suppliers')).json().data
  t.equal((await alice.put(`/api/suppliers/${id}`, { name: 'Acme Ltd' })).statusCode, 200)
  t.match((await load('all.csv', ofList)).summary, { same: 1, new: 0, suppliers: 0 })
  t.equal((await orders()).length, 1)
})
