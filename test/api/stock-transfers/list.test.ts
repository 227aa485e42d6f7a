import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { listStockTransfers } from '../../../shared/domain/documents/stock-transfers/list.ts'
import type { StockTransferListItem, StockTransferSort } from '../../../shared/schemas/stock-transfers.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { useOwnDatabase } from '../../support/core/database.ts'
import type { Person } from '../../support/core/people.ts'
import { expectIndexes, expectSorts, readCursor } from '../../support/core/sorted-lists.ts'
import {
  locationGid,
  makeShippedTransfer,
  makeStock,
  makeTransfer,
  readTransfer,
} from '../../support/make/stock.ts'

useOwnDatabase()

const list = '/api/stock-transfers'

const read = async (person: Person, query = ''): Promise<StockTransferListItem[]> =>
  (await person.get(`${list}?${query}`)).json().data

/** Nine transfers between four locations, of which two share a name, in four statuses. */
async function start(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  for (const person of [alice, mallory]) await makeStock(db, person, { locations: 4 })
  await db.query(sql.typeAlias('void')`
    update location set name = 'PLACE 1' where shop_id = ${alice.shopId} and gid = ${locationGid(3)}
  `)
  const ids: number[] = []
  for (let at = 0; at < 9; at++) {
    const ends = {
      sourceLocationId: locationGid(1 + (at % 4)),
      destinationLocationId: locationGid(1 + ((at + 1 + (at % 3)) % 4)),
      notes: at % 2 === 0 ? 'even' : 'odd',
    }
    if (at % 3 === 1) ids.push((await makeShippedTransfer(alice, ends)).id)
    else ids.push(await makeTransfer(alice, ends))
  }
  await alice.put(`${list}/${ids[0]}`, { status: 'cancelled' })
  await alice.put(`${list}/${ids[4]}`, { status: 'completed' })
  return { db, alice, mallory, ids, theirs: await makeTransfer(mallory) }
}

const statuses = ['pending', 'in_transit', 'partial', 'completed', 'cancelled']

t.test('every sort lists each transfer once and in order, however many a page has', async (t) => {
  const { db, alice } = await start(t)
  const all = await read(alice)
  t.equal(all.length, 9)
  const places = await db.any(sql.typeAlias('id')`
    select id from location where shop_id = ${alice.shopId} order by lower(name), id
  `)
  const gids = await Promise.all(
    places.map(({ id }) => db.oneFirst(sql.unsafe`select gid from location where id = ${id}`)),
  )
  const source = ({ sourceLocationId }: StockTransferListItem) => gids.indexOf(sourceLocationId)
  const destination = ({ destinationLocationId }: StockTransferListItem) =>
    gids.indexOf(destinationLocationId)
  const status = (transfer: StockTransferListItem) => statuses.indexOf(transfer.status)
  const oldest = all.map(({ id }) => id).toSorted((a, b) => a - b)
  await expectSorts<StockTransferListItem>(t, alice, list, {
    ranks: { source, destination, status },
    limits: [1, 2, 4, 9],
    filters: [
      ['status=pending', (one) => one.status === 'pending'],
      ['search=even', ({ id }) => oldest.indexOf(id) % 2 === 0],
      [`sourceLocationId=${locationGid(2)}`, (one) => one.sourceLocationId === locationGid(2)],
      [
        `sourceLocationId=${locationGid(1)}&destinationLocationId=${locationGid(2)}`,
        (one) => one.sourceLocationId === locationGid(1) && one.destinationLocationId === locationGid(2),
      ],
    ],
  })
})

t.test('transfers are listed and counted by their locations', async (t) => {
  const { alice } = await start(t)
  const all = await read(alice)
  const [source, destination] = [locationGid(3), locationGid(4)]
  for (const [query, isListed] of [
    [`sourceLocationId=${source}`, (one: StockTransferListItem) => one.sourceLocationId === source],
    [
      `destinationLocationId=${destination}&status=pending`,
      (one: StockTransferListItem) => one.destinationLocationId === destination && one.status === 'pending',
    ],
    [`sourceLocationId=${locationGid(99)}`, () => false],
  ] as const) {
    const { data, meta } = (await alice.get(`${list}?${query}&count=true`)).json()
    t.strictSame(data, all.filter(isListed))
    t.equal(meta.total, data.length)
  }
  const refused = await alice.get(`${list}?sourceLocationId=3`)
  t.match(expectFailure(t, refused, 400, 'invalid_request').details, [{ path: '/sourceLocationId' }])
})

