import { Type } from '@sinclair/typebox'
import pg from 'pg'
import t, { type Test } from 'tap'
import { row, sql } from '../../../shared/db/db.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { allRowsOf } from '../../support/make/everything.ts'
import { makeSupplier } from '../../support/make/orders.ts'
import { makeStock, variantGid } from '../../support/make/stock.ts'
import {
  makeArchivedSupplier,
  makeSupplierProduct,
  supplierProducts,
} from '../../support/make/supplier-products.ts'

const Days = Type.Record(Type.String(), Type.String())

async function start(t: Test, variants = 4) {
  const people = await startApp(t)
  for (const person of [people.alice, people.mallory]) await makeStock(people.db, person, { variants })
  return people
}

const send = (person: Person, csv: string, fields: { dryRun?: boolean; supplierId?: number } = {}) =>
  person.post('/api/supplier-prices/import', { csv, dryRun: false, ...fields })

async function importOf(person: Person, csv: string, fields: { dryRun?: boolean; supplierId?: number } = {}) {
  const answer = await send(person, csv, fields)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().data
}

const pricesOf = async (person: Person, supplierId: number) =>
  (await supplierProducts(person, supplierId)).flatMap(({ prices }) =>
    prices.map(({ minQuantity, price, validFrom, validTo }) => [minQuantity, price, validFrom, validTo]),
  )

t.test('a price list creates products and prices, and a second import changes nothing', async (t) => {
  const { db, alice } = await start(t)
  const supplierId = await makeSupplier(alice, { name: 'Northgate', currency: 'GBP', aliases: ['NG'] })
  const csv = [
    'Supplier;SKU;Supplier SKU;Price;Currency;Min quantity;Pack size;Minimum;Multiple;Lead time;Valid from;Valid to;Rank',
    'northgate;SKU-1;N-1;2,50;;1;6;24;4;10;;;1',
    'NG;SKU-1;N-1;2,10;;48;;;;;;;',
    'NG;SKU-2;N-2;1.234,50;eur;;;;;;2026-01-01;2999-12-31;',
    'NG;SKU-3;;;;;12;;;;;;',
  ].join('\n')
  const counts = { rows: 4, created: 3, updated: 0, unchanged: 0, faults: [] }
  const before = await allRowsOf(db, alice)
  t.strictSame(await importOf(alice, csv, { dryRun: true }), counts)
  t.strictSame(await allRowsOf(db, alice), before)
  t.strictSame(await importOf(alice, csv), counts)
  t.match(await supplierProducts(alice, supplierId, '?search=sku-1'), [
    {
      supplierSku: 'N-1',
      packSize: 6,
      minimumQuantity: 24,
      quantityMultiple: 4,
      leadTimeDays: 10,
      rank: 1,
      price: 2.5,
      currency: 'GBP',
      prices: [
        { minQuantity: 1, price: 2.5, validFrom: null, validTo: null, source: 'import' },
        { minQuantity: 48, price: 2.1, validFrom: null, validTo: null },
      ],
    },
  ])
  t.match(await supplierProducts(alice, supplierId, '?search=sku-2'), [
    { prices: [{ price: 1234.5, currency: 'EUR', validFrom: '2026-01-01', validTo: '2999-12-31' }] },
  ])
  t.match(await supplierProducts(alice, supplierId, '?search=sku-3'), [{ packSize: 12, price: null }])
  const after = await allRowsOf(db, alice)
  t.match(await importOf(alice, csv), { created: 0, updated: 0, unchanged: 3 })
  t.strictSame(await allRowsOf(db, alice), after)
})

t.test('a product has at most 100 prices', async (t) => {
  const { alice } = await start(t)
  const supplierId = await makeSupplier(alice)
  const priceList = (count: number) =>
    ['sku,min quantity,price', ...Array.from({ length: count }, (_, at) => `SKU-1,${at + 1},9`)].join('\n')
  const { faults } = await importOf(alice, priceList(101), { supplierId, dryRun: true })
  const message = 'is one too many: a product has at most 100 prices'
  t.strictSame(faults, [{ row: 102, field: 'price', message }])
  t.match(await importOf(alice, priceList(100), { supplierId }), { created: 1, faults: [] })
  t.equal((await pricesOf(alice, supplierId)).length, 100)
})

