import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { startApp } from '../../../support/core/app.ts'
import { startTasks } from '../../../support/core/worker.ts'
import { importing } from '../../../support/make/imports.ts'
import { line, makeOrderIn, makeSupplier, readOrder } from '../../../support/make/orders.ts'
import { locationGid, makeStock, setPrimaryCountry } from '../../../support/make/stock.ts'
import { zipOf } from '../../../support/make/zip.ts'

const Count = Type.Object({ count: Type.Integer() })

async function start(t: Test, { variants = 5 } = {}) {
  const { db, alice, mallory } = await startApp(t)
  const { perform, platform } = await startTasks(t, db)
  await makeStock(db, alice, { variants, locations: 2 })
  const count = (table: string) =>
    db.oneFirst(sql.type(row(Count))`
      select count(*) from ${sql.identifier([table])} where shop_id = ${alice.shopId}
    `)
  const orders = async () => (await alice.get('/api/purchase-orders?limit=250')).json().data
  const orderOf = async (number: string) => {
    const [found] = (await alice.get(`/api/purchase-orders?search=${encodeURIComponent(number)}`)).json().data
    return readOrder(alice, found.id)
  }
  return { db, alice, mallory, perform, platform, count, orders, orderOf, ...importing(alice, perform) }
}

const apiOrders = [
  'id,number,ordered_at,expected_on,supplier_name,supplier_id,currency,invoice_number,archived,paid,purchase_order_date',
  '7,1001,2024-01-10,2024-01-20,Acme,55,USD,INV-1,true,true,',
  '8,1002,2024-02-10,2024-02-20,Acme,55,USD,,false,false,',
  '9,1003,,2024-03-20,Acme,55,USD,,false,false,',
].join('\n')

const apiItems = [
  'id,purchase_order_id,sku,quantity,status,received_at,cost_price',
  '1,7,SKU-1,10,received,2024-01-17,2.50',
  '2,7,SKU-2,4,received,2024-01-18,3',
  '3,8,SKU-1,10,received,2024-02-15,2.60',
  '4,8,SKU-3,5,not received,,4',
  '5,9,SKU-3,5,not received,,4',
].join('\n')

const archive = () => zipOf({ 'purchase_orders.csv': apiOrders, 'purchase_order_items.csv': apiItems })

t.test('orders of the past come with their receipts, move no stock and mail no supplier', async (t) => {
  const { read, run, orderOf, count, db, alice } = await start(t)
  const before = await db.any(sql.type(row(Type.Object({ quantity: Type.Integer() })))`
    select quantity from stock_level where shop_id = ${alice.shopId} order by variant_id, location_id
  `)
  const movements = await count('stock_movement')
  const ready = await read('archive.zip', await archive())
  t.match(ready, { state: 'ready', kind: 'purchase_orders', error: '' })
  const done = await run(ready.id)
  t.match(done, {
    state: 'done',
    summary: { rows: 8, new: 8, faults: 0, suppliers: 1, orders: 3, openOrders: 1 },
  })

  const past = await orderOf('1001')
  t.match(past, {
    status: 'received',
    supplierName: 'Acme',
    sentAt: '2024-01-10T12:00:00.000Z',
    receivedAt: '2024-01-18T12:00:00.000Z',
    sourceNumber: '1001',
    isImported: true,
    invoiceNumber: 'INV-1',
    paidAt: '2024-01-10T12:00:00.000Z',
    total: 37,
    emailStatus: 'none',
    lineItems: [
      { sku: 'SKU-1', quantity: 10, receivedQuantity: 10 },
      { sku: 'SKU-2', quantity: 4, receivedQuantity: 4 },
    ],
  })
  const receipts = (await alice.get(`/api/purchase-orders/${past.id}/receipts`)).json().data
  t.match(receipts, [
    { isImported: true, createdAt: '2024-01-18T12:00:00.000Z', lineItems: [{ sku: 'SKU-2', quantity: 4 }] },
    { isImported: true, createdAt: '2024-01-17T12:00:00.000Z', lineItems: [{ sku: 'SKU-1', quantity: 10 }] },
  ])
  t.match(await orderOf('1002'), {
    status: 'partial',
    lineItems: [{ outstandingQuantity: 0 }, { outstandingQuantity: 5, receivedQuantity: 0 }],
  })
  t.match(await orderOf('1003'), { status: 'draft', sentAt: null })

  t.equal(await count('stock_movement'), movements, 'no stock moves')
  t.equal(await count('outgoing_mail'), 0)
  t.equal(await count('cost_movement'), 0)
  t.strictSame(
    await db.any(sql.type(row(Type.Object({ quantity: Type.Integer() })))`
      select quantity from stock_level where shop_id = ${alice.shopId} order by variant_id, location_id
    `),
    before,
  )
})

