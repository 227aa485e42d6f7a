import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../shared/db/db.ts'
import { enqueueReadLevelsOf } from '../../../shared/domain/ledgers/stock/platform/read-requests.ts'
import type { StockImportOutcome } from '../../../shared/schemas/stock-imports.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { allRowsOf } from '../../support/make/everything.ts'
import {
  closeLocation,
  expectLedger,
  levelsOf,
  locationGid,
  makeStock,
  markVariant,
  movementsOf,
  readLevels,
  takeStock,
  variantGid,
} from '../../support/make/stock.ts'

/** Both shops have four variants with 10 units of each at each of two locations. */
async function start(t: Test) {
  const people = await startApp(t)
  for (const person of [people.alice, people.mallory]) {
    await makeStock(people.db, person, { variants: 4, locations: 2 })
  }
  return people
}

const send = (person: Person, csv: string, fields: object = {}) =>
  person.post('/api/stock-imports', { csv, basis: 'available', dryRun: false, ...fields })

async function importOf(person: Person, csv: string, fields: object = {}): Promise<StockImportOutcome> {
  const answer = await send(person, csv, fields)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().data
}

const file = [
  'SKU;Barcode;Location;Quantity;Reason',
  'SKU-1;;place 1;25;Recount',
  ';002;Place 2;4;',
  'SKU-3;;Place 1;10;',
  'SKU-4;;Place 1;;',
].join('\n')

t.test('a file sets stock by SKU or barcode; a dry run shows old and new and changes nothing', async (t) => {
  const { db, alice, mallory } = await start(t)
  const before = await allRowsOf(db, alice)
  const other = await allRowsOf(db, mallory)
  const outcome = {
    ...{ id: null, rows: 4, changed: 2, added: 15, removed: 6, faults: [] },
    changes: [
      {
        ...{ row: 2, sku: 'SKU-1', title: 'Mug 1 - Size 1', locationName: 'Place 1' },
        ...{ previousQuantity: 10, newQuantity: 25 },
      },
      {
        ...{ row: 3, sku: 'SKU-2', title: 'Mug 2 - Size 2', locationName: 'Place 2' },
        ...{ previousQuantity: 10, newQuantity: 4 },
      },
    ],
  }
  t.strictSame(await importOf(alice, file, { dryRun: true }), outcome)
  t.strictSame(await allRowsOf(db, alice), before)
  const { id } = await importOf(alice, file, { reason: 'Spring count' })
  t.match(await levelsOf(db, alice), { '1/1': [25, 10], '2/2': [4, 10], '3/1': [10, 10], '4/1': [10, 10] })
  const movements = (await movementsOf(db, alice)).slice(-2)
  t.match(movements, [
    { kind: 'set', delta: 15, reason: 'Recount', reference: `stock_import/${id}` },
    { kind: 'set', delta: -6, reason: 'Spring count', reference: `stock_import/${id}` },
  ])
  await expectLedger(t, db, alice)
  t.match(await importOf(alice, file), { id: null, changed: 0 }, 'the file is the stock now')
  t.strictSame(await allRowsOf(db, mallory), other)
})

t.test('a file adjusts stock, and sets what lies on the shelf', async (t) => {
  const { db, alice } = await start(t)
  await readLevels(db, alice, { committed: 3, unavailable: 1 })
  const adjusted = 'sku,change\nSKU-1,-4\nSKU-2,+5'
  const place = { locationId: locationGid(1) }
  t.match(await importOf(alice, adjusted, { basis: 'adjust', ...place }), { added: 5, removed: 4 })
  t.match(await levelsOf(db, alice), { '1/1': [6, 10], '2/1': [15, 10] })
  const shelf = 'sku,on hand,available,title\nSKU-3,20,999,Mug'
  t.match(await importOf(alice, shelf, { basis: 'on_hand', ...place }), {
    changes: [{ previousQuantity: 14, newQuantity: 20 }],
  })
  t.match(await levelsOf(db, alice), { '3/1': [16, 10] }, '20 on the shelf, 3 committed, 1 unavailable')
})