t.test('a price without dates holds from today on; one with dates interrupts the one before', async (t) => {
  const { db, alice } = await start(t)
  const { day, before } = await db.one(sql.type(row(Days))`
    select (now() at time zone 'UTC')::date::text as day, ((now() at time zone 'UTC')::date - 1)::text as before
  `)
  const { supplierId } = await makeSupplierProduct(alice, { prices: [{ price: 2 }] })
  const dated = 'sku\tprice\tvalid from\tvalid to\nSKU-1\t1.5\t2998-12-01\t2998-12-24'
  t.match(await importOf(alice, dated, { supplierId }), { updated: 1 })
  t.strictSame(await pricesOf(alice, supplierId), [
    [1, 2, null, '2998-11-30'],
    [1, 1.5, '2998-12-01', '2998-12-24'],
    [1, 2, '2998-12-25', null],
  ])
  await importOf(alice, 'sku\tprice\nSKU-1\t3', { supplierId })
  t.strictSame(await pricesOf(alice, supplierId), [
    [1, 2, null, before],
    [1, 3, day, '2998-11-30'],
    [1, 1.5, '2998-12-01', '2998-12-24'],
    [1, 2, '2998-12-25', null],
  ])
})

t.test('a list has the price of today and a later one of the same product, in any order', async (t) => {
  const { alice } = await start(t)
  const supplierId = await makeSupplier(alice)
  const csv =
    'sku,price,valid from,valid to\nSKU-1,2,,\nSKU-1,2.2,2998-01-01,\nSKU-2,2.2,2998-01-01,\nSKU-2,2,,'
  t.match(await importOf(alice, csv, { supplierId }), { created: 2, faults: [] })
  const prices = [
    [1, 2, null, '2997-12-31'],
    [1, 2.2, '2998-01-01', null],
  ]
  t.strictSame(await pricesOf(alice, supplierId), [...prices, ...prices])
  t.match(await importOf(alice, csv, { supplierId }), { unchanged: 2 })
  const today = await importOf(alice, 'sku,price,valid from,valid to\nSKU-3,2,,\nSKU-3,3,2020-01-01,', {
    ...{ supplierId, dryRun: true },
  })
  const message = 'is for the same quantity and days as row 2'
  t.strictSame(today.faults, [{ row: 3, field: 'price', message }], 'both hold today')
})

t.test('a row finds its product by SKU, supplier SKU or barcode', async (t) => {
  const { alice } = await start(t)
  const supplierId = await makeSupplier(alice)
  const unnamed = await makeSupplierProduct(alice, { supplierId, supplierSku: '' })
  const box = await makeSupplierProduct(alice, {
    supplierId,
    variantId: variantGid(2),
    supplierSku: 'BOX',
    packBarcode: '999',
  })
  const pallet = await makeSupplierProduct(alice, {
    supplierId,
    variantId: variantGid(2),
    supplierSku: 'PALLET',
  })
  const csv = [
    'sku,supplier sku,barcode,variantId,price',
    'SKU-1,NEW,,,1',
    ',PALLET,,,2',
    ',,999,,3',
    ',,003,,4',
    `,,,${variantGid(4)},5`,
  ].join('\n')
  t.match(await importOf(alice, csv, { supplierId }), { created: 2, updated: 3, faults: [] })
  t.match(await supplierProducts(alice, supplierId), [
    { sku: 'SKU-4', price: 5 },
    { sku: 'SKU-3', price: 4 },
    { id: pallet.id, price: 2 },
    { id: box.id, price: 3 },
    { id: unnamed.id, supplierSku: 'NEW', price: 1 },
  ])
  const faults = async (row: string) =>
    (await importOf(alice, `sku,supplier sku,price\n${row}`, { supplierId, dryRun: true })).faults
  t.strictSame(await faults('SKU-2,,9'), [
    { row: 2, field: 'sku', message: 'is sold in several packagings: add the supplier sku' },
  ])
  t.strictSame(await faults(',NONE,9'), [
    { row: 2, field: 'supplier sku', message: 'is not a supplier SKU of this supplier' },
  ])
})

