import { Type } from '@sinclair/typebox'
import t from 'tap'
import { type Db, row, sql } from '../../../../shared/db/db.ts'
import type { Person } from '../../../support/core/people.ts'
import { deliver, orderBody, sign, startDeliveries } from '../../../support/platform/webhooks.ts'

const Sold = Type.Object({ variantGid: Type.String(), lineGid: Type.String(), quantity: Type.Integer() })
const sales = (db: Db, { shopId }: Person) =>
  db.any(sql.type(row(Sold))`
    select variant_gid, line_gid, quantity from sale where shop_id = ${shopId} order by line_gid
  `)

t.test('each line of an order is recorded as one sale, however often its webhook arrives', async (t) => {
  const { db, alice, mallory, deliverAndApply, applyAll } = await startDeliveries(t)
  const order = orderBody(7, [
    [1, 11, 2],
    [2, 11, 3],
  ])
  t.match(await deliverAndApply('ORDERS_CREATE', order, order), [{ state: 'applied' }, { state: 'applied' }])
  await applyAll('ORDERS_CREATE')
  t.strictSame(await sales(db, alice), [
    { variantGid: 'gid://platform/ProductVariant/11', lineGid: 'gid://platform/LineItem/1', quantity: 2 },
    { variantGid: 'gid://platform/ProductVariant/11', lineGid: 'gid://platform/LineItem/2', quantity: 3 },
  ])
  t.strictSame(await sales(db, mallory), [])
})

t.test('a line that a body has twice is one sale', async (t) => {
  const { db, alice, deliverAndApply } = await startDeliveries(t)
  const order = orderBody(7, [
    [1, 11, 2],
    [1, 11, 2],
  ])
  t.match(await deliverAndApply('ORDERS_CREATE', order), [{ state: 'applied' }])
  t.match(await sales(db, alice), [{ quantity: 2 }])
  t.equal((await sales(db, alice)).length, 1)
})

t.test('lines without a product are counted and skipped', async (t) => {
  const { db, alice, deliverAndApply } = await startDeliveries(t)
  const [outcome] = await deliverAndApply(
    'ORDERS_CREATE',
    orderBody(8, [
      [1, null, 1],
      [2, 11, 1],
      [3, 12, 0],
    ]),
  )
  t.strictSame(outcome, { state: 'applied', reason: '2 lines without a variant or units were skipped.' })
  t.equal((await sales(db, alice)).length, 1)
  const [ofOne] = await deliverAndApply('ORDERS_CREATE', orderBody(9, [[1, 11, 0]]))
  t.strictSame(ofOne, { state: 'applied', reason: '1 line without a variant or units was skipped.' })
})

t.test(
  'a line that lost all its units sold nothing, and one that lost its product keeps its sale',
  async (t) => {
    const { db, alice, deliverAndApply } = await startDeliveries(t)
    const state = (updated_at: string, lines: [number, number | null, number][]) => ({
      ...orderBody(7, lines),
      updated_at,
    })
    const sold: [number, number | null, number][] = [
      [1, 11, 3],
      [2, 12, 2],
    ]
    await deliverAndApply('ORDERS_CREATE', state('2026-11-01T10:00:00Z', sold))
    t.match(await sales(db, alice), [{ quantity: 3 }, { quantity: 2 }])
    // 3 - 3 units of the first line are left; the product of the second one was deleted
    const later = state('2026-11-01T11:00:00Z', [
      [1, 11, 0],
      [2, null, 2],
    ])
    await deliverAndApply('ORDERS_UPDATED', later)
    t.strictSame(await sales(db, alice), [
      { variantGid: 'gid://platform/ProductVariant/12', lineGid: 'gid://platform/LineItem/2', quantity: 2 },
    ])
  },
)

t.test('ids keep every digit', async (t) => {
  const { db, alice, deliverAndApply } = await startDeliveries(t)
  const body = `{"id":820982911946154508,"created_at":"2026-11-01T00:00:00Z","line_items":[
    {"id":9007199254740993,"variant_id":18446744073709551615,"quantity":1}]}`
  await deliverAndApply('ORDERS_CREATE', body)
  t.strictSame(await sales(db, alice), [
    {
      variantGid: 'gid://platform/ProductVariant/18446744073709551615',
      lineGid: 'gid://platform/LineItem/9007199254740993',
      quantity: 1,
    },
  ])
})

