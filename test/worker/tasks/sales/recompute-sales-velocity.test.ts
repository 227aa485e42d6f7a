import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { type Db, row, sql } from '../../../../shared/db/db.ts'
import { upsertProducts } from '../../../../shared/domain/exchange/sync/upsert-products.ts'
import { computeVelocitySoon } from '../../../../shared/domain/ledgers/sales/record.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { tick, timers } from '../../../../worker/schedule.ts'
import { keepTransactionOpen, openTestDb, useOwnDatabase } from '../../../support/core/database.ts'
import { daysAgo, instantIn } from '../../../support/core/instants.ts'
import { makeShop } from '../../../support/core/people.ts'
import { enqueued, startTasks } from '../../../support/core/worker.ts'
import { product, variant } from '../../../support/make/catalogue.ts'
import {
  dayIn,
  recordSales,
  type Sale,
  saleOf,
  setTimeZone,
  velocityOf,
} from '../../../support/make/sales.ts'
import { makeStock, markVariant } from '../../../support/make/stock.ts'

useOwnDatabase()

const job = jobs.recomputeSalesVelocity

async function start(t: Test, { variants = 3 }: { variants?: number } = {}) {
  const { db } = await openTestDb(t)
  const { perform } = await startTasks(t, db)
  const alice = await makeShop(db, 'alice')
  const mallory = await makeShop(db, 'mallory')
  for (const shop of [alice, mallory]) await makeStock(db, shop, { variants })
  const marks = () =>
    db.anyFirst(sql.type(row(Type.Object({ variantGid: Type.String() })))`
      select variant_gid from velocity_mark where shop_id = ${alice.shopId}
    `)
  return {
    db,
    alice,
    mallory,
    marks,
    record: (sales: Sale[], { shopId } = alice) => db.transaction((tx) => sell(tx, shopId, sales)),
    computeAll: ({ shopId } = alice) => perform(job, { shopId, isWhole: true }),
    computeMarked: ({ shopId } = alice) => perform(job, { shopId }),
    velocity: (shop = alice) => velocityOf(db, shop),
    units: async () => (await velocityOf(db, alice)).map(({ d7, d30, d90 }) => [d7, d30, d90].join('/')),
  }
}

/** Records sales as an order webhook does. */
const sell = async (tx: Db, shopId: number, sales: readonly Sale[]) =>
  computeVelocitySoon(tx, shopId, await recordSales(tx, shopId, sales))

const Written = Type.Object({ version: Type.String() })

t.test('a year of sales across both clock changes is counted exactly', async (t) => {
  const zone = 'America/New_York'
  const count = 60
  const { db, alice, record, computeAll, velocity } = await start(t, { variants: count })
  await setTimeZone(db, alice, zone)
  const price = (number: number) => 0.5 + ((number * 37) % 90)
  await db.transaction((tx) =>
    upsertProducts(
      tx,
      alice.shopId,
      Array.from({ length: count }, (_, at) =>
        product(at + 1, [variant(at + 1, { price: price(at + 1).toFixed(2) })]),
      ),
    ),
  )
  let state = 11
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const sales = Array.from({ length: 4_000 }, () => {
    // few variants sell much, the last ones nothing
    const number = 1 + Math.floor((random(1_000) ** 2 / 1_000_000) * (count - 5))
    return saleOf(number, 1 + random(5), instantIn(-random(365 * 86_400) * 1_000))
  })
  // the first and the last millisecond of each period's first day, in summer and winter time
  for (let hours = 0; hours < 24 * 92; hours += 1) {
    const hour = instantIn(-hours * 3_600_000)
    hour.setUTCMinutes(0, 0, 0)
    const before = new Date(hour.getTime() - 1)
    if (dayIn(zone, hour) === dayIn(zone, before)) continue
    sales.push(saleOf(1 + random(9), 1, hour), saleOf(1 + random(9), 1, before))
  }
  await record(sales)
  await computeAll()

  const today = Date.parse(dayIn(zone, new Date()))
  const age = (sale: Sale) => (today - Date.parse(dayIn(zone, new Date(sale.orderedAt)))) / 86_400_000
  const sum = (of: Sale[], days: number) =>
    of.filter((sale) => age(sale) < days).reduce((units, { quantity }) => units + quantity, 0)
  const expected = Array.from({ length: count }, (_, at) => {
    const own = sales.filter(({ variantGid }) => variantGid.endsWith(`/${at + 1}`))
    const lastSoldAt =
      own
        .map(({ orderedAt }) => orderedAt)
        .sort()
        .at(-1) ?? null
    const [d7, d30, d90] = [sum(own, 7), sum(own, 30), sum(own, 90)]
    return {
      variant: at + 1,
      d7,
      d30,
      d90,
      revenue: (d90 * price(at + 1) * 100) / 100,
      abcClass: 'C',
      lastSoldAt,
    }
  })
  const total = expected.reduce((cents, { revenue }) => cents + revenue * 100, 0)
  let before = 0
  for (const variant of [...expected].sort((a, b) => b.revenue - a.revenue || b.variant - a.variant)) {
    if (variant.revenue > 0 && before < total * 0.95) variant.abcClass = before < total * 0.8 ? 'A' : 'B'
    before += variant.revenue * 100
  }
  t.strictSame(await velocity(), expected)
  t.strictSame(new Set(expected.map(({ abcClass }) => abcClass)), new Set(['A', 'B', 'C']))
})

