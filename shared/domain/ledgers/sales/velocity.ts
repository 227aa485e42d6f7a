import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { enqueue, jobKey } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import { Id, Timestamp } from '../../../schemas/common.ts'
import { timeZoneOf, todayOf } from '../../kit/date-range.ts'
import { forVariantBatches, variantsPerStatement } from '../../records/catalogue/variant-batches.ts'
import { currencyOf } from '../../records/shops/currency.ts'
import { inInstalledShop } from '../../records/shops/shops.ts'
import { startOfKnownDays } from '../demand/known-days.ts'
import { markVariants } from '../demand/marks.ts'
import { rolledUntil } from '../demand/sold-at-location.ts'
import { removeVelocityMarks } from '../demand/velocity-marks.ts'
import { recomputeMarginsOf } from '../margins/recompute.ts'
import { keptYears } from './record.ts'
import { requestPoints } from './request-points.ts'

const Starts = Type.Object({ from7d: Timestamp, from30d: Timestamp, from90d: Timestamp })
type Starts = Static<typeof Starts>

const classesPerStatement = 5_000

/**
 * Computes the sales velocity of the shop's variants: with `isWhole` of all that are not deleted, else of those whose
 * sales changed since the last run. Periods end with today, in the shop's time zone, and do not begin before the sales
 * of the shop are known. Revenue is that of the order lines of 90 days; sales of an earlier release count at the current
 * price. The ABC classes are computed with `isWhole`, and when sales of earlier days changed: A while the variants that
 * earn more make up less than 80 % of the revenue, B while less than 95 %, else C; C without revenue. Changed sales of
 * earlier days also enqueue the automatic reorder points of their variants, and mark their demand
 * (`shared/domain/ledgers/demand/`). It also refreshes the stored margins of these variants; with `isWhole`, the job `recompute-margins`
 * does it. With `isWhole` it enqueues the first roll-up of demand once the orders are read, so that the forecasts do not wait for the
 * night; the roll-up reads the first days of the variants. May run twice; concurrent runs wait.
 */
export async function recomputeSalesVelocity(
  db: Db,
  shopId: number,
  { isWhole }: { isWhole: boolean },
): Promise<void> {
  await inInstalledShop(db, shopId, async (tx) => {
    // locks the row until the end, so that a run which read earlier cannot write later
    await tx.query(sql.typeAlias('void')`
      insert into velocity_run (shop_id, ran_at)
      values (${shopId}, now())
      on conflict (shop_id) do update set ran_at = excluded.ran_at
    `)
    const starts = await tx.one(sql.type(row(Starts))`
      select ${startOfKnownDays(shopId, 7)} as from7d, ${startOfKnownDays(shopId, 30)} as from30d,
        ${startOfKnownDays(shopId, 90)} as from90d
    `)
    const marked = await removeVelocityMarks(tx, shopId)
    if (isWhole) {
      // enough to hash and sort 100 000 variants without the disk
      await tx.query(sql.typeAlias('void')`set local work_mem = '32MB'`)
      await forVariantBatches(tx, shopId, (variants) => writeUnits(tx, shopId, starts, variants))
      await removeDeleted(tx, shopId)
    } else {
      const ids = marked.map(({ id }) => id)
      for (let from = 0; from < ids.length; from += variantsPerStatement) {
        const batch = ids.slice(from, from + variantsPerStatement)
        await writeUnits(tx, shopId, starts, sql.fragment`v.id = any(${sql.array(batch, 'int8')})`)
      }
      await recomputeMarginsOf(tx, shopId, ids)
    }
    const past = marked.filter(({ isPast }) => isPast).map(({ id }) => id)
    if (isWhole || past.length > 0) await writeClasses(tx, shopId)
    await markVariants(tx, shopId, past)
    await requestPoints(tx, shopId, past)
    if (!isWhole) return
    await enqueue(tx, jobs.recomputeMargins, { shopId })
    if (await isFirstRollUpDue(tx, shopId)) {
      await enqueue(tx, jobs.rollUpDemand, { shopId }, { key: jobKey(jobs.rollUpDemand, shopId) })
    }
  })
}

