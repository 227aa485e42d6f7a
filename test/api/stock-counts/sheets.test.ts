import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { useOwnDatabase } from '../../support/core/database.ts'
import { instantIn } from '../../support/core/instants.ts'
import type { Person } from '../../support/core/people.ts'
import {
  counted,
  locationGid,
  makeCount,
  makeStock,
  markVariant,
  readCount,
  readLevels,
  takeStock,
  variantGid,
} from '../../support/make/stock.ts'

useOwnDatabase()

/** A shop with four stocked products: 1 and 2 of Acme, 2 and 3 of type Bowl; 1 is of class A, the others of C. */
async function start(t: Test) {
  const context = await startApp(t)
  const { db, alice, mallory } = context
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 4, locations: 2 })
  await db.query(sql.typeAlias('void')`
    update product
    set vendor = case when title in ('Mug 1', 'Mug 2') then 'Acme' else 'Other' end,
      product_type = case when title in ('Mug 2', 'Mug 3') then 'Bowl' else 'Cup' end
    where shop_id = ${alice.shopId}
  `)
  await db.query(sql.typeAlias('void')`
    insert into variant_velocity (shop_id, variant_id, abc_class, first_day)
    select shop_id, id, case when sku = 'SKU-1' then 'A' else 'C' end, current_date - 90
    from variant
    where shop_id = ${alice.shopId}
  `)
  return context
}

const createSheet = (person: Person, filter: object | null, fields: object = {}) =>
  person.post('/api/stock-counts', { locationId: locationGid(1), filter, ...fields })

/** The SKUs of a new sheet. */
async function sheet(person: Person, filter: object) {
  const answer = await createSheet(person, filter)
  if (answer.statusCode !== 201) throw new Error(answer.body)
  const { items, filter: stored } = await readCount(person, answer.json().data.id)
  return { skus: items.map(({ sku }) => sku), stored }
}

t.test('a sheet has the stocked products that match each field of its filter', async (t) => {
  const { alice } = await start(t)
  for (const [filter, skus] of [
    [{}, ['SKU-1', 'SKU-2', 'SKU-3', 'SKU-4']],
    [{ vendor: 'Acme' }, ['SKU-1', 'SKU-2']],
    [{ productType: 'Bowl' }, ['SKU-2', 'SKU-3']],
    [{ vendor: 'Acme', productType: 'Bowl' }, ['SKU-2']],
    [{ abcClass: 'A' }, ['SKU-1']],
    [{ abcClass: 'C', vendor: 'Other' }, ['SKU-3', 'SKU-4']],
  ] as const) {
    t.strictSame(await sheet(alice, filter), { skus, stored: filter })
  }
})

t.test('a sheet has the products of a bin, or of the bins that begin with a text', async (t) => {
  const { alice } = await start(t)
  const bins = [
    [1, 1, 'A-1'],
    [2, 1, 'A-10'],
    [3, 1, 'b%_'],
    [3, 2, 'A-1'],
    [4, 2, 'A-2'],
  ] as const
  const saved = await alice.put('/api/bins', {
    bins: bins.map(([variant, location, bin]) => ({
      ...{ variantId: variantGid(variant), locationId: locationGid(location), bin },
    })),
  })
  t.equal(saved.statusCode, 200)
  for (const [bin, skus] of [
    ['A-1', ['SKU-1']],
    ['a-10', ['SKU-2']],
    ['A-1*', ['SKU-1', 'SKU-2']],
    ['a*', ['SKU-1', 'SKU-2']],
    ['b%*', ['SKU-3']],
    ['*', ['SKU-1', 'SKU-2', 'SKU-3']],
  ] as const) {
    t.strictSame(await sheet(alice, { bin }), { skus, stored: { bin } }, bin)
  }
  t.strictSame((await sheet(alice, { bin: 'A-*', vendor: 'Acme', abcClass: 'A' })).skus, ['SKU-1'])
  for (const bin of ['A-2', 'A', '%', '_*']) {
    expectFailure(t, await createSheet(alice, { bin }), 422, 'nothing_to_count')
  }
  for (const bin of ['', 'x'.repeat(41)]) {
    const { details } = expectFailure(t, await createSheet(alice, { bin }), 400, 'invalid_request')
    t.match(details, [{ path: '/filter/bin' }])
  }
})

