import t from 'tap'
import { recordStatements } from '../../../dev/postgres/statements.ts'
import { createPurchaseOrder } from '../../../shared/domain/documents/purchase-orders/purchase-orders.ts'
import { receivePurchaseOrder } from '../../../shared/domain/documents/receipts/receive.ts'
import { startApp } from '../../support/core/app.ts'
import { line, makeSentOrder, makeSupplier, readOrder } from '../../support/make/orders.ts'
import { makeStock } from '../../support/make/stock.ts'

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

t.test('a receipt takes six statements, however many lines it has', async (t) => {
  const { db: pool, alice } = await startApp(t)
  await makeStock(pool, alice, { variants: 10 })
  const { db, statements } = recordStatements(pool)
  for (const count of [1, 10]) {
    const { id } = await makeSentOrder(alice, {
      lineItems: Array.from({ length: count }, (_, at) => line(at + 1)),
    })
    const { lineItems } = await readOrder(alice, id)
    statements.length = 0
    const { status } = await receivePurchaseOrder(db, alice.shopId, id, 'alice-1', {
      lineItems: lineItems.map((item) => ({ lineItemId: item.id, quantityReceived: item.quantity })),
    })
    t.equal(status, 'received')
    t.equal(statements.length, 6, `${count} lines`)
  }
})
