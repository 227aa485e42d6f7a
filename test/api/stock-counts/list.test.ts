import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { listStockCounts } from '../../../shared/domain/documents/stock-counts/list.ts'
import type { StockCountListItem, StockCountSort } from '../../../shared/schemas/stock-counts.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { useOwnDatabase } from '../../support/core/database.ts'
import type { Person } from '../../support/core/people.ts'
import { expectIndexes, expectSorts, readCursor } from '../../support/core/sorted-lists.ts'
import {
  counted,
  locationGid,
  makeCount,
  makeStock,
  readCount,
  readLevels,
} from '../../support/make/stock.ts'

useOwnDatabase()

const list = '/api/stock-counts'

const read = async (person: Person, query = ''): Promise<StockCountListItem[]> =>
  (await person.get(`${list}?${query}`)).json().data

/** Eight counts at three locations, of which two share a name, in each status. */
async function start(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  for (const person of [alice, mallory]) await makeStock(db, person, { locations: 3 })
  await db.query(sql.typeAlias('void')`
    update location set name = 'PLACE 1' where shop_id = ${alice.shopId} and gid = ${locationGid(3)}
  `)
  const ids: number[] = []
  for (let at = 0; at < 8; at++) {
    const items = [counted(1, at === 0 ? 7 : null)]
    const fields = { locationId: locationGid(1 + (at % 3)), items, notes: at % 2 === 0 ? 'even' : 'odd' }
    ids.push(await makeCount(alice, fields))
  }
  await readLevels(db, alice)
  const submitted = await alice.put(`${list}/${ids[0]}`, { status: 'submitted' })
  if (submitted.statusCode !== 200) throw new Error(submitted.body)
  await alice.put(`${list}/${ids[4]}`, { status: 'cancelled' })
  return { db, alice, mallory, ids, theirs: await makeCount(mallory) }
}

t.test('every sort lists each count once and in order, however many a page has', async (t) => {
  const { alice, ids } = await start(t)
  const all = await read(alice)
  t.equal(all.length, 8)
  // the two of one name come in the order of their row ids
  const places = [locationGid(1), locationGid(3), locationGid(2)]
  const statuses = ['draft', 'submitted', 'cancelled']
  const place = ({ locationId }: StockCountListItem) => places.indexOf(locationId)
  const status = (count: StockCountListItem) => statuses.indexOf(count.status)
  const idsOf = (counts: readonly StockCountListItem[]) => counts.map(({ id }) => id)
  await expectSorts<StockCountListItem>(t, alice, list, {
    ranks: { location: place, status },
    limits: [1, 3, 8],
    filters: [
      ['status=draft', (one) => one.status === 'draft'],
      ['search=even', ({ id }) => ids.indexOf(id) % 2 === 0],
      [`locationId=${locationGid(2)}`, (one) => one.locationId === locationGid(2)],
    ],
  })
  const cursor = await readCursor(alice, `${list}?sort=location&limit=1`)
  expectFailure(t, await alice.get(`${list}?sort=status&cursor=${cursor}`), 400, 'invalid_request')
  t.strictSame(
    idsOf(await read(alice, `cursor=${ids[1]}`)),
    [ids[0]],
    'the cursor of the newest first is an id',
  )
})

t.test('counts are listed and counted by their location', async (t) => {
  const { alice } = await start(t)
  const all = await read(alice)
  for (const [place, status] of [
    [locationGid(1), 'draft'],
    [locationGid(99), 'draft'],
  ]) {
    const { data, meta } = (await alice.get(`${list}?locationId=${place}&status=${status}&count=true`)).json()
    t.strictSame(
      data,
      all.filter((one) => one.locationId === place && one.status === status),
    )
    t.equal(meta.total, data.length)
  }
  const refused = await alice.get(`${list}?locationId=1`)
  t.match(expectFailure(t, refused, 400, 'invalid_request').details, [{ path: '/locationId' }])
})

t.test('selected counts are listed by their ids, those of another shop are not', async (t) => {
  const { alice, ids, theirs } = await start(t)
  const found = await read(alice, `ids=${ids[5]},${ids[2]},${theirs}`)
  t.strictSame(
    found.map(({ id }) => id),
    [ids[5], ids[2]],
  )
  expectFailure(t, await alice.get(`${list}?ids=0`), 400, 'invalid_request')
})

t.test('several open counts are cancelled, all or none', async (t) => {
  const { alice, mallory, ids, theirs } = await start(t)
  const cancel = (body: object) => alice.post(`${list}/cancel`, body)
  const [submitted = 0, one = 0, two = 0] = ids
  const refused = expectFailure(t, await cancel({ ids: [one, submitted, theirs] }), 422, 'count_ended')
  t.strictSame(refused.details, [
    { path: '/ids/1', message: 'is submitted' },
    { path: '/ids/2', message: 'is not a count of this shop' },
  ])
  t.match(refused.message, new RegExp(`#${submitted}, #${theirs}\\.`))
  t.equal((await readCount(alice, one)).status, 'draft')
  expectFailure(t, await cancel({ ids: [] }), 400, 'invalid_request')

  await alice.post(`${list}/${two}/finish`)
  t.strictSame((await cancel({ ids: [two, one, two] })).json().data, { cancelled: 2 })
  for (const id of [one, two]) {
    const count = await readCount(alice, id)
    t.match(count, { status: 'cancelled', submittedAt: null, items: [{ expectedQuantity: 10 }] })
    t.ok(count.cancelledAt)
  }
  await alice.post('/api/stock-levels/adjust', {
    adjustments: [{ variantId: 'gid://platform/ProductVariant/1', locationId: locationGid(2), delta: 5 }],
  })
  t.match((await readCount(alice, one)).items, [{ expectedQuantity: 10 }], 'as at the end of the count')
  t.equal((await readCount(mallory, theirs)).status, 'draft')
  expectFailure(t, await cancel({ ids: [one] }), 422, 'count_ended')
})

t.test('the first and the next page of a sort by group read its index', async (t) => {
  const { db, alice } = await start(t)
  await db.query(sql.typeAlias('void')`
    insert into stock_count (shop_id, location_id, status, created_by)
    select ${alice.shopId}, w.id, case when n % 3 = 0 then 'draft' else 'submitted' end, 'alice-1'
    from generate_series(1, 5000) n
    join location w on w.shop_id = ${alice.shopId}
    order by n
  `)
  await db.query(sql.typeAlias('void')`analyze stock_count, location`)
  const sorts: [StockCountSort, string][] = [
    ['location', 'stock_count_location'],
    ['-status', 'stock_count_shop_id_status_id_idx'],
  ]
  await expectIndexes(t, db, sorts, (pool, query) => listStockCounts(pool, alice.shopId, query))
})