t.test('receiving goes on with what an open order still lacks', async (t) => {
  const { load, orderOf, alice } = await start(t)
  await load('archive.zip', await archive())
  const { id, lineItems } = await orderOf('1002')
  const open = lineItems.find(({ outstandingQuantity }) => outstandingQuantity > 0)
  const answer = await alice.post(`/api/purchase-orders/${id}/receive`, {
    locationId: locationGid(1),
    lineItems: [{ lineItemId: open?.id, quantityReceived: 5 }],
  })
  t.match(answer.json(), { success: true, data: { status: 'received' } })
  const levels = (
    await alice.get(`/api/stock-levels?variantId=${encodeURIComponent(open?.variantId ?? '')}`)
  ).json().data
  t.strictSame(
    levels.map(({ currentStock }: { currentStock: number }) => currentStock).sort(),
    [10, 15],
    'only what is received here moves stock',
  )
})

t.test('the same file again changes nothing', async (t) => {
  const { load, alice, db } = await start(t)
  await load('archive.zip', await archive())
  const before = await snapshot(db, alice.shopId)
  const again = await load('archive.zip', await archive())
  t.match(again.summary, { rows: 8, same: 8, new: 0, changed: 0, faults: 0, suppliers: 0, orders: 0 })
  t.strictSame(await snapshot(db, alice.shopId), before)
})

async function snapshot(db: Awaited<ReturnType<typeof start>>['db'], shopId: number) {
  const tables = [
    'purchase_order',
    'purchase_order_line',
    'receipt',
    'receipt_line',
    'supplier',
    'supplier_product',
  ]
  const rows: unknown[] = []
  for (const table of tables) {
    rows.push(
      await db.oneFirst(sql.type(row(Type.Object({ rows: Type.Unknown() })))`
        select coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)), '[]') as rows
        from ${sql.identifier([table])} t
        where t.shop_id = ${shopId}
      `),
    )
  }
  return rows
}

t.test('a dry run says what a run does, and stores nothing', async (t) => {
  const { read, rehearse, run, alice, db, rows } = await start(t)
  const before = await snapshot(db, alice.shopId)
  const { id } = await read('archive.zip', await archive())
  const checked = await rehearse(id)
  t.match(checked, {
    state: 'ready',
    summary: { isRehearsal: true, new: 8, orders: 3, openOrders: 1, suppliers: 1 },
  })
  t.strictSame(await snapshot(db, alice.shopId), before)
  const preview = (await rows(id)).map(({ state, target, targetId }) => [state, target, targetId])
  t.strictSame(preview[0], ['new', 'purchase_order', null])
  const { summary } = await run(id)
  t.strictSame({ ...summary, isRehearsal: true }, checked.summary)
})

t.test('a line without a product is a fault, and the rest of its order is imported', async (t) => {
  const { load, rows, alice, orderOf } = await start(t)
  const file =
    'PO Number,Supplier,Order date,SKU,Quantity,Cost\nA-1,Acme,2024-05-13,sku-1,3,2\nA-1,Acme,2024-05-13,NONE,3,2'
  const done = await load('orders.csv', file)
  t.match(done, { state: 'done', summary: { new: 1, faults: 1 } })
  t.match(await rows(done.id, 'fault'), [{ row: 3, message: 'No product has the SKU NONE.', raw: ['A-1'] }])
  t.match(await orderOf('A-1'), { status: 'sent', lineItems: [{ sku: 'SKU-1' }] })
  const csv = (await alice.get(`/api/imports/${done.id}/faults`)).body
  t.match(csv, 'PO Number,Supplier,Order date,SKU,Quantity,Cost,Fault,Place')
  t.match(csv, 'A-1,Acme,2024-05-13,NONE,3,2,No product has the SKU NONE.')

  const mended = await load('mended.csv', csv.replace('NONE', 'SKU-2'))
  t.match(mended.summary, { changed: 1, faults: 0, orders: 0 })
  t.match(await orderOf('A-1'), { total: 12, lineItems: [{ sku: 'SKU-1' }, { sku: 'SKU-2' }] })
})