t.test('a cursor belongs to its sort; one of the newest first is an id', async (t) => {
  const { alice, ids } = await start(t)
  t.strictSame(
    (await read(alice, `cursor=${ids[2]}`)).map(({ id }) => id),
    [ids[1], ids[0]],
  )
  const cursor = await readCursor(alice, `${list}?sort=source&limit=1`)
  for (const query of [`sort=destination&cursor=${cursor}`, `cursor=${cursor}`, 'sort=status&cursor=7']) {
    expectFailure(t, await alice.get(`${list}?${query}`), 400, 'invalid_request')
  }
})

t.test('selected transfers are listed by their ids, those of another shop are not', async (t) => {
  const { alice, ids, theirs } = await start(t)
  const [first, second] = ids
  const found = await read(alice, `ids=${first},${second},${theirs}&sort=oldest`)
  t.strictSame(
    found.map(({ id }) => id),
    [first, second],
  )
  const { meta } = (await alice.get(`${list}?ids=${first},${theirs}&count=true`)).json()
  t.strictSame(meta, { total: 1, isExact: true })
  expectFailure(t, await alice.get(`${list}?ids=1,x`), 400, 'invalid_request')
})

t.test('several pending transfers are cancelled, all or none', async (t) => {
  const { alice, mallory, ids, theirs } = await start(t)
  const cancel = (body: object) => alice.post(`${list}/cancel`, body)
  const [, shipped = 0, two = 0, three = 0] = ids
  const refused = expectFailure(t, await cancel({ ids: [two, shipped, theirs] }), 422, 'not_pending')
  t.strictSame(refused.details, [
    { path: '/ids/1', message: 'is in transit' },
    { path: '/ids/2', message: 'is not a transfer of this shop' },
  ])
  t.match(refused.message, new RegExp(`#${shipped}, #${theirs}\\.`))
  t.equal((await readTransfer(alice, two)).status, 'pending')
  expectFailure(t, await cancel({ ids: [] }), 400, 'invalid_request')

  const before = await readTransfer(alice, two)
  t.strictSame((await cancel({ ids: [two, three, two] })).json().data, { cancelled: 2 })
  const after = await readTransfer(alice, two)
  t.match(after, { status: 'cancelled', version: before.version + 1, shippedAt: null })
  t.ok(after.cancelledAt)
  const { data: events } = (await alice.get(`${list}/${two}/events`)).json()
  t.match(events, [{ kind: 'cancel', actor: 'alice-1', items: [] }])
  t.equal((await readTransfer(mallory, theirs)).status, 'pending')
  expectFailure(t, await cancel({ ids: [two] }), 422, 'not_pending')
})

t.test('a transfer that is shipped and cancelled at once does only one of both', async (t) => {
  const { alice } = await start(t)
  for (let round = 0; round < 5; round++) {
    const id = await makeTransfer(alice)
    const [shipped, cancelled] = await Promise.all([
      alice.post(`${list}/${id}/ship`, { allowNegative: true }),
      alice.post(`${list}/cancel`, { ids: [id] }),
    ])
    const { status } = await readTransfer(alice, id)
    t.equal(status, cancelled.statusCode === 200 ? 'cancelled' : 'in_transit')
    t.equal([shipped, cancelled].filter(({ statusCode }) => statusCode === 200).length, 1)
  }
})

t.test('the first and the next page of a sort by group read its index', async (t) => {
  const { db, alice, ids } = await start(t)
  await db.query(sql.typeAlias('void')`
    insert into stock_transfer (shop_id, source_location_id, destination_location_id, item_count, status, created_by)
    select ${alice.shopId}, s.id, d.id, 1, case when n % 3 = 0 then 'pending' else 'completed' end, 'alice-1'
    from generate_series(1, 2000) n
    join location s on s.shop_id = ${alice.shopId}
    join location d on d.shop_id = ${alice.shopId} and d.id <> s.id
    order by n
  `)
  await db.query(sql.typeAlias('void')`
    insert into stock_transfer_item (shop_id, transfer_id, position, variant_id, quantity)
    select t.shop_id, t.id, 1, v.id, 1
    from stock_transfer t
    join variant v on v.shop_id = t.shop_id
    where t.shop_id = ${alice.shopId} and t.id > ${ids.at(-1) ?? 0}
  `)
  await db.query(sql.typeAlias('void')`analyze stock_transfer, stock_transfer_item, location`)
  const sorts: [StockTransferSort, string][] = [
    ['source', 'stock_transfer_source'],
    ['-destination', 'stock_transfer_destination'],
    ['status', 'stock_transfer_shop_id_status_id_idx'],
  ]
  await expectIndexes(t, db, sorts, (pool, query) => listStockTransfers(pool, alice.shopId, query))
})
