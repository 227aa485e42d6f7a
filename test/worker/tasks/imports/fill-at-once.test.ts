import t, { type Test } from 'tap'
import type { Db } from '../../../../shared/db/db.ts'
import { updatePurchaseOrder } from '../../../../shared/domain/documents/purchase-orders/edit.ts'
import { updateSupplierProduct } from '../../../../shared/domain/records/suppliers/save-products.ts'
import { startApp } from '../../../support/core/app.ts'
import { keepTransactionOpen, untilBlocked } from '../../../support/core/database.ts'
import { startTasks } from '../../../support/core/worker.ts'
import { importing } from '../../../support/make/imports.ts'
import { makeSupplier, readOrder } from '../../../support/make/orders.ts'
import { makeStock } from '../../../support/make/stock.ts'

async function start(t: Test) {
  const { db, alice } = await startApp(t)
  const { perform } = await startTasks(t, db)
  await makeStock(db, alice)
  const { load } = importing(alice, perform)
  return {
    ...{ alice, load },
    /** Runs an import while a transaction of the merchant is open, which commits as soon as the import waits for it. */
    loadDuring: async (fileName: string, file: string, work: (tx: Db) => Promise<unknown>) => {
      const commit = await keepTransactionOpen(t, db, work)
      const loaded = load(fileName, file)
      await untilBlocked(db, 1)
      await commit()
      return loaded
    },
  }
}

t.test('an import does not fill in fields of an order that the merchant is just changing', async (t) => {
  const { alice, load, loadDuring } = await start(t)
  const head = 'No.,Vendor/Supplier,PO Date,Total Cost,Received'
  await load('all.csv', `${head}\n77,Acme,2024-02-13,25,0 of 10`)
  const [{ id }] = (await alice.get('/api/purchase-orders')).json().data
  const file = `${head},Invoice number\n77,Acme,2024-02-13,25,0 of 10,INV-1`
  const done = await loadDuring('invoices.csv', file, (tx) =>
    updatePurchaseOrder(tx, alice.shopId, id, alice.userId, { reference: 'R-7' }),
  )
  t.match(done.summary, { same: 1, changed: 0, faults: 0 })
  t.match(await readOrder(alice, id), { reference: 'R-7', invoiceNumber: '' })
})

t.test('an import keeps what the merchant is just changing in a product of a supplier', async (t) => {
  const { alice, load, loadDuring } = await start(t)
  const supplierId = await makeSupplier(alice, { name: 'Acme' })
  await load('products.csv', 'Supplier,SKU,Supplier SKU\nAcme,SKU-1,A-1')
  const products = async () => (await alice.get(`/api/suppliers/${supplierId}/products`)).json().data
  const [{ id }] = await products()
  const file = 'Supplier,SKU,Supplier SKU,Minimum quantity\nAcme,SKU-1,A-1,12'
  const done = await loadDuring('more.csv', file, (tx) =>
    updateSupplierProduct(tx, alice.shopId, supplierId, id, { packSize: 6 }),
  )
  t.match(done.summary, { changed: 1, faults: 0 })
  t.match(await products(), [{ packSize: 6, minimumQuantity: 12 }])
})