t.test('an ambiguous date is read as the country of the shop writes it', async (t) => {
  const { db, alice, read } = await start(t)
  const file = 'PO Number,Supplier,Order date,SKU,Quantity,Cost\nA-1,Acme,03/04/2024,SKU-1,3,2'
  t.match((await read('american.csv', file)).sheets, [{ dayOrder: 'mdy', isDayOrderCertain: false }])
  await setPrimaryCountry(db, alice, 'GB')
  t.match((await read('british.csv', file)).sheets, [{ dayOrder: 'dmy', isDayOrderCertain: false }])
})

t.test('"3 of 10" without lines that say which is a fault', async (t) => {
  const { load, rows, orderOf } = await start(t)
  const file = [
    'No.;Invoice No.;Vendor/Supplier;PO Date;Payment Due;Total Cost;Received;Paid;Archived',
    '11;X;Acme;13/02/2024;;1.200,50;10 of 10;Yes;Yes',
    '12;;Acme;14/02/2024;;99,00;3 of 10;No;No',
    '13;;Acme;15/02/2024;;99,00;0 of 10;No;No',
  ].join('\r\n')
  const done = await load('all.csv', file)
  t.match(done.sheets, [{ kind: 'purchase_orders', delimiter: ';', decimalSign: ',', dayOrder: 'dmy' }])
  t.match(done.summary, { new: 2, faults: 1 })
  t.match(await rows(done.id, 'fault'), [{ row: 3, message: /^3 of 10 pieces arrived/ }])
  t.match(await orderOf('11'), { status: 'received', total: 1200.5, lineItems: [] })
  t.match(await orderOf('13'), { status: 'sent', total: 99 })
})

t.test('"3 of 10" of an earlier list counts for the own file of the order', async (t) => {
  const { alice, load, rows, orders, orderOf } = await start(t)
  const list = (...lines: string[]) =>
    ['No.,Vendor/Supplier,PO Date,Total Cost,Received', ...lines].join('\n')
  const first = await load('all.csv', list('12,Acme,2024-02-14,99,3 of 10', '13,Acme,2024-02-15,9,0 of 10'))
  const advice = "Import the order's own file, with its lines and a column with the received pieces."
  t.match(await rows(first.id, 'fault'), [
    { message: `3 of 10 pieces arrived, but no line says which. ${advice}` },
  ])
  const supplierId = (await alice.get('/api/suppliers')).json().data[0].id
  const defaults = { supplierId, orderedOn: '2024-02-14' }
  const own = 'SKU,Qty Ordered,Cost (base),Total Cost (base)\nSKU-1,4,9,36\nSKU-2,6,10.5,63'
  const refused = await load('12.csv', own, { defaults })
  t.match(refused.summary, { orders: 0, faults: 2 })
  const message =
    '3 of 10 pieces arrived, as an earlier import says, but no line says which. ' +
    'Give each line its received pieces, in a column of the file, and import it again.'
  t.match(await rows(refused.id), [{ message }, { message }])
  t.match((await load('13.csv', own, { defaults })).summary, { changed: 2, faults: 0 }, 'nothing arrived')

  const other = await makeSupplier(alice, { name: 'Other' })
  const ofOther = await load('12.csv', own, { defaults: { ...defaults, supplierId: other } })
  t.match(ofOther.summary, { orders: 1, faults: 0 }, 'an order of another supplier')
  t.match((await load('all.csv', list('12,Acme,2024-02-14,99,10 of 10'))).summary, { orders: 1 })
  t.match((await load('12.csv', own, { defaults })).summary, { changed: 2, faults: 0 }, 'a newer list counts')
  t.match(
    (await orders()).filter(({ sourceNumber }: { sourceNumber: string }) => sourceNumber === '12'),
    [{ status: 'received' }, { status: 'sent' }],
  )

  await load('more.csv', list('14,Acme,2024-02-16,99,3 of 10'))
  const said = 'SKU,Qty Ordered,Cost (base),Received\nSKU-1,4,9,3\nSKU-2,6,10.5,0'
  t.match((await load('14.csv', said, { defaults })).summary, { orders: 1, openOrders: 1, faults: 0 })
  t.match(await orderOf('14'), { status: 'partial' })
})

