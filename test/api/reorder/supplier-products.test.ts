import t, { type Test } from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { startApp } from '../../support/core/app.ts'
import { makeSupplierProduct, setSupplierTerms } from '../../support/make/catalogue-terms.ts'
import { makeSupplier, readOrder } from '../../support/make/orders.ts'
import { listSuggestions, makeRule } from '../../support/make/reorder.ts'
import { makeStock, variantGid } from '../../support/make/stock.ts'

async function start(t: Test) {
  const people = await startApp(t)
  await makeStock(people.db, people.alice, { variants: 2 })
  return people
}

const prices = [
  { price: 2, currency: 'EUR' },
  { price: 1.8, minQuantity: 48, currency: 'EUR' },
]

t.test(
  '10 wanted in packs of 6 with a minimum of 24 are ordered as 24, and the break at 48 is named',
  async (t) => {
    const { db, alice } = await start(t)
    const supplierId = await makeSupplier(alice)
    await setSupplierTerms(db, alice, supplierId, { currency: 'EUR' })
    await makeSupplierProduct(db, alice, {
      ...{ supplierId, supplierSku: 'A-1', packSize: 6, minimumQuantity: 24, leadTimeDays: 9, prices },
    })
    await makeRule(alice, { reorderPoint: 15, reorderQuantity: 10 })
    const [suggestion] = await listSuggestions(alice)
    t.match(suggestion, {
      ...{ supplierId, suggestedQuantity: 24, roundedUpBy: 14, reorderQuantity: 10, leadTimeDays: 9 },
      ...{ supplierSku: 'A-1', packSize: 6, unitCost: 2, currency: 'EUR' },
    })
    t.match(
      suggestion?.explanation,
      /10 wanted; packs of 6, minimum 24: 24\. 48 would cost 1\.80 each instead of 2\.00\.$/,
    )
    const { data } = (await alice.post('/api/reorder/purchase-orders')).json()
    t.match(data, {
      skipped: [],
      purchaseOrders: [{ supplierId, total: 48, currency: 'EUR', unknownCosts: 0 }],
    })
    t.match(await readOrder(alice, data.purchaseOrders[0].id), {
      currency: 'EUR',
      warnings: [],
      lineItems: [{ supplierSku: 'A-1', packSize: 6, packs: 4, quantity: 24, roundedUpBy: 14, costPrice: 2 }],
    })
  },
)

t.test(
  'a rule without a supplier follows the preferred one, and a rule with a supplier keeps it',
  async (t) => {
    const { db, alice } = await start(t)
    const [second, first, own] = [
      await makeSupplier(alice),
      await makeSupplier(alice),
      await makeSupplier(alice),
    ]
    await makeSupplierProduct(db, alice, { supplierId: second, rank: 2, packSize: 5 })
    await makeSupplierProduct(db, alice, { supplierId: first, rank: 1, packSize: 4 })
    const id = await makeRule(alice, { reorderPoint: 15, reorderQuantity: 10 })
    const chosen = async () => {
      const [suggestion] = await listSuggestions(alice)
      return [suggestion?.supplierId, suggestion?.suggestedQuantity]
    }
    t.strictSame(await chosen(), [first, 12])
    await db.query(sql.typeAlias('void')`
    update supplier_product set is_active = false where shop_id = ${alice.shopId} and supplier_id = ${first}
  `)
    t.strictSame(await chosen(), [second, 10])
    await db.query(sql.typeAlias('void')`
    update supplier set archived_at = now() where shop_id = ${alice.shopId} and id = ${second}
  `)
    t.strictSame(await chosen(), [null, 10])
    await alice.put(`/api/reorder/rules/${id}`, { supplierId: own })
    t.strictSame(await chosen(), [own, 10])
  },
)

t.test('each destination is rounded by itself', async (t) => {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 1, locations: 2 })
  const supplierId = await makeSupplier(alice)
  await makeSupplierProduct(db, alice, { supplierId, packSize: 6, prices: [{ price: 1 }] })
  for (const location of [1, 2]) {
    const locationId = `gid://platform/Location/${location}`
    await makeRule(alice, { locationId, reorderPoint: 15, reorderQuantity: 10 })
  }
  const { data } = (await alice.post('/api/reorder/purchase-orders')).json()
  t.match(data.purchaseOrders, [{ total: 12 }, { total: 12 }])
})

t.test('a draft with an unknown cost says so', async (t) => {
  const { db, alice } = await start(t)
  await db.query(sql.typeAlias('void')`update variant set unit_cost = null where shop_id = ${alice.shopId}`)
  const supplierId = await makeSupplier(alice)
  await makeRule(alice, { variantId: variantGid(2), supplierId })
  const [suggestion] = await listSuggestions(alice)
  t.match(suggestion, { unitCost: null, explanation: /No cost is known in USD\.$/ })
  const { data } = (await alice.post('/api/reorder/purchase-orders')).json()
  t.match(data.purchaseOrders, [{ total: 0, unknownCosts: 1 }])
})
