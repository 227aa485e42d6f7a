import t, { type Test } from 'tap'
import { upsertProducts } from '../../../shared/domain/exchange/sync/upsert-products.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import type { ImportFault } from '../../../shared/schemas/import-fault.ts'
import type { ReorderRule } from '../../../shared/schemas/reorder-rules.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { enqueued } from '../../support/core/worker.ts'
import { product, variant } from '../../support/make/catalogue.ts'
import { allRowsOf } from '../../support/make/everything.ts'
import { makeSupplier } from '../../support/make/orders.ts'
import { listRules, makeRule, readRule } from '../../support/make/reorder.ts'
import { closeLocation, locationGid, makeStock, markVariant, variantGid } from '../../support/make/stock.ts'

/** Both shops have four variants with 10 units of each at each of two locations. */
async function start(t: Test) {
  const people = await startApp(t)
  for (const person of [people.alice, people.mallory]) {
    await makeStock(people.db, person, { variants: 4, locations: 2 })
  }
  return people
}

const send = (person: Person, csv: string, dryRun = false) =>
  person.post('/api/reorder/rules/import', { csv, dryRun })

async function importOf(person: Person, csv: string, dryRun = false) {
  const answer = await send(person, csv, dryRun)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().data
}

const faultsOf = async (person: Person, csv: string): Promise<ImportFault[]> =>
  (await importOf(person, csv, true)).faults

t.test('rows create rules, or change those of the same variant and location', async (t) => {
  const { db, alice } = await start(t)
  const supplierId = await makeSupplier(alice, { name: 'Łódź Ceramics' })
  const id = await makeRule(alice, { supplierId, reviewDays: 30 })
  const csv = [
    'sku,barcode,variantId,reorderPoint,reorderQuantity,supplier,location,mode,serviceLevel,reviewDays',
    'SKU-1,,,5,6,,,,,',
    `,002,,0,1,łódź CERAMICS,place 2,manual,99,`,
    `,,${variantGid(3)},,,,,Auto,90,14`,
  ].join('\n')
  const before = await allRowsOf(db, alice)
  const result = { rows: 3, created: 2, updated: 1, faults: [] }
  t.strictSame(await importOf(alice, csv, true), result)
  t.strictSame(await allRowsOf(db, alice), before, 'a dry run changes nothing')
  t.strictSame(await importOf(alice, csv), result)
  t.match(await listRules(alice), [
    { variantId: variantGid(3), mode: 'auto', serviceLevel: 90, reviewDays: 14, supplierId: null },
    {
      variantId: variantGid(2),
      reorderPoint: 0,
      reorderQuantity: 1,
      supplierId,
      locationId: locationGid(2),
      currentStock: 10,
      serviceLevel: 99,
    },
    { id, reorderPoint: 5, reorderQuantity: 6, supplierId, locationId: null, reviewDays: 30 },
  ])
  t.strictSame(await enqueued(db, jobs.recomputeReorderPoints, alice.shopId), [
    { shopId: alice.shopId, isOnlyNew: true },
  ])
  t.strictSame(await importOf(alice, csv), { rows: 3, created: 0, updated: 3, faults: [] })
})

