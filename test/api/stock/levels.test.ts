import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { upsertProducts } from '../../../shared/domain/exchange/sync/upsert-products.ts'
import { applyPlatformLevels } from '../../../shared/domain/ledgers/stock/platform/platform-updates.ts'
import { upsertLocations } from '../../../shared/domain/records/catalogue/locations.ts'
import type { StockLevel } from '../../../shared/schemas/stock-levels.ts'
import { startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { gidOf, product, variant } from '../../support/make/catalogue.ts'
import { line, makeOrderIn } from '../../support/make/orders.ts'
import { item, locationGid, makeStock, makeTransfer, readLevels } from '../../support/make/stock.ts'

/** A shop with three variants at two locations: variant n has n units at the first and 10 * n at the second. */
async function startStocked(t: Test) {
  const { app, db, alice, mallory } = await startApp(t)
  const { shopId } = alice
  await db.transaction(async (tx) => {
    const blue = variant(2, { title: 'Blue', sku: 'MUG-BLUE', barcode: '4006381333931' })
    await upsertProducts(tx, shopId, [
      product(1, [variant(1, { title: 'Default Title', sku: '=1+1' })], { title: 'Bowl' }),
      product(2, [blue, variant(3, { title: 'Red', sku: 'MUG-RED' })], { title: 'Mug 100%' }),
    ])
    await upsertLocations(
      tx,
      shopId,
      [1, 2].map((number) => ({
        gid: gidOf('Location', number),
        name: `Place ${number}`,
        isActive: true,
        isPrimary: false,
      })),
    )
    const variants = await tx.anyFirst(
      sql.typeAlias('id')`select id from variant where shop_id = ${shopId} order by gid`,
    )
    const locations = await tx.anyFirst(
      sql.typeAlias('id')`select id from location where shop_id = ${shopId} order by gid`,
    )
    const levels = variants.flatMap((variantId, at) =>
      locations.map((locationId, index) => ({
        variantId,
        locationId,
        available: (at + 1) * 10 ** index,
        updatedAt: '2026-11-01T00:00:00Z',
      })),
    )
    await applyPlatformLevels(tx, shopId, levels)
  })
  const list = async (person: Person, query = ''): Promise<StockLevel[]> =>
    (await person.get(`/api/stock-levels${query}`)).json().data
  return { app, db, alice, mallory, list }
}

const brief = (levels: StockLevel[]) => levels.map(({ sku, currentStock }) => `${sku} ${currentStock}`)

t.test('a level has the fields of the specification, and what lies on the shelf', async (t) => {
  const { db, alice, list } = await startStocked(t)
  const unread = { onHand: null, committed: null, unavailable: null }
  t.match(await list(alice, '?search=blue'), [unread, unread], 'not known before the first reading')
  await readLevels(db, alice, { committed: 3, unavailable: 2 })
  const levels = await list(alice, '?search=blue')
  t.strictSame(levels, [
    {
      variantId: gidOf('ProductVariant', 2),
      sku: 'MUG-BLUE',
      barcode: '4006381333931',
      title: 'Mug 100% - Blue',
      currentStock: 20,
      onHand: 25,
      committed: 3,
      unavailable: 2,
      onTheWay: 0,
      pendingQuantity: 0,
      locationId: gidOf('Location', 2),
      locationName: 'Place 2',
      bin: '',
      unitCost: null,
    },
    {
      variantId: gidOf('ProductVariant', 2),
      sku: 'MUG-BLUE',
      barcode: '4006381333931',
      title: 'Mug 100% - Blue',
      currentStock: 2,
      onHand: 7,
      committed: 3,
      unavailable: 2,
      onTheWay: 0,
      pendingQuantity: 0,
      locationId: gidOf('Location', 1),
      locationName: 'Place 1',
      bin: '',
      unitCost: null,
    },
  ])
})

t.test('a level shows what is on the way to its location', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { locations: 2 })
  const to = (location: number, quantity: number) => ({
    destinationLocationId: locationGid(location),
    lineItems: [line(1, { quantity })],
  })
  await makeOrderIn(alice, 'draft', to(2, 50))
  await makeOrderIn(alice, 'sent', to(2, 8))
  await makeOrderIn(alice, 'partial', to(2, 5)) // 1 of 5 has arrived
  await makeOrderIn(alice, 'sent', { lineItems: [line(1, { quantity: 3 })] })
  const items = [item(1, 2)]
  const id = await makeTransfer(alice, {
    sourceLocationId: locationGid(1),
    destinationLocationId: locationGid(2),
    items,
  })
  const onTheWay = async () =>
    new Map<string, number>(
      (await alice.get('/api/stock-levels'))
        .json()
        .data.map((level: StockLevel) => [level.locationId, level.onTheWay]),
    )
  t.strictSame(
    await onTheWay(),
    new Map([
      [locationGid(2), 12],
      [locationGid(1), 3],
    ]),
    'sent orders alone; without a destination they arrive at the primary location',
  )
  t.equal((await alice.put(`/api/stock-transfers/${id}`, { status: 'in_transit' })).statusCode, 200)
  t.equal((await onTheWay()).get(locationGid(2)), 14, 'with the transfer that was shipped')
})