t.test('a sheet leaves out deleted, untracked and unstocked products', async (t) => {
  const { db, alice } = await start(t)
  await markVariant(db, alice, 1, 'deleted')
  await markVariant(db, alice, 2, 'untracked')
  await db.query(sql.typeAlias('void')`
    delete from stock_movement m using variant v, location w
    where m.shop_id = ${alice.shopId} and v.shop_id = m.shop_id and v.id = m.variant_id and v.sku = 'SKU-3'
      and w.shop_id = m.shop_id and w.id = m.location_id and w.gid = ${locationGid(1)}
  `)
  await db.query(sql.typeAlias('void')`
    delete from stock_level l using variant v, location w
    where l.shop_id = ${alice.shopId} and v.shop_id = l.shop_id and v.id = l.variant_id and v.sku = 'SKU-3'
      and w.shop_id = l.shop_id and w.id = l.location_id and w.gid = ${locationGid(1)}
  `)
  t.strictSame((await sheet(alice, {})).skus, ['SKU-4'])
})

t.test('a sheet of what changed has the products that moved since their last count', async (t) => {
  const { db, alice } = await start(t)
  const since = { changedSince: 'last_count' }
  t.strictSame((await sheet(alice, since)).skus.length, 4, 'what was never counted')
  const id = await makeCount(alice, { items: [1, 2, 3].map((number) => counted(number, 9)) })
  await readLevels(db, alice)
  await alice.put(`/api/stock-counts/${id}`, { status: 'submitted' })
  t.strictSame((await sheet(alice, since)).skus, ['SKU-4'], 'the correction of the count is no change')
  await takeStock(db, alice, { variant: 2, location: 1, quantity: 1 })
  await takeStock(db, alice, { variant: 3, location: 2, quantity: 1 })
  t.strictSame((await sheet(alice, since)).skus, ['SKU-2', 'SKU-4'], 'only at this location')
})

t.test('a sheet of what changed since a day or an instant', async (t) => {
  const { db, alice } = await start(t)
  const before = new Date().toISOString()
  await takeStock(db, alice, { variant: 2, location: 1, quantity: 1 })
  t.strictSame((await sheet(alice, { changedSince: before })).skus, ['SKU-2'])
  t.strictSame((await sheet(alice, { changedSince: '2026-10-30' })).skus.length, 4, 'the first levels')
  const later = instantIn(60_000).toISOString()
  expectFailure(t, await createSheet(alice, { changedSince: later }), 422, 'nothing_to_count')
})

t.test('a filter that matches no product makes no count', async (t) => {
  const { alice, mallory } = await start(t)
  const none = await createSheet(alice, { vendor: 'acme' })
  t.match(expectFailure(t, none, 422, 'nothing_to_count').details, [{ path: '/filter' }])
  t.strictSame((await alice.get('/api/stock-counts')).json().data, [])
  expectFailure(t, await createSheet(mallory, { vendor: 'Acme' }), 422, 'nothing_to_count')
  const listed = await createSheet(alice, { vendor: 'acme' }, { items: [counted(4, 1)] })
  t.match(await readCount(alice, listed.json().data.id), { itemCount: 1 })
})

t.test('a filter and items make one sheet', async (t) => {
  const { alice } = await start(t)
  const items = [counted(1, 3), counted(4, null)]
  const { id } = (await createSheet(alice, { vendor: 'Acme' }, { items })).json().data
  t.match((await readCount(alice, id)).items, [
    { sku: 'SKU-1', countedQuantity: 3 },
    { sku: 'SKU-2', countedQuantity: null },
    { sku: 'SKU-4', countedQuantity: null },
  ])
})

