import { type Static, Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { Timestamp } from '../../../schemas/common.ts'
import { startOfDays } from '../../kit/date-range.ts'
import { forVariantBatches } from '../../records/catalogue/variant-batches.ts'
import { currencyOf } from '../../records/shops/currency.ts'
import { inInstalledShop } from '../../records/shops/shops.ts'
import { rankOf, sumsOfSales } from './sums.ts'

/** The margin report reads what is stored of these periods, and sums the sales of any other. */
const storedDays = [7, 30, 90] as const

/** So many variants can be joined row by row. */
const maxFew = 1_000

const Start = Type.Object({ from: Timestamp })
const StoredPeriod = Type.Object({ days: Type.Integer(), from: Timestamp })
type StoredPeriod = Static<typeof StoredPeriod>

/**
 * Stores what all variants earned in the periods that end today, in one transaction for each period. May run twice. A concurrent run
 * of the velocity waits, since it refreshes the same rows (`recomputeMarginsOf`).
 */
export async function recomputeMargins(db: Db, shopId: number): Promise<void> {
  for (const days of storedDays) {
    await inInstalledShop(db, shopId, async (tx) => {
      if (!(await lockVelocity(tx, shopId))) return
      const { from } = await tx.one(sql.type(row(Start))`select ${startOfDays(shopId, days)} as from`)
      await tx.query(sql.typeAlias('void')`
        insert into margin_period (shop_id, days, starts_at)
        values (${shopId}, ${days}, ${from}::timestamptz)
        on conflict (shop_id, days) do update set starts_at = excluded.starts_at
      `)
      // enough to hash and sort 100 000 variants without the disk
      await tx.query(sql.typeAlias('void')`set local work_mem = '32MB'`)
      // hash joins only: of a range of ids in a database of many shops, Postgres expects few variants, and would compare each with each
      // (on 18) or sort all sales (on 15)
      await tx.query(sql.typeAlias('void')`set local enable_nestloop = off`)
      await tx.query(sql.typeAlias('void')`set local enable_mergejoin = off`)
      await forVariantBatches(tx, shopId, (variants) => writeMargins(tx, shopId, { days, from }, variants))
    })
  }
}

/** Refreshes the stored margins of some variants, in the transaction that computes their velocity. */
export async function recomputeMarginsOf(tx: Db, shopId: number, ids: readonly number[]): Promise<void> {
  const periods = await tx.any(sql.type(row(StoredPeriod))`
    select days, starts_at as from from margin_period where shop_id = ${shopId} order by days
  `)
  for (const period of periods) {
    for (let from = 0; from < ids.length; from += maxFew) {
      const batch = sql.array(ids.slice(from, from + maxFew), 'int8')
      await writeMargins(tx, shopId, period, sql.fragment`v.id = any(${batch})`)
    }
  }
}

/** Locks the shop's row of `velocity_run`. The run that enqueued this job wrote it. */
async function lockVelocity(tx: Db, shopId: number): Promise<boolean> {
  const locked = await tx.maybeOne(sql.typeAlias('id')`
    select shop_id as id from velocity_run where shop_id = ${shopId} for update
  `)
  return locked !== null
}

/** Deletes the rows of variants without a sale in the period, and writes those that differ. `variants`: a condition on `variant v`. */
async function writeMargins(
  tx: Db,
  shopId: number,
  { days, from }: StoredPeriod,
  variants: FragmentSqlToken,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    with shop as materialized (select minor_digits(${currencyOf(shopId)}) as digits),
    fresh as materialized (
      select x.*, ${rankOf('x', sql.fragment`(select digits from shop)`)} as rank
      from (${sumsOfSales(shopId, { from, to: null }, variants, { isPart: true })}) x
    ),
    unsold as (
      delete from variant_margin m
      using variant v
      where m.shop_id = ${shopId} and m.days = ${days} and v.shop_id = ${shopId} and v.id = m.variant_id and ${variants}
        and not exists (select from fresh f where f.variant_id = m.variant_id)
    )
    insert into variant_margin (
      shop_id, days, variant_id, units, revenue, cost, costed_units, costed_revenue, rank
    )
    select ${shopId}::bigint, ${days}::int, f.variant_id, f.units, f.revenue, f.cost, f.costed_units, f.costed_revenue, f.rank
    from fresh f
    left join variant_margin m on m.shop_id = ${shopId} and m.days = ${days} and m.variant_id = f.variant_id
    where (m.units, m.revenue, m.cost, m.costed_units, m.costed_revenue, m.rank)
      is distinct from (f.units, f.revenue, f.cost, f.costed_units, f.costed_revenue, f.rank)
    order by f.variant_id
    on conflict (shop_id, days, variant_id) do update
    set units = excluded.units, revenue = excluded.revenue, cost = excluded.cost, costed_units = excluded.costed_units,
      costed_revenue = excluded.costed_revenue, rank = excluded.rank
  `)
}