t.test(
  'sales of today enqueue one job that recomputes the sold variants, which keep their class',
  async (t) => {
    const { db, alice, record, computeAll, computeMarked, units, velocity, marks } = await start(t)
    await record([saleOf(1, 100, daysAgo(1)), saleOf(2, 1, daysAgo(1))])
    await computeAll()
    t.strictSame(await marks(), [])
    const classes = async () => (await velocity()).map(({ abcClass }) => abcClass).join('')
    t.equal(await classes(), 'ACC')

    await db.query(sql.typeAlias('void')`
    update variant_velocity set units_7d = 55 where shop_id = ${alice.shopId} and units_7d = 100
  `)
    await record([saleOf(2, 1_000, daysAgo(0)), saleOf(2, 1, daysAgo(0))])
    await record([saleOf(3, 5, daysAgo(0))])
    t.equal((await marks()).length, 2)
    t.strictSame(
      await enqueued(db, job, alice.shopId),
      [{ shopId: alice.shopId }],
      'one job for all sold variants',
    )
    await computeMarked()
    t.strictSame(
      await units(),
      ['55/100/100', '1002/1002/1002', '5/5/5'],
      'the unsold variant was not recomputed',
    )
    t.equal(await classes(), 'ACC')
    t.strictSame(await marks(), [])
    await computeMarked()
    await computeAll()
    t.strictSame(await units(), ['100/100/100', '1002/1002/1002', '5/5/5'])
    t.equal(await classes(), 'BAC')
  },
)

t.test('later sales do not postpone the waiting job', async (t) => {
  const { db, alice, record } = await start(t)
  const Waiting = Type.Object({ runAt: Type.String(), inSeconds: Type.Number() })
  const waiting = () =>
    db.one(sql.type(row(Waiting))`
      select run_at::text, extract(epoch from run_at - created_at) as in_seconds
      from graphile_worker.jobs
      where key = ${`shop:${alice.shopId}:recompute-sales-velocity`}
    `)
  await record([saleOf(1, 1, daysAgo(0))])
  const first = await waiting()
  t.equal(Math.round(first.inSeconds), 10, 'ten seconds from the sale')
  await record([saleOf(1, 1, daysAgo(0))])
  t.equal((await waiting()).runAt, first.runAt)
})

t.test('a repeated order webhook is counted once', async (t) => {
  const { record, marks, computeMarked, units } = await start(t)
  const sale = saleOf(1, 2, daysAgo(0))
  await record([sale, saleOf(1, 3, daysAgo(0))])
  await computeMarked()
  await record([sale])
  t.strictSame(await marks(), [])
  t.strictSame(await units(), ['5/5/5'], 'the other variants wait for the nightly job')
})

t.test('a sale committed during a computation is part of the next one', async (t) => {
  const { db, alice, record, computeAll, computeMarked, units, marks } = await start(t)
  await record([saleOf(1, 1, daysAgo(0))])
  const release = await keepTransactionOpen(t, db, (tx) => sell(tx, alice.shopId, [saleOf(1, 5, daysAgo(0))]))
  await computeAll()
  t.match(await units(), ['1/1/1', '0/0/0', '0/0/0'])
  await release()
  t.equal((await marks()).length, 1)
  await Promise.all([computeMarked(), computeAll(), computeMarked()])
  t.match(await units(), ['6/6/6', '0/0/0', '0/0/0'])
})

