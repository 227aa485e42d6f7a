import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { upsertProducts } from '../../../../shared/domain/exchange/sync/upsert-products.ts'
import { upsertLocations } from '../../../../shared/domain/records/catalogue/locations.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import type { PurchaseOrderInput } from '../../../../shared/schemas/purchase-orders.ts'
import type { Person } from '../../../support/core/people.ts'
import { enqueued } from '../../../support/core/worker.ts'
import { gidOf, product, variant } from '../../../support/make/catalogue.ts'
import { line, makeSentOrder, receive } from '../../../support/make/orders.ts'
import { deliver, sign, startDeliveries } from '../../../support/platform/webhooks.ts'

const Cost = Type.Object({
  unitCost: Type.Union([Type.Number(), Type.Null()]),
  costSource: Type.Union([Type.String(), Type.Null()]),
  isTracked: Type.Boolean(),
})

const at = (minute: number, second = 0) =>
  `2026-11-01T10:${String(minute).padStart(2, '0')}:${String(second).padStart(2, '0')}Z`
const item = (minute: number, cost: string | number | null, fields = {}) => ({
  id: 1,
  cost,
  tracked: true,
  updated_at: at(minute),
  ...fields,
})

/** Variants 1 and 2 of alice, both with inventory item 1, and variant 1 of mallory. */
async function startItems(t: Test) {
  const context = await startDeliveries(t)
  const { app, db, alice, mallory, applyAll } = context
  const shared = { inventoryItemGid: gidOf('InventoryItem', 1) }
  for (const person of [alice, mallory]) {
    await db.transaction((tx) =>
      upsertProducts(tx, person.shopId, [product(1, [variant(1, shared), variant(2, shared)])]),
    )
  }
  return {
    ...context,
    costs: (person: Person = alice) =>
      db.any(sql.type(row(Cost))`
        select unit_cost, cost_source, is_tracked from variant where shop_id = ${person.shopId} order by id
      `),
    /** The cost that a receipt or a person sets at an instant. */
    setCost: (source: string, cost: number, instant: string) =>
      db.query(sql.typeAlias('void')`
        update variant set unit_cost = ${cost}, cost_source = ${source}, cost_at = ${instant}
        where shop_id = ${alice.shopId}
      `),
    /** Delivers webhooks with the instants at which the platform triggered them. */
    triggered: async (...deliveries: (readonly [body: object, triggeredAt: string])[]) => {
      for (const [body, triggeredAt] of deliveries) {
        await deliver(
          app,
          sign(alice, 'INVENTORY_ITEMS_UPDATE', body, { 'x-platform-triggered-at': triggeredAt }),
        )
      }
      await applyAll('INVENTORY_ITEMS_UPDATE')
    },
    readings: () => enqueued(db, jobs.syncProduct, alice.shopId),
  }
}

const both = (unitCost: number | null, costSource: string | null, isTracked = true) => [
  { unitCost, costSource, isTracked },
  { unitCost, costSource, isTracked },
]

t.test('a cost of the platform reaches all variants of the item, and no other shop', async (t) => {
  const { deliverAndApply, costs, mallory } = await startItems(t)
  t.match(await deliverAndApply('INVENTORY_ITEMS_UPDATE', item(1, '4.25')), [{ state: 'applied' }])
  t.strictSame(await costs(), both(4.25, 'platform'))
  t.strictSame(await costs(mallory), both(null, null))
  await deliverAndApply('INVENTORY_ITEMS_UPDATE', item(2, null))
  t.strictSame(await costs(), both(null, null), 'the merchant has removed the cost')
})

t.test('older reports never overwrite newer ones, together or apart', async (t) => {
  const { deliverAndApply, costs } = await startItems(t)
  await deliverAndApply('INVENTORY_ITEMS_UPDATE', item(5, '5.00'), item(3, '3.00', { tracked: false }))
  await deliverAndApply('INVENTORY_ITEMS_UPDATE', item(4, '4.00', { tracked: false }))
  t.strictSame(await costs(), both(5, 'platform'))
})

t.test('two different reports for one second are read again', async (t) => {
  const { deliverAndApply, costs, readings, alice } = await startItems(t)
  await deliverAndApply('INVENTORY_ITEMS_UPDATE', item(5, '5.00'))
  t.strictSame(await readings(), [])
  await deliverAndApply('INVENTORY_ITEMS_UPDATE', item(5, '5.00'))
  t.strictSame(await readings(), [], 'the same report twice')
  await deliverAndApply('INVENTORY_ITEMS_UPDATE', item(5, '6.00'))
  t.strictSame(await costs(), both(6, 'platform'))
  t.strictSame(await readings(), [{ shopId: alice.shopId, productGid: gidOf('Product', 1) }])
})

t.test('two different weights for one second are read again', async (t) => {
  const { deliverAndApply, readings } = await startItems(t)
  const weighing = (grams: number) => item(5, '5.00', { weight_value: grams, weight_unit: 'g' })
  await deliverAndApply('INVENTORY_ITEMS_UPDATE', weighing(200))
  await deliverAndApply('INVENTORY_ITEMS_UPDATE', weighing(200), item(5, '5.00'))
  t.strictSame(await readings(), [], 'a report without a weight says nothing of it')
  await deliverAndApply('INVENTORY_ITEMS_UPDATE', weighing(400))
  t.equal((await readings()).length, 1)
})

