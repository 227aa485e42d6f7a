import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { workOnImport } from '../../../../worker/tasks/imports/work-on-import.ts'
import { expectFailure, startApp } from '../../../support/core/app.ts'
import { daysAgo } from '../../../support/core/instants.ts'
import { startTasks } from '../../../support/core/worker.ts'
import { importing, readImport } from '../../../support/make/imports.ts'
import { line, makeOrderIn, makeSentOrder, makeSupplier, receive } from '../../../support/make/orders.ts'
import { listSuggestions, makeRule } from '../../../support/make/reorder.ts'
import { dayIn, setTimeZone } from '../../../support/make/sales.ts'
import { locationGid, makeStock, variantGid } from '../../../support/make/stock.ts'
import { makeShippedReturn, returned } from '../../../support/make/supplier-returns.ts'

const Count = Type.Object({ count: Type.Integer() })

async function start(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  const { perform, services } = await startTasks(t, db)
  await makeStock(db, alice, { variants: 3, locations: 2 })
  const count = (table: string) =>
    db.oneFirst(sql.type(row(Count))`
      select count(*) from ${sql.identifier([table])} where shop_id = ${alice.shopId}
    `)
  const suppliers = async () => (await alice.get('/api/suppliers')).json().data
  const costOf = async (number: number) =>
    (await alice.get(`/api/variants/${number}/costs`)).json().data?.averageCost as number | null
  return { db, alice, mallory, perform, services, count, suppliers, costOf, ...importing(alice, perform) }
}

const supplierFile = [
  'id,name,company_name,account_number,contact_name,contact_email,address1,city,country_name,phone,is_hidden,lead time',
  '5,Acme,Acme Ltd,A-1,Bob,bob@acme.example,1 Mill Road,Leeds,United Kingdom,+44 1,false,12',
  '6,Best,,,,no address,,,Nowhere,,false,',
  '7,Old,,,,,,,,,true,',
].join('\n')

t.test('suppliers come with contacts, and a value that cannot be stored is named', async (t) => {
  const { load, rows, suppliers, alice } = await start(t)
  const done = await load('suppliers.csv', supplierFile)
  t.match(done, { kind: 'suppliers', state: 'done', summary: { new: 3, faults: 0, suppliers: 3 } })
  t.match(await rows(done.id), [
    { message: '' },
    { message: 'Left out: contact_email "no address", country_name "Nowhere".', state: 'new' },
    { state: 'new' },
  ])
  const listed = await suppliers()
  t.strictSame(
    listed.map(({ name }: { name: string }) => name).sort(),
    ['Acme', 'Best'],
    'a hidden one is archived',
  )
  const acme = listed.find(({ name }: { name: string }) => name === 'Acme')
  t.match((await alice.get(`/api/suppliers/${acme.id}`)).json().data, {
    email: 'bob@acme.example',
    accountNumber: 'A-1',
    countryCode: 'GB',
    leadTimeDays: 12,
    externalRef: '5',
    contacts: [{ name: 'Bob', email: 'bob@acme.example' }],
  })
})

t.test('an unknown currency or country is named with its column', async (t) => {
  const { load, rows, suppliers, count } = await start(t)
  const ofSuppliers = await load('suppliers.csv', 'name,Currency,Country\nAcme,EUX,QZ\nBest,eur,at')
  t.match(await rows(ofSuppliers.id), [
    { row: 2, state: 'new', message: 'Left out: Currency "EUX", Country "QZ".' },
    { row: 3, state: 'new', message: '' },
  ])
  const listed = await suppliers()
  t.strictSame(
    listed.map(({ currency }: { currency: string | null }) => currency),
    ['EUR', null],
  )
  const rule = 'must be the code of a currency, as in EUR.'
  const ofProducts = await load(
    'prices.csv',
    'Supplier,SKU,Supplier SKU,Price,Currency\nAcme,SKU-1,A-1,2.50,EUX',
  )
  t.match(await rows(ofProducts.id), [{ row: 2, state: 'fault', message: `Currency "EUX" ${rule}` }])
  const order = 'PO number,Supplier,Order date,Currency,SKU,Quantity\n1,Acme,2024-03-01,Euros,SKU-1,10'
  const ofOrders = await load('orders.csv', order)
  t.match(await rows(ofOrders.id), [{ row: 2, state: 'fault', message: `Currency "Euros" ${rule}` }])
  t.equal(await count('purchase_order'), 0)
})

