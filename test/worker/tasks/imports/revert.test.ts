import { Type } from '@sinclair/typebox'
import { zipSync } from 'fflate'
import t, { type Test } from 'tap'
import { type Db, row, sql } from '../../../../shared/db/db.ts'
import { revertBatches } from '../../../../shared/domain/exchange/imports/revert/revert.ts'
import { expectFailure, startApp } from '../../../support/core/app.ts'
import { startTasks } from '../../../support/core/worker.ts'
import { importing, readImport } from '../../../support/make/imports.ts'
import { line, makeSentOrder, makeSupplier, readOrder, receive } from '../../../support/make/orders.ts'
import { listRules } from '../../../support/make/reorder.ts'
import { makeStock } from '../../../support/make/stock.ts'

async function start(t: Test) {
  const { db, alice } = await startApp(t)
  const { perform } = await startTasks(t, db)
  await makeStock(db, alice, { variants: 4, locations: 1 })
  const suppliers = async () => (await alice.get('/api/suppliers')).json().data
  const orders = async () => (await alice.get('/api/purchase-orders?limit=250')).json().data
  const orderOf = async (number: string) => {
    const found = (await orders()).find(
      ({ sourceNumber }: { sourceNumber: string }) => sourceNumber === number,
    )
    return readOrder(alice, found.id)
  }
  return { db, alice, suppliers, orders, orderOf, ...importing(alice, perform) }
}

t.test('a revert keeps a supplier of an order when the merchant has added a contact', async (t) => {
  const { load, revert, rows, suppliers, alice } = await start(t)
  const file = 'PO Number,Supplier,Order date,SKU,Quantity,Cost\nA-1,Acme,2024-05-13,SKU-1,3,2'
  const done = await load('orders.csv', file)
  const [{ id }] = await suppliers()
  t.equal((await alice.post(`/api/suppliers/${id}/contacts`, { name: 'Bob' })).statusCode, 201)
  t.match(await revert(done.id), { state: 'reverted' })
  t.match(await suppliers(), [{ name: 'Acme' }])
  t.match((await alice.get(`/api/suppliers/${id}`)).json().data, { contacts: [{ name: 'Bob' }] })
  t.match(await rows(done.id), [{ state: 'reverted' }], 'the order itself is taken back')
})

t.test('a revert keeps a supplier whose imported contact the merchant has changed', async (t) => {
  const { load, revert, rows, suppliers, alice } = await start(t)
  const file = 'name,contact_name,contact_email\nAcme,Bob,bob@acme.example\nBest,Eve,eve@best.example'
  const done = await load('suppliers.csv', file)
  const acme = (await suppliers()).find(({ name }: { name: string }) => name === 'Acme')
  const [contact] = (await alice.get(`/api/suppliers/${acme.id}`)).json().data.contacts
  const path = `/api/suppliers/${acme.id}/contacts/${contact.id}`
  t.equal((await alice.put(path, { phone: '+44 1' })).statusCode, 200)
  t.match(await revert(done.id), { state: 'reverted', summary: { kept: 1 } })
  t.match(await rows(done.id, 'kept'), [{ message: 'Acme has been changed since.' }])
  t.strictSame(
    (await suppliers()).map(({ name }: { name: string }) => name),
    ['Acme'],
  )
})

t.test('a revert keeps a reorder rule whose maximum has been changed', async (t) => {
  const { load, revert, rows, alice } = await start(t)
  const file = 'SKU,Mode,Reorder point,Reorder quantity\nSKU-1,manual,4,12\nSKU-2,manual,4,12'
  const done = await load('rules.csv', file)
  const [first] = await rows(done.id)
  const changed = await alice.put(`/api/reorder/rules/${first?.targetId}`, { maxLevel: 40 })
  t.equal(changed.statusCode, 200, changed.body)
  t.match(await revert(done.id), { state: 'reverted', summary: { kept: 1 } })
  t.match(await rows(done.id, 'kept'), [{ message: 'The rule has been changed since.' }])
  t.match(await listRules(alice), [{ maxLevel: 40 }])
})

