import { Type } from '@sinclair/typebox'
import t from 'tap'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { codeOf } from '../../../web/src/components/scan/codes.ts'
import { expectFailure, startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { line, makeOrder, makeSentOrder, makeSupplier, readOrder } from '../../support/make/orders.ts'
import { postCounts } from '../../support/make/receipts.ts'
import { makeStock, variantGid } from '../../support/make/stock.ts'
import { makeSupplierProduct } from '../../support/make/supplier-products.ts'

/** Gives the variants of `makeStock` barcodes: 400000000001 and so on. */
const setBarcodes = (db: Db, { shopId }: Person) =>
  db.query(sql.typeAlias('void')`
    update variant
    set barcode = 'EAN-400000000' || split_part(gid, '/', 5), sku = 'SKU-' || split_part(gid, '/', 5),
      search_text = lower('SKU-' || split_part(gid, '/', 5) || ' EAN-400000000' || split_part(gid, '/', 5))
    where shop_id = ${shopId}
  `)

const scan = (person: Person, id: number, code: string) =>
  person.get(`/api/purchase-orders/${id}/scan?code=${encodeURIComponent(code)}`)

t.test('barcode, SKU, supplier SKU and the barcode of a pack name a line of the order', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  await setBarcodes(db, alice)
  const supplierId = await makeSupplier(alice)
  await makeSupplierProduct(alice, {
    ...{ supplierId, variantId: variantGid(2), supplierSku: 'N-2', packSize: 12, packBarcode: 'BOX-2' },
  })
  const { id } = await makeSentOrder(alice, {
    supplierId,
    lineItems: [line(1, { quantity: 10 }), line(2, { quantity: 24 })],
  })
  const [first, second] = (await readOrder(alice, id)).lineItems
  const one = { lineItemId: first?.id, sku: 'SKU-1', title: 'Thing 1', outstanding: 10, packSize: 1 }
  const two = { lineItemId: second?.id, sku: 'SKU-2', title: 'Thing 2', outstanding: 24, packSize: 1 }
  t.strictSame((await scan(alice, id, 'ean-4000000001')).json().data, one, 'any case')
  t.strictSame((await scan(alice, id, ' SKU-1 ')).json().data, one)
  t.strictSame((await scan(alice, id, 'N-2')).json().data, two)
  t.strictSame((await scan(alice, id, 'box-2')).json().data, { ...two, packSize: 12 })
  await postCounts(alice, id, [{ accepted: 3 }])
  t.match((await scan(alice, id, 'SKU-1')).json().data, { outstanding: 7 })
})

t.test(
  'the barcode of a pack counts from any supplier, a supplier SKU only from that of the order',
  async (t) => {
    const { db, alice } = await startApp(t)
    await makeStock(db, alice, { variants: 2 })
    await setBarcodes(db, alice)
    const supplierId = await makeSupplier(alice)
    const other = await makeSupplier(alice, { name: 'Southgate' })
    const ofOther = { supplierId: other, variantId: variantGid(1), supplierSku: 'S-1' }
    await makeSupplierProduct(alice, { ...ofOther, packSize: 6, packBarcode: 'BOX-6' })
    const { id } = await makeSentOrder(alice, { supplierId, lineItems: [line(1, { quantity: 24 })] })
    const [first] = (await readOrder(alice, id)).lineItems
    t.match((await scan(alice, id, 'box-6')).json().data, { lineItemId: first?.id, packSize: 6 })
    const { message } = expectFailure(t, await scan(alice, id, 'S-1'), 404, 'unknown_code')
    t.match(message, /^This order has .+, but this is the SKU of another supplier\./)

    await makeSupplierProduct(alice, {
      ...{ supplierId, variantId: variantGid(1), supplierSku: 'N-1', packSize: 12, packBarcode: 'BOX-6' },
    })
    t.match(
      (await scan(alice, id, 'BOX-6')).json().data,
      { packSize: 12 },
      'the supplier of the order comes first',
    )

    const ofOtherOrder = await makeSentOrder(alice, { supplierId: other, lineItems: [line(1)] })
    const elsewhere = expectFailure(t, await scan(alice, id, 'S-1'), 409, 'on_other_order')
    t.match(elsewhere.details, [{ purchaseOrderId: ofOtherOrder.id }])
  },
)

t.test('the barcode of a pack names the open order of any supplier', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 2 })
  const supplierId = await makeSupplier(alice)
  const catalogue = { supplierId, variantId: variantGid(2), packSize: 6, packBarcode: 'BOX-6' }
  await makeSupplierProduct(alice, catalogue)
  const { id } = await makeSentOrder(alice)
  const other = await makeSentOrder(alice, {
    supplierId: await makeSupplier(alice, { name: 'Southgate' }),
    lineItems: [line(2)],
  })
  const { details } = expectFailure(t, await scan(alice, id, 'BOX-6'), 409, 'on_other_order')
  t.match(details, [{ purchaseOrderId: other.id }])
})

