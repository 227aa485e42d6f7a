import t from 'tap'
import type { LineCode } from '../../../shared/schemas/receipts.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import { gidOf } from '../../support/make/catalogue.ts'
import { line, makeSentOrder, makeSupplier, readOrder } from '../../support/make/orders.ts'
import { makeStock } from '../../support/make/stock.ts'
import { makeSupplierProduct } from '../../support/make/supplier-products.ts'

t.test('a device gets every code by which a scan names a line', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const supplierId = await makeSupplier(alice)
  const pack = {
    variantId: gidOf('ProductVariant', 1),
    supplierSku: 'N-1',
    packSize: 6,
    packBarcode: 'BOX-6',
  }
  await makeSupplierProduct(alice, { supplierId, ...pack })
  await makeSupplierProduct(alice, { ...pack, supplierSku: 'OTHER', packBarcode: 'OTHER-BOX' })
  const lineItems = [line(1, { quantity: 12, supplierSku: 'TYPED' }), line(2)]
  const { id } = await makeSentOrder(alice, { supplierId, lineItems })
  const [first, second] = (await readOrder(alice, id)).lineItems
  const { codes }: { codes: LineCode[] } = (await alice.get(`/api/purchase-orders/${id}/codes`)).json().data
  const of = (lineItemId: number | undefined) =>
    codes.filter((code) => code.lineItemId === lineItemId).map((c) => `${c.kind} ${c.code} ${c.packSize}`)
  t.strictSame(of(first?.id), [
    `barcode ${first?.barcode.toLowerCase()} 1`,
    'sku sku-1 1',
    'supplier_sku n-1 1',
    'supplier_sku typed 1',
    'pack box-6 6',
    'pack other-box 6',
  ])
  t.strictSame(of(second?.id), [`barcode ${second?.barcode.toLowerCase()} 1`, 'sku sku-2 1'])

  for (const { code, lineItemId, packSize } of codes) {
    const scanned = await alice.get(`/api/purchase-orders/${id}/scan?code=${encodeURIComponent(code)}`)
    t.match(scanned.json().data, { lineItemId, packSize }, `the API answers ${code} in the same way`)
  }
  expectFailure(t, await mallory.get(`/api/purchase-orders/${id}/codes`), 404, 'not_found')
  expectFailure(t, await alice.get('/api/purchase-orders/999999/codes'), 404, 'not_found')
})
