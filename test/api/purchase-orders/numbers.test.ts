import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { line, makeOrder, makeSupplier } from '../../support/make/orders.ts'

const numbers = (count: number) =>
  Array.from({ length: count }, (_, at) => `PO-${String(at + 1).padStart(5, '0')}`)

t.test('concurrently created orders get consecutive numbers', async (t) => {
  const { alice, mallory } = await startApp(t)
  const [aliceSupplier, mallorySupplier] = [await makeSupplier(alice), await makeSupplier(mallory)]
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      alice.post('/api/purchase-orders', {
        supplierId: aliceSupplier,
        lineItems: [line(1 + (at % 7)), line(9)],
      }),
    ),
  )
  const created: string[] = answers.map((answer) => answer.json().data.poNumber)
  t.strictSame(created.sort(), numbers(50))

  const first = await makeOrder(mallory, { supplierId: mallorySupplier })
  t.equal(first.poNumber, 'PO-00001', 'each shop has its own numbers')
})

t.test('a refused order takes no number', async (t) => {
  const { alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const create = (fields: object) =>
    alice.post('/api/purchase-orders', { supplierId, lineItems: [line(1)], ...fields })
  await create({})
  expectFailure(t, await create({ supplierId: 999_999 }), 422, 'unknown_supplier')
  const { title, ...untitled } = line(99)
  expectFailure(t, await create({ lineItems: [untitled] }), 422, 'unknown_variant', title)
  const tooMuch = [line(1, { quantity: 1_000_000_000, costPrice: 1_000_000_000 })]
  expectFailure(t, await create({ lineItems: tooMuch }), 422, 'total_too_large')
  expectFailure(t, await create({ lineItems: [line(1, { quantity: -1 })] }), 400, 'invalid_request')
  t.equal((await create({})).json().data.poNumber, 'PO-00002')
})

t.test('refused orders among concurrent ones leave no gap', async (t) => {
  const { alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const tooMuch = line(1, { quantity: 1_000_000_000, costPrice: 1_000_000_000 })
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, at) =>
      alice.post('/api/purchase-orders', { supplierId, lineItems: [at % 3 === 0 ? tooMuch : line(1)] }),
    ),
  )
  const created = answers.filter(({ statusCode }) => statusCode === 201)
  t.strictSame(created.map((answer) => answer.json().data.poNumber).sort(), numbers(20))
})

t.test('the number of a deleted order is not reused', async (t) => {
  const { alice } = await startApp(t)
  await makeOrder(alice)
  const { id } = await makeOrder(alice)
  t.equal((await alice.delete(`/api/purchase-orders/${id}`)).statusCode, 200)
  t.equal((await makeOrder(alice)).poNumber, 'PO-00003')
})

t.test('a number can have more than five digits', async (t) => {
  const { db, alice } = await startApp(t)
  await makeOrder(alice)
  await db.query(sql.typeAlias('void')`
    update purchase_order_counter set last_number = 99998 where shop_id = ${alice.shopId}
  `)
  t.equal((await makeOrder(alice)).poNumber, 'PO-99999')
  t.equal((await makeOrder(alice)).poNumber, 'PO-100000')
})
