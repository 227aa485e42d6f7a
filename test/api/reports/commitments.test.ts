import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import type { Commitments } from '../../../shared/schemas/reports.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeOrder, makeSentOrder, makeSupplier, receive } from '../../support/make/orders.ts'
import { setTimeZone } from '../../support/make/sales.ts'
import { makeStock } from '../../support/make/stock.ts'

const read = async (person: Person, query = ''): Promise<Commitments> => {
  const response = await person.get(`/api/reports/commitments${query}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

t.test('outstanding goods are summed by month of arrival and supplier', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const kiln = await makeSupplier(alice, { name: 'Kiln' })
  const loom = await makeSupplier(alice, { name: 'Loom' })
  const expectedAt = (day: string) => ({ expectedAt: `${day}T12:00:00Z` })
  // 10 at 4.00 less 5 %, 6 arrived: 4 x 3.80 = 15.20
  const partial = await makeSentOrder(alice, {
    supplierId: kiln,
    ...expectedAt('2027-01-15'),
    lineItems: [line(1, { quantity: 10, costPrice: 4, discountPercent: 5 })],
  })
  await receive(alice, partial.id, [6])
  // 30 EUR x 1.5 = 45
  await makeSentOrder(alice, {
    supplierId: loom,
    ...expectedAt('2027-01-31'),
    currency: 'EUR',
    rate: 1.5,
    lineItems: [line(1, { quantity: 3, costPrice: 10 })],
  })
  // 100 less the order's discount of 10
  await makeSentOrder(alice, {
    supplierId: kiln,
    ...expectedAt('2027-02-10'),
    discount: 10,
    lineItems: [line(2, { quantity: 1, costPrice: 100 })],
  })
  await makeSentOrder(alice, { supplierId: loom, lineItems: [line(1, { quantity: 1, costPrice: 7 })] })
  const unknown = await makeSentOrder(alice, {
    supplierId: loom,
    ...expectedAt('2027-02-01'),
    currency: 'JPY',
    lineItems: [line(1, { quantity: 2, costPrice: 500 })],
  })
  await makeOrder(alice, { supplierId: kiln })

  t.strictSame(await read(alice), {
    currency: 'USD',
    total: 157.2,
    byMonth: [
      { month: '2027-01', value: 60.2, orderCount: 2 },
      { month: '2027-02', value: 90, orderCount: 1 },
      { month: null, value: 7, orderCount: 1 },
    ],
    bySupplier: [
      { month: '2027-01', supplierId: loom, supplierName: 'Loom', value: 45, orderCount: 1 },
      { month: '2027-01', supplierId: kiln, supplierName: 'Kiln', value: 15.2, orderCount: 1 },
      { month: '2027-02', supplierId: kiln, supplierName: 'Kiln', value: 90, orderCount: 1 },
      { month: null, supplierId: loom, supplierName: 'Loom', value: 7, orderCount: 1 },
    ],
    withoutRate: [
      {
        purchaseOrderId: unknown.id,
        poNumber: unknown.poNumber,
        supplierId: loom,
        supplierName: 'Loom',
        month: '2027-02',
        currency: 'JPY',
        value: 1000,
      },
    ],
    unknownCosts: 0,
  })
  t.match(await read(alice, `?supplierId=${kiln}`), { total: 105.2, withoutRate: [] })
  t.match(await read(alice, '?startDate=2027-02-01&endDate=2027-02-28'), { total: 90 })
  const { body } = await alice.get('/api/reports/commitments', { accept: 'text/csv' })
  t.match(body, /^\uFEFFMonth,Supplier,Value \(USD\),Orders,Supplier ID\n2027-01,/)

  await setTimeZone(db, alice, 'Pacific/Kiritimati')
  await db.query(sql.typeAlias('void')`
    update purchase_order set expected_at = '2027-01-31T12:00:00Z' where shop_id = ${alice.shopId} and id = ${partial.id}
  `)
  t.match((await read(alice)).byMonth, [{ month: '2027-02' }, { month: null }], 'months of the shop')
  t.strictSame(await read(mallory), {
    currency: 'USD',
    total: 0,
    byMonth: [],
    bySupplier: [],
    withoutRate: [],
    unknownCosts: 0,
  })
  t.match(await read(mallory, `?supplierId=${kiln}`), { total: 0 })
  for (const query of ['startDate=x', 'endDate=2026-02-30', 'supplierId=0']) {
    expectFailure(t, await alice.get(`/api/reports/commitments?${query}`), 400, 'invalid_request')
  }
})