t.test('invalid payloads are rejected with a reason and do not block others', async (t) => {
  const { db, alice, deliverAndApply } = await startDeliveries(t)
  const outcomes = await deliverAndApply(
    'ORDERS_CREATE',
    'not json',
    Buffer.from([0x7b, 0xff, 0x7d]),
    {},
    [],
    { ...orderBody(9, []), line_items: [{ id: 1, variant_id: -1, quantity: 1 }] },
    { ...orderBody(10, []), line_items: [{ id: 1, variant_id: 1, quantity: 1e300 }] },
    orderBody(11, [[1, 11, 1]]),
  )
  t.strictSame(
    outcomes.map(({ state }) => state),
    ['rejected', 'rejected', 'rejected', 'rejected', 'rejected', 'rejected', 'applied'],
  )
  t.match(outcomes[0], { reason: 'The payload is not JSON.' })
  t.match(outcomes[2], { reason: /Invalid payload: \/id/ })
  t.equal((await sales(db, alice)).length, 1)
})

t.test('a delivery that the database refuses is retried alone', async (t) => {
  const { app, db, alice, perform, applyAll } = await startDeliveries(t)
  await db.query(sql.typeAlias('void')`
    alter table sale add constraint refused check (order_gid <> 'gid://platform/Order/13') not valid
  `)
  await deliver(app, sign(alice, 'orders/create', orderBody(12, [[1, 11, 1]])))
  await deliver(app, sign(alice, 'orders/create', orderBody(13, [[1, 11, 1]])))
  await deliver(app, sign(alice, 'orders/create', orderBody(14, [[1, 11, 1]])))
  const deliveries = await db.anyFirst(sql.typeAlias('id')`
    select id from webhook_delivery where shop_id = ${alice.shopId} order by id
  `)
  const { jobs } = await import('../../../../shared/queue/jobs.ts')
  const list = deliveries.map((deliveryId) => ({ shopId: alice.shopId, deliveryId }))
  const pending = (await perform(jobs.applyOrders, list, { isLast: true })) as Promise<void>[]
  const outcomes = await Promise.allSettled(pending)
  t.strictSame(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  t.equal((await sales(db, alice)).length, 2)
  const states = await db.anyFirst(sql.type(row(Type.Object({ state: Type.String() })))`
    select state from webhook_delivery where shop_id = ${alice.shopId} order by id
  `)
  t.strictSame(states, ['applied', 'failed', 'applied'])
  await t.rejects(applyAll('ORDERS_CREATE'), 'the failed delivery stays and fails again')
})

t.test('a sale is of the time when the order was processed, in older bodies of its creation', async (t) => {
  const { db, alice, deliverAndApply } = await startDeliveries(t)
  const body = (id: number, fields: object) => ({ ...orderBody(id, [[id, 11, 1]]), ...fields })
  await deliverAndApply(
    'ORDERS_CREATE',
    body(1, { processed_at: '2024-03-01T10:00:00+01:00' }),
    body(2, { processed_at: null }),
    body(3, {}),
  )
  const times = await db.anyFirst(sql.type(row(Type.Object({ orderedAt: Type.String() })))`
    select ordered_at from sale where shop_id = ${alice.shopId} order by line_gid
  `)
  const created = '2026-11-01T09:00:00.000Z'
  t.strictSame(times, ['2024-03-01T09:00:00.000Z', created, created])
})

t.test('a sale without a time is of the time of its delivery, else of its arrival', async (t) => {
  const { app, db, alice, applyAll } = await startDeliveries(t)
  const body = (id: number, created_at?: null) => ({
    ...{ id, ...(created_at === null && { created_at }) },
    line_items: [{ id, variant_id: 11, quantity: 1 }],
  })
  const triggered = { 'x-platform-triggered-at': '2026-11-01T10:00:00.123456789Z' }
  await deliver(app, sign(alice, 'orders/create', body(1), triggered))
  await deliver(app, sign(alice, 'orders/create', body(2, null), triggered))
  await deliver(app, sign(alice, 'orders/create', body(3), { 'x-platform-triggered-at': '' }))
  await applyAll('ORDERS_CREATE')
  const times = await db.anyFirst(sql.type(row(Type.Object({ orderedAt: Type.String() })))`
    select ordered_at from sale where shop_id = ${alice.shopId} order by line_gid
  `)
  const [arrival] = await db.anyFirst(sql.type(row(Type.Object({ receivedAt: Type.String() })))`
    select received_at from webhook_delivery where shop_id = ${alice.shopId} and triggered_at is null
  `)
  t.strictSame(times, ['2026-11-01T10:00:00.123Z', '2026-11-01T10:00:00.123Z', arrival])
})
