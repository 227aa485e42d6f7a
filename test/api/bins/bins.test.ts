import t, { type Test } from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { allRowsOf } from '../../support/make/everything.ts'
import { line, makeOrder, readOrder } from '../../support/make/orders.ts'
import {
  closeLocation,
  locationGid,
  makeCount,
  makeStock,
  makeTransfer,
  markVariant,
  variantGid,
} from '../../support/make/stock.ts'

async function start(t: Test) {
  const people = await startApp(t)
  for (const person of [people.alice, people.mallory]) {
    await makeStock(people.db, person, { variants: 5, locations: 2 })
  }
  return people
}

/** Bins by variant, at one location. */
async function setBins(person: Person, bins: Record<number, string | null>, location = 1) {
  const answer = await person.put('/api/bins', {
    bins: Object.entries(bins).map(([variant, bin]) => ({
      variantId: variantGid(Number(variant)),
      locationId: locationGid(location),
      bin,
    })),
  })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().data
}

const importBins = async (person: Person, csv: string, fields: object = {}) =>
  person.post('/api/bins/import', { csv, dryRun: false, ...fields })

/** Pages of `variant/location bin`, following the `Link` headers. */
async function listByBin(person: Person, query = ''): Promise<string[][]> {
  const pages: string[][] = []
  for (let next: string | undefined = `/api/stock-levels?sort=bin${query}`; next; ) {
    const answer = await person.get(next)
    if (answer.statusCode !== 200 || pages.length > 50) throw new Error(answer.body)
    const levels: { variantId: string; locationId: string; bin: string }[] = answer.json().data
    const number = (gid: string) => gid.split('/').at(-1)
    pages.push(levels.map((level) => `${number(level.variantId)}/${number(level.locationId)} ${level.bin}`))
    next = /^<(\/[^>]+)>; rel="next"$/.exec(String(answer.headers.link))?.[1]
  }
  return pages
}

t.test('bins are given, changed and removed, and shown wherever goods are looked for', async (t) => {
  const { alice, db } = await start(t)
  t.strictSame(await setBins(alice, { 1: 'A2', 2: ' A10 ', 3: '' }), { saved: 2, removed: 0 })
  t.strictSame(
    await setBins(alice, { 1: 'A2', 2: 'B 1/Ä' }),
    { saved: 1, removed: 0 },
    'an unchanged bin is not counted',
  )
  t.strictSame(await setBins(alice, { 1: 'Z' }, 2), { saved: 1, removed: 0 })
  t.strictSame(await setBins(alice, { 2: null }), { saved: 0, removed: 1 })

  const { levels } = (await alice.get('/api/variants/1')).json().data
  t.match(levels, [
    { locationId: locationGid(2), bin: 'Z' },
    { locationId: locationGid(1), bin: 'A2' },
  ])
  const transfer = await makeTransfer(alice)
  t.match((await alice.get(`/api/stock-transfers/${transfer}`)).json().data.items, [
    { variantId: variantGid(1), sourceBin: 'A2', destinationBin: 'Z' },
  ])
  const count = await makeCount(alice, { items: [{ variantId: variantGid(1), countedQuantity: null }] })
  t.match((await alice.get(`/api/stock-counts/${count}`)).json().data.items, [
    { variantId: variantGid(1), bin: 'A2' },
  ])
  const order = await makeOrder(alice, { lineItems: [line(1), line(2)] })
  t.match(
    (await readOrder(alice, order.id)).lineItems,
    [{ bin: 'A2' }, { bin: '' }],
    'at the default location',
  )
  const toSecond = await makeOrder(alice, { lineItems: [line(1)], destinationLocationId: locationGid(2) })
  t.match((await readOrder(alice, toSecond.id)).lineItems, [{ bin: 'Z' }])
  t.ok((await allRowsOf(db, alice)).location_bin)
})

t.test('the stock list is in the natural order of bins, those without one last, page by page', async (t) => {
  const { alice } = await start(t)
  await setBins(alice, { 1: 'A10', 2: 'a2', 3: 'B1', 4: 'A2-b' })
  await setBins(alice, { 5: 'A1', 4: 'A10' }, 2)
  const expected = [
    '5/2 A1',
    '2/1 a2',
    '4/1 A2-b',
    '1/1 A10',
    '4/2 A10',
    '3/1 B1',
    '5/1 ',
    '3/2 ',
    '2/2 ',
    '1/2 ',
  ]
  t.strictSame(await listByBin(alice), [expected])
  for (const limit of [1, 2, 3, 4, 6]) {
    const pages = await listByBin(alice, `&limit=${limit}`)
    t.strictSame(pages.flat(), expected, `pages of ${limit}`)
    t.ok(pages.every(({ length }) => length <= limit && length > 0))
  }
  t.strictSame((await listByBin(alice, `&locationId=${locationGid(2)}&limit=1`)).flat(), [
    '5/2 A1',
    '4/2 A10',
    '3/2 ',
    '2/2 ',
    '1/2 ',
  ])
  t.strictSame((await listByBin(alice, '&search=SKU-4')).flat(), ['4/1 A2-b', '4/2 A10'])
  const strange = `1-1-${Buffer.from('\0').toString('base64url')}`
  t.equal((await alice.get(`/api/stock-levels?sort=bin&cursor=${strange}`)).statusCode, 200)
})

