import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { tick, timers } from '../../../../worker/schedule.ts'
import { openTestDb } from '../../../support/core/database.ts'
import { makeShop } from '../../../support/core/people.ts'
import { enqueued, startTasks } from '../../../support/core/worker.ts'
import { dayIn, setTimeZone } from '../../../support/make/sales.ts'
import { closeLocation, makeStock, takeStock } from '../../../support/make/stock.ts'

const job = jobs.snapshotInventoryValue
const Written = Type.Object({ text: Type.String() })

async function start(t: Test) {
  const { db } = await openTestDb(t)
  const { perform } = await startTasks(t, db)
  const alice = await makeShop(db, 'alice')
  await makeStock(db, alice, { variants: 2, locations: 2 })
  await db.query(sql.typeAlias('void')`
    update variant set unit_cost = 1.2345 where shop_id = ${alice.shopId} and sku = 'SKU-1'
  `)
  return {
    db,
    alice,
    snapshot: ({ shopId } = alice) => perform(job, { shopId }),
    written: ({ shopId } = alice) =>
      db.anyFirst(sql.type(row(Written))`
        select concat_ws(' ', d.day, w.name, d.quantity, d.value, d.uncosted_quantity) as text
        from inventory_value_day d
        join location w on w.shop_id = d.shop_id and w.id = d.location_id
        where d.shop_id = ${shopId}
        order by d.day, w.name
      `),
  }
}

const today = dayIn('UTC', new Date())

t.test(
  'the inventory value is stored by location, and a second run on the same day overwrites it',
  async (t) => {
    const { db, alice, snapshot, written } = await start(t)
    await snapshot()
    t.strictSame(await written(), [`${today} Place 1 20 12.350 10`, `${today} Place 2 20 12.350 10`])
    await takeStock(db, alice, { variant: 1, location: 1, quantity: 9 })
    await Promise.all([snapshot(), snapshot()])
    t.strictSame(await written(), [`${today} Place 1 11 1.230 10`, `${today} Place 2 20 12.350 10`])
  },
)

t.test('a closed location without stock is removed from the day', async (t) => {
  const { db, alice, snapshot, written } = await start(t)
  await snapshot()
  await closeLocation(db, alice, 2)
  for (const variant of [1, 2]) await takeStock(db, alice, { variant, location: 2, quantity: 10 })
  await snapshot()
  t.strictSame(await written(), [`${today} Place 1 20 12.350 10`])
})

t.test("the day is in the shop's time zone", async (t) => {
  const { db, alice, snapshot, written } = await start(t)
  const zones = ['Pacific/Pago_Pago', 'Pacific/Kiritimati']
  for (const zone of zones) {
    await setTimeZone(db, alice, zone)
    await snapshot()
  }
  const days = zones.map((zone) => dayIn(zone, new Date()))
  t.not(days[0], days[1])
  t.strictSame([...new Set((await written()).map((text) => text.slice(0, 10)))], days)
})

t.test('an empty shop and an uninstalled one store nothing', async (t) => {
  const { db, alice, snapshot, written } = await start(t)
  const empty = await makeShop(db, 'alice')
  await snapshot(empty)
  t.strictSame(await written(empty), [])
  await db.query(sql.typeAlias('void')`update shop set uninstalled_at = now() where id = ${alice.shopId}`)
  await snapshot()
  t.strictSame(await written(), [])
})

t.test('the night of a shop enqueues a snapshot', async (t) => {
  const { db, alice } = await start(t)
  const mallory = await makeShop(db, 'mallory')
  await tick(db, timers, new Date())
  for (const { shopId } of [alice, mallory]) t.strictSame(await enqueued(db, job, shopId), [{ shopId }])
})
