import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { type Db, row, sql } from '../../../../shared/db/db.ts'
import { markVariants } from '../../../../shared/domain/ledgers/demand/marks.ts'
import { closeRollUp, rollUpBatch } from '../../../../shared/domain/ledgers/demand/roll-up.ts'
import { recomputeSalesVelocity } from '../../../../shared/domain/ledgers/sales/velocity.ts'
import { applyPlatformLevels } from '../../../../shared/domain/ledgers/stock/platform/platform-updates.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import {
  keepTransactionOpen,
  openTestDb,
  untilBlocked,
  useOwnDatabase,
} from '../../../support/core/database.ts'
import { daysAgo } from '../../../support/core/instants.ts'
import { makeShop } from '../../../support/core/people.ts'
import { enqueued, startTasks } from '../../../support/core/worker.ts'
import { demandLines, makeCatalogue, writeMovements, writeSales } from '../../../support/make/demand.ts'
import { recordSales, saleOf, setTimeZone } from '../../../support/make/sales.ts'
import { locationGid, variantGid } from '../../../support/make/stock.ts'

useOwnDatabase()

async function start(t: Test, catalogue: { variants: number; locations?: number }) {
  const { db } = await openTestDb(t)
  const { shopId } = await makeShop(db, 'alice')
  await makeCatalogue(db, shopId, catalogue)
  const { perform } = await startTasks(t, db)
  return { db, shopId, perform, rollUp: () => perform(jobs.rollUpDemand, { shopId }) }
}

t.test('the worker puts a sale to the locations whose stock the platform lowered', async (t) => {
  const { db, shopId, rollUp } = await start(t, { variants: 3, locations: 2 })
  await writeMovements(db, shopId, [
    ...[1, 2, 3].flatMap((variant) =>
      [1, 2].map((location) => ({ variant, location, delta: 50, daysAgo: 90, kind: 'receipt' })),
    ),
    { variant: 1, location: 2, delta: -3, daysAgo: 5 },
    { variant: 2, location: 1, delta: -2, daysAgo: 5 },
    { variant: 2, location: 2, delta: -3, daysAgo: 5 },
    // our own changes are no sales
    { variant: 2, location: 1, delta: -9, daysAgo: 5, kind: 'transfer' },
    { variant: 3, location: 2, delta: -4, daysAgo: 20 },
    { variant: 3, location: 1, delta: -4, daysAgo: 20 },
  ])
  await writeSales(db, shopId, [
    { variant: 1, units: 3, daysAgo: 5 },
    { variant: 2, units: 5, daysAgo: 5, cancelled: 2 },
    { variant: 3, units: 3, daysAgo: 6 },
    { variant: 3, units: 2, daysAgo: 60 },
    // today is not over
    { variant: 1, units: 7, daysAgo: 0 },
  ])
  await rollUp()
  t.strictSame(await demandLines(db, shopId), [
    '1@2 -5: 3',
    '2@1 -5: 2',
    '2@2 -5: 3',
    // no movement of the day: like the last 28 days, half and half of 3
    '3@1 -6: 2',
    '3@2 -6: 1',
    // no movement at all: the primary location
    '3@1 -60: 2',
  ])
  t.strictSame(await enqueued(db, jobs.recomputeForecasts, shopId), [{ shopId }])
  t.strictSame(await enqueued(db, jobs.recomputeReorderPoints, shopId), [{ shopId, isOnlyNew: true }])
})

t.test('a day without stock is stored as such, not as a demand of zero', async (t) => {
  const { db, shopId, rollUp } = await start(t, { variants: 1, locations: 2 })
  await writeMovements(db, shopId, [
    { variant: 1, location: 1, delta: 5, daysAgo: 20, kind: 'receipt' },
    { variant: 1, location: 2, delta: 2, daysAgo: 20, kind: 'receipt' },
    { variant: 1, location: 1, delta: -5, daysAgo: 10 },
    { variant: 1, location: 2, delta: -2, daysAgo: 8 },
    { variant: 1, location: 1, delta: 4, daysAgo: 6, kind: 'receipt' },
    { variant: 1, location: 1, delta: -1, daysAgo: 2 },
  ])
  await writeSales(db, shopId, [
    { variant: 1, units: 5, daysAgo: 10 },
    { variant: 1, units: 2, daysAgo: 8 },
    { variant: 1, units: 1, daysAgo: 2 },
  ])
  await rollUp()
  const lines = await demandLines(db, shopId)
  t.strictSame(
    lines.filter((line) => line.startsWith('1@1')),
    ['1@1 -2: 1', '1@1 -6: sold out', '1@1 -7: sold out', '1@1 -8: none', '1@1 -9: none', '1@1 -10: 5'],
  )
  t.strictSame(
    lines.filter((line) => line.startsWith('1@2')),
    [
      '1@2 -1: none',
      '1@2 -2: none',
      '1@2 -3: none',
      '1@2 -4: none',
      '1@2 -5: none',
      '1@2 -6: sold out',
      '1@2 -7: sold out',
      '1@2 -8: 2',
    ],
  )
})