t.test('a supplier of the shop keeps what the merchant typed and gets what is missing', async (t) => {
  const { load, alice } = await start(t)
  const id = await makeSupplier(alice, { name: ' acme', email: 'typed@acme.example' })
  const first = await load('suppliers.csv', supplierFile)
  t.match(first.summary, { new: 2, changed: 1 })
  t.match((await alice.get(`/api/suppliers/${id}`)).json().data, {
    email: 'typed@acme.example',
    phone: '+44 1',
  })
  t.match((await load('suppliers.csv', supplierFile)).summary, { new: 0, changed: 0, same: 3 })
})

t.test('a supplier that got a budget since the import stays', async (t) => {
  const { load, revert, rows, suppliers, alice } = await start(t)
  const done = await load('suppliers.csv', 'name\nAcme\nBest')
  const acme = (await suppliers()).find(({ name }: { name: string }) => name === 'Acme')
  const budget = { name: 'March', supplierId: acme.id, month: '2026-03', amount: 10 }
  t.equal((await alice.post('/api/buying-budgets', budget)).statusCode, 201)
  t.match(await revert(done.id), { state: 'reverted', summary: { kept: 1 } })
  t.match(await rows(done.id, 'kept'), [{ row: 2, message: 'Acme has a budget.' }])
  t.match(await suppliers(), [{ name: 'Acme' }])
})

t.test('a revert that failed, or that ended its process, may be repeated', async (t) => {
  const { db, alice, load, revert, suppliers, perform, services } = await start(t)
  const { id } = await load('suppliers.csv', 'name\nAcme')
  const payload = { shopId: alice.shopId, importId: id }
  const setContacts = (contacts: number | string) =>
    db.query(sql.typeAlias('void')`
      update import_target
      set before = ${JSON.stringify({ contacts })}::jsonb
      where shop_id = ${alice.shopId} and import_id = ${id}
    `)
  await setContacts('not a number')
  await alice.post(`/api/imports/${id}/revert`)
  await t.rejects(perform(jobs.workOnImport, payload))
  t.match(await readImport(alice, id), { state: 'reverting' }, 'the queue tries again')
  await t.rejects(perform(jobs.workOnImport, payload, { isLast: true }))
  const failed = { state: 'failed', error: /^The import was only partly reverted. Revert it again to finish/ }
  t.match(await readImport(alice, id), failed)

  await alice.post(`/api/imports/${id}/revert`)
  await workOnImport.abandon(services, payload, { jobId: '1', reason: 'ended its process' })
  t.match(await readImport(alice, id), failed)

  await setContacts(0)
  t.match(await revert(id), { state: 'reverted', error: '' })
  t.strictSame(await suppliers(), [])
})

t.test('suppliers of the same name are a fault until the merchant merges them', async (t) => {
  const { load, rows, alice } = await start(t)
  await makeSupplier(alice, { name: 'Acme' })
  await makeSupplier(alice, { name: 'ACME' })
  const done = await load('suppliers.csv', 'name,email\nAcme,a@acme.example')
  t.match(await rows(done.id), [
    { state: 'fault', message: /^2 suppliers are called Acme. Merge them first/ },
  ])
})

