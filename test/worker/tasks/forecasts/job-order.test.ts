import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { type Db, row, sql } from '../../../../shared/db/db.ts'
import { recomputeSalesVelocity } from '../../../../shared/domain/ledgers/sales/velocity.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { openTestDb } from '../../../support/core/database.ts'
import { makeShop } from '../../../support/core/people.ts'
import { enqueued, startTasks } from '../../../support/core/worker.ts'
import { type DaySale, makeCatalogue, writeMovements, writeSales } from '../../../support/make/demand.ts'
import { poisson, seeded } from '../../../support/make/series.ts'

const variants = 12

/** Two years of sales of twelve variants: with a season, steady, now and then, and one that is new. */
function makeSales(): DaySale[] {
  const random = seeded(4)
  const demandOf = (number: number, daysAgo: number): number => {
    if (number === 12) return daysAgo < 20 ? 3 : 0
    const season = 1 + 0.6 * Math.sin((2 * Math.PI * daysAgo) / 364 + number)
    return [4 * season, 2, 0.05][number % 3] ?? 0
  }
  return Array.from({ length: 740 }, (_, at) => 740 - at).flatMap((daysAgo) =>
    Array.from({ length: variants }, (_, at) => at + 1).flatMap((number) => {
      const units = poisson(random, demandOf(number, daysAgo))
      return units > 0 ? [{ variant: number, units, daysAgo }] : []
    }),
  )
}

const Numbers = Type.Object({ numbers: Type.Any() })

/** What the night computed, without ids and times. */
const numbersOf = (db: Db, shopId: number) =>
  db.any(sql.type(row(Numbers))`
    select jsonb_build_object(
      'variant', v.gid, 'model', f.model, 'weights', f.weights, 'parameters', f.parameters, 'wape', f.wape,
      'bias', f.bias, 'units', f.units, 'error', f.standard_error, 'point', r.reorder_point,
      'quantity', r.reorder_quantity, 'inputs', r.inputs
    ) as numbers
    from variant v
    left join variant_forecast f on f.shop_id = v.shop_id and f.variant_id = v.id and f.location_id is null
    left join reorder_rule r on r.shop_id = v.shop_id and r.variant_id = v.id
    where v.shop_id = ${shopId}
    order by v.gid
  `)

async function start(t: Test) {
  const { db } = await openTestDb(t)
  const { perform } = await startTasks(t, db)
  const sales = makeSales()
  const make = async (name: 'alice' | 'mallory') => {
    const { shopId } = await makeShop(db, name)
    await makeCatalogue(db, shopId, { variants })
    await writeSales(db, shopId, sales)
    const stock = Array.from({ length: variants }, (_, at) => ({
      variant: at + 1,
      location: 1,
      delta: 40,
      daysAgo: 760,
    }))
    await writeMovements(db, shopId, stock)
    await db.query(sql.typeAlias('void')`
      insert into reorder_rule (shop_id, variant_id, mode, reorder_point, reorder_quantity, created_by)
      select shop_id, id, 'auto', 0, 1, 'a' from variant where shop_id = ${shopId} order by id
    `)
    const work = {
      velocity: () => recomputeSalesVelocity(db, shopId, { isWhole: true }),
      rollUp: () => perform(jobs.rollUpDemand, { shopId }),
      forecasts: () => perform(jobs.recomputeForecasts, { shopId }),
      points: () => perform(jobs.recomputeReorderPoints, { shopId }),
      /** What the forecasts have enqueued. */
      queued: async () => {
        for (const payload of await enqueued(db, jobs.recomputeReorderPoints, shopId)) {
          await perform(jobs.recomputeReorderPoints, payload)
        }
      },
    }
    const run = async (names: readonly (keyof typeof work)[]) => {
      for (const each of names) await work[each]()
      return numbersOf(db, shopId)
    }
    return { shopId, run }
  }
  return { db, make }
}

t.test('the same data gives the same numbers, whatever the order of the jobs, and twice', async (t) => {
  const { db, make } = await start(t)
  const alice = await make('alice')
  const usual = await alice.run(['velocity', 'rollUp', 'forecasts', 'points'])
  const methods = usual.map(({ numbers }) => numbers.inputs?.method)
  t.ok(methods.filter((method) => method !== undefined).length >= 8, 'points come from forecasts')
  t.ok(new Set(methods).size > 2, 'and from several models')
  t.strictSame(await alice.run(['velocity', 'rollUp', 'forecasts', 'points']), usual, 'a second night')
  t.strictSame(await alice.run(['queued', 'points', 'queued']), usual, 'points again')
  // from the beginning, in another shop with the same sales
  const mallory = await make('mallory')
  t.strictSame(
    await mallory.run(['velocity', 'points', 'rollUp', 'rollUp', 'forecasts', 'queued']),
    usual,
    'points before the forecasts are computed again after them',
  )
  await db.query(sql.typeAlias('void')`
    delete from variant_forecast where shop_id = ${mallory.shopId}
  `)
  t.strictSame(await mallory.run(['forecasts', 'queued']), usual, 'forecasts from nothing')
})