t.test('a location that was stocked after the first sync had no stock before', async (t) => {
  const { db, shopId, rollUp } = await start(t, { variants: 2, locations: 3 })
  await db.query(sql.typeAlias('void')`
    insert into catalog_sync (shop_id, state, phase, finished_at)
    values (${shopId}, 'done', 'locations', now() - interval '12 days')
  `)
  await db.query(sql.typeAlias('void')`
    update variant set created_at = now() - interval '20 days' where shop_id = ${shopId}
  `)
  await writeMovements(db, shopId, [
    // the sync found 2 pieces of variant 1 at the first location; the second one was opened a week later
    { variant: 1, location: 1, delta: 2, daysAgo: 12 },
    { variant: 1, location: 1, delta: -2, daysAgo: 9 },
    { variant: 1, location: 2, delta: 5, daysAgo: 5, kind: 'receipt' },
    { variant: 1, location: 2, delta: -1, daysAgo: 2 },
  ])
  // the platform lists variant 1 at the third location too, always with 0
  await db.query(sql.typeAlias('void')`
    insert into stock_level (shop_id, variant_id, location_id, quantity)
    select ${shopId}, v.id, w.id, 0
    from variant v
    join location w on w.shop_id = ${shopId} and w.gid = ${locationGid(3)}
    where v.shop_id = ${shopId} and v.gid = ${variantGid(1)}
  `)
  await writeSales(db, shopId, [
    { variant: 1, units: 1, daysAgo: 15 },
    { variant: 1, units: 2, daysAgo: 9 },
    { variant: 1, units: 1, daysAgo: 2 },
  ])
  await rollUp()
  const lines = await demandLines(db, shopId)
  t.strictSame(
    lines.filter((line) => line.startsWith('1@1')),
    [
      ...['1@1 -1: none', '1@1 -2: none', '1@1 -3: none', '1@1 -4: none'],
      // the stock of the day 5 came after its start
      ...['1@1 -5: sold out', '1@1 -6: sold out', '1@1 -7: sold out', '1@1 -8: sold out'],
      ...['1@1 -9: 2', '1@1 -15: 1'],
    ],
  )
  t.strictSame(
    lines.filter((line) => line.startsWith('1@2')),
    [
      ...['1@2 -2: 1', '1@2 -5: sold out', '1@2 -6: sold out', '1@2 -7: sold out', '1@2 -8: sold out'],
      ...['1@2 -9: none', '1@2 -10: none', '1@2 -11: none'],
    ],
    'nothing is known of the days before the sync',
  )
  t.strictSame(
    lines.filter((line) => line.startsWith('1@3')),
    [],
  )
})

t.test('a night adds a day, and a run from the beginning gives the same days', async (t) => {
  const { db, shopId, rollUp } = await start(t, { variants: 2, locations: 2 })
  await writeMovements(db, shopId, [
    ...[1, 2].flatMap((variant) =>
      [1, 2].map((location) => ({ variant, location, delta: 30, daysAgo: 50, kind: 'receipt' })),
    ),
    { variant: 1, location: 1, delta: -30, daysAgo: 9 },
    { variant: 1, location: 2, delta: -30, daysAgo: 3 },
    { variant: 2, location: 2, delta: -2, daysAgo: 20 },
  ])
  await writeSales(db, shopId, [
    { variant: 1, units: 7, daysAgo: 9 },
    { variant: 1, units: 5, daysAgo: 3 },
    { variant: 2, units: 2, daysAgo: 20 },
    { variant: 2, units: 3, daysAgo: 1 },
  ])
  await rollUp()
  const all = await demandLines(db, shopId)
  t.ok(all.length > 10)
  await rollUp()
  t.strictSame(await demandLines(db, shopId), all, 'a second run changes nothing')
  for (const days of [1, 2, 4]) {
    // as in the night before the last days
    await db.query(sql.typeAlias('void')`
      delete from demand_day where shop_id = ${shopId} and day >= (now() at time zone 'UTC')::date - ${days}::int
    `)
    await db.query(sql.typeAlias('void')`
      update demand_roll_up set rolled_until = (now() at time zone 'UTC')::date - ${days + 1}::int
      where shop_id = ${shopId}
    `)
    await rollUp()
    t.strictSame(await demandLines(db, shopId), all, `after ${days} missing days`)
  }
})