const list = [
  'No.,Vendor/Supplier,PO Date,Total Cost,Received',
  '21,Acme,2024-02-13,25,10 of 10',
  '22,Acme,2024-02-14,8,0 of 2',
].join('\n')
const lines = [
  'P.O. Number,Vendor/Supplier,SKU,Qty Ordered,Cost (base),Line Status',
  '21,Acme,SKU-1,10,2.50,Received',
  '22,Acme,SKU-2,2,4,Not received',
].join('\n')

t.test(
  'the list of orders and the files with their lines can both be reverted, the later one first',
  async (t) => {
    const { load, revert, rows, orders, orderOf, suppliers, alice } = await start(t)
    const first = await load('all.csv', list)
    const second = await load('lines.csv', lines)
    t.match(second.summary, { changed: 2, faults: 0 })
    const { details: _details, message } = expectFailure(
      t,
      await alice.post(`/api/imports/${first.id}/revert`),
      409,
      'conflict',
    )
    t.match(message, `Revert lines.csv (import ${second.id}) first`)

    t.match(await revert(second.id), { state: 'reverted', summary: { kept: 0 } })
    t.match(await rows(second.id), [{ state: 'reverted' }, { state: 'reverted' }])
    t.match(await orderOf('21'), { status: 'received', total: 25, lineItems: [] })
    t.match(await orderOf('22'), { status: 'sent', total: 8, lineItems: [] })
    const { id } = await orderOf('21')
    t.strictSame((await alice.get(`/api/purchase-orders/${id}/receipts`)).json().data, [])

    t.match((await load('lines.csv', lines)).summary, { changed: 2 }, 'the same file once more')
    t.match(await orderOf('21'), { lineItems: [{ receivedQuantity: 10 }] })
    const [newest] = (await alice.get('/api/imports')).json().data
    await revert(newest.id)
    t.match(await revert(first.id), { state: 'reverted', summary: { kept: 0 } })
    t.strictSame([await orders(), await suppliers()], [[], []])
  },
)

t.test('an order gets back the status and the sums from before its lines', async (t) => {
  const { load, revert, orderOf } = await start(t)
  const first = await load('all.csv', list.replace('25', '26'))
  const rejected = lines.replace('Not received', 'Rejected')
  const second = await load('lines.csv', rejected)
  t.match(await orderOf('21'), { status: 'received', total: 25 })
  t.match(await orderOf('22'), { status: 'cancelled', cancelledAt: String })
  t.match(await revert(second.id), { summary: { kept: 0 } })
  t.match(await orderOf('21'), { status: 'received', total: 26, lineItems: [] })
  t.match(await orderOf('22'), { status: 'sent', total: 8, cancelledAt: null, lineItems: [] })

  const again = await load('lines.csv', rejected)
  t.match(again.summary, { changed: 2, faults: 0 }, 'the same file once more')
  t.match(await orderOf('22'), { status: 'cancelled' })
  const third = await load('more.csv', lines.replaceAll('SKU-1', 'SKU-3').replace(/\n22.*/, ''))
  t.match(await orderOf('21'), { total: 50 })
  t.match(await revert(again.id), { summary: { kept: 0 } })
  t.match(await orderOf('21'), { total: 25, lineItems: [{ sku: 'SKU-3' }] })
  t.match(await revert(third.id), { summary: { kept: 0 } })
  t.match(await orderOf('21'), { status: 'received', total: 26, lineItems: [] }, 'from before both')
  t.match(await revert(first.id), { summary: { kept: 0 } })
})

const ownFile = [
  'P.O. Number,Vendor/Supplier,SKU,Qty Ordered,Cost (base),Supplier Ref #,Expected Date,Shipping',
  '21,Acme,SKU-1,10,2.50,S-9,2024-05-01,12.50',
].join('\n')