t.test('average costs go into the ledger of costs, and a revert takes them back', async (t) => {
  const { load, revert, costOf, db, alice } = await start(t)
  const file = 'sku\taverage cost\nSKU-1\t"1.234,50"\nSKU-2\t2,25\nNONE\t1'
  const done = await load('costs.csv', file)
  t.match(done, { kind: 'costs', sheets: [{ decimalSign: ',' }], summary: { new: 2, faults: 1 } })
  t.equal(await costOf(1), 1234.5)
  t.equal(await costOf(2), 2.25)
  const causes = await db.any(sql.type(row(Type.Object({ cause: Type.String(), value: Type.Number() })))`
    select cause, unit_cost::float8 as value from cost_movement where shop_id = ${alice.shopId} order by id
  `)
  t.strictSame(causes, [
    { cause: 'opening', value: 1234.5 },
    { cause: 'opening', value: 2.25 },
  ])
  t.match((await load('costs.csv', file)).summary, { new: 0, changed: 0, same: 2, faults: 1 })
  t.match(await revert(done.id), { state: 'reverted', summary: { kept: 0 } })
  const { unitCost } = await db.one(sql.type(
    row(Type.Object({ unitCost: Type.Union([Type.Number(), Type.Null()]) })),
  )`
    select unit_cost from variant where shop_id = ${alice.shopId} and gid = ${variantGid(1)}
  `)
  t.equal(unitCost, null)
  t.equal(await costOf(1), null, 'it had no average before')
  const { value } = await db.one(sql.type(row(Type.Object({ value: Type.Number() })))`
    select sum(value)::float8 as value from cost_movement where shop_id = ${alice.shopId}
  `)
  t.equal(value, 0, 'and its stock is worth what it was')
})

t.test('a revert keeps an average that a late charge has changed since', async (t) => {
  const { load, revert, rows, costOf, alice } = await start(t)
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 10, costPrice: 4 })] })
  await receive(alice, id, [10])
  const done = await load('costs.csv', 'sku,average cost\nSKU-1,5')
  t.equal(await costOf(1), 5)
  // 30 on hand, of which the receipt brought 10: freight of 10.00 adds 10.00 / 30
  await alice.post(`/api/purchase-orders/${id}/charges`, { kind: 'freight', amount: 10, basis: 'value' })
  t.equal(await costOf(1), 5.333333)
  await makeShippedReturn(alice, { lines: [returned(1, 1)] })
  t.match(await revert(done.id), { state: 'reverted', summary: { kept: 1 } })
  t.match(await rows(done.id, 'kept'), [{ message: 'The cost of this product has changed since.' }])
  t.equal(await costOf(1), 5.333333)
})

t.test('the first cost of a product counts, also when a later one is in another batch', async (t) => {
  const { load, revert, rows, costOf, alice } = await start(t)
  await load('before.csv', 'SKU,Average cost\nSKU-1,3')
  // a batch has 1 000 rows
  const file = ['SKU,Average cost', 'SKU-1,5', ...Array(1_499).fill('SKU-2,'), 'SKU-1,6', 'SKU-3,7'].join(
    '\n',
  )
  const done = await load('costs.csv', file)
  t.match(done.summary, { rows: 1_502, changed: 1, new: 1, skipped: 1_500, faults: 0 })
  const last = (await alice.get(`/api/imports/${done.id}/rows?cursor=1500`)).json().data
  t.match(last, [
    { row: 1_502, state: 'skipped', message: 'An earlier row has the cost of this product.' },
    { row: 1_503, state: 'new' },
  ])
  t.equal(await costOf(1), 5)
  t.match(await revert(done.id), { state: 'reverted', summary: { kept: 0 } })
  t.same(await rows(done.id, 'kept'), [])
  t.equal(await costOf(1), 3)
})

t.test('a cost is the same as that of the newest import only', async (t) => {
  const { load, read, change, run, costOf } = await start(t)
  const fileOf = (cost: number) => `sku,average cost\nSKU-1,${cost}`
  const late = await read('late.csv', fileOf(2))
  t.match((await load('a.csv', fileOf(2))).summary, { new: 1 })
  t.match((await load('b.csv', fileOf(3))).summary, { changed: 1 })
  await change(late.id, {})
  t.match((await run(late.id)).summary, { changed: 1, same: 0 })
  t.equal(await costOf(1), 2)
  t.match((await load('a.csv', fileOf(2))).summary, { same: 1, changed: 0 })
  t.match((await load('b.csv', fileOf(3))).summary, { changed: 1 })
  t.equal(await costOf(1), 3)
})

