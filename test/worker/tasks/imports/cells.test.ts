import t, { type Test } from 'tap'
import { sql } from '../../../../shared/db/db.ts'
import { guessDecimalSign, readDate, readNumber } from '../../../../shared/domain/kit/csv/values.ts'
import { startApp } from '../../../support/core/app.ts'
import { startTasks } from '../../../support/core/worker.ts'
import { importing } from '../../../support/make/imports.ts'
import { makeStock, markVariant, variantGid } from '../../../support/make/stock.ts'
import { zipOf } from '../../../support/make/zip.ts'

async function start(t: Test) {
  const { db, alice } = await startApp(t)
  const { perform } = await startTasks(t, db)
  await makeStock(db, alice, { variants: 3, locations: 2 })
  const costOf = async (number: number) =>
    (await alice.get(`/api/variants/${number}/costs`)).json().data?.averageCost as number | null
  return { db, alice, costOf, ...importing(alice, perform) }
}

t.test('a number with three digits after its sign is read in one way, or in none', (t) => {
  const cells: [string, '.' | ',' | null, number | undefined][] = [
    ['0,125', '.', undefined],
    ['0,125', ',', 0.125],
    ['0,125', null, 0.125],
    ['2,345', '.', 2345],
    ['2,345', ',', 2.345],
    ['2,345', null, undefined],
    ['1.234.567', null, 1_234_567],
    ['1234,567', null, 1234.567],
    ['12', null, 12],
    ['-1,5', null, -1.5],
  ]
  for (const [cell, sign, value] of cells) t.equal(readNumber(cell, sign), value, `${cell} with ${sign}`)
  t.end()
})

t.test('a day with the name of its month is read with spaces, hyphens and years of two digits', (t) => {
  const cells: [string, string | undefined][] = [
    ['05-Mar-2024', '2024-03-05'],
    ['5-Mar-24', '2024-03-05'],
    ['05 Mar 24', '2024-03-05'],
    ['5 March, 2024', '2024-03-05'],
    ['Tue, 5 Mar. 2024', '2024-03-05'],
    ['Mar 5, 2024', '2024-03-05'],
    ['05-Mar-2024 14:30', '2024-03-05'],
    ['5 Mar 14:30', undefined],
    ['31-Feb-2024', undefined],
    ['5-Mar-1924', undefined],
  ]
  for (const [cell, day] of cells) t.equal(readDate(cell, { dayOrder: 'mdy', timeZone: null }), day, cell)
  t.end()
})

t.test('cells that can be read in one way only say the decimal sign', (t) => {
  const columns: [string[], '.' | ',', boolean][] = [
    [['2,345', '0,125'], ',', true],
    [['2,345', '1.234.567'], ',', true],
    [['2.345', '7.5'], '.', true],
    [['2,345', '12,345'], '.', false],
    [['12', '7'], '.', true],
  ]
  for (const [cells, decimalSign, isCertain] of columns)
    t.strictSame(guessDecimalSign(cells, '.'), { decimalSign, isCertain }, cells.join(' '))
  t.end()
})

t.test('costs with three decimals are faults until the merchant chooses the decimal sign', async (t) => {
  const { read, rehearse, run, rows, change, costOf } = await start(t)
  const { id, sheets } = await read('costs.csv', 'SKU;Average cost\nSKU-1;2,345\nSKU-2;12,345\nSKU-3;7')
  t.match(sheets, [{ decimalSign: ',', isDecimalSignCertain: false }], 'a semicolon hints at a comma')
  t.match((await rehearse(id)).summary, { new: 1, faults: 2 })
  t.match(await rows(id, 'fault'), [
    { row: 2, message: /"2,345" can be read in two ways\. Choose/ },
    { row: 3 },
  ])
  await change(id, { defaults: { decimalSign: ',' } })
  t.match((await run(id)).summary, { new: 3, faults: 0 })
  t.equal(await costOf(1), 2.345)
})

t.test("the merchant's decimal sign is for the files that do not say theirs", async (t) => {
  const { read, change, run, costOf } = await start(t)
  const { id, questions } = await read(
    'costs.zip',
    await zipOf({
      'a costs.json': JSON.stringify([{ sku: 'SKU-1', average_cost: '12.345' }]),
      'b costs.csv': 'SKU,Average cost\nSKU-2,"2,345"',
      'c costs.csv': 'SKU,Average cost,Note\nSKU-3,"1,234.50",x',
    }),
  )
  t.match(questions, [{ sheet: 'b costs.csv', about: 'decimal_sign' }])
  t.equal(questions.length, 1)
  await change(id, { defaults: { decimalSign: ',' } })
  t.match((await run(id)).summary, { new: 3, faults: 0 })
  // with a comma in each file they would be 12 345, 2.345 and a fault
  t.strictSame([await costOf(1), await costOf(2), await costOf(3)], [12.345, 2.345, 1234.5])
})