t.test('lines are taken back with the fields and charges that their import filled in', async (t) => {
  const { alice, load, revert, rows, orders, orderOf } = await start(t)
  const first = await load('all.csv', list)
  const second = await load('21.csv', ownFile)
  t.match(await orderOf('21'), { supplierReference: 'S-9', charges: [{ amount: 12.5 }], lineItems: [{}] })
  t.match(await revert(second.id), { state: 'reverted', summary: { kept: 0 } })
  t.match(await rows(second.id), [{ state: 'reverted' }])
  const before = { supplierReference: '', expectedAt: null, total: 25, lineItems: [], charges: [] }
  t.match(await orderOf('21'), before)
  t.match((await load('21.csv', ownFile)).summary, { changed: 1 }, 'the same file once more')
  t.match(await orderOf('21'), { supplierReference: 'S-9', charges: [{ amount: 12.5 }], lineItems: [{}] })
  const [newest] = (await alice.get('/api/imports')).json().data
  t.match(await revert(newest.id), { summary: { kept: 0 } })
  t.match(await orderOf('21'), before)
  t.match(await revert(first.id), { state: 'reverted', summary: { kept: 0 } })
  t.strictSame(await orders(), [])
})

t.test(
  'fields that an import filled in do not keep the import of the order from being reverted',
  async (t) => {
    const withInvoice =
      'No.,Invoice No.,Vendor/Supplier,PO Date,Total Cost,Received\n21,INV-1,Acme,2024-02-13,25,0 of 10'
    const complete = async (t: Test) => {
      const shop = await start(t)
      const first = await shop.load('21.csv', ownFile, { defaults: { orderedOn: '2024-02-13' } })
      const second = await shop.load('all.csv', withInvoice)
      t.match(second.summary, { changed: 1, faults: 0 })
      t.match(await shop.orderOf('21'), { invoiceNumber: 'INV-1' })
      return { ...shop, first, second }
    }
    await t.test('the later import first', async (t) => {
      const { first, second, revert, rows, orders, orderOf } = await complete(t)
      t.match(await revert(second.id), { state: 'reverted', summary: { kept: 0 } })
      t.match(await rows(second.id), [{ state: 'reverted', message: '' }])
      t.match(await orderOf('21'), { invoiceNumber: '', supplierReference: 'S-9' })
      t.match(await revert(first.id), { state: 'reverted', summary: { kept: 0 } })
      t.strictSame(await orders(), [])
    })
    await t.test('the earlier import first', async (t) => {
      const { first, second, revert, rows, orders } = await complete(t)
      t.match(await revert(first.id), { state: 'reverted', summary: { kept: 0 } })
      t.strictSame(await orders(), [])
      t.match(await revert(second.id), { state: 'reverted', summary: { kept: 0 } })
      t.match(await rows(second.id), [{ state: 'reverted', message: '' }])
    })
  },
)

t.test('a field that has been changed since stays, and the others are emptied', async (t) => {
  const { alice, load, revert, rows, orderOf } = await start(t)
  await load('all.csv', list)
  const withInvoice = ownFile.replace('Shipping', 'Shipping,Invoice No.').replace('12.50', '12.50,INV-1')
  const second = await load('21.csv', withInvoice)
  const { id, poNumber, charges } = await orderOf('21')
  t.equal((await alice.put(`/api/purchase-orders/${id}`, { invoiceNumber: 'INV-2' })).statusCode, 200)
  const path = `/api/purchase-orders/${id}/charges/${charges[0]?.id}`
  t.equal((await alice.put(path, { amount: 14 })).statusCode, 200)
  t.match(await revert(second.id), { summary: { kept: 1 } })
  t.match(await rows(second.id), [{ state: 'kept', message: `${poNumber} has been changed since` }])
  t.match(await orderOf('21'), {
    invoiceNumber: 'INV-2',
    supplierReference: '',
    expectedAt: null,
    charges: [{ amount: 14 }],
  })
})