t.test('levels are filtered by location, and searched by title, SKU and barcode', async (t) => {
  const { alice, list } = await startStocked(t)
  const first = encodeURIComponent(gidOf('Location', 1))
  t.equal((await list(alice)).length, 6)
  t.strictSame(brief(await list(alice, `?locationId=${first}`)), ['MUG-RED 3', 'MUG-BLUE 2', '=1+1 1'])
  t.strictSame(brief(await list(alice, `?locationId=${first}&search=mug`)), ['MUG-RED 3', 'MUG-BLUE 2'])
  t.strictSame(brief(await list(alice, `?locationId=${first}&search=0%25`)), ['MUG-RED 3', 'MUG-BLUE 2'])
  t.strictSame(brief(await list(alice, '?search=4006381333931')), ['MUG-BLUE 20', 'MUG-BLUE 2'])
  t.strictSame(await list(alice, '?search=nothing'), [])
  t.strictSame(await list(alice, `?locationId=${encodeURIComponent(gidOf('Location', 9))}`), [])
})

t.test('levels are filtered by variant, with or without a location', async (t) => {
  const { alice, mallory, list } = await startStocked(t)
  const blue = `variantId=${encodeURIComponent(gidOf('ProductVariant', 2))}`
  const first = encodeURIComponent(gidOf('Location', 1))
  t.strictSame(brief(await list(alice, `?${blue}`)), ['MUG-BLUE 20', 'MUG-BLUE 2'])
  t.strictSame(brief(await list(alice, `?${blue}&locationId=${first}`)), ['MUG-BLUE 2'])
  t.strictSame(await list(mallory, `?${blue}`), [])
  const several = `variantIds=${encodeURIComponent([1, 2, 9].map((id) => gidOf('ProductVariant', id)).join())}`
  t.strictSame(brief(await list(alice, `?${several}&locationId=${first}`)), ['MUG-BLUE 2', '=1+1 1'])
  t.strictSame(await list(mallory, `?${several}`), [])
})

t.test('the pages of the list contain every level once', async (t) => {
  const { alice, list } = await startStocked(t)
  const listed: string[] = []
  let next: string | undefined = '/api/stock-levels?limit=4'
  for (let pages = 0; next && pages < 5; pages += 1) {
    const answer = await alice.get(next)
    listed.push(...brief(answer.json().data))
    next = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1]
  }
  t.strictSame(listed, brief(await list(alice)))
})

t.test('the list omits deleted and untracked variants', async (t) => {
  const { db, alice, list } = await startStocked(t)
  await db.query(sql.typeAlias('void')`
    update variant set deleted_at = now() where shop_id = ${alice.shopId} and sku = 'MUG-RED'
  `)
  await db.query(sql.typeAlias('void')`
    update variant set is_tracked = false where shop_id = ${alice.shopId} and sku = 'MUG-BLUE'
  `)
  t.strictSame(brief(await list(alice)), ['=1+1 10', '=1+1 1'])
})

t.test('the CSV export escapes formulas', async (t) => {
  const { alice } = await startStocked(t)
  const answer = await alice.get('/api/stock-levels?search=bowl', { accept: 'text/csv' })
  t.match(answer.headers['content-type'], 'text/csv')
  t.match(
    answer.body,
    /SKU,Product,Barcode,Location,Bin,On hand,Committed,Unavailable,Available,Incoming,Pending sync,/,
  )
  t.match(answer.body, /'=1\+1,Bowl,[^,]*,[^,]+,,,,,10,0,/)
})

t.test('another shop sees no levels, and an invalid filter is named', async (t) => {
  const { alice, mallory, list } = await startStocked(t)
  t.strictSame(await list(mallory), [])
  for (const [query, path] of [
    ['?locationId=6', '/locationId'],
    ['?variantId=6', '/variantId'],
    ['?cursor=5', '/cursor'],
    ['?cursor=1-x', '/cursor'],
    ['?limit=0', '/limit'],
  ]) {
    const answer = await alice.get(`/api/stock-levels${query}`)
    t.match(answer.json(), { error: { code: 'invalid_request', details: [{ path }] } })
  }
})
