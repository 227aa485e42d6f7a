import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { startApp } from '../../../support/core/app.ts'
import { startTasks } from '../../../support/core/worker.ts'
import { importing } from '../../../support/make/imports.ts'
import { line, makeOrder, makeSupplier, readOrder } from '../../../support/make/orders.ts'
import { makeRule } from '../../../support/make/reorder.ts'
import { makeStock, variantGid } from '../../../support/make/stock.ts'

/*
 * A file of each source that merchants come from, in the columns which it exports. The files are ours: no unedited file of
 * those systems is public.
 */

async function start(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  const { perform } = await startTasks(t, db)
  await makeStock(db, alice, { variants: 4, locations: 2 })
  const count = (table: string) =>
    db.oneFirst(sql.type(row(Type.Object({ count: Type.Integer() })))`
      select count(*) from ${sql.identifier([table])} where shop_id = ${alice.shopId}
    `)
  const orderOf = async (number: string) => {
    const [found] = (await alice.get(`/api/purchase-orders?search=${encodeURIComponent(number)}`)).json().data
    return readOrder(alice, found.id)
  }
  return { db, alice, mallory, count, orderOf, ...importing(alice, perform) }
}

const csv = (...rows: string[]) => rows.join('\r\n')

t.test('Stocky: the list of all purchase orders', async (t) => {
  const { load, rows, orderOf } = await start(t)
  const done = await load(
    'Purchase Orders.csv',
    csv(
      'No.,Invoice No.,Vendor/Supplier,PO Date,Payment Due,Total Cost,Received,Paid,Archived',
      '1,INV-1,Acme,2024-03-20,2024-04-20,"1,200.50",10 of 10,Yes,Yes',
      '2,,Acme,2024-03-21,,80.00,0 of 10,No,No',
      '3,,Acme,2024-03-22,,80.00,3 of 10,No,No',
    ),
  )
  t.match(done.summary, { orders: 2, openOrders: 1, faults: 1 })
  t.match(await rows(done.id, 'fault'), [{ row: 4, message: /^3 of 10 pieces/ }])
  t.match(await orderOf('1'), {
    status: 'received',
    total: 1200.5,
    invoiceNumber: 'INV-1',
    paymentDueOn: '2024-04-20',
    paidAt: /^2024-03-20/,
    lineItems: [],
  })
})

t.test('Stocky: one purchase order', async (t) => {
  const { load, orderOf, alice } = await start(t)
  const file = csv(
    'P.O. Number,Vendor/Supplier,SKU,Stock Code,Item Description,Qty Ordered,Cost (base),Total Cost (base),Line Status,Supplier Ref #,Receive Location,Expected Date',
    '77,Acme,SKU-1,A-1,Mug,10,2.50,25.00,Received,S-9,Place 2,2024-05-01',
    '77,Acme,SKU-2,A-2,Cup,4,3.00,12.00,Not received,S-9,Place 2,2024-05-01',
    '77,Acme,SKU-3,A-3,Jar,2,1.00,2.00,Rejected,S-9,Place 2,2024-05-01',
  )
  const done = await load('purchase order 77.csv', file, { defaults: { orderedOn: '2024-04-01' } })
  t.match(done.summary, { new: 3, faults: 0, orders: 1, openOrders: 1 })
  const order = await orderOf('77')
  t.match(order, {
    status: 'partial',
    supplierReference: 'S-9',
    destinationLocationName: 'Place 2',
    expectedAt: /^2024-05-01/,
    lineItems: [
      { supplierSku: 'A-1', receivedQuantity: 10, costPrice: 2.5 },
      { outstandingQuantity: 4 },
      { cancelledQuantity: 2, receivedQuantity: 0 },
    ],
  })
  const receipts = (await alice.get(`/api/purchase-orders/${order.id}/receipts`)).json().data
  t.match(receipts, [{ isImported: true, lineItems: [{ sku: 'SKU-1', quantity: 10 }] }])
})

t.test('Stocky: a stocktake', async (t) => {
  const { load, alice, rows, count } = await start(t)
  const movements = await count('stock_movement')
  const file = csv(
    'Product name,SKU,Barcode,Shopify variant ID,Retail price,Cost price,Expected stock,Actual stock,Adjustment',
    'Mug,SKU-1,,,19.00,4.20,10,8,-2',
    `Cup,,,${variantGid(2).replace(/\D/g, '')},19.00,3.10,4,4,0`,
  )
  const done = await load('stocktake.csv', file, {
    defaults: { orderedOn: '2024-05-13', locationId: 'gid://platform/Location/2' },
  })
  t.match(done, { kind: 'stock_counts', summary: { new: 2, faults: 0 } })
  const [first] = await rows(done.id, 'new')
  t.match((await alice.get(`/api/stock-counts/${first?.targetId}`)).json().data, {
    status: 'submitted',
    locationName: 'Place 2',
    items: [{ countedQuantity: 8, expectedQuantity: 10 }, { countedQuantity: 4 }],
  })
  t.equal(await count('stock_movement'), movements)
  t.equal((await alice.get('/api/variants/1/costs')).json().data.averageCost, 4.2)
})

