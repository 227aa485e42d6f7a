import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { startApp } from '../../support/core/app.ts'
import { type Person, readPages } from '../../support/core/people.ts'
import { line, makeOrder, makeSupplier } from '../../support/make/orders.ts'
import { makeStock, variantGid } from '../../support/make/stock.ts'

const found = async (person: Person, search: string, filter = '') => {
  const answer = await person.get(`/api/purchase-orders?search=${encodeURIComponent(search)}${filter}`)
  return answer.json().data.map(({ poNumber }: { poNumber: string }) => Number(poNumber.slice(3)))
}

t.test('the list of orders is searched by number, supplier, SKU and notes, newest first', async (t) => {
  const { alice, mallory } = await startApp(t)
  const [north, south] = [
    await makeSupplier(alice, { name: 'North' }),
    await makeSupplier(alice, { name: 'South' }),
  ]
  await makeOrder(alice, { supplierId: north, lineItems: [line(1), line(1), line(2, { sku: 'Cup_9' })] })
  await makeOrder(alice, { supplierId: south, lineItems: [line(1)], notes: 'Reference 4711-B' })
  await makeOrder(alice, { supplierId: south, lineItems: [], supplierNotes: 'Your offer of NORTH' })
  await makeOrder(mallory, { lineItems: [line(1)], notes: '4711-B' })
  t.strictSame(await found(alice, 'po-00002'), [2])
  t.strictSame(await found(alice, '0000'), [3, 2, 1])
  t.strictSame(await found(alice, 'north'), [3, 1], 'a supplier, and the words for another one')
  t.strictSame(await found(alice, 'sku-1'), [2, 1])
  t.strictSame(await found(alice, 'cup_9'), [1])
  t.strictSame(await found(alice, '4711-b'), [2])
  t.strictSame(await found(alice, 'nothing'), [])
  t.strictSame(await found(alice, ' '), [3, 2, 1])
  t.strictSame(await found(alice, 'sku-1', `&supplierId=${north}`), [1])
  t.strictSame(await found(alice, 'sku-1', '&status=sent'), [])
  const pages = await readPages(alice, '/api/purchase-orders?search=0000&limit=2')
  t.strictSame(
    pages.map((page) => page.length),
    [2, 1],
  )
})

t.test('a draft is found by the current SKU, and a sent order by the SKU that was sent', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 1 })
  const { sku: _sku, title: _title, ...current } = line(1)
  const supplierId = await makeSupplier(alice)
  const sent = await makeOrder(alice, { supplierId, lineItems: [current] })
  await alice.post(`/api/purchase-orders/${sent.id}/send`)
  await makeOrder(alice, { supplierId, lineItems: [current] })
  await makeOrder(alice, { supplierId, lineItems: [{ ...current, sku: 'THEIRS' }] })
  await db.query(sql.typeAlias('void')`
    update variant set sku = 'RENAMED', search_text = 'mug renamed' where shop_id = ${alice.shopId} and gid = ${variantGid(1)}
  `)
  t.strictSame(await found(alice, 'renamed'), [2])
  t.strictSame(await found(alice, 'sku-1'), [1])
  t.strictSame(await found(alice, 'theirs'), [3])
})
