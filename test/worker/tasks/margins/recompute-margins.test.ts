import t, { type Test } from 'tap'
import { sql } from '../../../../shared/db/db.ts'
import { startOfDays } from '../../../../shared/domain/kit/date-range.ts'
import { recomputeMargins } from '../../../../shared/domain/ledgers/margins/recompute.ts'
import { recordOrders, removeOrders } from '../../../../shared/domain/ledgers/sales/record.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import type { Margin } from '../../../../shared/schemas/reports.ts'
import { startApp } from '../../../support/core/app.ts'
import { keepTransactionOpen, untilBlocked } from '../../../support/core/database.ts'
import { daysAgo } from '../../../support/core/instants.ts'
import type { Person } from '../../../support/core/people.ts'
import { enqueued, startTasks } from '../../../support/core/worker.ts'
import { gidOf } from '../../../support/make/catalogue.ts'
import { line, makeSentOrder, receive } from '../../../support/make/orders.ts'
import { recordSales, saleOf } from '../../../support/make/sales.ts'
import { makeStock, variantGid } from '../../../support/make/stock.ts'

const day = (days: number) => daysAgo(days).toISOString().slice(0, 10)

/** Two shops with three variants each. The stored margins are those of the last `computeAll` and `computeMarked`. */
async function start(t: Test) {
  const { db, alice, mallory } = await startApp(t)
  const { perform } = await startTasks(t, db)
  for (const person of [alice, mallory]) await makeStock(db, person, { variants: 3 })
  const list = async (query = '', person: Person = alice): Promise<Margin[]> =>
    (await person.get(`/api/reports/margin${query}`)).json().data
  return {
    db,
    alice,
    mallory,
    list,
    setCost: (variant: number, unitCost: number) => alice.put(`/api/variants/${variant}`, { unitCost }),
    sell: (variant: number, quantity: number, days: number, { shopId }: Person = alice) =>
      db.transaction((tx) => recordSales(tx, shopId, [saleOf(variant, quantity, daysAgo(days))])),
    computeAll: async ({ shopId }: Person = alice) => {
      await perform(jobs.recomputeSalesVelocity, { shopId, isWhole: true })
      await perform(jobs.recomputeMargins, { shopId })
    },
    computeMarked: ({ shopId }: Person = alice) => perform(jobs.recomputeSalesVelocity, { shopId }),
    velocityJobs: () => enqueued(db, jobs.recomputeSalesVelocity, alice.shopId),
  }
}

t.test('the worker stores the margins of 7, 30 and 90 days, and the report reads them', async (t) => {
  const { db, alice, mallory, list, sell, setCost, computeAll, computeMarked } = await start(t)
  await setCost(1, 4)
  for (const days of [1, 10, 60, 100]) await sell(1, 1, days)
  await sell(1, 7, 1, mallory)
  await computeAll()
  await computeAll(mallory)
  await sell(1, 5, 1)
  t.match(await list(), [{ netUnits: 2, cost: 8 }], 'without dates 30 days, as stored')
  t.match(await list(`?startDate=${day(6)}`), [{ netUnits: 1, cost: 4 }])
  t.match(
    await list(`?startDate=${day(29)}&endDate=${day(0)}`),
    [{ netUnits: 2 }],
    'a period that ends today',
  )
  t.match(await list(`?startDate=${day(89)}`), [{ netUnits: 3, cost: 12 }])
  t.match(
    await list(`?startDate=${day(29)}&endDate=${day(1)}`),
    [{ netUnits: 7 }],
    'others are summed on request',
  )
  t.match(await list(`?startDate=${day(8)}`), [{ netUnits: 6 }])
  t.match(await list('', mallory), [{ netUnits: 7, cost: null }])
  await computeMarked()
  t.match(await list(), [{ netUnits: 7, cost: 28 }])
  t.match(await list('', mallory), [{ netUnits: 7, cost: null }])
  await db.query(sql.typeAlias('void')`
    update margin_period set starts_at = starts_at - interval '1 day' where shop_id = ${alice.shopId}
  `)
  await sell(1, 1, 0)
  t.match(await list(), [{ netUnits: 8 }], 'after midnight the sales are summed until the job of the night')
})