t.test('Stocky: variants with their average cost', async (t) => {
  const { load, alice } = await start(t)
  const done = await load('costs.csv', csv('Sku,Average Cost', 'SKU-1,2.345', 'SKU-2,1'))
  t.match(done, { kind: 'costs', summary: { new: 2 } })
  t.equal((await alice.get('/api/variants/1/costs')).json().data.averageCost, 2.345)
})

const archive = {
  suppliers: [
    {
      id: 55,
      name: 'Acme',
      company_name: 'Acme Ltd',
      account_number: 'A-1',
      contact_name: 'Bob',
      contact_email: 'bob@acme.example',
      address1: '1 Mill Road',
      address2: '',
      city: 'Leeds',
      province_code: 'LDS',
      country_name: 'United Kingdom',
      zip: 'LS1',
      phone: '+44 1',
      is_hidden: false,
    },
  ],
  purchase_orders: [
    {
      id: 7,
      number: '1001',
      sequential_id: 1,
      invoice_number: 'INV-1',
      generated_at: '2024-01-09T10:00:00Z',
      ordered_at: '2024-01-10',
      expected_on: '2024-01-20',
      ship_on: null,
      payment_due_on: '2024-02-10',
      archived: true,
      supplier_name: 'Acme',
      supplier_id: 55,
      currency: 'EUR',
      shopify_receive_location_id: 2,
      paid: true,
      adjustments: '-2.00',
      shipping: '12.50',
      invoice_date: '2024-01-12',
      purchase_items: [
        {
          purchase_order_id: 7,
          inventory_item_id: null,
          sku: 'SKU-1',
          product_title: 'Mug',
          variant_title: '',
          quantity: 10,
          status: 'received',
          received_at: '2024-01-17',
          retail_price: '19.00',
          cost_price: '4.40',
          supplier_cost_price: '4.00',
        },
      ],
    },
  ],
  stock_adjustments: [
    {
      id: 3,
      adjusted_at: '2024-02-01',
      location: 'Place 2',
      reason: 'Damaged',
      items: [
        { quantity: -2, previous_quantity: 10, new_quantity: 8, variant: 'Mug', sku: 'SKU-1', barcode: '' },
        { quantity: 1, previous_quantity: 4, new_quantity: 5, variant: 'Cup', sku: 'SKU-2', barcode: '' },
      ],
    },
  ],
}

t.test('Stocky: an archive of its API', async (t) => {
  const { load, revert, orderOf, alice, mallory, count } = await start(t)
  const movements = await count('stock_movement')
  const done = await load('stocky.json', JSON.stringify(archive))
  t.match(done, { kind: 'archive', summary: { faults: 0, suppliers: 1, orders: 1 } })
  t.match(await orderOf('1001'), {
    status: 'received',
    currency: 'EUR',
    rate: 1.1,
    subtotal: 40,
    discount: 2,
    total: 38,
    invoiceNumber: 'INV-1',
    invoiceDate: '2024-01-12',
    paymentDueOn: '2024-02-10',
    destinationLocationName: 'Place 2',
    charges: [
      { kind: 'freight', amount: 12.5, currency: 'EUR', rate: 1.1, isRateTyped: false, basis: 'value' },
    ],
  })
  const { data } = (await alice.get('/api/past-adjustments')).json()
  t.match(data, [
    { sku: 'SKU-2', quantity: 1, locationName: 'Place 2' },
    {
      sku: 'SKU-1',
      quantity: -2,
      previousQuantity: 10,
      newQuantity: 8,
      reason: 'Damaged',
      adjustedAt: /^2024-02-01/,
    },
  ])
  t.strictSame((await mallory.get('/api/past-adjustments')).json().data, [])
  const ofVariant = await alice.get(`/api/past-adjustments?variantId=${encodeURIComponent(variantGid(2))}`)
  t.equal(ofVariant.json().data.length, 1)
  t.equal(await count('stock_movement'), movements, 'no stock moves')
  t.equal(await count('cost_movement'), 0, 'no cost is booked')

  t.match((await load('stocky.json', JSON.stringify(archive))).summary, { new: 0, changed: 0, faults: 0 })
  t.match(await revert(done.id), { state: 'reverted', summary: { kept: 0 } })
  for (const table of ['past_adjustment', 'purchase_order', 'purchase_order_charge', 'supplier'])
    t.equal(await count(table), 0, table)
})