t.test('the preview of costs says how many change, and from what', async (t) => {
  const { load, read, rows } = await start(t)
  const done = await load('a.csv', 'SKU,Average cost\nSKU-1,7.15\nSKU-2,3')
  t.match(done.summary, { targets: [{ target: 'cost', new: 2, changed: 0 }] })
  const found = await read('b.csv', 'SKU,Average cost\nSKU-1,5\nSKU-2,3\nSKU-3,1.2345')
  t.match(found.summary, { isRehearsal: true, targets: [{ target: 'cost', new: 1, changed: 1 }] })
  t.match(await rows(found.id), [
    { state: 'changed', message: 'The average cost is 5.00 USD instead of 7.15 USD.' },
    { state: 'same', message: '' },
    { state: 'new', message: '' },
  ])
  const count = 'SKU,Expected stock,Actual stock,Cost price,Date,Location\nSKU-3,1,1,9,2024-05-13,Place 1'
  t.match((await read('stocktake.csv', count)).summary, {
    targets: [
      { target: 'cost', new: 1, changed: 0 },
      { target: 'stock_count', new: 1, changed: 0 },
    ],
  })
})

t.test('an imported average that is the last cost is the average from then on', async (t) => {
  const { load, costOf, alice } = await start(t)
  for (const costPrice of [14, 10]) {
    const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 20, costPrice })] })
    await receive(alice, id, [20])
  }
  // 20 at 14.00, with the 20 on hand, and 20 at 10.00
  t.equal(await costOf(1), 12.666667)
  t.match((await load('costs.csv', 'sku,average cost\nSKU-1,10')).summary, { changed: 1 })
  t.equal(await costOf(1), 10)
})

t.test('a revert restores the average of receipts, to the last digit', async (t) => {
  const { load, revert, costOf, db, alice } = await start(t)
  const stored = () =>
    db.one(sql.type(
      row(Type.Object({ average: Type.String(), source: Type.String(), value: Type.String() })),
    )`
      select c.average_cost::text as average, c.source,
        (select sum(m.value)::text from cost_movement m where m.shop_id = ${alice.shopId}) as value
      from variant_cost c
      where c.shop_id = ${alice.shopId}
    `)
  for (const costPrice of [14, 10]) {
    const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 20, costPrice })] })
    await receive(alice, id, [20])
  }
  const before = await stored()
  t.match(before, { average: '12.666666666666666667', source: 'receipt' })
  const done = await load('costs.csv', 'sku,average cost\nSKU-1,8')
  t.equal(await costOf(1), 8)
  t.match(await revert(done.id), { state: 'reverted', summary: { kept: 0 } })
  t.strictSame(await stored(), before)
  t.equal(await costOf(1), 12.666667)
})

t.test('costs of several imports come back in whatever order the imports are reverted', async (t) => {
  for (const order of [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [2, 0, 1],
  ]) {
    const { load, revert, rows, costOf, db, alice } = await start(t)
    const stored = () =>
      db.one(sql.type(row(Type.Object({ average: Type.String(), source: Type.String() })))`
        select c.average_cost::text as average, c.source from variant_cost c where c.shop_id = ${alice.shopId}
      `)
    const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 20, costPrice: 7.15 })] })
    await receive(alice, id, [20])
    const before = await stored()
    const imports: number[] = []
    for (const cost of [5, 6, 5])
      imports.push((await load(`${cost}.csv`, `sku,average cost\nSKU-1,${cost}`)).id)
    const left = new Set(imports)
    for (const at of order) {
      const own = imports[at] ?? 0
      const isLast = own === Math.max(...left)
      left.delete(own)
      t.match(await revert(own), { state: 'reverted', summary: { kept: isLast ? 0 : 1 } })
      if (!isLast)
        t.match(await rows(own, 'kept'), [{ message: /^A later import has set another cost/ }], String(order))
    }
    t.strictSame(await stored(), before, `after the imports ${order.join(', ')}`)
    t.equal(await costOf(1), 7.15)
  }
})

t.test('a cost that a receipt has set between two imports comes back', async (t) => {
  const { load, revert, rows, costOf, alice } = await start(t)
  const first = await load('a.csv', 'sku,average cost\nSKU-1,5')
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 20, costPrice: 5 })] })
  await receive(alice, id, [20])
  const second = await load('b.csv', 'sku,average cost\nSKU-1,6')
  await revert(first.id)
  t.match(await rows(first.id, 'kept'), [{ message: 'The cost of this product has changed since.' }])
  await revert(second.id)
  t.equal(await costOf(1), 5, 'that of the receipt')
})

