import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { startApp } from '../../../support/core/app.ts'
import { startTasks } from '../../../support/core/worker.ts'
import { importing } from '../../../support/make/imports.ts'
import { makeSupplier } from '../../../support/make/orders.ts'
import { makeStock, variantGid } from '../../../support/make/stock.ts'

const Count = Type.Object({ count: Type.Integer() })

async function start(t: Test) {
  const { db, alice } = await startApp(t)
  const { perform } = await startTasks(t, db)
  await makeStock(db, alice, { variants: 3, locations: 2 })
  const count = (table: string) =>
    db.oneFirst(sql.type(row(Count))`
      select count(*) from ${sql.identifier([table])} where shop_id = ${alice.shopId}
    `)
  const suppliers = async () => (await alice.get('/api/suppliers')).json().data
  const costOf = async (number: number) =>
    (await alice.get(`/api/variants/${number}/costs`)).json().data?.averageCost as number | null
  return { db, alice, count, suppliers, costOf, ...importing(alice, perform) }
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
    { message: 'Left out: email "no address".', state: 'new' },
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
