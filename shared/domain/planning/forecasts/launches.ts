import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import { keptDays } from '../../ledgers/demand/day-steps.ts'
import { type DemandEvent, eventFactorFrom, eventsOf } from '../../ledgers/demand/events.ts'
import { knownDaysOf } from '../../ledgers/demand/known-days.ts'
import { knownWeek } from './weeks.ts'

export const launchWeeks = 8
/** Variants that one statement reads. */
const launchesPerRead = 1_000

const Launch = Type.Object({
  variantId: Id,
  productType: Type.String(),
  vendor: Type.String(),
  /** Days since 5 January 1970. */
  firstDay: Type.Integer(),
  /** Of the weeks since the first day with sales or days without stock: 0 is the first one. */
  weeks: Type.Array(Type.Integer()),
  units: Type.Array(Type.Number()),
  emptyDays: Type.Array(Type.Integer()),
})
type Launch = Static<typeof Launch>

/** The sums of the first weeks of new variants. */
export type Launches = {
  /** Variants with a known week. */
  count: number
  units: number[]
  /** How many variants each week is known of. */
  known: number[]
}

const noLaunches = (): Launches => ({
  count: 0,
  units: new Array<number>(launchWeeks).fill(0),
  known: new Array<number>(launchWeeks).fill(0),
})

/**
 * Sums up the first eight weeks of the variants that were new before `week`, by product type; null is the whole shop. A
 * week counts by the rule of `seriesOf`: with 4 to 6 days in stock it is raised to seven, with fewer it is left out, and
 * events are divided out.
 */
export async function sumLaunches(
  db: Db,
  shopId: number,
  week: string,
  events: readonly DemandEvent[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string | null, Launches>> {
  const sums = new Map<string | null, Launches>([[null, noLaunches()]])
  let after = 0
  for (;;) {
    signal.throwIfAborted()
    const launches = await readLaunches(db, shopId, week, after)
    for (const launch of launches) {
      const weeks = weeksOf(launch, events)
      if (weeks.every((units) => units === null)) continue
      for (const type of [null, launch.productType]) {
        const sum = sums.get(type) ?? noLaunches()
        sums.set(type, sum)
        addWeeks(sum, weeks)
      }
    }
    if (launches.length < launchesPerRead) return sums
    after = launches.at(-1)?.variantId ?? after
  }
}

/**
 * The mean first weeks of the launches. A week that no launch knows has the mean of the one before, at the start that of
 * the first known one.
 *
 * Example: four variants sold 20 each in their first and second week, and were sold out from the third: 20 in all weeks.
 */
export function meanWeeks({ units, known }: Launches): number[] {
  const means = units.map((sum, at) => (known[at] ? sum / known[at] : null))
  let last = means.find((mean) => mean !== null) ?? 0
  return means.map((mean) => {
    last = mean ?? last
    return last
  })
}

/** The variants with a known launch after `afterVariantId`, by id. */
function readLaunches(
  db: Db,
  shopId: number,
  week: string,
  afterVariantId: number,
): Promise<readonly Launch[]> {
  return db.any(sql.type(row(Launch))`
    with known as materialized (${knownDaysOf(shopId)}),
    launched as materialized (
      select y.variant_id, y.first_day, coalesce(p.product_type, '') as product_type, coalesce(p.vendor, '') as vendor
      from variant_velocity y
      join variant v on v.shop_id = ${shopId} and v.id = y.variant_id
      join product p on p.shop_id = ${shopId} and p.id = v.product_id
      cross join known
      where y.shop_id = ${shopId} and y.variant_id > ${afterVariantId} and y.first_day <= ${week}::date - ${launchWeeks * 7}::int
        -- of earlier launches, the first weeks are not known
        and y.first_day >= greatest(known.known_day, known.today - ${keptDays}::int)
      order by y.variant_id
      limit ${launchesPerRead}
    )
    select l.variant_id, l.product_type, l.vendor, l.first_day - date '1970-01-05' as first_day,
      coalesce(w.weeks, '{}') as weeks, coalesce(w.units, '{}') as units, coalesce(w.empty_days, '{}') as empty_days
    from launched l
    left join lateral (
      select array_agg(week::int order by week) as weeks, array_agg(units::float8 order by week) as units,
        array_agg(empty_days::int order by week) as empty_days
      from (
        select (d.day - l.first_day) / 7 as week, sum(d.units) as units,
          count(distinct d.day) filter (where d.is_sold_out) as empty_days
        from demand_day d
        where d.shop_id = ${shopId} and d.variant_id = l.variant_id
          and d.day >= l.first_day and d.day < l.first_day + ${launchWeeks * 7}::int
        group by 1
      ) week
    ) w on true
    order by l.variant_id
  `)
}

/** The demand of the first weeks of a variant without events; null: not known. */
function weeksOf(launch: Launch, events: readonly DemandEvent[]): (number | null)[] {
  const weeks = new Array<number | null>(launchWeeks).fill(0)
  for (const [at, week] of launch.weeks.entries()) {
    weeks[week] = knownWeek(launch.units[at] ?? 0, launch.emptyDays[at] ?? 0)
  }
  const own = eventsOf(events, launch)
  return weeks.map((units, at) => {
    const factor = eventFactorFrom(own, launch.firstDay + at * 7)
    return units === null || factor <= 0 ? null : units / factor
  })
}

function addWeeks(sum: Launches, weeks: readonly (number | null)[]): void {
  sum.count += 1
  for (const [at, units] of weeks.entries()) {
    if (units === null) continue
    sum.units[at] = (sum.units[at] ?? 0) + units
    sum.known[at] = (sum.known[at] ?? 0) + 1
  }
}