t.test('a location that sells for the first time has the days of a run from the beginning', async (t) => {
  const { db, shopId, rollUp } = await start(t, { variants: 1, locations: 2 })
  await db.query(sql.typeAlias('void')`
    insert into catalog_sync (shop_id, state, phase, finished_at)
    values (${shopId}, 'done', 'locations', now() - interval '60 days')
  `)
  await writeMovements(db, shopId, [
    { variant: 1, location: 1, delta: 90, daysAgo: 60 },
    { variant: 1, location: 1, delta: -1, daysAgo: 28 },
    // the second location was opened ten days ago
    { variant: 1, location: 2, delta: 40, daysAgo: 10, kind: 'receipt' },
    { variant: 1, location: 2, delta: -20, daysAgo: 1 },
  ])
  await writeSales(db, shopId, [
    { variant: 1, units: 1, daysAgo: 28 },
    { variant: 1, units: 20, daysAgo: 1 },
  ])
  await rollUp()
  const all = await demandLines(db, shopId)
  const second = all.filter((line) => line.startsWith('1@2'))
  // the variant sells since day 28, and the second location had no stock until day 10: 19 days
  t.strictSame(second, ['1@2 -1: 20', ...Array.from({ length: 19 }, (_, at) => `1@2 -${10 + at}: none`)])
  // as in the nights before
  await db.query(sql.typeAlias('void')`delete from demand_day where shop_id = ${shopId} and units <> 1`)
  for (const daysAgo of [9, 2]) {
    await db.query(sql.typeAlias('void')`
      update demand_roll_up set rolled_until = (now() at time zone 'UTC')::date - ${daysAgo}::int where shop_id = ${shopId}
    `)
    await rollUp()
    t.strictSame(await demandLines(db, shopId), all, `when the last ${daysAgo - 1} days are new`)
    await db.query(sql.typeAlias('void')`delete from demand_day where shop_id = ${shopId} and units <> 1`)
  }
})

t.test('a run that crosses midnight leaves the new day to the next night, for all variants', async (t) => {
  const { db, shopId, rollUp } = await start(t, { variants: 2 })
  await rollUp()
  await writeSales(db, shopId, [
    { variant: 1, units: 4, daysAgo: 1 },
    { variant: 2, units: 5, daysAgo: 1 },
    { variant: 2, units: 6, daysAgo: 2 },
  ])
  const first = await db.oneFirst(
    sql.typeAlias('id')`select min(id) as id from variant where shop_id = ${shopId}`,
  )
  // the first batch, with variant 1, ran yesterday and rolled up the day before
  await db.query(sql.typeAlias('void')`
    update demand_roll_up set rolled_until = rolling_to - 2, rolling_to = rolling_to - 1 where shop_id = ${shopId}
  `)
  t.equal((await db.transaction((tx) => rollUpBatch(tx, shopId, first))).next, null)
  await db.transaction((tx) => closeRollUp(tx, shopId))
  t.strictSame(await demandLines(db, shopId), ['2@1 -2: 6'])
  await rollUp()
  t.strictSame(await demandLines(db, shopId), ['1@1 -1: 4', '2@1 -1: 5', '2@1 -2: 6'])
})

t.test('a changed order of an earlier day changes its demand, and makes the forecast stale', async (t) => {
  const { db, shopId, rollUp } = await start(t, { variants: 1 })
  await rollUp()
  t.strictSame(await demandLines(db, shopId), [])
  await db.transaction((tx) => recordSales(tx, shopId, [saleOf(1, 4, daysAgo(30))]))
  await recomputeSalesVelocity(db, shopId, { isWhole: false })
  await rollUp()
  t.strictSame(await demandLines(db, shopId), ['1@1 -30: 4'])
})