t.test('the import reads the CSV dialects of spreadsheets', async (t) => {
  const { alice } = await start(t)
  await makeSupplier(alice, { name: 'Cup, Mug; "Co"' })
  for (const [what, csv] of Object.entries({
    'a byte order mark': '\ufeffsku,reorderPoint,reorderQuantity\nSKU-1,5,6\n',
    'semicolons and CRLF': 'sku;reorderPoint;reorderQuantity\r\nSKU-1;5;6\r\n',
    tabs: 'sku\treorderPoint\treorderQuantity\nSKU-1\t5\t6',
    'quotes and commas': 'sku,reorderPoint,reorderQuantity,supplier\n"SKU-1","5","6","Cup, Mug; ""Co"""\n',
    'semicolons with quotes': 'sku;reorderPoint;reorderQuantity;supplier\nSKU-1;5;6;"Cup, Mug; ""Co"""\n',
    'other capitals and spaces': ' SKU , Reorder Point ,REORDER_QUANTITY\n SKU-1 , 5 , 6 \n',
    'another order, and short rows': 'reorderQuantity,reorderPoint,sku,mode\n6,5,SKU-1\n',
    'empty rows and columns': 'sku,reorderPoint,reorderQuantity,,\n,,,,\n\nSKU-1,5,6,,\n\n,,\n',
  })) {
    t.strictSame(await faultsOf(alice, csv), [], what)
    t.match(await importOf(alice, csv), { rows: 1, faults: [] }, what)
    const [imported, ...others] = await listRules(alice)
    t.match(imported, { variantId: variantGid(1), reorderPoint: 5, reorderQuantity: 6 }, what)
    t.strictSame(others, [], what)
    await alice.delete(`/api/reorder/rules/${imported?.id}`)
  }
  t.match(await importOf(alice, 'sku,reorderPoint,reorderQuantity'), { rows: 0, created: 0, updated: 0 })
})

t.test('a dry run lists every invalid row with its reason', async (t) => {
  const { db, alice, mallory } = await start(t)
  await db.transaction((tx) =>
    upsertProducts(tx, alice.shopId, [product(5, [variant(5, { sku: 'SKU-1', barcode: '002' })])]),
  )
  await markVariant(db, alice, 3, 'untracked')
  await markVariant(db, alice, 4, 'deleted')
  await closeLocation(db, alice, 2)
  for (const name of ['Twin', 'twin']) await makeSupplier(alice, { name })
  await makeSupplier(mallory, { name: 'Theirs' })
  const csv = [
    'variantId;sku;barcode;reorderPoint;reorderQuantity;supplier;location;mode;serviceLevel;reviewDays',
    ';SKU-2;;5;6;;;;;',
    ';SKU-1;;5;6;;;;;',
    ';;002;5;6;;;;;',
    ';;;5;6;;;;;',
    '',
    ';SKU-3;;5;6;;;;;',
    ';SKU-4;;5;6;;;;;',
    'gid://platform/ProductVariant/1;;;-1;0;Theirs;Place 2;sometimes;89;1.5',
    'gid://platform/ProductVariant/1;;;5;;Twin;Place 9;;;',
    ';SKU-2;;7;8;;;;;;9',
    'gid://platform/ProductVariant/1;;;5;;;;;;',
  ].join('\n')
  const expected = [
    { row: 3, field: 'sku', message: 'belongs to several variants: use the variantId instead' },
    { row: 4, field: 'barcode', message: 'belongs to several variants: use the variantId instead' },
    { row: 5, field: 'sku', message: 'is required, or a barcode or variantId' },
    { row: 7, field: 'sku', message: 'is not tracked by the platform' },
    { row: 8, field: 'sku', message: 'unknown SKU "SKU-4"' },
    { row: 9, field: 'reorderPoint', message: 'must be a whole number from 0 to 1 000 000 000' },
    { row: 9, field: 'reorderQuantity', message: 'must be a whole number from 1 to 1 000 000 000' },
    { row: 9, field: 'mode', message: 'must be one of manual, auto' },
    {
      row: 9,
      field: 'serviceLevel',
      message: 'must be a whole percentage from 90 to 99, or null for that of the ABC class',
    },
    { row: 9, field: 'reviewDays', message: 'must be a whole number of days from 1 to 90' },
    { row: 9, field: 'supplier', message: 'unknown supplier "Theirs"' },
    { row: 9, field: 'location', message: 'is no longer in use' },
    { row: 10, field: 'supplier', message: 'is the name of several suppliers: rename one of them first' },
    { row: 10, field: 'location', message: 'unknown location "Place 9"' },
    { row: 11, field: '', message: 'has a value in a column without a name' },
    { row: 11, field: '', message: 'repeats the product and location of row 2' },
    { row: 12, field: 'reorderQuantity', message: 'is required for a rule in manual mode' },
  ]
  const before = await allRowsOf(db, alice)
  const { faults, ...counts } = await importOf(alice, csv, true)
  const order = (all: ImportFault[]) => all.map((fault) => JSON.stringify(fault)).sort()
  t.strictSame(order(faults), order(expected))
  t.strictSame(counts, { rows: 10, created: 0, updated: 0 })

  const { details } = expectFailure(t, await send(alice, csv), 422, 'invalid_rows')
  t.strictSame(
    details?.map(({ path, message }) => `${path} ${message}`).sort(),
    expected.map(({ row, field, message }) => `/rows/${row}${field && `/${field}`} ${message}`).sort(),
  )
  t.strictSame(await allRowsOf(db, alice), before)
})