t.test('every invalid row is named with its column and rule, and nothing is imported', async (t) => {
  const { db, alice, mallory } = await start(t)
  await makeSupplier(alice, { name: 'Good' })
  for (const name of ['Twin', 'twin']) await makeSupplier(alice, { name })
  await makeSupplier(mallory, { name: 'Theirs' })
  await makeArchivedSupplier(alice, 'Archived')
  const csv = [
    'supplier,sku,price,Currency,Min qty,pack size,valid from,valid to,',
    'Good,SKU-1,1.50,,,,,,',
    ',SKU-1,1.50,,,,,,',
    'Theirs,SKU-1,1.50,,,,,,',
    'Twin,SKU-1,1.50,,,,,,',
    'Archived,SKU-1,1.50,,,,,,',
    'Good,,1.50,,,,,,',
    'Good,SKU-99,1.50,,,,,,',
    'Good,SKU-2,"1,234",EUX,0,x,2026-02-30,,',
    'Good,SKU-2,,,10,,,,',
    'Good,SKU-2,1,,,,2026-03-02,2026-03-01,',
    'Good,SKU-1,1.60,,,,,,',
    'Good,SKU-3,1,,,6,,,',
    'Good,SKU-3,0.9,,10,12,,,',
    'Good,SKU-3,1,,,,,,extra',
  ].join('\n')
  const expected = [
    { row: 3, field: 'supplier', message: 'is required' },
    { row: 4, field: 'supplier', message: 'unknown supplier "Theirs"' },
    { row: 5, field: 'supplier', message: 'is the name of several suppliers: rename or merge them first' },
    { row: 6, field: 'supplier', message: 'unknown supplier "Archived"' },
    { row: 7, field: 'sku', message: 'is required, or another name of the product' },
    { row: 8, field: 'sku', message: 'unknown SKU "SKU-99"' },
    { row: 9, field: 'price', message: 'must be a number from 0 to 1 000 000 000 with at most 4 decimals' },
    { row: 9, field: 'Min qty', message: 'must be a whole number from 1 to 1 000 000 000' },
    { row: 9, field: 'pack size', message: 'must be a whole number from 1 to 1 000 000' },
    { row: 9, field: 'Currency', message: 'must be the code of a currency, as in EUR' },
    { row: 9, field: 'valid from', message: 'must be a date, as in 2026-03-01' },
    { row: 10, field: 'price', message: 'is required for a quantity or a date' },
    { row: 11, field: 'valid to', message: 'must not be before valid from' },
    { row: 12, field: 'price', message: 'is for the same quantity and days as row 2' },
    { row: 14, field: 'pack size', message: 'differs from row 13' },
    { row: 15, field: '', message: 'has a value in a column without a name' },
  ]
  const before = await allRowsOf(db, alice)
  const { faults } = await importOf(alice, csv, { dryRun: true })
  t.strictSame(faults, expected)
  const { details } = expectFailure(t, await send(alice, csv), 422, 'invalid_rows')
  t.strictSame(details?.length, expected.length)
  t.match(details, [{ path: '/rows/3/supplier', message: 'is required' }])
  t.strictSame(await allRowsOf(db, alice), before)
})

t.test('a list without its columns is refused', async (t) => {
  const { alice, mallory } = await start(t)
  t.match(await importOf(alice, 'supplier,sku,price,colour\nGood,SKU-1,x,red\n', { dryRun: true }), {
    faults: [
      { row: 1, field: 'colour' },
      { row: 2, field: 'price', message: /^must be a number/ },
    ],
  })
  t.match(await importOf(alice, 'price\n1', { dryRun: true }), {
    faults: [
      { row: 1, field: 'supplier', message: 'is required' },
      { row: 1, field: 'sku', message: /^is required/ },
    ],
  })
  t.match(await importOf(alice, 'supplier,sku,colour\nx,y,z', { dryRun: true }), {
    faults: [{ row: 1, field: 'colour', message: /^is not one of the known columns: supplier, sku/ }],
  })
  const theirs = await send(alice, 'sku,price\nSKU-1,1', { supplierId: await makeSupplier(mallory) })
  t.match(expectFailure(t, theirs, 422, 'unknown_supplier').details, [{ path: '/supplierId' }])
})

t.test('a list of 2 000 rows takes a few statements, and its 3 bad rows are named', async (t) => {
  const { db, alice } = await start(t, 2_000)
  const supplierId = await makeSupplier(alice, { name: 'Northgate' })
  const row = (number: number) =>
    ['Northgate', `SKU-${number}`, `N-${number}`, (number / 100).toFixed(2), 6].join('\t')
  const rows = Array.from({ length: 2_000 }, (_, at) => row(at + 1))
  const header = 'supplier\tsku\tsupplier sku\tprice\tpack size'
  const bad = rows.with(99, 'Northgate\tSKU-9999\tN\t1\t6').with(999, 'Northgate\tSKU-1000\tN\tfree\t6')
  const csv = [header, ...bad.with(1_999, 'Southgate\tSKU-2000\tN\t1\t6')].join('\n')
  const before = await allRowsOf(db, alice)
  const { details } = expectFailure(t, await send(alice, csv), 422, 'invalid_rows')
  t.strictSame(
    details?.map(({ path }) => path),
    ['/rows/101/sku', '/rows/1001/price', '/rows/2001/supplier'],
  )
  t.strictSame(await allRowsOf(db, alice), before, 'nothing is half done')

  const good = [header, ...rows].join('\n')
  for (const dryRun of [true, false]) {
    const statements = t.capture(pg.Client.prototype, 'query', pg.Client.prototype.query)
    t.match(await importOf(alice, good, { dryRun }), { rows: 2_000, faults: [] })
    const count = statements().length
    statements.restore()
    t.ok(count > 3 && count < 30, `${count} statements`)
  }
  t.strictSame((await importOf(alice, good, { dryRun: true })).unchanged, 2_000)
  t.match(await supplierProducts(alice, supplierId, '?limit=1'), [{ sku: 'SKU-2000', price: 20 }])
})