t.test('a file of the shelf waits for readings that were requested', async (t) => {
  const { db, alice } = await start(t)
  await readLevels(db, alice)
  await db.transaction((tx) => enqueueReadLevelsOf(tx, alice.shopId, [variantGid(2)]))
  const shelf = 'sku,on hand\nSKU-1,20\nSKU-2,20'
  const place = { locationId: locationGid(1) }
  const fault = { row: 3, field: 'quantity', message: /still being read: try again in a moment/ }
  t.match(await importOf(alice, shelf, { basis: 'on_hand', ...place, dryRun: true }), { faults: [fault] })
  const refused = await send(alice, shelf, { basis: 'on_hand', ...place })
  expectFailure(t, refused, 422, 'invalid_rows')
  t.match(
    await importOf(alice, 'sku,quantity\nSKU-2,11', place),
    { changed: 1 },
    'available pieces need none',
  )
  const priority = sql.type(row(Type.Object({ priority: Type.Integer() })))
  t.match(
    await db.one(priority`select priority from level_read where shop_id = ${alice.shopId}`),
    { priority: 0 },
    'the check has moved the reading to the front',
  )
  await readLevels(db, alice, { committed: 3 })
  t.match(await importOf(alice, shelf, { basis: 'on_hand', ...place }), { changed: 2 })
  t.match(await levelsOf(db, alice), { '1/1': [17, 10], '2/1': [17, 10] })
})

t.test('the CSV of the stock is such a file', async (t) => {
  const { db, alice } = await start(t)
  await readLevels(db, alice)
  const { body } = await alice.get('/api/stock-levels?sort=sku', { accept: 'text/csv' })
  t.match(await importOf(alice, body, { dryRun: true }), { rows: 8, changed: 0, faults: [] })
  const edited = body.replace(/^(SKU-1,.*?,Place 1,,)10,0,0,10,/m, '$110,0,0,7,')
  t.not(edited, body)
  t.match(await importOf(alice, edited, { dryRun: true }), { changed: 1, removed: 3, faults: [] })
  t.match(await importOf(alice, edited, { basis: 'on_hand', dryRun: true }), { changed: 0, faults: [] })
})

t.test('the CSV of a shop with stock below zero and a closed location is such a file', async (t) => {
  const { db, alice } = await start(t)
  const adjustments = [{ variantId: variantGid(1), locationId: locationGid(1), delta: -13 }]
  await alice.post('/api/stock-levels/adjust', { adjustments, allowNegative: true })
  await closeLocation(db, alice, 2)
  await readLevels(db, alice, { committed: 1, unavailable: 0 })
  const { body } = await alice.get('/api/stock-levels?sort=sku', { accept: 'text/csv' })
  t.match(body, /^SKU-1,.*,Place 1,,'?-2,1,0,'?-3,/m)
  t.match(body, /,Place 2,/)
  const check = async (csv: string, fields: object = {}) => {
    const { changed, faults } = await importOf(alice, csv, { dryRun: true, ...fields })
    return [changed, ...faults.map(({ row, field, message }) => `${row} ${field}: ${message}`)]
  }
  t.strictSame(await check(body), [0])
  t.strictSame(await check(body, { basis: 'on_hand' }), [0])
  t.match(await importOf(alice, body), { id: null, rows: 8, changed: 0 })
  const rows = (...given: string[]) => ['sku,location,quantity', ...given].join('\n')
  t.strictSame(await check(rows('SKU-1,Place 1,-3', 'SKU-2,Place 2,10', 'SKU-2,Place 1,4')), [1])
  t.strictSame(await check(rows('SKU-1,Place 1,-4', 'SKU-2,Place 2,9', 'SKU-9,Place 1,-1')), [
    ...[0, '2 quantity: must not be below 0', '3 location: is no longer in use'],
    ...['4 sku: unknown SKU "SKU-9"', '4 quantity: must not be below 0'],
  ])
  t.strictSame(await check(rows('SKU-1,Place 1,0', 'SKU-2,Place 2,10')), [1], 'corrected to 0')
})

t.test('signs that separate thousands are read when they are unmistakable', async (t) => {
  const { alice } = await start(t)
  const check = async (...quantities: string[]) => {
    const rows = quantities.map((quantity, at) => `SKU-${at + 1};Place 1;"${quantity}"`)
    const { faults, changes } = await importOf(alice, ['sku;location;quantity', ...rows].join('\n'), {
      dryRun: true,
    })
    return faults.length > 0
      ? faults.map(({ row, field, message }) => `${row} ${field}: ${message}`)
      : changes.map(({ newQuantity }) => newQuantity)
  }
  t.strictSame(await check('1,234,567', '1,234.00', '2 345'), [1_234_567, 1234, 2345])
  t.strictSame(await check('1,234', '12.0'), [1234, 12], 'another cell says that a point is the decimal sign')
  t.strictSame(await check('1.234', '12,0'), [1234, 12])
  t.strictSame(await check('1,234', '5'), [
    '2 quantity: can be read in two ways: write 1234 without a separator',
  ])
  t.strictSame(await check('1,5', '12 USD', '0x1F'), [
    ...['2', '3', '4'].map((row) => `${row} quantity: must be a whole number`),
  ])
  t.strictSame(await check("1'234'567", '1 234 567', '5.'), [1_234_567, 1_234_567, 5])
  t.strictSame(
    await check('5 10', '10\n20', "5'10", '1 23'),
    ['2', '3', '4', '5'].map((row) => `${row} quantity: must be a whole number`),
    'two numbers in a cell are none',
  )
})