t.test('equal adjustments of one file stay as many as they are, also in different slices', async (t) => {
  const { load, rehearse, read, revert, rows, count } = await start(t)
  const equal = 'SKU-1,-1,2024-02-01,Damaged,Place 2'
  const others = Array.from({ length: 1_000 }, (_, at) => `SKU-2,${at + 1},2024-02-02,Counted,Place 2`)
  const file = csv('SKU,Adjustment,Adjusted at,Reason,Location', equal, equal, ...others, equal)
  const ready = await read('adjustments.csv', file, 'adjustments')
  t.match((await rehearse(ready.id)).summary, { new: 1_003, same: 0, faults: 0 })
  const done = await load('adjustments.csv', file, { kind: 'adjustments' })
  t.match(done.summary, { new: 1_003, same: 0, faults: 0 })
  t.equal(await count('past_adjustment'), 1_003)
  const ids = (await rows(done.id)).map(({ targetId }) => targetId)
  t.equal(new Set(ids).size, ids.length)
  const again = await load('adjustments.csv', file, { kind: 'adjustments' })
  t.match(again.summary, { new: 0, same: 1_003 }, 'the same file again changes nothing')
  const more = await load('more.csv', csv('SKU,Adjustment,Adjusted at,Reason,Location', equal), {
    kind: 'adjustments',
  })
  t.match(more.summary, { new: 0, same: 1 })
  t.equal(await count('past_adjustment'), 1_003)
  t.match(await revert(done.id), { summary: { kept: 0 } })
  t.equal(await count('past_adjustment'), 0)
})

t.test('the template of the platform', async (t) => {
  const { load, alice } = await start(t)
  const supplierId = await makeSupplier(alice)
  const file = csv('SKU,Barcode,Supplier SKU,Quantity,Cost,Tax', 'SKU-1,,AC-1,3,2.50,20%')
  t.match((await load('template.csv', file, { defaults: { supplierId } })).summary, { new: 1, faults: 0 })
  t.match((await alice.get('/api/purchase-orders')).json().data, [{ status: 'draft', supplierId, total: 9 }])
})

t.test('Inventory Planner: stock orders', async (t) => {
  const { load, orderOf } = await start(t)
  const file = csv(
    'ID,REFERENCE,STATUS,WAREHOUSE,VENDOR,CURRENCY,LINE_ITEM_ID,VARIANT_ID,SKU,REPLENISHMENT,RECEIVED,COST_PRICE,EXPECTED_DATE',
    '901,IP-1,open,Place 2,Acme,USD,1,1,SKU-1,10,4,2.5,2026-12-24',
    '901,IP-1,open,Place 2,Acme,USD,2,2,SKU-2,5,0,2.5,2026-12-24',
  )
  const done = await load('planner.csv', file, { defaults: { orderedOn: '2026-09-01' } })
  t.match(done.summary, { new: 2, faults: 0, openOrders: 1 })
  t.match(await orderOf('IP-1'), {
    status: 'partial',
    destinationLocationName: 'Place 2',
    lineItems: [{ receivedQuantity: 4, costPrice: 2.5 }, { outstandingQuantity: 5 }],
  })
})

t.test('products of suppliers come with prices, and what is here is completed', async (t) => {
  const { load, revert, rows, alice, count } = await start(t)
  const supplierId = await makeSupplier(alice, { name: 'Acme', currency: 'EUR' })
  const file = csv(
    'Supplier,SKU,Supplier SKU,Pack size,Minimum quantity,Lead time,Price,From quantity',
    'Acme,SKU-1,A-1,6,12,20,4.20,1',
    'Acme,SKU-1,A-1,,,,4.00,100',
    'Acme,SKU-2,A-2,0,,,1,1',
    'Nobody,SKU-2,A-2,1,,,1,1',
  )
  const done = await load('supplier products.csv', file)
  t.match(done, { kind: 'supplier_products', summary: { new: 2, faults: 2 } })
  const products = (await alice.get(`/api/suppliers/${supplierId}/products`)).json().data
  t.match(products, [
    {
      supplierSku: 'A-1',
      packSize: 6,
      minimumQuantity: 12,
      leadTimeDays: 20,
      price: 4.2,
      currency: 'EUR',
      prices: [{ minQuantity: 1 }, { minQuantity: 100, price: 4 }],
    },
  ])
  t.match((await load('supplier products.csv', file)).summary, { new: 0, same: 2, changed: 0 })
  const more = csv('Supplier,SKU,Supplier SKU,Pack size,Quantity multiple', 'Acme,SKU-1,A-1,8,3')
  const completed = await load('more.csv', more)
  t.match(completed.summary, { changed: 1, targets: [{ target: 'supplier_product', new: 0, changed: 1 }] })
  t.match(await rows(completed.id), [{ message: 'Filled in: Quantity multiple 3 instead of 1.' }])
  t.match((await alice.get(`/api/suppliers/${supplierId}/products`)).json().data, [
    { packSize: 6, quantityMultiple: 3 },
  ])
  t.equal(await count('supplier_price'), 2)
  t.match(await revert(done.id), { summary: { new: 0, kept: 2 } })
  t.equal(await count('supplier_product'), 1, 'what was changed since stays')
  const message = 'The product of the supplier has been changed since.'
  t.match(await rows(done.id, 'kept'), [
    { row: 2, message },
    { row: 3, message },
  ])
  t.match(await revert(completed.id), { summary: { changed: 0, kept: 1 } })
  t.match(await rows(completed.id, 'kept'), [
    { message: /existed before the import\. The fields that the import filled in stay/ },
  ])
})

