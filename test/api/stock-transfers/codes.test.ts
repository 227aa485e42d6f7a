import t from 'tap'
import type { TransferCode } from '../../../shared/schemas/stock-transfers.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { makeSupplier } from '../../support/make/orders.ts'
import { makeStock, makeTransfer, variantGid } from '../../support/make/stock.ts'
import { makeSupplierProduct } from '../../support/make/supplier-products.ts'

t.test('a device gets every code by which a scan names a product of a transfer', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { variants: 3, locations: 2 })
  const variantId = variantGid(2)
  const supplierId = await makeSupplier(alice)
  await makeSupplierProduct(alice, { supplierId, variantId, packSize: 6, packBarcode: 'BOX-6' })
  await makeSupplierProduct(alice, { variantId, packSize: 12, packBarcode: 'box-6' })
  await makeSupplierProduct(alice, { variantId, packSize: 12, packBarcode: 'BOX-12' })
  await makeSupplierProduct(alice, { variantId: variantGid(3), packSize: 4, packBarcode: 'BOX-4' })
  const items = [
    { variantId: variantGid(1), quantity: 3 },
    { variantId, quantity: 12 },
    { variantId, quantity: 6 },
  ]
  const id = await makeTransfer(alice, { items })
  const codes = async (person = alice) => person.get(`/api/stock-transfers/${id}/codes`)
  const all: TransferCode[] = (await codes()).json().data.codes
  const of = (gid: string) =>
    all
      .filter(({ variantId, kind }) => variantId === gid && kind !== 'barcode')
      .map(({ kind, code, packSize }) => `${kind} ${code} ${packSize}`)
  t.strictSame(of(variantGid(1)), ['sku sku-1 1'])
  t.strictSame(of(variantId), ['sku sku-2 1', 'pack box-12 12', 'pack box-6 6'])
  t.strictSame(of(variantGid(3)), [], 'of no other product')
  t.match(all[0], { kind: 'barcode', packSize: 1 }, 'the best kind comes first')
  expectFailure(t, await codes(mallory), 404, 'not_found')
  expectFailure(t, await alice.get('/api/stock-transfers/999999/codes'), 404, 'not_found')
})