t.test('the stocked products that are not in a count are added to its end', async (t) => {
  const { db, alice, mallory } = await start(t)
  const id = await makeCount(alice, { items: [counted(3, 7)] })
  const url = `/api/stock-counts/${id}`
  t.match((await alice.post(`${url}/add-products`, { vendor: 'Acme' })).json().data, {
    addedItemCount: 2,
    itemCount: 3,
    filter: null,
    items: [{ sku: 'SKU-3', countedQuantity: 7 }, { sku: 'SKU-1', countedQuantity: null }, { sku: 'SKU-2' }],
  })
  t.match((await alice.post(`${url}/add-products`, {})).json().data, { addedItemCount: 1, itemCount: 4 })
  t.match((await alice.post(`${url}/add-products`, {})).json().data, { addedItemCount: 0, itemCount: 4 })
  t.strictSame(
    (await readCount(alice, id)).items.map(({ sku }) => sku),
    ['SKU-3', 'SKU-1', 'SKU-2', 'SKU-4'],
  )
  const wrong = expectFailure(
    t,
    await alice.post(`${url}/add-products`, { vendor: '' }),
    400,
    'invalid_request',
  )
  t.match(wrong.details, [{ path: '/vendor' }])
  expectFailure(t, await mallory.post(`${url}/add-products`, {}), 404, 'not_found')
  await readLevels(db, alice)
  await alice.post(`${url}/finish`)
  expectFailure(t, await alice.post(`${url}/add-products`, {}), 409, 'counting_finished')
  await alice.post(`${url}/recount`, { varianceValueAbove: 0, variancePercentAbove: 0 })
  expectFailure(t, await alice.post(`${url}/add-products`, {}), 409, 'not_in_recount')
  await alice.put(url, { status: 'cancelled' })
  expectFailure(t, await alice.post(`${url}/add-products`, {}), 409, 'conflict')
})

t.test('a sheet has at most 10 000 products', async (t) => {
  const { db, alice } = await start(t)
  await db.query(sql.typeAlias('void')`
    with many as (
      insert into variant (shop_id, gid, product_id, sku)
      select v.shop_id, 'gid://platform/ProductVariant/' || n, v.product_id, 'N-' || n
      from variant v, generate_series(100001, 110000) n
      where v.shop_id = ${alice.shopId} and v.sku = 'SKU-1'
      returning shop_id, id
    )
    insert into stock_level (shop_id, variant_id, location_id)
    select m.shop_id, m.id, w.id
    from many m
    join location w on w.shop_id = m.shop_id and w.gid = ${locationGid(1)}
  `)
  // as autovacuum does soon
  await db.query(sql.typeAlias('void')`analyze variant, stock_level`)
  const { message, details } = expectFailure(t, await createSheet(alice, {}), 422, 'too_many_items')
  t.match(message, /matches 10004 products.*at most 10 000.*Choose a vendor/)
  t.match(details, [{ path: '/filter', message: 'matches 10004 products' }])
  const id = await makeCount(alice, { items: [counted(1, 1)] })
  const added = await alice.post(`/api/stock-counts/${id}/add-products`, {})
  const failure = expectFailure(t, added, 422, 'too_many_items')
  t.match(failure.details, [{ path: '', message: 'matches 10003 more products' }])
  t.match(await readCount(alice, id), { itemCount: 1 }, 'none is added')
  t.match(await sheet(alice, { vendor: 'Other' }), { skus: ['SKU-3', 'SKU-4'] })
})

t.test('the API refuses a filter that is not valid, and names its field', async (t) => {
  const { alice } = await start(t)
  for (const [filter, path] of [
    [{ vendor: '' }, '/filter/vendor'],
    [{ vendor: 1 }, '/filter/vendor'],
    [{ productType: 'x'.repeat(256) }, '/filter/productType'],
    [{ abcClass: 'D' }, '/filter/abcClass'],
    [{ changedSince: 'yesterday' }, '/filter/changedSince'],
    [{ changedSince: '2026-02-30' }, '/filter/changedSince'],
    [{ shelf: 'A' }, '/filter/shelf'],
    [[], '/filter'],
  ] as const) {
    t.match(expectFailure(t, await createSheet(alice, filter), 400, 'invalid_request').details, [{ path }])
  }
})
