import { sql } from '../../../shared/db/db.ts'
import { startApp } from '../core/app.ts'
import { buyingBudget, demandEvent } from '../core/endpoints.ts'
import { startTasks } from '../core/worker.ts'
import { makeAlert } from './alerts.ts'
import { makeAttachment } from './attachments.ts'
import { line, makeSentOrder, makeSupplier, receive } from './orders.ts'
import { makeDirectReceipt } from './receipts.ts'
import { makeRule } from './reorder.ts'
import { sell, setTimeZone } from './sales.ts'
import { counted, makeCount, makeShippedTransfer, makeStock } from './stock.ts'
import { makeSupplierProduct } from './supplier-products.ts'
import { makeShippedReturn } from './supplier-returns.ts'

/** A shop in Kathmandu with rows in nearly every list. */
export async function startFullShop(t: Parameters<typeof startApp>[0]) {
  const started = await startApp(t)
  const { db, alice } = started
  const { perform } = await startTasks(t, db)
  const { shopId } = alice
  await makeStock(db, alice, { variants: 3, locations: 2 })
  const supplierId = await makeSupplier(alice, { name: 'Müller; =1+1' })
  await alice.post(`/api/suppliers/${supplierId}/contacts`, { name: 'Mia' })
  await makeSupplierProduct(alice, {
    supplierId,
    prices: [{ minQuantity: 1, price: 4.25, currency: 'EUR' }],
  } as object)
  const order = await makeSentOrder(alice, {
    supplierId,
    lineItems: [
      line(1, { quantity: 5, costPrice: 12.5, discountPercent: 10, taxRate: 19, supplierSku: 'S-1' }),
      line(2, { quantity: 7 }),
    ],
  })
  await alice.post(`/api/purchase-orders/${order.id}/charges`, {
    kind: 'freight',
    amount: 10,
    basis: 'value',
  })
  await receive(alice, order.id, [2, 7])
  await makeDirectReceipt(alice)
  await makeShippedReturn(alice, { supplierId })
  await makeShippedTransfer(alice)
  await makeCount(alice, { items: [counted(1, 3)] })
  await makeRule(alice, { supplierId })
  await makeAlert(db, alice)
  await makeAttachment(alice, { subject: 'purchase_order', subjectId: order.id })
  await sell(db, alice, [[1, 2, 3]])
  const bin = {
    variantId: 'gid://platform/ProductVariant/1',
    locationId: 'gid://platform/Location/1',
    bin: 'A-1',
  }
  await alice.put('/api/bins', { bins: [bin] })
  await db.query(sql.typeAlias('void')`
    insert into exchange_rate (shop_id, currency, day, rate, source) values (${shopId}, 'EUR', '2026-03-01', 1.5, 'typed')
  `)
  await alice.post('/api/count-plans', { locationId: 'gid://platform/Location/1', everyDays: 7 })
  await alice.post('/api/demand-events', demandEvent)
  await alice.post('/api/buying-budgets', buyingBudget)
  await alice.put('/api/variants/1/forecast', { unitsPerWeek: 3 })
  await db.query(sql.typeAlias('void')`
    insert into demand_day (shop_id, variant_id, location_id, day, units, in_stock)
    select ${shopId}, variant_id, location_id, '2026-03-02', 4, true from stock_level where shop_id = ${shopId}
  `)
  await db.query(sql.typeAlias('void')`
    insert into stock_state_change (shop_id, variant_id, location_id, delta, occurred_at)
    select shop_id, variant_id, location_id, 2, now()
    from stock_level
    where shop_id = ${shopId}
    order by variant_id, location_id
    limit 1
  `)
  await setTimeZone(db, alice, 'Asia/Kathmandu')
  return { ...started, perform, order }
}
