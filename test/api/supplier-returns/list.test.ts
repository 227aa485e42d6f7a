import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { listSupplierReturns } from '../../../shared/domain/documents/supplier-returns/list.ts'
import type { SupplierReturnListItem, SupplierReturnSort } from '../../../shared/schemas/supplier-returns.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { useOwnDatabase } from '../../support/core/database.ts'
import type { Person } from '../../support/core/people.ts'
import { expectIndexes, expectSorts, readCursor } from '../../support/core/sorted-lists.ts'
import { makeSupplier } from '../../support/make/orders.ts'
import { makeStock } from '../../support/make/stock.ts'
import { makeReturn } from '../../support/make/supplier-returns.ts'

useOwnDatabase()

const list = '/api/supplier-returns'

const read = async (person: Person, query = ''): Promise<SupplierReturnListItem[]> =>
  (await person.get(`${list}?${query}`)).json().data

/** Eight returns in each state, to three suppliers, of which two share a name. */
async function start(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  for (const person of [alice, mallory]) await makeStock(db, person, { available: 50 })
  const suppliers: number[] = []
  for (const name of ['Bolt', 'Acme', 'bolt']) suppliers.push(await makeSupplier(alice, { name }))
  const ids: number[] = []
  for (let at = 0; at < 8; at++) {
    const supplierReference = at % 2 === 0 ? 'even' : 'odd'
    ids.push(await makeReturn(alice, { supplierId: suppliers[at % 3] ?? 0, supplierReference }))
  }
  const step = async (id: number | undefined, name: string, body?: object) => {
    const answer = await alice.post(`${list}/${id}/${name}`, body)
    if (answer.statusCode !== 200) throw new Error(answer.body)
  }
  for (const id of [ids[1], ids[4], ids[6]]) await step(id, 'ship')
  await step(ids[4], 'credit', { creditAmount: 3 })
  await step(ids[2], 'cancel')
  return { db, alice, suppliers, ids, theirs: await makeReturn(mallory) }
}

t.test('every sort lists each return once and in order, however many a page has', async (t) => {
  const { alice, suppliers, ids } = await start(t)
  const all = await read(alice)
  t.equal(all.length, 8)
  // the two of one name come in the order of their row ids
  const [bolt, acme, other] = suppliers
  const places = [acme, bolt, other]
  const states = ['draft', 'shipped', 'credited', 'cancelled']
  const supplier = ({ supplierId }: SupplierReturnListItem) => places.indexOf(supplierId)
  const state = (one: SupplierReturnListItem) => states.indexOf(one.state)
  const ranks = { supplier, state }
  const idsOf = (returns: readonly SupplierReturnListItem[]) => returns.map(({ id }) => id)
  const filters: [string, (one: SupplierReturnListItem) => boolean][] = [
    ['state=draft', (one) => one.state === 'draft'],
    ['search=even', ({ id }) => ids.indexOf(id) % 2 === 0],
    [`supplierId=${bolt}`, ({ supplierId }) => supplierId === bolt],
  ]
  await expectSorts(t, alice, list, { ranks, limits: [1, 3, 8], filters })
  const cursor = await readCursor(alice, `${list}?sort=supplier&limit=1`)
  expectFailure(t, await alice.get(`${list}?sort=state&cursor=${cursor}`), 400, 'invalid_request')
  t.strictSame(
    idsOf(await read(alice, `cursor=${ids[1]}`)),
    [ids[0]],
    'the cursor of the newest first is an id',
  )
})

t.test('selected returns are listed by their ids, those of another shop are not', async (t) => {
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

t.test('the first and the next page of a sort by group read its index', async (t) => {
  const { db, alice } = await start(t)
  await db.query(sql.typeAlias('void')`
    insert into supplier_return (shop_id, serial, supplier_id, location_id, state, created_by)
    select ${alice.shopId}, 100 + 3 * n + s.rank, s.id, w.id, case when n % 3 = 0 then 'draft' else 'shipped' end, 'alice-1'
    from generate_series(1, 5000) n
    cross join (
      select id, row_number() over (order by id) - 1 as rank from supplier where shop_id = ${alice.shopId}
    ) s
    join location w on w.shop_id = ${alice.shopId}
    order by n
  `)
  await db.query(sql.typeAlias('void')`
    insert into supplier_return_line (shop_id, supplier_return_id, position, variant_id, quantity, reason)
    select b.shop_id, b.id, 1, v.id, 1, 'Broken'
    from supplier_return b
    join variant v on v.shop_id = b.shop_id
    where b.shop_id = ${alice.shopId} and b.serial >= 100
  `)
  await db.query(sql.typeAlias('void')`analyze supplier_return, supplier_return_line, supplier, location`)
  const sorts: [SupplierReturnSort, string][] = [
    ['supplier', 'supplier_return_shop_id_supplier_id_id_idx'],
    ['-state', 'supplier_return_shop_id_state_id_idx'],
  ]
  await expectIndexes(t, db, sorts, (pool, query) => listSupplierReturns(pool, alice.shopId, query))
})
