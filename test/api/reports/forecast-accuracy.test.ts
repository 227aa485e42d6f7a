import t, { type Test } from 'tap'
import { type Db, sql } from '../../../shared/db/db.ts'
import { startApp } from '../../support/core/app.ts'
import type { Person } from '../../support/core/people.ts'
import { makeCatalogue } from '../../support/make/demand.ts'
import { variantGid } from '../../support/make/stock.ts'

/** The Monday of the newest four weeks that are over. */
const monday = sql.fragment`date_trunc('week', (now() at time zone 'UTC'))::date - 28`

type Outcome = { variant: number; forecast: number; sold: number; price: number | null; emptyDays?: number }

async function writeOutcomes(db: Db, { shopId }: Person, outcomes: readonly Outcome[]) {
  await makeCatalogue(db, shopId, { variants: outcomes.length })
  await db.query(sql.typeAlias('void')`
    insert into demand_roll_up (shop_id, rolled_until) values (${shopId}, (now() at time zone 'UTC')::date - 1)
  `)
  for (const { variant, forecast, sold, price, emptyDays = 0 } of outcomes) {
    await db.query(sql.typeAlias('void')`
      update variant set price = ${price}, unit_cost = null where shop_id = ${shopId} and gid = ${variantGid(variant)}
    `)
    await db.query(sql.typeAlias('void')`
      insert into forecast_week (shop_id, variant_id, week, units)
      select shop_id, id, ${monday}, ${forecast} from variant where shop_id = ${shopId} and gid = ${variantGid(variant)}
    `)
    await db.query(sql.typeAlias('void')`
      insert into demand_day (shop_id, variant_id, location_id, day, units, in_stock, is_sold_out)
      select v.shop_id, v.id, w.id, ${monday} + at, case when at = 0 then ${sold}::int else 0 end, at = 0, at > 0
      from variant v
      join location w on w.shop_id = v.shop_id
      cross join generate_series(0, ${emptyDays}::int) as at
      where v.shop_id = ${shopId} and v.gid = ${variantGid(variant)}
    `)
  }
}

async function start(t: Test) {
  const context = await startApp(t)
  await writeOutcomes(context.db, context.alice, [
    { variant: 1, forecast: 10, sold: 8, price: 5 },
    { variant: 2, forecast: 20, sold: 30, price: 2 },
    // 6 on 21 days in stock: 8 on 28
    { variant: 3, forecast: 9, sold: 6, price: 100, emptyDays: 7 },
    { variant: 4, forecast: 4, sold: 0, price: null },
    // in stock on 15 days
    { variant: 5, forecast: 50, sold: 1, price: 1, emptyDays: 13 },
  ])
  await writeOutcomes(context.db, context.mallory, [{ variant: 1, forecast: 1, sold: 900, price: 9 }])
  return context
}

t.test('the accuracy of each variant is listed, the largest error in money first', async (t) => {
  const { alice } = await start(t)
  const { data } = (await alice.get('/api/reports/forecast-accuracy')).json()
  t.strictSame(
    data.map((row: Record<string, unknown>) => [
      row.variantId,
      row.forecastUnits,
      row.actualUnits,
      row.daysInStock,
      row.errorUnits,
      row.errorValue,
      row.wape,
    ]),
    [
      [variantGid(3), 9, 8, 21, 1, 100, 0.125],
      [variantGid(2), 20, 30, 28, -10, -20, 0.3333],
      [variantGid(1), 10, 8, 28, 2, 10, 0.25],
      [variantGid(4), 4, 0, 28, 4, null, null],
    ],
  )
  const first = await alice.get('/api/reports/forecast-accuracy?limit=3')
  const next = /^<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? ''
  const variantsOf = (answer: typeof first) =>
    answer.json().data.map(({ variantId }: { variantId: string }) => variantId)
  t.strictSame(variantsOf(first), [3, 2, 1].map(variantGid))
  t.strictSame(variantsOf(await alice.get(next)), [variantGid(4)])
  const csv = (await alice.get('/api/reports/forecast-accuracy', { accept: 'text/csv' })).body
  t.strictSame(
    csv
      .trim()
      .split('\n')
      .map((text) => text.trim().split(',').slice(-5, -1)),
    [
      ['Days in stock', 'Error units', 'Error value (USD)', 'Forecast error (%)'],
      ['21', '1', '100', '12.5'],
      ['28', '-10', '-20', '33.33'],
      ['28', '2', '10', '25'],
      ['28', '4', '', ''],
    ],
  )
})

t.test('the total is weighted by value', async (t) => {
  const { alice, mallory } = await start(t)
  const { data } = (await alice.get('/api/reports/forecast-accuracy/total')).json()
  // |2| x 5 + |-10| x 2 + |1| x 100 = 130, of 8 x 5 + 30 x 2 + 8 x 100 = 900; forecast 50 + 40 + 900 = 990
  t.match(data, {
    wape: 0.1444,
    bias: 0.1,
    trend: 'too_high',
    actualValue: 900,
    forecastValue: 990,
    variantCount: 4,
    outOfStockCount: 1,
  })
  t.equal((Date.parse(data.to) - Date.parse(data.from)) / 86_400_000, 27)
  const other = (await mallory.get('/api/reports/forecast-accuracy/total')).json().data
  t.match(other, { variantCount: 1, trend: 'too_low' }, 'another shop has its own')
  const filtered = (await alice.get('/api/reports/forecast-accuracy/total?productType=Bowl')).json().data
  t.match(filtered, { variantCount: 0, wape: null, trend: null })
})

t.test('the search finds variants, and the total is theirs', async (t) => {
  const { alice } = await start(t)
  const read = async (path: string) => (await alice.get(`/api/reports/forecast-accuracy${path}`)).json().data
  t.match(await read('?search=sku-2'), [{ variantId: variantGid(2) }])
  t.strictSame(await read('?search=nothing'), [])
  t.strictSame(await read('?search=sku-2&vendor=none'), [], 'with the other filters')
  // |-10| x 2 of 30 x 2
  t.match(await read('/total?search=sku-2'), { variantCount: 1, wape: 0.3333, trend: 'too_low' })
})

t.test('before four weeks are over the answer says from when on it knows', async (t) => {
  const { alice, db } = await startApp(t)
  const read = async () => (await alice.get('/api/reports/forecast-accuracy/total')).json().data
  t.match(await read(), { from: null, to: null, readyOn: null, wape: null, variantCount: 0 })
  await makeCatalogue(db, alice.shopId, { variants: 1 })
  await db.query(sql.typeAlias('void')`
    insert into forecast_week (shop_id, variant_id, week, units)
    select shop_id, id, ${monday} + 28, 3 from variant where shop_id = ${alice.shopId}
  `)
  const soon = await read()
  t.match(soon, { from: null, wape: null })
  t.ok(soon.readyOn > new Date().toISOString().slice(0, 10), soon.readyOn)
  t.strictSame((await alice.get('/api/reports/forecast-accuracy')).json().data, [])
})
