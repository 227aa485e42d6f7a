import { Type } from '@sinclair/typebox'
import t from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { deliveryJobs, enqueued } from '../../../support/core/worker.ts'
import { level, startStock } from '../../../support/platform/webhooks.ts'

t.test('an update sets the level and adds a movement', async (t) => {
  const { deliverAndApply, levels, movements } = await startStock(t)
  await deliverAndApply('INVENTORY_LEVELS_UPDATE', level(7, 1))
  await deliverAndApply('INVENTORY_LEVELS_UPDATE', level(-2, 2))
  t.strictSame(await levels(), [{ quantity: -2, platformQuantity: -2 }])
  t.strictSame(await movements(), [
    { previousQuantity: 0, newQuantity: 7, kind: 'platform' },
    { previousQuantity: 7, newQuantity: -2, kind: 'platform' },
  ])
})

t.test('older updates never overwrite newer ones, in one list or in several', async (t) => {
  const { deliverAndApply, levels, movements } = await startStock(t)
  const outcomes = await deliverAndApply('INVENTORY_LEVELS_UPDATE', level(3, 30), level(9, 50), level(4, 40))
  t.ok(outcomes.every(({ state }) => state === 'applied'))
  await deliverAndApply('INVENTORY_LEVELS_UPDATE', level(1, 10))
  t.strictSame(await levels(), [{ quantity: 9, platformQuantity: 9 }])
  t.equal((await movements()).length, 1)
})

t.test('two quantities with one time enqueue a read of the level', async (t) => {
  const { db, alice, deliverAndApply } = await startStock(t)
  const syncCount = async () => (await enqueued(db, jobs.syncProduct, alice.shopId)).length
  await deliverAndApply('INVENTORY_LEVELS_UPDATE', level(3, 1), level(3, 1))
  t.equal(await syncCount(), 0, 'an equal quantity is not ambiguous')
  await deliverAndApply('INVENTORY_LEVELS_UPDATE', level(4, 1))
  t.equal(await syncCount(), 1, 'updates in two lists')
  await deliverAndApply('INVENTORY_LEVELS_UPDATE', level(5, 2), level(6, 2))
  t.equal(await syncCount(), 2, 'updates in one list')
})

t.test('a pending push is kept when an update arrives', async (t) => {
  const { db, alice, deliverAndApply, levels } = await startStock(t)
  await deliverAndApply('INVENTORY_LEVELS_UPDATE', level(10, 1))
  await db.query(sql.typeAlias('void')`
    update stock_level set quantity = quantity + 5 where shop_id = ${alice.shopId}
  `)
  await deliverAndApply('INVENTORY_LEVELS_UPDATE', level(8, 2))
  t.strictSame(await levels(), [{ quantity: 13, platformQuantity: 8 }])
})

t.test('an update of a shared item applies to each of its variants', async (t) => {
  const { deliverAndApply, levels } = await startStock(t, 2)
  await deliverAndApply('INVENTORY_LEVELS_UPDATE', level(4, 1))
  t.strictSame(await levels(), [
    { quantity: 4, platformQuantity: 4 },
    { quantity: 4, platformQuantity: 4 },
  ])
})

t.test('an untracked variant is marked until it is tracked again', async (t) => {
  const { db, alice, deliverAndApply } = await startStock(t)
  const isTracked = () =>
    db.oneFirst(sql.type(row(Type.Object({ isTracked: Type.Boolean() })))`
      select is_tracked from variant where shop_id = ${alice.shopId}
    `)
  await deliverAndApply('INVENTORY_LEVELS_UPDATE', level(null, 1))
  t.equal(await isTracked(), false)
  await deliverAndApply('INVENTORY_LEVELS_UPDATE', level(2, 20))
  t.equal(await isTracked(), true)
  await deliverAndApply('INVENTORY_LEVELS_UPDATE', level(null, 10))
  t.equal(await isTracked(), true, 'an older update changes nothing')
})

t.test('an unknown item or location is fetched before its update is applied', async (t) => {
  const { db, alice, deliverAndApply, levels } = await startStock(t)
  const outcomes = await deliverAndApply(
    'INVENTORY_LEVELS_UPDATE',
    level(1, 1, { inventory_item_id: 99 }),
    level(1, 1, { location_id: 98 }),
    level(1, 1),
  )
  t.strictSame(
    outcomes.map(({ state }) => state),
    ['received', 'received', 'applied'],
  )
  t.equal((await deliveryJobs(db, jobs.fetchInventoryItems, alice.shopId)).flat().length, 2)
  t.equal((await levels()).length, 1)
})

t.test('an empty or broken body is rejected', async (t) => {
  const { deliverAndApply, levels } = await startStock(t)
  const outcomes = await deliverAndApply(
    'INVENTORY_LEVELS_UPDATE',
    {},
    level(1, 1, { available: '1' }),
    level(1.5, 1),
    level(4e9, 1),
    { inventory_item_id: 5, location_id: 6 },
    level(1, 1, { updated_at: 'yesterday' }),
  )
  t.ok(outcomes.every(({ state }) => state === 'rejected'))
  t.strictSame(await levels(), [])
})

t.test('concurrent lists in any order keep the newest update and do not deadlock', async (t) => {
  const { app: _app, db, alice, deliverAndApply, levels, movements } = await startStock(t)
  const { applyPlatformLevels } = await import(
    '../../../../shared/domain/ledgers/stock/platform/platform-updates.ts'
  )
  await deliverAndApply('INVENTORY_LEVELS_UPDATE', level(1, 1))
  const [variantId, locationId] = await Promise.all([
    db.oneFirst(sql.typeAlias('id')`select id from variant where shop_id = ${alice.shopId}`),
    db.oneFirst(sql.typeAlias('id')`select id from location where shop_id = ${alice.shopId}`),
  ])
  const minutes = Array.from({ length: 40 }, (_, at) => (at * 17) % 40)
  await Promise.all(
    minutes.map((minute) =>
      db.transaction((tx) =>
        applyPlatformLevels(tx, alice.shopId, [
          {
            variantId,
            locationId,
            available: minute,
            updatedAt: `2026-11-02T10:${String(minute).padStart(2, '0')}:00Z`,
          },
        ]),
      ),
    ),
  )
  t.strictSame(await levels(), [{ quantity: 39, platformQuantity: 39 }])
  const all = await movements()
  t.ok(
    all.every((movement, at) => movement.previousQuantity === (all[at - 1]?.newQuantity ?? 0)),
    'each movement starts where the previous one ended',
  )
})