t.test('a code is unknown, on another order, or of a line that is complete', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 3 })
  await setBarcodes(db, alice)
  const { id } = await makeSentOrder(alice, { lineItems: [line(1, { quantity: 2 }), line(3)] })
  t.match(expectFailure(t, await scan(alice, id, '999'), 404, 'unknown_code').details, [{ path: '/code' }])
  const unordered = expectFailure(t, await scan(alice, id, 'SKU-2'), 404, 'unknown_code')
  t.match(unordered.message, /No open order expects/)
  await makeOrder(alice, { lineItems: [line(2)] })
  expectFailure(t, await scan(alice, id, 'SKU-2'), 404, 'unknown_code', 'a draft expects nothing')
  const other = await makeSentOrder(alice, { lineItems: [line(2)] })
  await makeSentOrder(alice, { lineItems: [line(2)] })
  const { details, message } = expectFailure(
    t,
    await scan(alice, id, 'EAN-4000000002'),
    409,
    'on_other_order',
  )
  t.match(message, other.poNumber)
  t.match(details, [{ path: '/code', purchaseOrderId: other.id, poNumber: other.poNumber }])
  await postCounts(alice, id, [{ accepted: 2 }])
  expectFailure(t, await scan(alice, id, 'SKU-1'), 409, 'complete')
})

t.test('of two lines of one product, a scan names the one with outstanding pieces', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  await setBarcodes(db, alice)
  const { id } = await makeSentOrder(alice, {
    lineItems: [line(1, { quantity: 2 }), line(1, { quantity: 5 })],
  })
  const [first, second] = (await readOrder(alice, id)).lineItems
  t.match((await scan(alice, id, 'SKU-1')).json().data, { lineItemId: first?.id })
  await postCounts(alice, id, [{ accepted: 2 }])
  t.match((await scan(alice, id, 'SKU-1')).json().data, { lineItemId: second?.id, outstanding: 5 })
})

t.test('codes and orders of another shop are not found', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  await makeStock(db, alice)
  await makeStock(db, mallory, { variants: 2 })
  await setBarcodes(db, mallory)
  const { id } = await makeSentOrder(alice)
  await makeSentOrder(mallory, { lineItems: [line(2)] })
  expectFailure(t, await scan(mallory, id, 'SKU-1'), 404, 'not_found')
  expectFailure(t, await scan(alice, id, 'EAN-4000000002'), 404, 'unknown_code')
})

t.test('a draft order and a cancelled one are not scanned', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice)
  const { id } = await makeOrder(alice)
  expectFailure(t, await scan(alice, id, 'SKU-1'), 409, 'conflict')
  await alice.post(`/api/purchase-orders/${id}/cancel`)
  expectFailure(t, await scan(alice, id, 'SKU-1'), 409, 'conflict')
  expectFailure(t, await alice.get(`/api/purchase-orders/${id}/scan`), 400, 'invalid_request')
})

t.test(
  'leading zeros of a barcode do not count, and the admin compares codes in the same form',
  async (t) => {
    const { db, alice } = await startApp(t)
    await makeStock(db, alice, { variants: 3 })
    const supplierId = await makeSupplier(alice)
    await db.query(sql.typeAlias('void')`
    update variant
    set barcode = case gid
      when ${variantGid(1)} then '012345678905' when ${variantGid(2)} then '40123456' else '0004012345678901'
    end
    where shop_id = ${alice.shopId}
  `)
    const pack = { supplierId, variantId: variantGid(2), packSize: 6, packBarcode: '05012345678900' }
    await makeSupplierProduct(alice, pack)
    const { id } = await makeSentOrder(alice, { supplierId, lineItems: [line(1), line(2, { quantity: 12 })] })
    const [first, second] = (await readOrder(alice, id)).lineItems
    const found: [code: string, lineItemId: number | undefined, packSize: number][] = [
      ['012345678905', first?.id, 1],
      ['12345678905', first?.id, 1],
      ['0012345678905', first?.id, 1],
      ['0000040123456', second?.id, 1],
      ['5012345678900', second?.id, 6],
      ['05012345678900', second?.id, 6],
    ]
    for (const [code, lineItemId, packSize] of found) {
      t.match((await scan(alice, id, code)).json().data, { lineItemId, packSize }, code)
    }
    const other = await makeSentOrder(alice, { lineItems: [line(2)] })
    const empty = await makeSentOrder(alice, { lineItems: [line(3)] })
    for (const code of ['40123456', '000040123456']) {
      const { details } = expectFailure(t, await scan(alice, empty.id, code), 409, 'on_other_order', code)
      t.match(details, [{ purchaseOrderId: id }])
    }
    t.ok(other.id > id, 'the oldest order is named')
    expectFailure(t, await scan(alice, id, '4012345678901'), 404, 'unknown_code', '16 digits are no barcode')

    const texts = [
      '00000000',
      '01234567',
      '0123456',
      '00000000000123',
      '000000000000123',
      'AbC-0',
      '٠١٢٣٤٥٦٧٨',
    ]
    const forms = await db.any(sql.type(row(Type.Object({ form: Type.String() })))`
    select scan_code(text) as form from ${sql.unnest(
      texts.map((text, at) => [at, text]),
      ['int4', 'text'],
    )} as input (at, text) order by at
  `)
    t.strictSame(
      forms.map(({ form }) => form),
      texts.map(codeOf),
    )
  },
)