t.test('cancelled, returned and deleted orders change what is stored', async (t) => {
  const { db, alice, list, setCost, computeAll, computeMarked } = await start(t)
  await setCost(1, 4)
  const [orderGid, lineGid] = [gidOf('Order', 1), gidOf('LineItem', 1)]
  const order = (changed: { current: number; returned?: number; isCancelled?: boolean }) =>
    db.transaction((tx) =>
      recordOrders(tx, alice.shopId, [
        {
          orderGid,
          orderedAt: daysAgo(20).toISOString(),
          updatedAt: new Date().toISOString(),
          isTest: false,
          isCancelled: changed.isCancelled ?? false,
          lines: [
            {
              lineGid,
              variantGid: variantGid(1),
              quantity: 6,
              currentQuantity: changed.current,
              unshippedQuantity: 0,
              price: 10,
              discount: 0,
              tax: 0,
            },
          ],
          refunds: changed.returned ? [{ lineGid, quantity: changed.returned, restockType: 'return' }] : [],
          shipments: [{ lineGid, quantity: changed.returned ? 4 : 0 }],
        },
      ]),
    )
  await order({ current: 6 })
  await computeAll()
  t.match(await list(), [{ netUnits: 6, revenue: 60, cost: 24, margin: 36 }])
  await order({ current: 3, returned: 1 })
  await computeMarked()
  t.match(await list(), [{ netUnits: 3, revenue: 30, cost: 12, margin: 18 }], '2 cancelled, 1 returned')
  const deleted = [{ orderGid, deletedAt: new Date().toISOString() }]
  await db.transaction((tx) => removeOrders(tx, alice.shopId, deleted))
  await computeMarked()
  t.strictSame(await list(), [])
  t.strictSame(await list('?groupBy=product'), [])
})

t.test('the first cost of a sold variant enqueues a job that changes its stored margins', async (t) => {
  const { alice, list, sell, setCost, computeAll, computeMarked, velocityJobs } = await start(t)
  for (const variant of [1, 2]) await sell(variant, 2, 5)
  await setCost(3, 1)
  await computeAll()
  const before = (await velocityJobs()).length
  await setCost(3, 2)
  t.equal((await velocityJobs()).length, before, 'not of a variant without sales')
  await setCost(1, 4)
  t.equal((await velocityJobs()).length, before + 1)
  const { id } = await makeSentOrder(alice, { lineItems: [line(2, { quantity: 10, costPrice: 3 })] })
  await receive(alice, id, [10])
  t.equal((await velocityJobs()).length, before + 2, 'also of a receipt')
  t.match(await list(), [{ uncostedUnits: 2 }, { uncostedUnits: 2 }])
  await computeMarked()
  const costed = await list()
  t.match(costed, [{ uncostedUnits: 0 }, { uncostedUnits: 0 }])
  t.strictSame(costed.map(({ cost }) => cost).sort(), [6, 8])
  await setCost(1, 40)
  t.equal((await velocityJobs()).length, before + 2, 'a later cost changes no margin of the past')
  await computeAll()
  t.strictSame(await list(), costed)
})

t.test('a deleted variant keeps its stored margin; at a new price only the night counts', async (t) => {
  const { db, alice, list, sell, computeAll } = await start(t)
  await db.query(sql.typeAlias('void')`update variant set price = 10 where shop_id = ${alice.shopId}`)
  await sell(1, 2, 5)
  await db.query(sql.typeAlias('void')`
    update variant set deleted_at = now() where shop_id = ${alice.shopId} and gid = ${variantGid(1)}
  `)
  await computeAll()
  t.match(await list(), [{ variantId: variantGid(1), revenue: 20 }])
  await db.query(sql.typeAlias('void')`update variant set price = 11 where shop_id = ${alice.shopId}`)
  t.match(await list(), [{ revenue: 20 }])
  await computeAll()
  t.match(await list(), [{ revenue: 22 }])
})

t.test('a run for all variants waits for one of the sold variants, and sees what that one saw', async (t) => {
  const { db, alice, list, sell, computeAll } = await start(t)
  await sell(1, 1, 5)
  await computeAll()
  const commit = await keepTransactionOpen(t, db, (tx) =>
    tx.query(sql.typeAlias('void')`update velocity_run set ran_at = now() where shop_id = ${alice.shopId}`),
  )
  const running = recomputeMargins(db, alice.shopId)
  await untilBlocked(db, 1)
  await sell(1, 3, 5)
  await commit()
  await running
  t.match(await list(), [{ netUnits: 4 }])
})

t.test('the worker stores nothing for a shop that uninstalled the app', async (t) => {
  const { db, alice, sell, computeAll } = await start(t)
  await sell(1, 1, 5)
  await db.query(sql.typeAlias('void')`update shop set uninstalled_at = now() where id = ${alice.shopId}`)
  await computeAll()
  t.notOk(await db.exists(sql.typeAlias('void')`select from margin_period where shop_id = ${alice.shopId}`))
})

t.test('the periods begin at midnight in the time zone of the shop', async (t) => {
  const { db, alice, computeAll } = await start(t)
  await alice.put('/api/settings', { timeZone: 'Pacific/Auckland' })
  await computeAll()
  t.ok(
    await db.exists(sql.typeAlias('void')`
      select from margin_period
      where shop_id = ${alice.shopId} and days = 30 and starts_at = ${startOfDays(alice.shopId, 30)}
    `),
  )
})
