import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { listAllReceipts } from '../../../shared/domain/documents/receipts/list.ts'
import type { ReceiptListItem, ReceiptSort } from '../../../shared/schemas/receipts.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { useOwnDatabase } from '../../support/core/database.ts'
import type { Person } from '../../support/core/people.ts'
import { expectIndexes, expectSorts, readCursor } from '../../support/core/sorted-lists.ts'
import { line, makeSentOrder, makeSupplier } from '../../support/make/orders.ts'
import { makeDirectReceipt, makeDraft, postCounts } from '../../support/make/receipts.ts'
import { locationGid, makeStock, variantGid } from '../../support/make/stock.ts'

useOwnDatabase()

const list = '/api/receipts'

const read = async (person: Person, query = ''): Promise<ReceiptListItem[]> =>
  (await person.get(`${list}?${query}`)).json().data

/** Twelve receipts, some without an order or supplier, at three locations and of three suppliers; two of each share a name. */
async function start(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  for (const person of [alice, mallory]) await makeStock(db, person, { locations: 3 })
  await db.query(sql.typeAlias('void')`
    update location set name = 'PLACE 1' where shop_id = ${alice.shopId} and gid = ${locationGid(3)}
  `)
  const suppliers = [
    await makeSupplier(alice, { name: 'Bolt' }),
    await makeSupplier(alice, { name: 'Acme' }),
    await makeSupplier(alice, { name: 'bolt' }),
  ]
  const orders: { id: number }[] = []
  for (const supplierId of suppliers.slice(0, 2))
    orders.push(await makeSentOrder(alice, { supplierId, lineItems: [line(1, { quantity: 50 })] }))
  const ids: number[] = []
  for (let at = 0; at < 10; at++) {
    const fields = { locationId: locationGid(1 + (at % 3)), deliveryNote: at % 2 === 0 ? 'even' : 'odd' }
    const order = orders[at % 4]
    if (order) ids.push((await makeDraft(alice, order.id, [{ accepted: 1 }], fields)).id)
    else {
      const supplierId = at === 3 ? null : (suppliers[at % 3] ?? null)
      const lines = [{ variantId: variantGid(1), quantity: 1 + at, unitCost: 3 }]
      ids.push((await makeDirectReceipt(alice, { ...fields, supplierId, lines })).id)
    }
  }
  for (const { id } of orders) ids.push((await postCounts(alice, id, [{ accepted: 1 }])).id)
  for (const id of [ids[2], ids.at(-1)]) {
    const answer = await alice.post(`${list}/${id}/reverse`)
    if (answer.statusCode !== 200) throw new Error(answer.body)
  }
  return { db, alice, mallory, ids, orders, theirs: (await makeDirectReceipt(mallory)).id }
}

t.test('every sort lists each receipt once and in order, however many a page has', async (t) => {
  const { alice, orders } = await start(t)
  const all = await read(alice)
  t.equal(all.length, 12)
  t.strictSame(new Set(all.map(({ state }) => state)), new Set(['draft', 'posted', 'reversed']))
  t.ok(all.some(({ supplierId }) => supplierId === null))
  // the two of one name come in the order of their row ids
  const places = [locationGid(1), locationGid(3), locationGid(2)]
  const suppliers = [null, ...(await suppliersByName(alice))]
  const ranks: Record<string, (receipt: ReceiptListItem) => number> = {
    order: ({ poNumber }) => Number(poNumber?.slice(3) ?? 0),
    supplier: ({ supplierId }) => suppliers.indexOf(supplierId),
    location: ({ locationId }) => places.indexOf(locationId),
    state: ({ state }) => ['draft', 'posted', 'reversed'].indexOf(state),
  }
  const orderId = orders[0]?.id
  const filters: [string, (receipt: ReceiptListItem) => boolean][] = [
    ['state=draft', ({ state }) => state === 'draft'],
    ['state=reversed', ({ state }) => state === 'reversed'],
    ['search=even', ({ deliveryNote }) => deliveryNote === 'even'],
    [`purchaseOrderId=${orderId}`, ({ purchaseOrderId }) => purchaseOrderId === orderId],
    [`supplierId=${suppliers[1]}`, ({ supplierId }) => supplierId === suppliers[1]],
  ]
  await expectSorts(t, alice, list, { ranks, limits: [1, 5, 12], filters })
})

async function suppliersByName(person: Person): Promise<number[]> {
  const { data } = (await person.get('/api/suppliers?sort=name')).json()
  return data.map(({ id }: { id: number }) => id)
}

t.test('a cursor belongs to its sort; one of the newest first is an id', async (t) => {
  const { alice, ids } = await start(t)
  t.strictSame(
    (await read(alice, `cursor=${ids[2]}`)).map(({ id }) => id),
    [ids[1], ids[0]],
  )
  const cursor = await readCursor(alice, `${list}?sort=location&limit=1`)
  for (const query of [`sort=state&cursor=${cursor}`, `cursor=${cursor}`, 'sort=supplier&cursor=7'])
    expectFailure(t, await alice.get(`${list}?${query}`), 400, 'invalid_request')
})

t.test('selected receipts are listed by their ids, those of another shop are not', async (t) => {
  const { alice, ids, theirs } = await start(t)
  const chosen = `ids=${ids[5]},${ids[2]},${theirs}`
  t.strictSame(
    (await read(alice, `${chosen}&sort=oldest`)).map(({ id }) => id),
    [ids[2], ids[5]],
  )
  const csv = await alice.send('GET', `${list}?${chosen}`, undefined, { accept: 'text/csv' })
  t.equal(csv.body.trim().split('\n').length, 3)
  expectFailure(t, await alice.get(`${list}?ids=0`), 400, 'invalid_request')
})

t.test('the first and the next page of a sort read indexes', async (t) => {
  const { db, alice } = await start(t)
  const { shopId } = alice
  await db.query(sql.typeAlias('void')`
    insert into supplier (shop_id, name) select ${shopId}, 'Supplier ' || n from generate_series(1, 200) n
  `)
  await db.query(sql.typeAlias('void')`
    insert into purchase_order (shop_id, number, supplier_id, status, created_by)
    select ${shopId}, 1000 + row_number() over (order by n, s.id), s.id, 'received', 'alice-1'
    from generate_series(1, 20) n
    join supplier s on s.shop_id = ${shopId}
    order by n, s.id
  `)
  await db.query(sql.typeAlias('void')`
    insert into receipt (shop_id, purchase_order_id, location_id, fingerprint, created_by, reversed_at, posted_at)
    select ${shopId}, o.id, w.id, '', 'alice-1', case when o.id % 3 = 0 then now() end, now()
    from purchase_order o
    join location w on w.shop_id = ${shopId}
    where o.shop_id = ${shopId}
    order by o.id
  `)
  await db.query(sql.typeAlias('void')`analyze receipt, purchase_order, supplier, location`)
  const sorts: [ReceiptSort, ...string[]][] = [
    ['oldest', 'receipt_pkey'],
    ['location', 'receipt_location'],
    ['-state', 'receipt_listed_state'],
    ['order', 'purchase_order_shop_id_number_key', 'receipt_shop_id_purchase_order_id_id_idx'],
    ['-supplier', 'supplier_name', 'receipt_of_supplier', 'receipt_shop_id_purchase_order_id_id_idx'],
  ]
  await expectIndexes(t, db, sorts, (pool, query) => listAllReceipts(pool, shopId, query))
})
