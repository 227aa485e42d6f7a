import t, { type Test } from 'tap'
import type { Db } from '../../../../shared/db/db.ts'
import { addAttachment } from '../../../../shared/domain/kit/attachments/attachments.ts'
import { addSupplierContact } from '../../../../shared/domain/records/suppliers/contacts.ts'
import { startApp } from '../../../support/core/app.ts'
import { keepTransactionOpen, untilBlocked } from '../../../support/core/database.ts'
import { startTasks } from '../../../support/core/worker.ts'
import { attachment } from '../../../support/make/attachments.ts'
import { importing } from '../../../support/make/imports.ts'
import { receiptsOf } from '../../../support/make/orders.ts'
import { makeStock } from '../../../support/make/stock.ts'

async function start(t: Test) {
  const { db, alice } = await startApp(t)
  const { perform } = await startTasks(t, db)
  await makeStock(db, alice, { variants: 2, locations: 1 })
  const { revert, ...imports } = importing(alice, perform)
  return {
    ...{ db, alice, ...imports },
    /** Reverts an import while a transaction of the merchant is open, which commits as soon as the revert waits for it. */
    revertDuring: async (id: number, work: (tx: Db) => Promise<unknown>) => {
      const commit = await keepTransactionOpen(t, db, work)
      const reverted = revert(id)
      await untilBlocked(db, 1)
      await commit()
      return reverted
    },
    attach: (subject: 'receipt' | 'stock_count', subjectId: number) => (tx: Db) =>
      addAttachment(tx, alice.shopId, alice.userId, attachment({ subject, subjectId })),
    files: async () => (await alice.get('/api/attachments')).json().data.length,
  }
}

t.test('a revert keeps a supplier to which the merchant is adding a contact', async (t) => {
  const { alice, load, revertDuring } = await start(t)
  const { id } = await load('suppliers.csv', 'name,contact_email\nAcme,acme@acme.example')
  const [supplier] = (await alice.get('/api/suppliers')).json().data
  const reverted = await revertDuring(id, (tx) =>
    addSupplierContact(tx, alice.shopId, supplier.id, { name: 'Bob' }),
  )
  t.match(reverted, { state: 'reverted', summary: { kept: 1 } })
  t.match((await alice.get('/api/suppliers')).json().data, [{ name: 'Acme' }])
})

t.test('a revert keeps a count to which the merchant is adding a file', async (t) => {
  const { load, rows, revertDuring, attach, files } = await start(t)
  const { id } = await load(
    'stocktake.csv',
    'SKU,Expected stock,Actual stock,Adjustment,Date,Location\nSKU-1,10,8,-2,2024-05-13,Place 1',
  )
  const [count] = await rows(id)
  t.match(await revertDuring(id, attach('stock_count', count?.targetId ?? 0)), { summary: { kept: 1 } })
  t.equal(await files(), 1)
})

t.test('a revert keeps an order to whose receipt the merchant is adding a file', async (t) => {
  const { alice, load, revertDuring, attach, files } = await start(t)
  const { id } = await load(
    'orders.csv',
    'PO Number,Supplier,Order date,SKU,Quantity,Cost,Received\n21,Acme,2024-02-13,SKU-1,10,2.50,10',
  )
  const [order] = (await alice.get('/api/purchase-orders')).json().data
  const [receipt] = await receiptsOf(alice, order.id)
  t.match(await revertDuring(id, attach('receipt', receipt?.id ?? 0)), { summary: { kept: 1 } })
  t.equal(await files(), 1)
})