t.test("the merchant's order of day and month is for the files that do not say theirs", async (t) => {
  const { read, change, run, alice } = await start(t)
  const { id, questions } = await read(
    'orders.zip',
    await zipOf({
      'a orders.csv': [
        'PO Number,Supplier,Order date,SKU,Quantity,Cost',
        'A-1,Acme,12/31/2024,SKU-1,1,2',
        'A-2,Acme,03/04/2024,SKU-1,1,2',
      ].join('\n'),
      'b orders.csv': 'PO Number,Vendor,PO Date,SKU,Quantity,Cost\nB-1,Acme,03/04/2024,SKU-1,1,2',
    }),
  )
  t.strictSame(questions, [{ sheet: 'b orders.csv', about: 'day_order', fields: [] }])
  await change(id, { defaults: { dayOrder: 'dmy' } })
  t.match((await run(id)).summary, { new: 3, faults: 0 })
  const orders: { sourceNumber: string; sentAt: string }[] = (await alice.get('/api/purchase-orders')).json()
    .data
  t.strictSame(
    Object.fromEntries(orders.map(({ sourceNumber, sentAt }) => [sourceNumber, sentAt.slice(0, 10)])),
    { 'A-1': '2024-12-31', 'A-2': '2024-03-04', 'B-1': '2024-04-03' },
  )
})

t.test('days of prices and amounts of shipping can be read in two ways, too', async (t) => {
  const { read } = await start(t)
  const prices = 'Supplier,SKU,Supplier SKU,Price,Valid from\nAcme,SKU-1,A-1,4.20,03/04/2024'
  t.match((await read('supplier products.csv', prices)).questions, [{ about: 'day_order' }])
  const orders =
    'PO Number,Supplier,Order date,Shipping,SKU,Quantity,Cost\nA,Acme,2024-03-01,"1,200",SKU-1,1,2'
  t.match((await read('orders.csv', orders)).questions, [{ about: 'decimal_sign' }])
})

t.test('a column that the merchant maps says how it writes numbers', async (t) => {
  const { read, change } = await start(t)
  const { id, sheets } = await read('costs.csv', 'SKU,Average cost,Worth\nSKU-1,1.50,"2,345"')
  t.match(sheets, [{ decimalSign: '.', isDecimalSignCertain: true }])
  const mapping = [{ sheet: 'costs.csv', column: 'Worth', field: 'cost' }]
  t.match((await change(id, { mapping })).sheets, [{ isDecimalSignCertain: false }])
})

t.test("without another hint, the shop's locale says which decimal sign is likely", async (t) => {
  const { read, alice } = await start(t)
  const file = 'SKU,Average cost\nSKU-1,"2,345"'
  t.match((await read('costs.csv', file)).sheets, [{ decimalSign: '.', isDecimalSignCertain: false }])
  t.equal((await alice.put('/api/settings', { locale: 'de-DE' })).statusCode, 200)
  t.match((await read('costs.csv', file)).sheets, [{ decimalSign: ',', isDecimalSignCertain: false }])
  const json = JSON.stringify([{ sku: 'SKU-1', average_cost: 2.345 }])
  t.match((await read('costs.json', json)).sheets, [{ decimalSign: '.', isDecimalSignCertain: true }])
})

t.test('a cost of 0 leaves the cost that is known', async (t) => {
  const { load, rows, costOf } = await start(t)
  await load('costs.csv', 'SKU,Average cost\nSKU-1,2.50')
  const done = await load('costs.csv', 'SKU,Average cost\nSKU-1,0.00')
  t.match(done.summary, { skipped: 1, changed: 0, new: 0 })
  t.match(await rows(done.id), [{ message: 'The cost is 0, so the product keeps its own.' }])
  t.equal(await costOf(1), 2.5)
})

t.test('the expected stock of a count may be below 0', async (t) => {
  const { load, rows, alice } = await start(t)
  const done = await load(
    'stocktake.csv',
    'SKU,Expected stock,Actual stock,Date,Location\nSKU-1,-3,8,2024-05-13,Place 2',
  )
  t.match(done.summary, { new: 1, faults: 0 })
  const [first] = await rows(done.id)
  t.match((await alice.get(`/api/stock-counts/${first?.targetId}`)).json().data, {
    items: [{ countedQuantity: 8, expectedQuantity: -3 }],
  })
})

t.test('a product that is sold is found before a deleted one', async (t) => {
  const { load, rows, db, alice } = await start(t)
  await markVariant(db, alice, 1, 'deleted')
  await db.query(sql.typeAlias('void')`
    update variant set barcode = '555' where shop_id = ${alice.shopId} and gid = ${variantGid(1)}
  `)
  const file = 'Barcode,SKU,Average cost\n555,SKU-2,4\n555,GONE,4'
  const done = await load('costs.csv', file)
  t.match(await rows(done.id), [{ state: 'new' }, { state: 'fault', message: 'This product is deleted.' }])
})

t.test('a product that is sold is found before a deleted one whose SKU has the same capitals', async (t) => {
  const { load, rows, db, alice, costOf } = await start(t)
  await markVariant(db, alice, 1, 'deleted')
  await db.query(sql.typeAlias('void')`
    update variant
    set sku = case gid when ${variantGid(1)} then 'AB-1' else 'ab-1' end
    where shop_id = ${alice.shopId} and gid in (${variantGid(1)}, ${variantGid(2)})
  `)
  const done = await load('costs.csv', 'SKU,Average cost\nAB-1,4\nSKU-3,5')
  t.match(await rows(done.id), [{ state: 'new' }, { state: 'new' }])
  t.equal(await costOf(2), 4)
})
