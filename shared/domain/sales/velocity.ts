import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Timestamp } from '../../schemas/common.ts'
import { startOfDays } from '../date-range.ts'
import { lockInstalledShop } from '../shops/shops.ts'

const Starts = Type.Object({ from7d: Timestamp, from30d: Timestamp, from90d: Timestamp })
type Starts = Static<typeof Starts>

const variantsPerStatement = 20_000

/**
 * Computes the sales velocity of the shop's variants: with `isWhole` of all that are not deleted, else of those sold
 * since the last run. Periods end with today, in the shop's time zone. Revenue is the units of 90 days at the current
 * price. The ABC class is computed only with `isWhole`: A while the variants that earn more make up less than 80 % of
 * the revenue, B while less than 95 %, else C; C without revenue. May run twice; concurrent runs of a shop wait.
 */
export function recomputeSalesVelocity(
  db: Db,
  shopId: number,
  { isWhole }: { isWhole: boolean },
): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await lockInstalledShop(tx, shopId))) return
    // locks the row until the end, so that a run which read earlier cannot write later
    await tx.query(sql.typeAlias('void')`
      insert into velocity_run (shop_id, ran_at)
      values (${shopId}, now())
      on conflict (shop_id) do update set ran_at = now()
    `)
    const starts = await tx.one(sql.type(row(Starts))`
      select ${startOfDays(shopId, 7)} as from7d, ${startOfDays(shopId, 30)} as from30d,
        ${startOfDays(shopId, 90)} as from90d
    `)
    const sold = await removeMarks(tx, shopId)
    if (!isWhole) return writeUnits(tx, shopId, starts, sql.fragment`v.id = any(${sql.array(sold, 'int8')})`)
    // enough to hash and sort 100 000 variants without the disk
    await tx.query(sql.typeAlias('void')`set local work_mem = '32MB'`)
    for (let from = 0; ; ) {
      const last = await lastOfSlice(tx, shopId, from)
      if (last === null) break
      await writeUnits(tx, shopId, starts, sql.fragment`v.id > ${from} and v.id <= ${last}`)
      from = last
    }
    await removeDeleted(tx, shopId)
    await writeClasses(tx, shopId)
  })
}

/**
 * The variants sold since the last run. A sale that is stored later than this statement keeps its mark and is counted
 * now or in the next run. Sales of variants that are not synced yet keep their marks, too.
 */
async function removeMarks(tx: Db, shopId: number): Promise<readonly number[]> {
  return tx.anyFirst(sql.typeAlias('id')`
    with marked as (
      delete from velocity_mark m
      using variant v
      where m.shop_id = ${shopId} and v.shop_id = m.shop_id and v.gid = m.variant_gid
      returning v.id
    )
    select distinct id from marked
  `)
}

function lastOfSlice(tx: Db, shopId: number, from: number): Promise<number | null> {
  return tx.oneFirst(sql.typeAlias('maybeId')`
    select max(id) as id
    from (
      select id from variant where shop_id = ${shopId} and id > ${from} order by id limit ${variantsPerStatement}
    ) slice
  `)
}

/** `variants`: the condition on variant `v`. A new row has class C until the next whole run. */
async function writeUnits(
  tx: Db,
  shopId: number,
  starts: Starts,
  variants: ReturnType<typeof sql.fragment>,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    with chosen as (
      select v.id, v.gid, v.price from variant v where v.shop_id = ${shopId} and v.deleted_at is null and ${variants}
    ),
    sold as (
      select variant_gid, sum(quantity) as units_90d, max(ordered_at) as last_sold_at,
        coalesce(sum(quantity) filter (where ordered_at >= ${starts.from7d}::timestamptz), 0) as units_7d,
        coalesce(sum(quantity) filter (where ordered_at >= ${starts.from30d}::timestamptz), 0) as units_30d
      from sale
      where shop_id = ${shopId} and ordered_at >= ${starts.from90d}::timestamptz
        and variant_gid in (select gid from chosen)
      group by variant_gid
    ),
    fresh as (
      select c.id as variant_id, coalesce(s.units_7d, 0) as units_7d, coalesce(s.units_30d, 0) as units_30d,
        coalesce(s.units_90d, 0) as units_90d,
        coalesce(round(s.units_90d * c.price, 2), 0) as revenue_90d,
        coalesce(s.last_sold_at, (
          select max(ordered_at) from sale where shop_id = ${shopId} and variant_gid = c.gid
        )) as last_sold_at
      from chosen c
      left join sold s on s.variant_gid = c.gid
    )
    insert into variant_velocity (
      shop_id, variant_id, units_7d, units_30d, units_90d, revenue_90d, abc_class, last_sold_at
    )
    select ${shopId}::bigint, f.variant_id, f.units_7d, f.units_30d, f.units_90d, f.revenue_90d, 'C', f.last_sold_at
    from fresh f
    left join variant_velocity y on y.shop_id = ${shopId} and y.variant_id = f.variant_id
    where y.variant_id is null
      or (y.units_7d, y.units_30d, y.units_90d, y.revenue_90d, y.last_sold_at)
        is distinct from (f.units_7d, f.units_30d, f.units_90d, f.revenue_90d, f.last_sold_at)
    on conflict (shop_id, variant_id) do update
    set units_7d = excluded.units_7d,
      units_30d = excluded.units_30d,
      units_90d = excluded.units_90d,
      revenue_90d = excluded.revenue_90d,
      last_sold_at = excluded.last_sold_at,
      computed_at = now()
  `)
}

async function writeClasses(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    with classed as (
      select variant_id,
        case
          when revenue_90d = 0 then 'C'
          when sum(revenue_90d) over best - revenue_90d < 0.80 * sum(revenue_90d) over () then 'A'
          when sum(revenue_90d) over best - revenue_90d < 0.95 * sum(revenue_90d) over () then 'B'
          else 'C'
        end as abc_class
      from variant_velocity
      where shop_id = ${shopId}
      window best as (order by revenue_90d desc, variant_id desc rows unbounded preceding)
    )
    update variant_velocity y
    set abc_class = c.abc_class, computed_at = now()
    from classed c
    where y.shop_id = ${shopId} and y.variant_id = c.variant_id and y.abc_class <> c.abc_class
  `)
}

async function removeDeleted(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    delete from variant_velocity y
    using variant v
    where y.shop_id = ${shopId} and v.shop_id = y.shop_id and v.id = y.variant_id and v.deleted_at is not null
  `)
}
