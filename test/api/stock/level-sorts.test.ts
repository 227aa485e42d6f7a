import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { upsertProducts } from '../../../shared/domain/exchange/sync/upsert-products.ts'
import type { StockLevel } from '../../../shared/schemas/stock-levels.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { product, variant } from '../../support/make/catalogue.ts'
import { makeRule } from '../../support/make/reorder.ts'
import { locationGid, makeStock, takeStock, variantGid } from '../../support/make/stock.ts'

/** Four variants at two locations, 10 pieces each: titles and SKUs run against each other, and against the ids. */
async function start(t: Test) {
  const people = await startApp(t)
  const { db, alice, mallory } = people
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 4, locations: 2 })
  await db.transaction((tx) =>
    upsertProducts(tx, alice.shopId, [
      product(1, [variant(1, { title: 'Default Title', sku: 'c-3' })], { title: 'apple' }),
      product(2, [variant(2, { title: 'Default Title', sku: 'B-2' })], { title: 'Berry' }),
      product(3, [variant(3, { title: 'Default Title', sku: '' })], { title: 'Cherry' }),
      product(4, [variant(4, { title: 'Default Title', sku: 'A-1' })], { title: 'berry' }),
    ]),
  )
  return people
}

const short = ({ variantId, locationId }: StockLevel) =>
  `${variantId.split('/').at(-1)}@${locationId.split('/').at(-1)}`

/** The levels of all pages of three. */
async function sorted(person: Person, query: string): Promise<StockLevel[]> {
  const all: StockLevel[] = []
  let next: string | undefined = `/api/stock-levels?limit=3&${query}`
  while (next !== undefined && all.length < 50) {
    const answer = await person.get(next)
    if (answer.statusCode !== 200) throw new Error(answer.body)
    all.push(...answer.json().data)
    next = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1]
  }
  return all
}

t.test('levels are sorted by SKU and by product, without regard to case, in both directions', async (t) => {
  const { alice } = await start(t)
  const bySku = ['3@1', '3@2', '4@1', '4@2', '2@1', '2@2', '1@1', '1@2']
  t.strictSame((await sorted(alice, 'sort=sku')).map(short), bySku)
  t.strictSame((await sorted(alice, 'sort=-sku')).map(short), bySku.toReversed())
  const byTitle = ['1@1', '1@2', '2@1', '2@2', '4@1', '4@2', '3@1', '3@2']
  t.strictSame((await sorted(alice, 'sort=title')).map(short), byTitle)
  t.strictSame((await sorted(alice, 'sort=-title')).map(short), byTitle.toReversed())
  const ofPlace = await sorted(alice, `sort=title&locationId=${encodeURIComponent(locationGid(2))}`)
  t.strictSame(
    ofPlace.map(short),
    byTitle.filter((level) => level.endsWith('@2')),
  )
})

t.test('levels are sorted by what is available, also below zero', async (t) => {
  const { db, alice } = await start(t)
  await takeStock(db, alice, { variant: 2, location: 1, quantity: 10 })
  await takeStock(db, alice, { variant: 3, location: 2, quantity: 4 })
  await db.query(sql.typeAlias('void')`
    update stock_level set quantity = -5
    where shop_id = ${alice.shopId} and quantity = 6
  `)
  const levels = await sorted(alice, 'sort=available')
  t.strictSame(
    levels.map(({ currentStock }) => currentStock),
    [-5, 0, 10, 10, 10, 10, 10, 10],
  )
  t.equal(new Set(levels.map(short)).size, 8, 'each level is on one page')
  t.strictSame((await sorted(alice, 'sort=-available')).map(short), levels.map(short).toReversed())
})

t.test('the list has what is out of stock, and what is at or below a reorder point', async (t) => {
  const { db, alice, mallory } = await start(t)
  await takeStock(db, alice, { variant: 2, location: 1, quantity: 10 })
  await takeStock(db, alice, { variant: 4, location: 2, quantity: 4 })
  t.strictSame((await sorted(alice, 'stock=out')).map(short), ['2@1'])
  t.strictSame(await sorted(alice, 'stock=low'), [], 'no rule, no reorder point')
  await makeRule(alice, { variantId: variantGid(4), locationId: locationGid(2), reorderPoint: 6 })
  await makeRule(alice, { variantId: variantGid(1), reorderPoint: 20 })
  await makeRule(alice, { variantId: variantGid(3), reorderPoint: 19 })
  const low = ['4@2', '1@2', '1@1']
  t.strictSame((await sorted(alice, 'stock=low')).map(short), low, 'at the location, or in total')
  t.strictSame((await sorted(alice, 'stock=low&sort=sku')).map(short), ['4@2', '1@1', '1@2'])
  const counted = await alice.get('/api/stock-levels?stock=low&limit=1&count=true')
  t.strictSame(counted.json().meta, { total: 3, isExact: true })
  t.strictSame(await sorted(mallory, 'stock=low'), [], 'another shop has its own')
})

t.test('a level has the barcode and the unit cost', async (t) => {
  const { db, alice } = await start(t)
  await db.query(sql.typeAlias('void')`
    update variant set unit_cost = 2.5, barcode = '4006381333931'
    where shop_id = ${alice.shopId} and gid = ${variantGid(1)}
  `)
  t.match(await sorted(alice, 'sort=title'), [
    { barcode: '4006381333931', unitCost: 2.5 },
    { barcode: '4006381333931', unitCost: 2.5 },
    { unitCost: null },
  ])
  const csv = (await alice.get('/api/stock-levels?sort=title&limit=1', { accept: 'text/csv' })).body
  t.match(
    csv,
    /^\uFEFFSKU,Product,Barcode,Location,Bin,On hand,Committed,Unavailable,Available,Incoming,Pending sync,Unit cost \(USD\),Variant ID,/,
  )
})

t.test('the cursor of another sort and an unknown sort are refused', async (t) => {
  const { alice } = await start(t)
  const answer = await alice.get('/api/stock-levels?limit=1&sort=sku')
  const cursor = /cursor=([^>&]+)/.exec(String(answer.headers.link))?.[1]
  for (const query of [
    ...[`sort=title&cursor=${cursor}`, 'sort=sku&cursor=12-3', 'sort=price', 'stock=some'],
    ...[`cursor=${cursor}`, `sort=bin&cursor=${cursor}`, 'cursor=12-3-QQ'],
  ]) {
    expectFailure(t, await alice.get(`/api/stock-levels?${query}`), 400, 'invalid_request')
  }
  t.match((await alice.get(`/api/stock-levels?sort=bin&cursor=${cursor}`)).json().error.details, [
    {
      path: '/cursor',
      message: 'belongs to another sort; read the first page of sort=bin without a cursor',
    },
  ])
})
