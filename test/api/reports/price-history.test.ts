import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import type { PaidPrice } from '../../../shared/schemas/reports.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { gidOf } from '../../support/make/catalogue.ts'
import {
  line,
  makeSentOrder,
  makeSupplier,
  readOrder,
  receiptsOf,
  receive,
} from '../../support/make/orders.ts'
import { makeStock, variantGid } from '../../support/make/stock.ts'

const read = async (person: Person, query = ''): Promise<PaidPrice[]> => {
  const response = await person.get(`/api/reports/price-history${query}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

t.test('two lines of one variant in a receipt are two rows, each with the ids of its own', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const lineItems = [line(1, { quantity: 4, costPrice: 5 }), line(1, { quantity: 2, costPrice: 6 })]
  const { id } = await makeSentOrder(alice, { lineItems })
  await receive(alice, id, [4, 2])
  const [receipt] = await receiptsOf(alice, id)
  const rows = await read(alice)
  t.match(rows, [
    { receiptId: receipt?.id, unitPrice: 6, quantity: 2 },
    { receiptId: receipt?.id, unitPrice: 5, quantity: 4 },
  ])
  t.strictSame(
    rows.map(({ lineItemId }) => lineItemId),
    (await readOrder(alice, id)).lineItems.map((item) => item.id).reverse(),
  )
})

t.test('each receipt shows what was paid, with its landed cost and later charges', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const supplierId = await makeSupplier(alice, { name: 'Kiln' })
  const order = await makeSentOrder(alice, {
    supplierId,
    currency: 'EUR',
    rate: 1.1,
    lineItems: [
      line(1, { quantity: 10, costPrice: 5, discountPercent: 10 }),
      line(2, { quantity: 5, costPrice: 2 }),
    ],
  })
  await receive(alice, order.id, [4, 0])
  await receive(alice, order.id, [6, 5])
  const other = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 1, costPrice: 6 })] })
  await receive(alice, other.id, [1])

  const history = await read(alice, `?variantId=${variantGid(1)}`)
  // 5 EUR x 0.9 x 1.1 = 4.95
  t.match(history, [
    { poNumber: other.poNumber, quantity: 1, unitPrice: 6, currency: 'USD', rate: 1, landedUnitCost: 6 },
    {
      poNumber: order.poNumber,
      quantity: 6,
      unitPrice: 5,
      discountPercent: 10,
      currency: 'EUR',
      rate: 1.1,
      landedUnitCost: 4.95,
    },
    { poNumber: order.poNumber, quantity: 4, supplierName: 'Kiln', landedUnitCost: 4.95 },
  ])
  t.match(await read(alice, `?supplierId=${supplierId}`), [
    { sku: 'SKU-2' },
    { sku: 'SKU-1' },
    { sku: 'SKU-1' },
  ])
  const found = async (query: string) => (await read(alice, query)).map(({ sku }) => sku)
  t.strictSame(await found('?search=sku-2'), ['SKU-2'])
  t.strictSame(await found('?search=MUG+1'), ['SKU-1', 'SKU-1', 'SKU-1'], 'by title')
  t.strictSame(await found(`?search=sku-1&supplierId=${supplierId}`), ['SKU-1', 'SKU-1'])
  t.strictSame(await found('?search=nothing'), [])
  await db.query(sql.typeAlias('void')`
    update product set vendor = 'Kiln & Co' where shop_id = ${alice.shopId} and gid = ${gidOf('Product', 2)}
  `)
  t.strictSame(await found('?vendor=Kiln+%26+Co'), ['SKU-2'])
  t.strictSame(await found('?vendor=Kiln+%26+Co&search=sku-1'), [])
  // 15 by quantity is 1.00 for each of the 15 ordered pieces
  await alice.post(`/api/purchase-orders/${order.id}/charges`, {
    kind: 'freight',
    amount: 15,
    basis: 'quantity',
  })
  t.match(await read(alice, `?variantId=${variantGid(1)}`), [
    { landedUnitCost: 6 },
    { landedUnitCost: 5.95 },
    { landedUnitCost: 5.95 },
  ])
  const [newest] = await receiptsOf(alice, order.id)
  await alice.post(`/api/purchase-orders/${order.id}/receipts/${newest?.id}/reverse`, {})
  t.match(await read(alice, `?supplierId=${supplierId}`), [{ quantity: 4 }], 'a reversed receipt is left out')

  t.strictSame(await read(mallory), [])
  const own = await makeSupplier(mallory)
  t.strictSame(await read(alice, `?supplierId=${own}`), [])
  const { body } = await alice.get('/api/reports/price-history', { accept: 'text/csv' })
  t.match(
    body,
    /^\uFEFFSKU,Product,Order,Supplier,Received \(UTC\),Quantity,Unit price,Discount \(%\),Currency,/,
  )
  const paged: PaidPrice[] = []
  for (let next: string | undefined = '/api/reports/price-history?limit=1'; next && paged.length < 9; ) {
    const answer = await alice.get(next)
    paged.push(...answer.json().data)
    next = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1]
  }
  t.strictSame(paged, await read(alice))
  t.strictSame(await read(alice, '?endDate=2020-01-01'), [])
  for (const query of ['startDate=soon', 'endDate=2026-13-01', 'variantId=1', 'supplierId=x', 'cursor=1']) {
    expectFailure(t, await alice.get(`/api/reports/price-history?${query}`), 400, 'invalid_request')
  }
})

t.test('receipts are listed by the time of their goods, also when they were imported later', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 9, costPrice: 5 })] })
  for (const quantity of [1, 2, 3]) await receive(alice, id, [quantity])
  // as an import stores the receipts of an old order: the last id has the first day
  await db.query(sql.typeAlias('void')`
    update receipt set posted_at = '2024-05-01T10:00:00.000001Z', is_imported = true
    where shop_id = ${alice.shopId} and id = (select max(id) from receipt where shop_id = ${alice.shopId})
  `)
  const quantities = (rows: readonly PaidPrice[]) => rows.map(({ quantity }) => quantity)
  t.strictSame(quantities(await read(alice)), [2, 1, 3])
  const seen: number[] = []
  for (let next: string | undefined = '/api/reports/price-history?limit=1'; next && seen.length < 9; ) {
    const answer = await alice.get(next)
    seen.push(...quantities(answer.json().data))
    next = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1]
  }
  t.strictSame(seen, [2, 1, 3])
})