t.test(
  'an order that was received since keeps the fields and charges that an import filled in',
  async (t) => {
    const { alice, load, revert, rows, orderOf } = await start(t)
    await load('22.csv', lines, { defaults: { orderedOn: '2024-02-13' } })
    const second = await load('all.csv', 'No.,Invoice No.,Vendor/Supplier,PO Date\n22,INV-2,Acme,2024-02-14')
    const { id, poNumber } = await orderOf('22')
    t.equal((await receive(alice, id, [1])).statusCode, 200)
    t.match(await revert(second.id), { summary: { kept: 1 } })
    t.match(await rows(second.id), [{ message: `Receipts of ${poNumber} have been entered or undone since` }])
    t.match(await orderOf('22'), { invoiceNumber: 'INV-2' })
  },
)

t.test('a revert empties the fields of suppliers that the import filled in', async (t) => {
  const { alice, load, revert, rows, suppliers } = await start(t)
  const first = await load('first.csv', 'name,email\nAcme,a@acme.example\nBest,b@best.example')
  const file = 'name,email,phone,city,lead time\nAcme,other@acme.example,+44 1,Leeds,12\nBest,,+44 2,York,3'
  const second = await load('second.csv', file)
  t.match(second.summary, { changed: 2 })
  const ofName = async (wanted: string) =>
    (await suppliers()).find(({ name }: { name: string }) => name === wanted)
  const best = await ofName('Best')
  t.equal((await alice.put(`/api/suppliers/${best.id}`, { city: 'Hull' })).statusCode, 200)
  t.match(await revert(second.id), { summary: { kept: 1 } })
  t.match(await rows(second.id), [
    { state: 'reverted', message: '' },
    { state: 'kept', message: 'Best has been changed since. What was changed stays.' },
  ])
  const acme = await ofName('Acme')
  t.match((await alice.get(`/api/suppliers/${acme.id}`)).json().data, {
    email: 'a@acme.example',
    phone: '',
    city: '',
    leadTimeDays: null,
  })
  t.match((await alice.get(`/api/suppliers/${best.id}`)).json().data, { phone: '', city: 'Hull' })
  t.match(await revert(first.id), { summary: { kept: 1 } }, 'Acme is again as the first import left it')
  t.match(await suppliers(), [{ name: 'Best' }])
})

t.test(
  'an import that fills in a lead time, and its revert, move the due dates of open orders only',
  async (t) => {
    const { alice, load, revert } = await start(t)
    const supplierId = await makeSupplier(alice, { name: 'Acme' })
    const send = async () => (await makeSentOrder(alice, { supplierId, lineItems: [line(1)] })).id
    const end = async (id: number) =>
      t.equal((await alice.post(`/api/purchase-orders/${id}/close`)).statusCode, 200)
    const hasDue = async (id: number) =>
      (await alice.get(`/api/purchase-orders?ids=${id}`)).json().data[0].dueAt !== null
    const [before, open, during] = [await send(), await send(), await send()]
    await end(before)
    const { id } = await load('suppliers.csv', 'name,lead time\nAcme,12')
    t.strictSame([await hasDue(before), await hasDue(open)], [false, true])
    await end(during)
    t.match(await revert(id), { state: 'reverted' })
    t.strictSame([await hasDue(before), await hasDue(open), await hasDue(during)], [false, false, true])
  },
)