t.test('a stocktake becomes a closed count that moves no stock', async (t) => {
  const { load, revert, rows, count, alice } = await start(t)
  const movements = await count('stock_movement')
  const file = [
    'Product name,SKU,Barcode,Expected stock,Actual stock,Adjustment,Date,Location',
    'Mug,SKU-1,001,10,8,-2,2024-05-13,Place 2',
    'Cup,SKU-2,002,4,4,0,2024-05-13,Place 2',
    'Cup,NONE,,4,4,0,2024-05-13,Place 2',
  ].join('\n')
  const done = await load('stocktake.csv', file)
  t.match(done, { kind: 'stock_counts', summary: { new: 2, faults: 1 } })
  const [first] = await rows(done.id, 'new')
  t.match((await alice.get(`/api/stock-counts/${first?.targetId}`)).json().data, {
    status: 'submitted',
    locationName: 'Place 2',
    items: [
      { sku: 'SKU-1', countedQuantity: 8, expectedQuantity: 10 },
      { sku: 'SKU-2', countedQuantity: 4 },
    ],
  })
  t.equal(await count('stock_movement'), movements)
  t.match((await load('stocktake.csv', file)).summary, { same: 2, new: 0 })
  t.equal(await count('stock_count'), 1)
  await revert(done.id)
  t.equal(await count('stock_count'), 0)
})

t.test('a count in the future, or of no day, is a fault that says so', async (t) => {
  const { load, rows, db, alice } = await start(t)
  const header = 'SKU,Expected stock,Actual stock,Date,Location'
  const file = [header, 'SKU-1,1,1,2099-05-13,Place 1', 'SKU-2,1,1,,Place 1'].join('\n')
  const done = await load('stocktake.csv', file)
  t.match(await rows(done.id, 'fault'), [
    { row: 2, message: 'Counted on 2099-05-13, which is in the future. Check the order of day and month.' },
    { row: 3, message: /does not say when this was counted/ },
  ])
  // a zone whose day is not that of UTC
  const zone = new Date().getUTCHours() < 12 ? 'Etc/GMT+12' : 'Etc/GMT-14'
  await setTimeZone(db, alice, zone)
  const dayAt = (days: number) => dayIn(zone, daysAgo(-days))
  const rowOf = (sku: number, days: number) => `SKU-${sku},1,1,${dayAt(days)},Place 1`
  const days = await load('days.csv', [header, rowOf(1, 1), rowOf(2, 2)].join('\n'))
  t.match(days.summary, { new: 1, faults: 1 }, 'a file may have the day of a zone that is ahead')
  t.match(await rows(days.id, 'fault'), [{ row: 3, message: /^Counted on .*, which is in the future/ }])
})

t.test('a count that is here gets what it lacks, and a number that differs is a fault', async (t) => {
  const { load, revert, rows, alice } = await start(t)
  const header = 'SKU,Expected stock,Actual stock,Date,Location'
  const cells = (sku: number, pieces: number) => `SKU-${sku},10,${pieces},2024-05-13,Place 2`
  const first = await load('stocktake.csv', [header, cells(1, 8)].join('\n'))
  const more = await load('stocktake.csv', [header, cells(2, 4), cells(1, 8), cells(3, 0)].join('\n'))
  t.match(more.summary, { new: 0, changed: 2, same: 1, faults: 0 })
  const [one] = await rows(first.id)
  const readCount = async () => (await alice.get(`/api/stock-counts/${one?.targetId}`)).json().data
  const count = await readCount()
  t.match(count, {
    itemCount: 3,
    items: [
      { sku: 'SKU-1', countedQuantity: 8 },
      { sku: 'SKU-2', countedQuantity: 4 },
      { sku: 'SKU-3', countedQuantity: 0 },
    ],
  })
  const other = await load('stocktake.csv', [header, cells(1, 9), cells(2, 4)].join('\n'))
  t.match(other.summary, { same: 1, changed: 0, faults: 1 })
  t.match(await rows(other.id, 'fault'), [
    { row: 2, message: /already exists with quantity 8; it was not changed to 9/ },
  ])
  t.strictSame(await readCount(), count)
  t.match(await revert(more.id), { summary: { kept: 2 } })
  t.match(await rows(more.id, 'kept'), [
    { message: 'The count existed before the import. The products that the import added stay.' },
    {},
  ])
})