t.test('a newer cost of a receipt, an import or a person stays', async (t) => {
  for (const source of ['receipt', 'import', 'manual']) {
    const { triggered, costs, setCost } = await startItems(t)
    await triggered([item(1, '4.00'), at(1)])
    await setCost(source, 5, at(10))
    await triggered([item(9, '4.50'), at(9)])
    t.strictSame(await costs(), both(5, source), `${source}: the platform's cost is older`)
    await triggered([item(12, '4.50'), at(12)])
    t.strictSame(await costs(), both(5, source), `${source}: another field of the item has changed`)
    await triggered([item(13, null), at(13)])
    t.strictSame(await costs(), both(5, source), `${source}: no cost says nothing`)
    await triggered([item(14, '6.00'), at(14)])
    t.strictSame(await costs(), both(6, 'platform'), `${source}: the merchant has changed the cost since`)
  }
})

t.test('in the second of a receipt, the time of the webhook decides', async (t) => {
  const { triggered, costs, setCost } = await startItems(t)
  await triggered([item(1, '4.00'), at(1)])
  await setCost('receipt', 5, '2026-11-01T10:10:07.400Z')
  await triggered([item(10, '4.50', { updated_at: at(10, 6) }), '2026-11-01T10:10:06.900Z'])
  t.strictSame(await costs(), both(5, 'receipt'))
  await triggered([item(10, '6.00', { updated_at: at(10, 7) }), '2026-11-01T10:10:07.900Z'])
  t.strictSame(await costs(), both(6, 'platform'))
})

/** With a location, and orders of both variants at 5.00. */
async function startReceipts(t: Test) {
  const context = await startItems(t)
  const { db, alice } = context
  const location = { gid: gidOf('Location', 1), name: 'Shop', isActive: true, isPrimary: true }
  await db.transaction((tx) => upsertLocations(tx, alice.shopId, [location]))
  const sendOrder = (fields: Partial<PurchaseOrderInput> = {}) =>
    makeSentOrder(alice, {
      lineItems: [1, 2].map((number) => ({
        ...line(number, { costPrice: 5 }),
        productId: gidOf('Product', 1),
      })),
      ...fields,
    })
  return { ...context, sendOrder }
}

t.test('a receipt that repeats the cost makes it newer, and does not write the variant', async (t) => {
  const { triggered, costs, setCost, sendOrder, db, alice } = await startReceipts(t)
  await triggered([item(1, '4.00'), at(1)])
  await setCost('receipt', 5, at(2))
  const order = await sendOrder()
  const versions = () =>
    db.anyFirst(sql.type(row(Type.Object({ version: Type.String() })))`
      select ctid::text as version from variant where shop_id = ${alice.shopId} order by id
    `)
  const before = await versions()
  t.equal((await receive(alice, order.id, [1, 1])).statusCode, 200)
  t.strictSame(await versions(), before)
  await triggered([item(3, '6.00'), at(3)])
  t.strictSame(await costs(), both(5, 'receipt'), 'the cost of the platform is older than the receipt')
  await triggered([item(4, '7.00', { updated_at: '2099-01-01T00:00:00Z' }), '2099-01-01T00:00:00Z'])
  t.strictSame(await costs(), both(7, 'platform'))
})

t.test('a receipt of pieces without a known cost does not make the cost newer', async (t) => {
  const { triggered, costs, setCost, sendOrder, db, alice } = await startReceipts(t)
  await triggered([item(1, '4.00'), at(1)])
  const known = await sendOrder()
  t.equal((await receive(alice, known.id, [1, 1])).statusCode, 200)
  await db.query(sql.typeAlias('void')`
    update cost_movement set occurred_at = ${at(2)} where shop_id = ${alice.shopId}
  `)
  await setCost('receipt', 5, at(2))
  const withoutRate = await sendOrder({ currency: 'CHF' })
  t.equal((await receive(alice, withoutRate.id, [1, 1])).statusCode, 200)
  await triggered([item(3, '6.00'), at(3)])
  t.strictSame(await costs(), both(6, 'platform'))
})

t.test('a changed tracking is stored, and its product is read for the levels', async (t) => {
  const { deliverAndApply, costs, readings } = await startItems(t)
  await deliverAndApply('INVENTORY_ITEMS_UPDATE', item(1, '4.00', { tracked: false }))
  t.strictSame(await costs(), both(4, 'platform', false))
  t.equal((await readings()).length, 1)
  await deliverAndApply('INVENTORY_ITEMS_UPDATE', item(2, '4.00'))
  t.strictSame(await costs(), both(4, 'platform', true))
  t.equal((await readings()).length, 2)
})

t.test('unknown items are ignored, invalid payloads rejected, and odd costs count as none', async (t) => {
  const { deliverAndApply, costs } = await startItems(t)
  t.match(
    await deliverAndApply(
      'INVENTORY_ITEMS_UPDATE',
      item(1, '4.00', { id: 99 }),
      item(1, '4.00', { tracked: 'yes' }),
      {},
    ),
    [{ state: 'ignored' }, { state: 'rejected' }, { state: 'rejected' }],
  )
  t.strictSame(await costs(), both(null, null))
  for (const [minute, cost] of ['-1', '1e3', '1000000000.01', 'free'].entries()) {
    await deliverAndApply('INVENTORY_ITEMS_UPDATE', item(minute + 1, cost))
    t.strictSame(await costs(), both(null, null), cost)
  }
  await deliverAndApply('INVENTORY_ITEMS_UPDATE', item(20, 7.5))
  t.strictSame(await costs(), both(7.5, 'platform'))
})