t.test('fields of an ended order move its due date only with the expected date', async (t) => {
  const { alice, load, revert, orders } = await start(t)
  const supplierId = await makeSupplier(alice, { name: 'Acme', leadTimeDays: 12 })
  const dueDay = async () => (await orders())[0].dueAt.slice(0, 10)
  const file = (column: string, value: string) =>
    `No.,Vendor/Supplier,PO Date,Total Cost,Received,${column}\n21,Acme,2024-02-13,25,10 of 10,${value}`
  await load('all.csv', file('Notes', ''))
  const promised = await dueDay()
  await alice.put(`/api/suppliers/${supplierId}`, { leadTimeDays: 5 })
  const withInvoice = await load('invoices.csv', file('Invoice No.', 'INV-1'))
  t.match(withInvoice.summary, { changed: 1 })
  t.equal(await dueDay(), promised)
  const withDate = await load('dates.csv', file('Expected Date', '2024-05-01'))
  t.equal(await dueDay(), '2024-05-01')
  await revert(withInvoice.id)
  t.equal(await dueDay(), '2024-05-01')
  t.match(await revert(withDate.id), { state: 'reverted' })
  t.equal(await dueDay(), '2024-02-18', 'by the lead time of today: that of its days is not known any more')
})

t.test('imports that filled in fields of one supplier are reverted in any order', async (t) => {
  const { load, revert, suppliers } = await start(t)
  const files = ['name,email\nAcme,a@acme.example', 'name,phone\nAcme,+44 1', 'name,city\nAcme,Leeds']
  const loadAll = async () => {
    const ids: number[] = []
    for (const [at, file] of files.entries()) ids.push((await load(`${at}.csv`, file)).id)
    return ids
  }
  for (const order of [
    [2, 1, 0],
    [1, 2, 0],
    [0, 1, 2],
  ]) {
    const ids = await loadAll()
    for (const at of order) {
      const done = await revert(ids[at] ?? 0)
      t.match(done, { state: 'reverted', summary: { kept: 0 } }, `${at} of ${order}`)
    }
    t.strictSame(await suppliers(), [], `${order}`)
  }
})

t.test('a currency that an import filled in stays while an amount is in it', async (t) => {
  const { alice, load, revert, rows, suppliers } = await start(t)
  for (const name of ['Acme', 'Best']) await makeSupplier(alice, { name })
  const done = await load('suppliers.csv', 'name,currency,minimum order value\nAcme,EUR,500\nBest,EUR,500')
  t.match(done.summary, { changed: 2, faults: 0 })
  const ofName = async (wanted: string) => {
    const { id } = (await suppliers()).find(({ name }: { name: string }) => name === wanted)
    return (await alice.get(`/api/suppliers/${id}`)).json().data
  }
  const { id } = await ofName('Best')
  t.equal((await alice.put(`/api/suppliers/${id}`, { minimumOrderValue: 800 })).statusCode, 200)
  t.match(await revert(done.id), { summary: { kept: 1 } })
  t.match(await rows(done.id), [{ state: 'reverted' }, { state: 'kept' }])
  t.match(await ofName('Acme'), { currency: null, minimumOrderValue: null })
  t.match(await ofName('Best'), { currency: 'EUR', minimumOrderValue: 800 })
})

t.test('a discount that was taken back does not return with the lines of a later import', async (t) => {
  const { load, revert, orderOf } = await start(t)
  const taxed = `${lines.replaceAll('\n', ',20\n')},20`.replace('Status,20', 'Status,Tax rate')
  await load('lines.csv', taxed, { defaults: { orderedOn: '2024-02-13' } })
  t.match(await orderOf('22'), { subtotal: 8, tax: 1.6 })
  const second = await load('less.csv', 'No.,Vendor/Supplier,PO Date,Less\n22,Acme,2024-02-14,3', {
    mapping: [{ sheet: 'less.csv', column: 'Less', field: 'discountAmount' }],
  })
  t.match(second.summary, { changed: 1, faults: 0 })
  t.match(await orderOf('22'), { discount: 3, tax: 1 })
  const more = taxed.replaceAll('SKU-2', 'SKU-3').replace(/\n21.*/, '')
  const third = await load('more.csv', more)
  t.match(third.summary, { changed: 1, faults: 0 })
  t.match(await orderOf('22'), { discount: 3, tax: 2.6 })
  t.match(await revert(second.id), { summary: { kept: 0 } })
  t.match(await orderOf('22'), { discount: 0, tax: 3.2 })
  t.match(await revert(third.id), { summary: { kept: 0 } })
  t.match(await orderOf('22'), { discount: 0, tax: 1.6, total: 9.6 })
})