t.test('the faults of a file are listed by row, and nothing is imported', async (t) => {
  const { db, alice } = await start(t)
  await closeLocation(db, alice, 2)
  await markVariant(db, alice, 4, 'untracked')
  const before = await allRowsOf(db, alice)
  const csv = [
    'sku,location,quantity',
    'SKU-1,Place 1,5',
    'SKU-9,Place 1,5',
    'SKU-2,Nowhere,5',
    'SKU-2,Place 2,5',
    'SKU-1,Place 1,6',
    'SKU-3,Place 1,2.5',
    'SKU-3,Place 1,-1',
    ',Place 1,5',
    'SKU-2,,5',
    'SKU-4,Place 1,5',
  ].join('\n')
  const { faults, changed } = await importOf(alice, csv, { dryRun: true })
  t.strictSame(
    faults.map(({ row, field, message }) => `${row} ${field}: ${message}`),
    [
      '3 sku: unknown SKU "SKU-9"',
      '4 location: unknown location "Nowhere"',
      '5 location: is no longer in use',
      '6 : repeats the product and location of row 2',
      '7 quantity: must be a whole number',
      '8 quantity: must not be below 0',
      '8 : repeats the product and location of row 7',
      '9 sku: is required, or a barcode or variantId',
      '10 location: is required',
      '11 sku: is not tracked by the platform',
    ],
  )
  t.equal(changed, 0)
  const { details } = expectFailure(t, await send(alice, csv), 422, 'invalid_rows')
  t.equal(details?.length, 10)
  for (const [text, field] of [
    ['sku,location\nSKU-1,Place 1', 'quantity'],
    ['location,quantity\nPlace 1,5', 'sku'],
    ['sku,quantity\nSKU-1,5', 'location'],
    ['sku,location,quantity,shelf\nSKU-1,Place 1,5,1', 'shelf'],
  ]) {
    t.match((await importOf(alice, text ?? '', { dryRun: true })).faults, [{ row: 1, field }])
  }
  const ofBoth = 'sku,location,quantity,shelf\nSKU-1,Place 1,x,1\n,Place 1,5,2'
  t.match((await importOf(alice, ofBoth, { dryRun: true })).faults, [
    { row: 1, field: 'shelf' },
    { row: 2, field: 'quantity' },
    { row: 3, field: 'sku' },
  ])
  const below = await importOf(alice, 'sku,location,quantity\nSKU-1,Place 1,-11', {
    ...{ basis: 'adjust', dryRun: true },
  })
  t.match(below.faults, [{ row: 2, field: 'quantity', message: 'only 10 in stock' }])
  t.strictSame(await allRowsOf(db, alice), before)
})

t.test('a shop that requires reasons gets a fault for each change without one', async (t) => {
  const { alice } = await start(t)
  await alice.put('/api/settings', { adjustmentReasonRequired: true, adjustmentReasons: ['Recount'] })
  const { faults } = await importOf(alice, file, { dryRun: true })
  t.strictSame(faults, [{ row: 3, field: 'reason', message: 'must be one of the reasons in the settings' }])
  const unchanged = 'sku,location,quantity,reason\nSKU-1,Place 1,10,\nSKU-2,Place 1,4,\nSKU-3,Place 1,4,Whim'
  t.strictSame(
    (await importOf(alice, unchanged, { dryRun: true })).faults.map(({ row, message }) => [row, message]),
    [
      [3, 'must be one of the reasons in the settings'],
      [4, 'is not one of the reasons in the settings'],
    ],
    'both kinds at once, and none for a level that stays',
  )
  t.match(await importOf(alice, file, { reason: 'Recount' }), { changed: 2 })
})