t.test('a change of the mapping forgets what the dry run said of the rows', async (t) => {
  const { read, rehearse, change, rows } = await start(t)
  const { id } = await read('costs.csv', 'SKU,Cost,Worth\nSKU-1,,4\nNONE,1,1')
  await rehearse(id)
  t.match(await rows(id), [{ state: 'skipped' }, { state: 'fault' }])
  const mapping = [{ sheet: 'costs.csv', column: 'Worth', field: 'cost' }]
  t.equal((await change(id, { mapping })).summary, null)
  const pending = { state: 'pending', message: '' }
  t.match(await rows(id), [pending, pending])
  t.match((await rehearse(id)).summary, { new: 1, faults: 1 })
})

t.test(
  'a list that nothing corresponds to is left out, and the merchant may choose another kind',
  async (t) => {
    const { read, change, run } = await start(t)
    const { id, sheets } = await read('things.csv', 'SKU,Colour\nSKU-1,red')
    t.match(sheets, [{ kind: 'skip', rows: 1 }])
    t.match((await run(id)).summary, { skipped: 1, new: 0 })

    const other = await read('things.csv', 'SKU,Worth\nSKU-1,4')
    const sheet = 'things.csv'
    await change(other.id, { sheets: [{ name: sheet, kind: 'costs' }] })
    t.match((await change(other.id, { mapping: [{ sheet, column: 'Worth', field: 'cost' }] })).mapping, [
      { column: 'SKU', field: 'sku' },
      { column: 'Worth', field: 'cost' },
    ])
    t.match((await run(other.id)).summary, { new: 1 })
  },
)

t.test('imported history feeds lead times and the spend report, but only with known dates', async (t) => {
  const { load, alice } = await start(t)
  const file = [
    'PO Number,Supplier,Order date,SKU,Quantity,Cost,Received,Received at',
    '1,Acme,2024-05-01,SKU-1,10,2,10,2024-05-11',
    '2,Acme,2024-06-01,SKU-1,10,2,10,',
  ].join('\n')
  t.match((await load('orders.csv', file)).summary, { new: 2, faults: 0 })
  const [performance] = (await alice.get('/api/reports/supplier-performance')).json().data
  t.match(performance, { ordersReceived: 2, leadTimeDays: 10 })
  const spend = (await alice.get('/api/reports/procurement-spend')).json().data
  t.match(spend, {
    totalSpend: 40,
    byMonth: [
      { month: '2024-05', spend: 20 },
      { month: '2024-06', spend: 20 },
    ],
  })
  const products = (await alice.get(`/api/suppliers/${spend.bySupplier[0].supplierId}/products`)).json().data
  t.equal(products.length, 1)
})

t.test('the cost of a stocktake becomes that of a product without one, and is taken back', async (t) => {
  const { load, revert, costOf } = await start(t)
  await load('costs.csv', 'sku,average cost\nSKU-1,5')
  const file =
    'SKU,Cost price,Expected stock,Actual stock,Date,Location\nSKU-1,9,1,1,2024-05-13,Place 1\nSKU-2,7,1,1,2024-05-13,Place 1'
  const done = await load('stocktake.csv', file)
  t.match(done.summary, { new: 2, faults: 0 })
  t.equal(await costOf(1), 5)
  t.equal(await costOf(2), 7)
  t.match(await revert(done.id), { summary: { kept: 0 } })
  t.equal(await costOf(1), 5)
})