t.test('concurrent orders of the same variants lose no sale', async (t) => {
  const { record, computeAll, computeMarked, units } = await start(t)
  const orders = Array.from({ length: 30 }, () => [1, 2, 3].map((number) => saleOf(number, 1, daysAgo(1))))
  const computing = Array.from({ length: 4 }, () => computeMarked())
  await Promise.all([...orders.map((sales) => record(sales)), ...computing, computeAll()])
  await computeMarked()
  t.strictSame(await units(), ['30/30/30', '30/30/30', '30/30/30'])
})

t.test('the last sale is stored, however long ago it was', async (t) => {
  const { record, computeAll, velocity } = await start(t)
  const [old, older] = [daysAgo(300), daysAgo(400)]
  await record([saleOf(1, 4, old), saleOf(1, 4, older)])
  await computeAll()
  t.match(await velocity(), [{ d90: 0, revenue: 0, lastSoldAt: old.toISOString() }, { lastSoldAt: null }, {}])
})

t.test('a new variant has a velocity after its first sale, or after the nightly job', async (t) => {
  const { db, alice, record, computeAll, computeMarked, units } = await start(t)
  await computeAll()
  await makeStock(db, alice, { variants: 5 })
  await record([saleOf(4, 1, daysAgo(0)), saleOf(99, 1, daysAgo(0))])
  await computeMarked()
  t.strictSame(await units(), ['0/0/0', '0/0/0', '0/0/0', '1/1/1'])
  await computeAll()
  t.equal((await units()).length, 5)
})

t.test('velocities of deleted variants are removed, and stored again when the variants return', async (t) => {
  const { db, alice, record, computeAll, computeMarked, units } = await start(t)
  await record([saleOf(1, 1, daysAgo(0)), saleOf(2, 2, daysAgo(0))])
  await computeAll()
  await markVariant(db, alice, 1, 'deleted')
  await record([saleOf(1, 1, daysAgo(0))])
  await computeMarked()
  await computeAll()
  t.strictSame(await units(), ['2/2/2', '0/0/0'])
  await markVariant(db, alice, 1, 'counted')
  await computeAll()
  t.strictSame(await units(), ['2/2/2', '2/2/2', '0/0/0'])
})

t.test('unchanged rows are not written', async (t) => {
  const { db, alice, record, computeAll } = await start(t)
  const versions = () =>
    db.anyFirst(sql.type(row(Written))`
      select xmin::text || ctid::text as version from variant_velocity where shop_id = ${alice.shopId} order by variant_id
    `)
  await record([saleOf(1, 1, daysAgo(0))])
  await computeAll()
  const before = await versions()
  await computeAll()
  t.strictSame(await versions(), before)
  await record([saleOf(2, 1, daysAgo(40))])
  await computeAll()
  const [first, second, third] = await versions()
  t.strictSame([first, third], [before[0], before[2]])
  t.not(second, before[1])
})

t.test('a shop without products, and one without sales, has nothing to compute', async (t) => {
  const { db, computeAll, computeMarked, units, velocity } = await start(t)
  const empty = await makeShop(db, 'alice')
  await computeAll(empty)
  await computeMarked(empty)
  t.strictSame(await velocity(empty), [])
  await computeAll()
  t.strictSame(await units(), ['0/0/0', '0/0/0', '0/0/0'])
})

t.test('sales of another shop with the same products count for that shop', async (t) => {
  const { mallory, record, computeAll, computeMarked, units, velocity } = await start(t)
  await record([saleOf(1, 7, daysAgo(0))], mallory)
  await computeMarked()
  await computeAll()
  t.strictSame(await units(), ['0/0/0', '0/0/0', '0/0/0'])
  await computeMarked(mallory)
  t.match(await velocity(mallory), [{ variant: 1, d7: 7 }])
})

t.test('the job stores nothing for an uninstalled shop', async (t) => {
  const { db, alice, record, computeAll, velocity } = await start(t)
  await record([saleOf(1, 7, daysAgo(0))])
  await db.query(sql.typeAlias('void')`update shop set uninstalled_at = now() where id = ${alice.shopId}`)
  await computeAll()
  t.strictSame(await velocity(), [])
})

t.test('the night of a shop enqueues a full computation', async (t) => {
  const { db, alice, mallory } = await start(t)
  await tick(db, timers, new Date())
  for (const { shopId } of [alice, mallory]) {
    t.strictSame(await enqueued(db, job, shopId), [{ shopId, isWhole: true }])
  }
})