const tables = [
  'supplier',
  'supplier_contact',
  'supplier_alias',
  'supplier_product',
  'purchase_order',
  'purchase_order_line',
  'purchase_order_charge',
  'receipt',
  'receipt_line',
  'variant',
  'stock_level',
  'stock_movement',
  'cost_movement',
]
const Rows = Type.Object({ rows: Type.Array(Type.Record(Type.String(), Type.Unknown())) })

/** All rows of the shop, without what each change of a record raises. */
async function dump(db: Db, shopId: number) {
  const found: Record<string, Record<string, unknown>[]> = {}
  for (const table of tables)
    found[table] = [
      ...(await db.oneFirst(sql.type(row(Rows))`
        select coalesce(jsonb_agg(x.content order by x.content::text), '[]') as rows
        from (
          select to_jsonb(each) - 'version' - 'updated_at' as content
          from ${sql.identifier([table])} each
          where each.shop_id = ${shopId}
        ) x
      `)),
    ]
  return found
}

t.test(
  'an order that was received stays and is named, the rest is gone, and nothing else has changed',
  async (t) => {
    const { db, alice, load, revert, rows, orderOf, orders } = await start(t)
    await makeSupplier(alice, { name: 'Acme', email: 'a@acme.example' })
    const before = await dump(db, alice.shopId)
    const header = 'PO Number,Supplier,Order date,SKU,Quantity,Cost,Received,Shipping'
    const files = {
      'suppliers.csv': 'name,phone,address1,city\nAcme,+44 1,1 Mill Road,Leeds\nBest,,,',
      'orders.csv': [
        header,
        'A-1,Acme,2024-05-13,SKU-1,3,2,3,5',
        'A-2,Acme,2024-05-14,SKU-2,4,2,0,',
        'B-1,Best,2024-05-15,SKU-3,5,2,1,',
      ].join('\n'),
    }
    const zip = zipSync(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])),
    )
    const done = await load('all.zip', zip)
    t.match(done.summary, { faults: 0, orders: 3, changed: 1 })
    const { id, poNumber } = await orderOf('A-2')
    t.equal((await receive(alice, id, [4])).statusCode, 200)
    const received = await dump(db, alice.shopId)

    t.match(await revert(done.id), { state: 'reverted', summary: { kept: 1 } })
    t.match(await rows(done.id, 'kept'), [{ message: `Goods of ${poNumber} have been received since.` }])
    t.match(await orders(), [{ poNumber }])
    const after = await dump(db, alice.shopId)
    for (const table of ['variant', 'stock_level', 'stock_movement', 'cost_movement'])
      t.strictSame(after[table], received[table], table)
    for (const table of ['supplier', 'supplier_contact', 'supplier_alias', 'purchase_order_charge'])
      t.strictSame(after[table], before[table], table)
    for (const table of [
      'purchase_order',
      'purchase_order_line',
      'receipt',
      'receipt_line',
      'supplier_product',
    ])
      t.equal(after[table]?.length, 1, `${table}: of the order that stays`)
    t.strictSame(
      after.purchase_order,
      received.purchase_order?.filter((each) => each.id === id),
    )
  },
)

t.test('lines that a revert took from a draft can be imported again', async (t) => {
  const { load, revert, orders, orderOf } = await start(t)
  const draft = (sku: string) => `PO Number,Supplier,SKU,Quantity,Cost\nA-1,Acme,${sku},3,2`
  const first = await load('one.csv', draft('SKU-1'))
  const second = await load('two.csv', draft('SKU-2'))
  t.match(await revert(second.id), { summary: { kept: 0 } })
  const third = await load('two.csv', draft('SKU-2'))
  t.match(third.summary, { changed: 1, faults: 0 })
  t.match(await orderOf('A-1'), { status: 'draft', total: 12, lineItems: [{}, { sku: 'SKU-2' }] })
  t.match(await revert(third.id), { summary: { kept: 0 } })
  t.match(await revert(first.id), { summary: { kept: 0 } })
  t.strictSame(await orders(), [])
})