t.test('orders of the past do not count as newer than what the shop did itself', async (t) => {
  const { load, alice } = await start(t)
  const supplierId = await makeSupplier(alice, { name: 'Acme', currency: 'EUR' })
  for (let orders = 0; orders < 3; orders += 1) {
    const lineItems = [line(1, { quantity: 1, costPrice: 9 })]
    await makeOrderIn(alice, 'received', { supplierId, lineItems, currency: 'EUR', rate: 1.5 })
  }
  const past = Array.from(
    { length: 10 },
    (_, at) => `${at},Acme,EUR,2024-01-${10 + at},SKU-1,1,2,${at + 20 < 30 ? `2024-01-${at + 20}` : ''},1,1`,
  )
  const header =
    'PO Number,Supplier,Currency,Order date,SKU,Quantity,supplier_cost_price,Received at,Received,cost_price'
  t.match((await load('orders.csv', [header, ...past].join('\n'))).summary, { new: 10, faults: 0 })

  const terms = (
    await alice.get(`/api/suppliers/${supplierId}/terms?currency=EUR&variantIds=${variantGid(1)}`)
  ).json().data
  t.match(terms, { rate: 1.5, variants: [{ price: 9, priceSource: 'last_order' }] })
  // 2 pounds cost 1 dollar: the order has this rate, and a new order has none, as no user typed one
  t.match((await load('pounds.csv', [header, '11,Acme,GBP,2024-02-01,SKU-1,1,2,,,1'].join('\n'))).summary, {
    new: 1,
    faults: 0,
  })
  t.equal((await alice.get(`/api/suppliers/${supplierId}/terms?currency=GBP`)).json().data.rate, null)
  const [product] = (await alice.get(`/api/suppliers/${supplierId}/products`)).json().data
  t.equal(product.lastCost, 9)
  const { suppliers } = (await alice.get(`/api/variants/1`)).json().data
  t.match(suppliers, [{ lastCostPrice: 9, orderCount: 14 }])
  const [listed] = (await alice.get(`/api/products?supplierId=${supplierId}`)).json().data
  t.ok(listed)
  await makeRule(alice, { supplierId, reorderPoint: 1_000 })
  // seven orders of ten days, and the three of today, which came at once
  t.match(await listSuggestions(alice), [{ leadTimeDays: 8 }])
})

t.test('each sample file is understood and imported without a fault', async (t) => {
  const { read, run, alice } = await start(t)
  await makeSupplier(alice, { name: 'Acme' })
  await makeSupplier(alice, { name: 'Best Imports' })
  const { fields } = await read('costs.csv', 'SKU,Cost\nSKU-1,1')
  const patch = { locationId: locationGid(1) }
  for (const { kind } of fields) {
    const sample = await alice.get(`/api/imports/samples/${kind}`, { accept: 'text/csv' })
    t.match(sample.headers['content-disposition'], /filename="[a-z-]+\.csv"/)
    const { id, kind: understood } = await read(`${kind}.csv`, sample.body)
    t.equal(understood, kind)
    await alice.put(`/api/imports/${id}`, { defaults: patch })
    const { summary } = await run(id)
    t.match(summary, { faults: 0, skipped: 0 }, kind)
    t.ok((summary?.new ?? 0) + (summary?.changed ?? 0) > 0, kind)
  }
})

t.test('suppliers that may be the same as another one are offered for merging', async (t) => {
  const { load, alice, mallory } = await start(t)
  const twinId = await makeSupplier(alice, { name: 'ACME', email: '' })
  const mine = await makeSupplier(alice, { name: 'Other', email: 'bob@best.example' })
  const done = await load(
    'suppliers.csv',
    'name,email\n"Acme, Ltd.",a@acme.example\nBest,BOB@best.example\nAlone,c@alone.example',
  )
  const { data } = (await alice.get(`/api/imports/${done.id}/twins`)).json()
  t.match(data, [
    { name: 'Acme, Ltd.', twinId, twinName: 'ACME' },
    { name: 'Best', twinId: mine, twinName: 'Other' },
  ])
  t.equal((await alice.post(`/api/suppliers/${data[0].id}/merge`, { intoId: twinId })).statusCode, 200)
  t.match((await alice.get(`/api/imports/${done.id}/twins`)).json().data, [{ name: 'Best' }])
  expectFailure(t, await mallory.get(`/api/imports/${done.id}/twins`), 404, 'not_found')
})