t.test('a level that is known after the night puts the sales of its day to its location', async (t) => {
  const { db, shopId, rollUp } = await start(t, { variants: 2, locations: 2 })
  await writeMovements(
    db,
    shopId,
    [1, 2].flatMap((variant) =>
      [1, 2].map((location) => ({ variant, location, delta: 50, daysAgo: 90, kind: 'receipt' })),
    ),
  )
  await writeSales(db, shopId, [
    { variant: 1, units: 3, daysAgo: 1 },
    { variant: 2, units: 4, daysAgo: 1 },
  ])
  await rollUp()
  t.strictSame(await demandLines(db, shopId), ['1@1 -1: 3', '2@1 -1: 4'])
  const marks = () =>
    db.anyFirst(sql.typeAlias('id')`select variant_id as id from demand_mark where shop_id = ${shopId}`)
  const [variantId = 0] = await db.anyFirst(
    sql.typeAlias('id')`select id from variant where shop_id = ${shopId} and gid = ${variantGid(1)}`,
  )
  const [locationId = 0] = await db.anyFirst(
    sql.typeAlias('id')`select id from location where shop_id = ${shopId} and gid = ${locationGid(2)}`,
  )
  const report = (available: number, updatedAt: Date) =>
    db.transaction((tx) =>
      applyPlatformLevels(tx, shopId, [
        { variantId, locationId, available, updatedAt: updatedAt.toISOString() },
      ]),
    )
  await report(60, daysAgo(1.1))
  t.strictSame(await marks(), [], 'more stock is no sale')
  await report(57, daysAgo(1))
  t.strictSame(await marks(), [variantId])
  await rollUp()
  t.strictSame(await demandLines(db, shopId), ['1@2 -1: 3', '2@1 -1: 4'])
  await report(56, new Date())
  t.strictSame(await marks(), [], 'today is not rolled up yet')
})

t.test('a run waits for a velocity that is being computed, and sees its first day', async (t) => {
  const { db, shopId, rollUp } = await start(t, { variants: 1 })
  await db.query(sql.typeAlias('void')`
    insert into catalog_sync (shop_id, state, phase, finished_at)
    values (${shopId}, 'done', 'locations', now() - interval '12 days')
  `)
  const compute = (tx: Db) => recomputeSalesVelocity(tx, shopId, { isWhole: false })
  await db.transaction((tx) => recordSales(tx, shopId, [saleOf(1, 2, daysAgo(3))]))
  await compute(db)
  // its webhook was late: the first day of the variant was earlier
  await db.transaction((tx) => recordSales(tx, shopId, [saleOf(1, 1, daysAgo(5))]))
  const commit = await keepTransactionOpen(t, db, compute)
  const rolledUp = rollUp()
  await Promise.race([rolledUp, untilBlocked(db, 1)])
  await commit()
  await rolledUp
  await rollUp()
  t.strictSame(await demandLines(db, shopId), ['1@1 -3: 2', '1@1 -5: 1'])
})

t.test('a day is a day of the shop, and days before the sales are known are left out', async (t) => {
  const { db, shopId, rollUp } = await start(t, { variants: 1 })
  await setTimeZone(db, { shopId }, 'Pacific/Kiritimati') // UTC+14: noon is 2 o'clock of the next day
  await db.query(sql.typeAlias('void')`
    update sales_reading set known_since = now() - interval '10 days' where shop_id = ${shopId}
  `)
  await writeSales(db, shopId, [
    { variant: 1, units: 1, daysAgo: 5 },
    { variant: 1, units: 1, daysAgo: 20 },
  ])
  await rollUp()
  t.strictSame(await demandLines(db, shopId), ['1@1 -4: 1'])
  await db.query(sql.typeAlias('void')`
    update sales_reading set known_since = now() - interval '40 days' where shop_id = ${shopId}
  `)
  await rollUp()
  t.strictSame(await demandLines(db, shopId), ['1@1 -4: 1', '1@1 -19: 1'], 'earlier sales became known')
})

const Units = Type.Object({ day: Type.String(), units: Type.Integer() })
const [east, west] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'] // UTC+14 and UTC-11: 25 hours