/** The orders of the shop are read, and its demand was never rolled up. */
function isFirstRollUpDue(tx: Db, shopId: number): Promise<boolean> {
  return tx.exists(sql.typeAlias('void')`
    select from sales_reading
    where shop_id = ${shopId} and read_until is not null and ${rolledUntil(shopId)} is null
  `)
}

/**
 * `variants`: the condition on variant `v`. A new row has class C until the classes are computed. The first day of a
 * variant, whichever is earlier: its first stock above zero or its first sale.
 *
 * 1. A stored first day before the 90 days stays: it limits no period any more.
 * 2. A variant that existed at the shop's first catalogue sync has had stock for an unknown time: its sales are
 *    known as long as those of the shop, unless the platform created it within the 90 days.
 * 3. A later variant without stock and sales has the day when it appeared.
 */
async function writeUnits(
  tx: Db,
  shopId: number,
  starts: Starts,
  variants: ReturnType<typeof sql.fragment>,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    with shop as materialized (
      select ${timeZoneOf(shopId)} as time_zone, ${todayOf(shopId)} - 90 as from_day,
        minor_digits(${currencyOf(shopId)}) as digits,
        (
          select min(finished_at) from catalog_sync where shop_id = ${shopId} and state = 'done'
        ) as first_synced_at
    ),
    chosen as (
      select v.id, v.gid, v.price, v.platform_created_at,
        least(v.platform_created_at, v.created_at) as appeared_at
      from variant v
      where v.shop_id = ${shopId} and v.deleted_at is null and ${variants}
    ),
    sold as (
      select variant_gid, sum(quantity - cancelled) as units_90d, sum(returned) as returned_90d,
        max(ordered_at) filter (where quantity > cancelled) as last_sold_at,
        sum(revenue) as revenue, sum(quantity - cancelled) filter (where revenue is null) as units_without_revenue,
        coalesce(sum(quantity - cancelled) filter (where ordered_at >= ${starts.from7d}::timestamptz), 0) as units_7d,
        coalesce(sum(quantity - cancelled) filter (where ordered_at >= ${starts.from30d}::timestamptz), 0) as units_30d,
        coalesce(sum(returned) filter (where ordered_at >= ${starts.from7d}::timestamptz), 0) as returned_7d,
        coalesce(sum(returned) filter (where ordered_at >= ${starts.from30d}::timestamptz), 0) as returned_30d
      from sale
      where shop_id = ${shopId} and ordered_at >= ${starts.from90d}::timestamptz
        and variant_gid in (select gid from chosen)
      group by variant_gid
    ),
    fresh as (
      select c.id as variant_id, coalesce(s.units_7d, 0) as units_7d, coalesce(s.units_30d, 0) as units_30d,
        coalesce(s.units_90d, 0) as units_90d, coalesce(s.returned_7d, 0) as returned_7d,
        coalesce(s.returned_30d, 0) as returned_30d, coalesce(s.returned_90d, 0) as returned_90d,
        coalesce(s.revenue, 0) + coalesce(round(s.units_without_revenue * c.price, shop.digits), 0) as revenue_90d,
        coalesce(s.last_sold_at, (
          select max(ordered_at) from sale
          where shop_id = ${shopId} and variant_gid = c.gid and quantity > cancelled
        ), case
          when y.last_sold_at < now() - make_interval(years => ${keptYears}) then y.last_sold_at
        end) as last_sold_at,
        case
          when y.first_day <= shop.from_day then y.first_day
          when coalesce(c.appeared_at <= shop.first_synced_at, true)
            and coalesce(
              (c.platform_created_at at time zone shop.time_zone)::date <= shop.from_day, true
            ) then null
          else (
            coalesce(
              least(
                case when coalesce(c.appeared_at <= shop.first_synced_at, true) then c.platform_created_at end,
                (
                  select min(occurred_at) from stock_movement
                  where shop_id = ${shopId} and variant_id = c.id and new_quantity > 0
                ),
                (
                  select min(ordered_at) from sale
                  where shop_id = ${shopId} and variant_gid = c.gid and quantity > cancelled
                )
              ),
              c.appeared_at
            ) at time zone shop.time_zone
          )::date
        end as first_day,
        y.variant_id is null as is_new,
        row(
          y.units_7d, y.units_30d, y.units_90d, y.returned_7d, y.returned_30d, y.returned_90d, y.revenue_90d,
          y.last_sold_at, y.first_day
        ) as before
      from chosen c
      cross join shop
      left join sold s on s.variant_gid = c.gid
      left join variant_velocity y on y.shop_id = ${shopId} and y.variant_id = c.id
    )
    insert into variant_velocity (
      shop_id, variant_id, units_7d, units_30d, units_90d, returned_7d, returned_30d, returned_90d, revenue_90d,
      abc_class, last_sold_at, first_day
    )
    select ${shopId}::bigint, f.variant_id, f.units_7d, f.units_30d, f.units_90d, f.returned_7d, f.returned_30d,
      f.returned_90d, f.revenue_90d, 'C', f.last_sold_at, f.first_day
    from fresh f
    where f.is_new
      or f.before is distinct from row(
        f.units_7d, f.units_30d, f.units_90d, f.returned_7d, f.returned_30d, f.returned_90d, f.revenue_90d,
        f.last_sold_at, f.first_day
      )
    on conflict (shop_id, variant_id) do update
    set units_7d = excluded.units_7d,
      units_30d = excluded.units_30d,
      units_90d = excluded.units_90d,
      returned_7d = excluded.returned_7d,
      returned_30d = excluded.returned_30d,
      returned_90d = excluded.returned_90d,
      revenue_90d = excluded.revenue_90d,
      last_sold_at = excluded.last_sold_at,
      first_day = excluded.first_day,
      computed_at = excluded.computed_at
  `)
}

const Changed = Type.Object({ id: Id, abcClass: Type.String() })

/** Ranks the whole shop in one statement, and writes the classes that changed in batches: a write takes longer. */
async function writeClasses(tx: Db, shopId: number): Promise<void> {
  const changed = await tx.any(sql.type(row(Changed))`
    select variant_id as id, abc_class
    from (
      select variant_id, abc_class as stored,
        case
          when revenue_90d = 0 then 'C'
          when sum(revenue_90d) over best - revenue_90d < 0.80 * sum(revenue_90d) over () then 'A'
          when sum(revenue_90d) over best - revenue_90d < 0.95 * sum(revenue_90d) over () then 'B'
          else 'C'
        end as abc_class
      from variant_velocity
      where shop_id = ${shopId}
      window best as (order by revenue_90d desc, variant_id desc rows unbounded preceding)
    ) classed
    where abc_class <> stored
    order by variant_id
  `)
  const rows = changed.map(({ id, abcClass }) => [id, abcClass])
  for (let from = 0; from < rows.length; from += classesPerStatement) {
    const batch = rows.slice(from, from + classesPerStatement)
    await tx.query(sql.typeAlias('void')`
      update variant_velocity y
      set abc_class = c.abc_class, computed_at = now()
      from ${sql.unnest(batch, ['int8', 'text'])} as c (variant_id, abc_class)
      where y.shop_id = ${shopId} and y.variant_id = c.variant_id
    `)
  }
}

async function removeDeleted(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    delete from variant_velocity y
    using variant v
    where y.shop_id = ${shopId} and v.shop_id = ${shopId} and v.id = y.variant_id and v.deleted_at is not null
  `)
}