t.test('a row of an existing rule can omit its numbers', async (t) => {
  const { alice } = await start(t)
  const supplierId = await makeSupplier(alice)
  const id = await makeRule(alice)
  t.match(await importOf(alice, 'sku,supplier\nSKU-1,acme'), { created: 0, updated: 1 })
  t.match(await readRule(alice, id), { reorderPoint: 20, reorderQuantity: 50, supplierId })
})

t.test('an exported file can be imported unchanged', async (t) => {
  const { db, alice } = await start(t)
  await db.transaction((tx) => upsertProducts(tx, alice.shopId, [product(5, [variant(5, { sku: '-5' })])]))
  const supplierId = await makeSupplier(alice, { name: '@Home; Ltd' })
  await makeRule(alice, { supplierId, locationId: locationGid(2), reorderPoint: 7 })
  await makeRule(alice, { variantId: variantGid(2), mode: 'auto', serviceLevel: 99, reviewDays: 3 })
  await makeRule(alice, { variantId: variantGid(5), reorderQuantity: 4 })
  const before = await listRules(alice)
  const { body } = await alice.get('/api/reorder/rules', { accept: 'text/csv' })
  t.match(body, `"'@Home; Ltd",Place 2,Manual`)
  for (const { id } of before) await alice.delete(`/api/reorder/rules/${id}`)
  t.match(await importOf(alice, body), { rows: 3, created: 3, updated: 0 })
  const comparable = (rules: ReorderRule[]) =>
    rules
      .map(({ id: _id, inputs: _inputs, computedAt: _at, isComputing: _is, ...rule }) => JSON.stringify(rule))
      .sort()
  t.strictSame(comparable(await listRules(alice)), comparable(before))
  const bySku = body.replaceAll(/gid:\/\/platform\/ProductVariant\/5/g, '')
  t.match(
    await importOf(alice, bySku, true),
    { rows: 3, updated: 3, faults: [] },
    'the import accepts an SKU that looks like a formula',
  )
})