for (const [before, after] of [
  [east, west],
  [west, east],
] as const) {
  t.test(`a shop that moves from ${before} to ${after} has each sale on one day`, async (t) => {
    const { db, shopId, rollUp } = await start(t, { variants: 2 })
    await db.query(sql.typeAlias('void')`
      update sales_reading set known_since = now() - interval '60 hours' where shop_id = ${shopId}
    `)
    const sold = Array.from({ length: 17 }, (_, at) => saleOf(1 + (at % 2), 1, daysAgo(at / 6)))
    await db.transaction((tx) => recordSales(tx, shopId, sold))
    const expectDays = async (timeZone: string) => {
      const days = await db.any(sql.type(row(Units))`
        select day::text, sum(units)::int as units from demand_day where shop_id = ${shopId} and units > 0 group by 1 order by 1
      `)
      const wanted = await db.any(sql.type(row(Units))`
        select (ordered_at at time zone ${timeZone})::date::text as day, count(*)::int as units
        from sale
        where shop_id = ${shopId} and (ordered_at at time zone ${timeZone})::date < (now() at time zone ${timeZone})::date
          and (ordered_at at time zone ${timeZone})::date >= ((now() - interval '60 hours') at time zone ${timeZone})::date
        group by 1
        order by 1
      `)
      t.ok(wanted.length >= 2)
      t.strictSame(days, wanted, timeZone)
    }
    for (const timeZone of [before, after]) {
      await setTimeZone(db, { shopId }, timeZone)
      await recomputeSalesVelocity(db, shopId, { isWhole: true })
      await rollUp()
      await expectDays(timeZone)
      await rollUp()
      await expectDays(timeZone)
    }
  })
}

t.test('a shop of the release before, with a zone of its own, has all days rolled up once', async (t) => {
  const { db, shopId, rollUp } = await start(t, { variants: 1 })
  await writeSales(db, shopId, [{ variant: 1, units: 1, daysAgo: 5 }])
  await rollUp()
  await db.query(sql.typeAlias('void')`update demand_day set units = 2 where shop_id = ${shopId}`)
  await rollUp()
  t.strictSame(await demandLines(db, shopId), ['1@1 -5: 2'], 'a night adds a day')
  await db.query(sql.typeAlias('void')`update demand_roll_up set time_zone = null where shop_id = ${shopId}`)
  await rollUp()
  t.strictSame(await demandLines(db, shopId), ['1@1 -5: 1'])
})

t.test('the worker rolls up the demand of one shop only, and keeps 800 days', async (t) => {
  const { db, shopId, rollUp, perform } = await start(t, { variants: 1 })
  const mallory = await makeShop(db, 'mallory')
  await makeCatalogue(db, mallory.shopId, { variants: 1 })
  await writeSales(db, mallory.shopId, [{ variant: 1, units: 9, daysAgo: 4 }])
  await writeSales(db, shopId, [
    { variant: 1, units: 1, daysAgo: 4 },
    { variant: 1, units: 1, daysAgo: 790 },
  ])
  await rollUp()
  t.strictSame(await demandLines(db, mallory.shopId), [])
  await db.query(sql.typeAlias('void')`
    update demand_day set day = day - 20 where shop_id = ${shopId} and units = 1 and day < current_date - 700
  `)
  await perform(jobs.rollUpDemand, { shopId })
  t.strictSame(await demandLines(db, shopId), ['1@1 -4: 1'])
})

t.test('a first run takes as few variants that sell much as one statement can read', async (t) => {
  const { db, shopId, rollUp } = await start(t, { variants: 30 })
  const sell = (variants: number) =>
    db.query(sql.typeAlias('void')`
      insert into sale (shop_id, order_gid, line_gid, variant_gid, quantity, ordered_at)
      select ${shopId}, 'much-' || n, 'much-' || n, 'gid://platform/ProductVariant/' || 1 + n % ${variants}::int, 1,
        now() - make_interval(days => 1 + n / ${variants}::int)
      from generate_series(0, ${variants * 700 - 1}::int) n
    `)
  // 30 x 700 = 21 000 sales, and one statement reads 10 000: 14 variants
  await sell(30)
  const ids = await db.anyFirst(sql.typeAlias('id')`
    select id from variant where shop_id = ${shopId} order by id
  `)
  t.strictSame(
    ids,
    ids.toSorted((a, b) => a - b),
  )
  const batch = async (after: number) => (await db.transaction((tx) => rollUpBatch(tx, shopId, after))).next
  t.equal(await batch(0), ids[13])
  t.equal(await batch(ids[13] ?? 0), ids[27])
  t.equal(await batch(ids[27] ?? 0), null)
  const days = () =>
    db.oneFirst(sql.typeAlias('id')`select count(*) as id from demand_day where shop_id = ${shopId}`)
  const first = await days()
  t.ok(first >= 30 * 699, `${first}`)
  await db.transaction((tx) => closeRollUp(tx, shopId))
  await db.transaction((tx) => markVariants(tx, shopId, ids))
  await rollUp()
  t.equal(await days(), first, 'all days of marked variants are written again, in several statements')
})