t.test('lines that two imports added to an order are taken back one after the other', async (t) => {
  const { load, revert, orders, orderOf } = await start(t)
  const header = 'PO Number,Supplier,Order date,SKU,Quantity,Cost,Received'
  const fileOf = (...cells: string[]) =>
    [header, ...cells.map((row) => `A-1,Acme,2024-05-13,${row}`)].join('\n')
  const first = await load('a.csv', fileOf('SKU-1,3,2,3'))
  const second = await load('b.csv', fileOf('SKU-2,5,2,0'))
  const third = await load('c.csv', fileOf('SKU-3,1,7,1'))
  t.match(await orderOf('A-1'), { status: 'partial', total: 23 })
  t.match(await revert(second.id), { summary: { kept: 0 } })
  t.match(await orderOf('A-1'), { status: 'received', total: 13, lineItems: [{}, {}] })
  t.match(await revert(third.id), { summary: { kept: 0 } })
  t.match(await orderOf('A-1'), { status: 'received', total: 6, lineItems: [{ sku: 'SKU-1' }] })
  t.match(await revert(first.id), { summary: { kept: 0 } })
  t.strictSame(await orders(), [])
})

t.test('an order of which only rejected lines are left is cancelled', async (t) => {
  const { load, revert, orderOf } = await start(t)
  await load('all.csv', list)
  const accepted = await load('a.csv', lines.replace('Not received', 'Received'))
  await load('b.csv', lines.replaceAll('SKU-2', 'SKU-3').replace('Not received', 'Rejected'))
  t.match(await orderOf('22'), { status: 'received', cancelledAt: null })
  t.match(await revert(accepted.id), { summary: { kept: 0 } })
  t.match(await orderOf('22'), { status: 'cancelled', cancelledAt: String, lineItems: [{ sku: 'SKU-3' }] })
})

t.test(
  'lines that were added to an order stay when the order was used since, and the row says why',
  async (t) => {
    const { load, revert, rows, orderOf, alice } = await start(t)
    const first = await load('all.csv', list)
    const second = await load('lines.csv', lines)
    const open = await orderOf('22')
    t.equal((await receive(alice, open.id, [1])).statusCode, 200)
    const past = await orderOf('21')
    t.equal((await alice.put(`/api/purchase-orders/${past.id}`, { invoiceNumber: 'X' })).statusCode, 200)
    t.match(await revert(second.id), { state: 'reverted', summary: { kept: 2 } })
    t.match(await rows(second.id, 'kept'), [
      { message: `${past.poNumber} has been changed since, so the added lines stay.` },
      { message: `Receipts of ${open.poNumber} have been entered or undone since, so the added lines stay.` },
    ])
    t.match(await orderOf('21'), { lineItems: [{ sku: 'SKU-1' }] })
    t.match(await revert(first.id), { state: 'reverted', summary: { kept: 2 } })
    t.match(await orderOf('22'), { status: 'partial' })
  },
)

t.test('a revert shows how far it is, also in the next attempt', async (t) => {
  const { load, alice, db } = await start(t)
  const file = 'PO Number,Supplier,Order date,SKU,Quantity,Cost\nA-1,Acme,2024-05-13,SKU-1,3,2'
  const { id } = await load('orders.csv', file)
  await alice.post(`/api/imports/${id}/revert`)
  const { signal } = new AbortController()
  const seen: number[] = []
  for (let isDone = false; !isDone; ) {
    isDone = await revertBatches(db, alice.shopId, id, { signal, isOver: () => true })
    seen.push((await readImport(alice, id)).progress)
  }
  t.strictSame(seen, [0.333, 0.667, 0.999, 1])
})
