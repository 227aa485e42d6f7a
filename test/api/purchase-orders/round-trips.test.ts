import t from 'tap'
import { recordStatements } from '../../../dev/postgres/statements.ts'
import { createPurchaseOrder } from '../../../shared/domain/purchase-orders/purchase-orders.ts'
import { startApp } from '../../support/core/app.ts'
import { line, makeSentOrder, makeSupplier } from '../../support/make/orders.ts'

t.test('an order whose lines have costs takes two statements, and three without a cost', async (t) => {
  const { db: pool, alice } = await startApp(t)
  const supplierId = await makeSupplier(alice)
  const lineItems = Array.from({ length: 10 }, (_, at) => line(at + 1))
  await makeSentOrder(alice, { supplierId, lineItems })
  const { db, statements } = recordStatements(pool)

  const create = (lines: typeof lineItems) =>
    createPurchaseOrder(db, alice.shopId, 'alice-1', { supplierId, lineItems: lines })
  await create(lineItems)
  t.equal(statements.length, 2, 'reads what the order names, and inserts it')

  statements.length = 0
  const { costPrice, ...withoutCost } = line(1)
  const { total } = await create([withoutCost as (typeof lineItems)[number], line(2)])
  t.equal(statements.length, 3, 'also reads the last price')
  t.ok(total > 0)
})
