import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { growShop, withoutTimeouts } from '../dev/demo/large-shop.ts'
import { loadConfig } from '../shared/config.ts'
import { type Db, openDb, sql } from '../shared/db/db.ts'
import { recomputeSalesVelocity } from '../shared/domain/ledgers/sales/velocity.ts'
import type { Night } from './forecast/night.ts'
import { measureWaits, type Waits } from './forecast/waits.ts'
import { type BenchOptions, runBench } from './support/command.ts'
import type { Figure } from './support/figures.ts'
import {
  type BenchSystem,
  environment,
  makeBenchShop,
  memorySettings,
  withBenchSystem,
} from './support/system.ts'

/** `--variants 20000`: a shop that a busy machine measures in ten minutes. */
const largeSize = Number(/--variants[ =](\d+)/.exec(process.argv.join(' '))?.[1] ?? 100_000)

type Nights = { variants: number; first: Night; weekly: Night; daily: Night; waits: Waits | null }

/**
 * The nights of a shop with two years of sales, in a process of its own with one connection:
 * 1. the first, which reads all sales;
 * 2. the first of a week, which forecasts every variant again;
 * 3. any other, when no earlier sale changed;
 * 4. the first of a week again in a worker, while jobs of another shop arrive: how long they wait.
 */
async function measureForecast({ isQuick }: BenchOptions): Promise<Figure[]> {
  const sizes = isQuick ? [1_000, 200] : [largeSize, 1_000]
  return withBenchSystem(async (system) => {
    const db = await openDb(loadConfig(environment(system.databaseUrl), 'web'), 2)
    try {
      const nights: Nights[] = []
      for (const [at, variants] of sizes.entries()) {
        nights.push(await measureNights(system, db, { variants, hasWaits: at === 0 }))
      }
      const [large, small] = nights
      if (!small || !large) throw new Error('No shop was measured')
      return figuresOf(small, large)
    } finally {
      await db.end()
    }
  })
}

async function measureNights(
  system: BenchSystem,
  db: Db,
  { variants, hasWaits }: { variants: number; hasWaits: boolean },
): Promise<Nights> {
  const shop = await makeBenchShop(db)
  await withoutTimeouts(system.databaseUrl, async (patient) => {
    await growShop(patient, shop, { variants, sales: variants * 5, orders: 300 })
    await sellForTwoYears(patient, shop.shopId, variants)
    await patient.query(
      sql.typeAlias('void')`update reorder_rule set mode = 'auto' where shop_id = ${shop.shopId}`,
    )
    await patient.query(sql.typeAlias('void')`vacuum analyze`)
  })
  await recomputeSalesVelocity(db, shop.shopId, { isWhole: true })
  const goBack = () => withoutTimeouts(system.databaseUrl, (patient) => goBackInTime(patient, shop.shopId))
  const night = async (name: string) => {
    const done = await runNight(system.databaseUrl, shop.shopId)
    console.log(`${variants} variants, ${name}: ${JSON.stringify(done)}`)
    return done
  }
  const first = await night('the first night')
  await goBack()
  const weekly = await night('first night of a week')
  const daily = await night('any other night')
  if (hasWaits) await goBack()
  const waits = hasWaits ? await measureWaits(system, db, shop.shopId) : null
  return { variants, first, weekly, daily, waits }
}

/** 40 sales per variant in 728 days, most of them of few variants, with a season. */
async function sellForTwoYears(db: Db, shopId: number, variants: number): Promise<void> {
  await db.query(sql.typeAlias('void')`
    insert into sales_reading (shop_id, known_since) values (${shopId}, now() - interval '740 days')
  `)
  await db.query(sql.typeAlias('void')`
    insert into sale (shop_id, order_gid, line_gid, variant_gid, quantity, ordered_at)
    select ${shopId}, 'two-years-' || n / 3, 'two-years-' || n,
      'gid://platform/ProductVariant/' || 1 + floor(${variants}::int * random() ^ 3)::int, 1 + n % 3,
      now() - interval '1 day' * (364 * (n % 2) + 364 * power(random(), 1.5))
    from generate_series(1, ${variants * 40}::int) n
  `)
}

/** As in the first night of a week: a day is missing, and the forecasts are of the week before. */
async function goBackInTime(db: Db, shopId: number): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update demand_roll_up set rolled_until = rolled_until - 1 where shop_id = ${shopId}
  `)
  await db.query(sql.typeAlias('void')`update variant_forecast set week = week - 7 where shop_id = ${shopId}`)
  await db.query(sql.typeAlias('void')`update type_profile set week = week - 7 where shop_id = ${shopId}`)
}

async function runNight(databaseUrl: string, shopId: number): Promise<Night> {
  const file = fileURLToPath(new URL('./forecast/night.ts', import.meta.url))
  const env = { ...environment(databaseUrl), ...(await memorySettings()), SHOP_ID: String(shopId) }
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env })
  return JSON.parse(stdout)
}

const secondsOf = ({ rollUp, profiles, forecasts, points, planning }: Night) =>
  rollUp + profiles + forecasts + points + planning

const processorOf = ({ processor }: Night) => processor.node + processor.postgres

function figuresOf(small: Nights, large: Nights): Figure[] {
  const nights = (name: 'first' | 'weekly' | 'daily', what: string): Figure[] => [
    {
      what: `forecasts of ${large.variants} variants, ${what}`,
      unit: 's',
      value: secondsOf(large[name]),
      baseline: { what: `for ${small.variants} variants`, value: secondsOf(small[name]) },
      detail: { small: small[name], large: large[name] },
    },
    {
      what: 'its processor time, of Node and Postgres',
      unit: 's',
      value: processorOf(large[name]),
      baseline: { what: `for ${small.variants} variants`, value: processorOf(small[name]) },
      // time on one core, whatever else the machine does
      target: { of: 'value', at: 'max', limit: 600 },
    },
  ]
  return [
    ...nights('first', 'the first night'),
    ...nights('weekly', 'first night of a week'),
    ...nights('daily', 'any other night'),
    {
      what: `its peak memory`,
      unit: 'MiB',
      value: Math.max(large.first.memory, large.weekly.memory, large.daily.memory),
      baseline: { what: `for ${small.variants} variants`, value: small.weekly.memory },
      target: { of: 'value', at: 'max', limit: 200 },
    },
    ...(large.waits === null
      ? []
      : [
          {
            what: `its peak memory in a worker`,
            unit: 'MiB',
            value: large.waits.memory,
            baseline: { what: 'before the night', value: large.waits.memoryBefore },
            target: { of: 'value', at: 'max', limit: 200 } as const,
          },
          {
            what: `99 of 100 other jobs wait, during this night`,
            unit: 's',
            value: large.waits.p99,
            baseline: { what: 'the median', value: large.waits.median },
            target: { of: 'value', at: 'max', limit: 2 } as const,
            detail: { ...large.waits },
          },
        ]),
  ]
}

if (import.meta.main) await runBench('forecast', measureForecast)