t.test(
  'the preferred supplier of a variant stays, and a variant without one gets the ranks of the file',
  async (t) => {
    const { load, alice } = await start(t)
    const ids = [await makeSupplier(alice, { name: 'Mine' }), await makeSupplier(alice, { name: 'Acme' })]
    await load('mine.csv', csv('Supplier,SKU,Supplier SKU', 'Mine,SKU-1,M-1'))
    const file = csv(
      'Supplier,SKU,Supplier SKU,Rank',
      'Acme,SKU-1,A-1,1',
      'Mine,SKU-2,M-2,2',
      'Acme,SKU-2,A-2,1',
    )
    t.match((await load('ranks.csv', file)).summary, { new: 3, faults: 0 })
    const ranksOf = async (id: number | undefined) =>
      (await alice.get(`/api/suppliers/${id}/products`))
        .json()
        .data.map(({ supplierSku, rank }: { supplierSku: string; rank: number }) => `${supplierSku} ${rank}`)
    t.strictSame((await ranksOf(ids[0])).sort(), ['M-1 1', 'M-2 2'])
    t.strictSame((await ranksOf(ids[1])).sort(), ['A-1 2', 'A-2 1'])
  },
)

t.test('a product of a supplier that was ordered since the import stays, and another goes', async (t) => {
  const { load, revert, rows, alice, count } = await start(t)
  const supplierId = await makeSupplier(alice, { name: 'Acme' })
  const done = await load(
    'products.csv',
    csv('Supplier,SKU,Supplier SKU,Pack size', 'Acme,SKU-1,A-1,6', 'Acme,SKU-2,A-2,6'),
  )
  await makeOrder(alice, { supplierId, lineItems: [line(1)] })
  t.match(await revert(done.id), { summary: { kept: 1 } })
  t.match(await rows(done.id, 'kept'), [{ row: 2, message: 'The product of the supplier is in orders.' }])
  t.match(await rows(done.id, 'reverted'), [{ row: 3 }])
  t.equal(await count('supplier_product'), 1)
})

t.test('reorder rules come from minimum and maximum, and a rule of the shop stays', async (t) => {
  const { load, revert, rows, alice, count } = await start(t)
  await makeRule(alice, { variantId: variantGid(3), reorderPoint: 1, reorderQuantity: 2 })
  const file = csv(
    'SKU,Location,Min,Max,Vendor',
    'SKU-1,Place 2,4,20,',
    'SKU-2,,5,5,',
    'SKU-3,,9,20,',
    'SKU-4,,1,2,Nobody',
  )
  const done = await load('min max.csv', file)
  t.match(done, { kind: 'reorder_rules', summary: { new: 1, skipped: 1, faults: 2 } })
  t.match(await rows(done.id, 'skipped'), [{ row: 4, message: /has a rule here already, which stays/ }])
  const rules = (await alice.get('/api/reorder/rules')).json().data
  t.match(rules, [
    { sku: 'SKU-1', locationName: 'Place 2', mode: 'manual', reorderPoint: 4, reorderQuantity: 16 },
    { sku: 'SKU-3', reorderPoint: 1 },
  ])
  t.match((await load('min max.csv', file)).summary, { new: 0, same: 1 })
  await revert(done.id)
  t.equal(await count('reorder_rule'), 1)
})