t.test('orders without lines get them from the files of the orders', async (t) => {
  const { load, orderOf } = await start(t)
  await load('all.csv', 'No.,Vendor/Supplier,PO Date,Total Cost,Received\n21,Acme,2024-02-13,40,0 of 10')
  const files = { 'Purchase order 21.csv': 'SKU,Qty Ordered,Cost (base),Vendor/Supplier\nSKU-1,10,4,Acme' }
  const done = await load('orders.zip', await zipOf(files), { defaults: { orderedOn: '2024-02-13' } })
  t.match(done.summary, { changed: 1, faults: 0 })
  t.match(await orderOf('21'), {
    status: 'sent',
    total: 40,
    lineItems: [{ sku: 'SKU-1', quantity: 10, costPrice: 4 }],
  })
})

t.test("a supplier's cost is in the supplier's currency, and both costs say the rate", async (t) => {
  const { load, orderOf } = await start(t)
  const file = {
    purchase_orders: [
      {
        id: 1,
        number: 'E-1',
        ordered_at: '2024-04-01',
        supplier_name: 'Euro',
        currency: 'EUR',
        purchase_items: [
          { id: 2, sku: 'SKU-1', quantity: 10, cost_price: 4.4, supplier_cost_price: 4, received_at: null },
        ],
      },
    ],
  }
  const done = await load('archive.json', JSON.stringify(file))
  t.match(done.summary, { faults: 0, orders: 1 })
  t.match(await orderOf('E-1'), { currency: 'EUR', rate: 1.1, total: 40 })
})

t.test('a revert takes back what nothing has used since, and lists the rest', async (t) => {
  const { load, revert, rows, orderOf, orders, alice, count } = await start(t)
  const { id } = await load('archive.zip', await archive())
  const open = await orderOf('1002')
  const line = open.lineItems.find(({ outstandingQuantity }) => outstandingQuantity > 0)
  await alice.post(`/api/purchase-orders/${open.id}/receive`, {
    locationId: locationGid(1),
    lineItems: [{ lineItemId: line?.id, quantityReceived: 1 }],
  })
  const reverted = await revert(id)
  t.match(reverted, { state: 'reverted', revertedAt: String })
  t.match(
    (await orders()).map(({ id }: { id: number }) => id),
    [open.id],
  )
  const kept = await rows(id, 'kept')
  t.ok(kept.length > 0)
  t.match(kept[0], { message: /have been received since/ })
  t.equal(await count('supplier'), 1, 'its supplier stays')
})

t.test('after a receipt a revert leaves that order alone, and the rest of the shop as it was', async (t) => {
  const { load, revert, rows, orderOf, alice, db } = await start(t)
  const supplierId = await makeSupplier(alice, { name: 'Of the shop' })
  await makeOrderIn(alice, 'partial', { supplierId, lineItems: [line(1, { quantity: 5 })] })
  const before = await dump(db, alice.shopId)
  const { id } = await load('archive.zip', await archive())
  const open = await orderOf('1002')
  const item = open.lineItems.find(({ outstandingQuantity }) => outstandingQuantity > 0)
  await alice.post(`/api/purchase-orders/${open.id}/receive`, {
    locationId: locationGid(1),
    lineItems: [{ lineItemId: item?.id, quantityReceived: 1 }],
  })
  const received = await dump(db, alice.shopId)
  t.match(await revert(id), { state: 'reverted' })
  const after = await dump(db, alice.shopId)
  t.match(await rows(id, 'kept'), [{ message: `Goods of ${open.poNumber} have been received since.` }])
  for (const [table, now] of after) {
    const old = new Set(before.get(table))
    const added = now.filter((record) => !old.has(record))
    t.strictSame(
      (before.get(table) ?? []).filter(
        (record) => !now.includes(record) && received.get(table)?.includes(record),
      ),
      [],
      `${table}: what was here before the import is here, as the receipt left it`,
    )
    t.strictSame(
      added.filter((record) => !received.get(table)?.includes(record)),
      [],
      `${table}: the revert has changed nothing that it leaves`,
    )
    const kept = keptRecords[table]
    if (kept !== undefined) t.equal(added.length, kept, `${table}: what stays of the import`)
  }
})