t.test('a wrong bin changes nothing and names the entry', async (t) => {
  const { alice, db } = await start(t)
  await closeLocation(db, alice, 2)
  await markVariant(db, alice, 3, 'untracked')
  const before = await allRowsOf(db, alice)
  const key = { variantId: variantGid(1), locationId: locationGid(1) }
  const fails = async (bins: object[], status: number, code: string, path: string) => {
    const { details } = expectFailure(t, await alice.put('/api/bins', { bins }), status, code)
    t.equal(details?.[0]?.path, path)
  }
  await fails([{ ...key, bin: 'x'.repeat(41) }], 400, 'invalid_request', '/bins/0/bin')
  await fails([{ ...key, bin: 'two\nlines' }], 400, 'invalid_request', '/bins/0/bin')
  await fails([key], 400, 'invalid_request', '/bins/0/bin')
  await fails([], 400, 'invalid_request', '/bins')
  await fails(
    [
      { ...key, bin: 'A' },
      { ...key, bin: 'B' },
    ],
    422,
    'duplicate_line',
    '/bins/1',
  )
  await fails([{ ...key, variantId: variantGid(9), bin: 'A' }], 422, 'unknown_variant', '/bins/0/variantId')
  await fails([{ ...key, variantId: variantGid(3), bin: 'A' }], 422, 'untracked_variant', '/bins/0/variantId')
  await fails(
    [{ ...key, locationId: locationGid(2), bin: 'A' }],
    422,
    'unknown_location',
    '/bins/0/locationId',
  )
  t.strictSame(await allRowsOf(db, alice), before)
})

t.test('a file sets bins of many products, and a dry run changes nothing', async (t) => {
  const { alice, db } = await start(t)
  await setBins(alice, { 1: 'A1', 2: 'A2' })
  const csv = [
    'SKU;Barcode;Location;Bin;Title',
    'SKU-1;;place 1;A1;Mug',
    ';002;Place 1;;Mug',
    `SKU-3;;Place 2;"C;3";Mug`,
  ].join('\n')
  const before = await allRowsOf(db, alice)
  const result = { rows: 3, saved: 1, removed: 1, faults: [] }
  t.strictSame((await importBins(alice, csv, { dryRun: true })).json().data, result)
  t.strictSame(await allRowsOf(db, alice), before)
  t.strictSame((await importBins(alice, csv)).json().data, result)
  t.strictSame((await listByBin(alice)).flat().slice(0, 3), ['1/1 A1', '3/2 C;3', '5/2 '])

  const pasted = 'sku\tbin\nSKU-4\tD4\nSKU-5\tD5'
  const ofOne = await importBins(alice, pasted, { locationId: locationGid(2) })
  t.strictSame(ofOne.json().data, { rows: 2, saved: 2, removed: 0, faults: [] })
})

t.test('the faults of a file are listed by row, and nothing is imported', async (t) => {
  const { alice, db } = await start(t)
  await closeLocation(db, alice, 2)
  const before = await allRowsOf(db, alice)
  const csv = [
    'sku,location,bin',
    'SKU-1,Place 1,A1',
    'SKU-9,Place 1,A1',
    'SKU-2,Nowhere,A1',
    'SKU-2,Place 2,A1',
    'SKU-1,Place 1,A2',
    `SKU-3,Place 1,${'x'.repeat(41)}`,
    ',Place 1,A1',
    'SKU-4,,A1',
  ].join('\n')
  const { faults } = (await importBins(alice, csv, { dryRun: true })).json().data
  t.match(faults, [
    { row: 3, field: 'sku', message: 'unknown SKU "SKU-9"' },
    { row: 4, field: 'location', message: 'unknown location "Nowhere"' },
    { row: 5, field: 'location', message: 'is no longer in use' },
    { row: 6, field: '', message: 'repeats the product and location of row 2' },
    { row: 7, field: 'bin', message: /at most 40 characters/ },
    { row: 8, field: 'sku', message: /is required/ },
    { row: 9, field: 'location', message: 'is required' },
  ])
  t.equal(faults.length, 7)
  const { details } = expectFailure(t, await importBins(alice, csv), 422, 'invalid_rows')
  t.equal(details?.length, 7)
  for (const [file, field] of [
    ['sku,location\nSKU-1,Place 1', 'bin'],
    ['location,bin\nPlace 1,A', 'sku'],
    ['sku,bin\nSKU-1,A', 'location'],
    ['sku,location,bin,shelf\nSKU-1,Place 1,A,1', 'shelf'],
  ]) {
    t.match((await importBins(alice, file ?? '', { dryRun: true })).json().data.faults, [{ row: 1, field }])
  }
  t.strictSame(await allRowsOf(db, alice), before)
})

t.test('another shop neither sees nor changes bins', async (t) => {
  const { alice, mallory, db } = await start(t)
  await setBins(alice, { 1: 'A1' })
  const before = await allRowsOf(db, alice)
  await setBins(mallory, { 1: 'M1' })
  await importBins(mallory, 'sku,location,bin\nSKU-1,Place 1,', {})
  await importBins(mallory, 'sku,location,bin\nSKU-2,Place 1,M2', {})
  t.strictSame(await allRowsOf(db, alice), before)
  t.equal((await listByBin(mallory)).flat()[0], '2/1 M2')
  t.strictSame((await listByBin(alice)).flat()[0], '1/1 A1')
})