t.test('faults of rules, products and suppliers name the columns of the file', async (t) => {
  const { load, rows } = await start(t)
  const rules = await load(
    'min max.csv',
    csv('SKU,Min,Max', 'SKU-1,10,5', 'SKU-2,5,5', 'SKU-3,0,0', 'SKU-4,1.5,9', 'SKU-1,x,9', 'SKU-2,0,3'),
  )
  t.match(rules.summary, { new: 1, skipped: 1, faults: 4 })
  const messages = [
    'Max 5 is below Min 10.',
    'Max 5 is not above Min 5, so nothing would be ordered.',
    'Min 0 and Max 0 mean that the product has no rule.',
    'Min "1.5" must be a whole number from 0 to 1 000 000 000.',
    'Min "x" is not a number.',
    '',
  ]
  t.strictSame(
    (await rows(rules.id)).map(({ message }) => message),
    messages,
  )
  const products = await load('products.csv', csv('Vendor,SKU,Stock code,MOQ', 'Acme,SKU-1,A-1,0'))
  t.match(await rows(products.id), [{ message: /^No supplier has this name/ }])
  const suppliers = await load('suppliers.csv', csv('Name,Email,Lead time', 'Acme,a@acme.example,900'))
  t.match(await rows(suppliers.id), [{ message: 'Left out: Lead time "900".' }])
  const again = await load('products.csv', csv('Vendor,SKU,Stock code,MOQ', 'Acme,SKU-1,A-1,0'))
  t.match(await rows(again.id), [{ message: /^MOQ "0" must be / }])
})

t.test('a rule that was changed since the import stays', async (t) => {
  const { load, revert, rows, alice } = await start(t)
  const done = await load('rules.csv', csv('SKU,Reorder point,Reorder quantity', 'SKU-1,4,6'))
  const [rule] = (await alice.get('/api/reorder/rules')).json().data
  await alice.put(`/api/reorder/rules/${rule.id}`, { reorderPoint: 7 })
  t.match(await revert(done.id), { summary: { kept: 1 } })
  t.match(await rows(done.id, 'kept'), [{ message: 'The rule has been changed since.' }])
})

t.test('a list with costs and words of an order is no list of average costs', async (t) => {
  const { read, change, run, db, alice, orderOf } = await start(t)
  const file = csv(
    'PO Number,Supplier,SKU,Quantity received,Received date,Cost',
    'R-1,Acme,SKU-1,4,2024-05-13,2.50',
  )
  const found = await read('received.csv', file)
  t.match(found, { state: 'ready', kind: null, summary: null, questions: [{ about: 'kind' }] })
  for (const columns of ['Supplier,SKU,Cost', 'SKU,Order date,Cost', 'PO Number,SKU,Cost'])
    t.match(
      await read('list.csv', csv(columns, 'SKU-1,SKU-1,1')),
      { questions: [{ about: 'kind' }] },
      columns,
    )
  t.match(await read('list.csv', csv('id,SKU,Title,Cost', '1,SKU-1,Mug,1')), { kind: 'costs' })

  await change(found.id, { kind: 'purchase_orders' })
  t.match((await run(found.id)).summary, { orders: 1, openOrders: 0, faults: 0 })
  t.match(await orderOf('R-1'), {
    status: 'received',
    lineItems: [{ quantity: 4, receivedQuantity: 4, costPrice: 2.5 }],
  })
  const isArrivalKnown = await db.oneFirst(sql.type(row(Type.Object({ isArrivalKnown: Type.Boolean() })))`
    select is_arrival_known from purchase_order where shop_id = ${alice.shopId}
  `)
  t.equal(isArrivalKnown, false, 'no lead time of 0 days follows')
})

t.test('a list of stock levels becomes no purchase order', async (t) => {
  const { read } = await start(t)
  for (const [name, columns] of [
    ['list.csv', 'SKU,Location,Quantity'],
    ['list.csv', 'SKU,Quantity'],
    ['stock.csv', 'Product,SKU,Bin,Location,On hand,Available,Unit cost'],
    ['inventory.csv', 'Handle,Title,SKU,Location,On hand (current),On hand (new)'],
  ] as const) {
    const found = await read(name, csv(columns, columns))
    t.match(found, { sheets: [{ kind: 'skip', isStockList: true }], questions: [{ about: 'kind' }] }, columns)
  }
  for (const [name, columns] of [
    ['PO 21.csv', 'SKU,Quantity'],
    ['list.csv', 'SKU,Qty Ordered'],
    ['list.csv', 'SKU,Location,Quantity,Cost'],
  ] as const) {
    const found = await read(name, csv(columns, columns))
    t.match(found, { sheets: [{ kind: 'purchase_orders', isStockList: false }] }, `${name}: ${columns}`)
  }
})