/** What belongs to the one order that stays: its supplier, its lines, the imported receipt and the one of the shop. */
const keptRecords: Record<string, number> = {
  purchase_order: 1,
  purchase_order_line: 2,
  receipt: 2,
  receipt_line: 2,
  supplier: 1,
  supplier_contact: 0,
  purchase_order_charge: 0,
  stock_count: 0,
  outgoing_mail: 0,
}

/** Every row of the tables that an import or a receipt may change, as text. */
async function dump(db: Awaited<ReturnType<typeof start>>['db'], shopId: number) {
  const tables = [
    ...Object.keys(keptRecords),
    'supplier_product',
    'stock_level',
    'stock_movement',
    'cost_movement',
    'variant',
    'variant_cost',
    'reorder_rule',
    'alert',
  ]
  const all = new Map<string, string[]>()
  for (const table of tables) {
    const rows = await db.anyFirst(sql.type(row(Type.Object({ record: Type.String() })))`
      select to_jsonb(t)::text as record from ${sql.identifier([table])} t where t.shop_id = ${shopId}
    `)
    all.set(table, [...rows])
  }
  return all
}

t.test('a revert of an unused import leaves nothing behind', async (t) => {
  const { load, revert, count } = await start(t)
  const { id } = await load('archive.zip', await archive())
  await revert(id)
  for (const table of ['purchase_order', 'purchase_order_line', 'receipt', 'supplier', 'supplier_product'])
    t.equal(await count(table), 0, table)
})

t.test('numbers go on after the largest imported one when the merchant wants it', async (t) => {
  const { load, orderOf, alice } = await start(t)
  await load('archive.zip', await archive(), { defaults: { continueNumbers: true } })
  t.equal((await orderOf('1001')).poNumber, 'PO-01001')
  const supplier = (await alice.get('/api/suppliers')).json().data[0]
  const created = await alice.post('/api/purchase-orders', { supplierId: supplier.id, lineItems: [] })
  t.equal(created.json().data.poNumber, 'PO-01004')
})

t.test('several products with one barcode are a fault, never a guess', async (t) => {
  const { load, rows, db, alice } = await start(t)
  await db.query(sql.typeAlias('void')`update variant set barcode = '555' where shop_id = ${alice.shopId}`)
  const done = await load(
    'orders.csv',
    'PO Number,Supplier,Date,Barcode,SKU,Quantity\n1,Acme,2024-05-13,555,SKU-1,3',
  )
  t.match(await rows(done.id), [{ state: 'fault', message: /^5 products have the barcode 555/ }])
})

t.test("the platform's template becomes a draft of the chosen supplier", async (t) => {
  const { load, alice, orders } = await start(t)
  const supplierId = (await alice.post('/api/suppliers', { name: 'Acme' })).json().data.id
  const file = 'SKU,Barcode,Supplier SKU,Quantity,Cost,Tax\nSKU-1,,AC-1,3,2.50,20%'
  const done = await load('template.csv', file, { defaults: { supplierId } })
  t.match(done.summary, { new: 1, faults: 0 })
  t.match(await orders(), [{ status: 'draft', supplierId, total: 9 }])
})

t.test('the stock orders of a planner become orders', async (t) => {
  const { load, orderOf } = await start(t)
  const file = [
    'ID,REFERENCE,STATUS,WAREHOUSE,VENDOR,CURRENCY,LINE_ITEM_ID,VARIANT_ID,SKU,REPLENISHMENT,RECEIVED,COST_PRICE,EXPECTED_DATE,CREATED_DATE',
    '901,IP-1,open,Place 2,Acme,USD,1,1,SKU-1,10,4,2.5,2026-12-24,2026-09-01',
    '901,IP-1,open,Place 2,Acme,USD,2,2,SKU-2,5,0,2.5,2026-12-24,2026-09-01',
  ].join('\n')
  const done = await load('planner.csv', file)
  t.match(done.summary, { new: 2, faults: 0, openOrders: 1 })
  t.match(await orderOf('IP-1'), {
    status: 'partial',
    destinationLocationName: 'Place 2',
    lineItems: [{ receivedQuantity: 4, outstandingQuantity: 6 }, { outstandingQuantity: 5 }],
  })
})