t.test('the headings of our exports and the usual names are read in any case', async (t) => {
  const { alice } = await start(t)
  const supplierId = await makeSupplier(alice, { name: 'Acme' })
  const rule = {
    supplierId,
    locationId: locationGid(2),
    reorderPoint: 5,
    reorderQuantity: 1234,
    maxLevel: 2000,
  }
  const whole =
    'SKU,Product,Variant,Location,Supplier,Mode,Reorder point,Reorder quantity,Service level (%),Review (days),Maximum level,Stock,Low,Computed,Created,Location ID,Variant ID'
  for (const [what, csv] of Object.entries({
    'our export of all lists': `${whole}\nSKU-1,Mug,Blue,Place 2,Acme,manual,5,1234,95,14,2000,10,no,,2026-03-01 10:00:00,${locationGid(2)},${variantGid(1)}`,
    'the usual names': 'EAN;WAREHOUSE;Vendor Name;min;Reorder_Qty;Max\n001;place 2;acme;5;1 234;2,000.0',
    'other usual names':
      'item sku,Location name,Vendor/Supplier,Reorder level,reorder qty,Max. stock\nSKU-1,Place 2,Acme,5,"1,234.0","2,000"',
  })) {
    t.strictSame(await faultsOf(alice, csv), [], what)
    t.match(await importOf(alice, csv), { rows: 1, created: 1 }, what)
    const [stored] = await listRules(alice)
    t.match(stored, { variantId: variantGid(1), ...rule }, what)
    await alice.delete(`/api/reorder/rules/${stored?.id}`)
  }
  t.strictSame(await faultsOf(alice, 'SKU,Min,Max stock,Lot size\nSKU-1,"1,234",x,1\nSKU-9,y,,1'), [
    { row: 1, field: 'Lot size', message: (await faultsOf(alice, 'sku,Lot size'))[0]?.message },
    { row: 2, field: 'Min', message: 'can be read in two ways: write 1234 without a separator' },
    {
      row: 2,
      field: 'Max stock',
      message: 'must be a whole number from 1 to 1 000 000 000, or null for no maximum',
    },
    { row: 3, field: 'Min', message: 'must be a whole number from 0 to 1 000 000 000' },
  ])
  t.strictSame(await faultsOf(alice, 'sku,Min,reorder point\nSKU-1,1,2'), [
    { row: 1, field: 'reorder point', message: 'means the same as Min: remove one of the columns' },
  ])
  t.strictSame(await faultsOf(alice, `SKU,Min,Reorder qty,Location ID\nSKU-1,1,5,${locationGid(2)}`), [
    { row: 2, field: 'location', message: 'is required beside a location ID' },
  ])
})

t.test('an invalid header is reported once, with the faults of the rows below it', async (t) => {
  const { alice } = await start(t)
  const known =
    'variantId, sku, barcode, supplier, location, title, reorderPoint, reorderQuantity, mode, serviceLevel, reviewDays, maxLevel'
  t.strictSame(await faultsOf(alice, 'item,reorderPoint,reorderPoint\nSKU-1,x,6'), [
    { row: 1, field: 'item', message: `is not one of the known columns: ${known}` },
    { row: 1, field: 'reorderPoint', message: 'appears twice' },
    { row: 1, field: 'sku', message: 'is required, or a column barcode or variantId' },
    { row: 2, field: 'reorderPoint', message: 'must be a whole number from 0 to 1 000 000 000' },
  ])
  for (const csv of ['', ' \n ']) t.match(await faultsOf(alice, csv), [{ row: 1, field: 'sku' }])
  const unclosed = 'sku,reorderPoint,reorderQuantity\n"SKU-1,5,6\n'
  t.match(await faultsOf(alice, unclosed), [{ row: 2, field: '', message: /^A quotation mark/ }])
  expectFailure(t, await send(alice, unclosed), 422, 'invalid_rows')
})

t.test('a file has at most 10 000 rows', async (t) => {
  const { alice } = await start(t)
  const rows = Array.from({ length: 10_001 }, () => 'SKU-1,5,6')
  const faults = await faultsOf(alice, ['sku,reorderPoint,reorderQuantity', ...rows].join('\n'))
  t.strictSame(faults, [{ row: 10_002, field: '', message: 'A file holds at most 10000 rows. Split it.' }])
  const answer = await send(alice, 'x'.repeat(900_001))
  t.match(expectFailure(t, answer, 400, 'invalid_request').details, [{ path: '/csv' }])
})

t.test('a row cannot refer to a variant of another shop', async (t) => {
  const { db, alice, mallory } = await start(t)
  await db.transaction((tx) => upsertProducts(tx, mallory.shopId, [product(7, [variant(7)])]))
  t.match(await faultsOf(alice, 'sku,reorderPoint,reorderQuantity\nSKU-7,1,1'), [{ row: 2, field: 'sku' }])
  t.match(await importOf(mallory, 'sku,reorderPoint,reorderQuantity\nSKU-7,1,1'), { created: 1 })
  t.strictSame(await listRules(alice), [])
})