t.test('a revert takes back what the import changed, and keeps what was sold since', async (t) => {
  const { db, alice, mallory } = await start(t)
  const { id } = await importOf(alice, file)
  await takeStock(db, alice, { variant: 1, location: 1, quantity: 4 })
  const revert = (person: Person, body?: object) => person.post(`/api/stock-imports/${id}/revert`, body)
  expectFailure(t, await revert(mallory), 404, 'not_found')
  t.match((await revert(alice)).json().data, { id, changed: 2, alreadyApplied: false })
  t.match(await levelsOf(db, alice), { '1/1': [6, 10], '2/2': [10, 10] })
  await expectLedger(t, db, alice)
  const before = await levelsOf(db, alice)
  t.match((await revert(alice)).json().data, { id, alreadyApplied: true })
  t.strictSame(await levelsOf(db, alice), before, 'the second revert moves nothing')
  t.match((await alice.get('/api/stock-imports')).json().data, [
    { id, basis: 'available', rows: 4, changed: 2, added: 15, removed: 6, revertedAt: /Z$/ },
  ])
  t.strictSame((await mallory.get('/api/stock-imports')).json().data, [])
})

t.test('a revert says which levels stay, also when it is repeated', async (t) => {
  const { db, alice } = await start(t)
  const { id } = await importOf(alice, file)
  await markVariant(db, alice, 2, 'untracked')
  const answers = [1, 2].map(() => alice.post(`/api/stock-imports/${id}/revert`))
  for (const answer of await Promise.all(answers)) t.match(answer.json().data, { changed: 1, skipped: 1 })
  t.match(await levelsOf(db, alice), { '1/1': [10, 10], '2/2': [4, 10] })
})

t.test('a revert below zero is refused as a whole, unless it is allowed', async (t) => {
  const { db, alice } = await start(t)
  const { id } = await importOf(alice, file)
  await takeStock(db, alice, { variant: 1, location: 1, quantity: 20 })
  const before = await levelsOf(db, alice)
  const refused = await alice.post(`/api/stock-imports/${id}/revert`)
  const { message, details } = expectFailure(t, refused, 422, 'insufficient_stock')
  t.match(message, 'Send allowNegative')
  t.strictSame(details, [{ path: '', message: 'SKU-1 at Place 1: only 5 in stock' }])
  t.strictSame(await levelsOf(db, alice), before)
  t.match((await alice.get('/api/stock-imports')).json().data, [{ revertedAt: null }])
  const answer = await alice.post(`/api/stock-imports/${id}/revert`, { allowNegative: true })
  t.match(answer.json().data, { changed: 2 })
  t.match(await levelsOf(db, alice), { '1/1': [-10, 10] })
})

t.test('of two reverts at once, one moves stock', async (t) => {
  const { db, alice } = await start(t)
  const { id } = await importOf(alice, file)
  const answers = await Promise.all([1, 2, 3].map(() => alice.post(`/api/stock-imports/${id}/revert`)))
  t.strictSame(answers.map((answer) => answer.json().data.alreadyApplied).sort(), [false, true, true])
  t.match(await levelsOf(db, alice), { '1/1': [10, 10], '2/2': [10, 10] })
})

t.test("the platform's export of the inventory sets the new pieces on hand", async (t) => {
  const { alice } = await start(t)
  const csv = [
    'Handle,Title,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 Value,SKU,HS Code,COO,Location,Bin name,Incoming (not editable),Unavailable (not editable),Committed (not editable),Available (not editable),On hand (current),On hand (new)',
    'mug-1,Mug 1,Size,Size 1,,,,,SKU-1,6912,GB,Place 1,A-1,0,0,0,10,10,25',
    'mug-2,Mug 2,Size,Size 2,,,,,SKU-2,6912,GB,Place 2,,0,0,0,10,10,',
    'mug-3,Mug 3,Size,Size 3,,,,,SKU-3,,,Place 2,,0,0,0,10,10,0',
  ].join('\n')
  t.match(await importOf(alice, csv, { basis: 'on_hand' }), {
    ...{ rows: 3, changed: 2, added: 15, removed: 10, faults: [] },
    changes: [
      { row: 2, sku: 'SKU-1', previousQuantity: 10, newQuantity: 25 },
      { row: 4, sku: 'SKU-3', previousQuantity: 10, newQuantity: 0 },
    ],
  })
  for (const basis of ['available', 'adjust']) {
    const { faults } = await importOf(alice, csv, { basis, dryRun: true })
    t.match(faults, [{ row: 1, field: 'On hand (new)', message: /^is a number of pieces on hand/ }])
  }
})
