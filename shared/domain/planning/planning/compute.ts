import { type Static, Type } from '@sinclair/typebox'
import { daysBetween } from '../../../calendar-days.ts'
import { roundMoney } from '../../../currency.ts'
import { type Db, row, sql } from '../../../db/db.ts'
import { demandOver } from '../../../forecast/safety-stock.ts'
import { currencyOf } from '../../records/shops/currency.ts'
import { thisWeekOf, weeksAhead } from '../forecasts/weeks.ts'
import { lostUnits, readSoldOut } from './lost-sales.ts'
import { overstockOf } from './overstock.ts'
import { type PlannedVariant, readPlannedVariants } from './planned-variants.ts'
import { findGaps, type VariantGap } from './variant-gaps.ts'

/** Bounds the memory of a batch, and keeps its transaction below a second. */
const variantsPerBatch = 500

/**
 * Computes gaps, overstock and lost sales of the next variants, and after the last of them the need of the shop by week. Returns the last
 * id, null after the last batch. The result depends on stock, orders, sales and forecasts alone, so a batch may run twice.
 */
export async function computePlanningBatch(
  tx: Db,
  shopId: number,
  afterVariantId: number,
): Promise<number | null> {
  const ids = await tx.anyFirst(sql.typeAlias('id')`
    select id from variant where shop_id = ${shopId} and id > ${afterVariantId} order by id limit ${variantsPerBatch}
  `)
  await computePlanning(tx, shopId, ids)
  if (ids.length === variantsPerBatch) return ids.at(-1) ?? null
  await writeNeed(tx, shopId)
  return null
}

/** Recomputes the planning rows of one order's variants: at most 500, of an imported order up to 2 000. */
export async function computePlanningOfOrder(tx: Db, shopId: number, purchaseOrderId: number): Promise<void> {
  const ids = await tx.anyFirst(sql.typeAlias('id')`
    select distinct variant_id as id
    from purchase_order_line
    where shop_id = ${shopId} and purchase_order_id = ${purchaseOrderId}
    order by 1
  `)
  await computePlanning(tx, shopId, ids)
}

/** Computes and stores the gaps, overstock and lost sales of these variants. */
export async function computePlanning(tx: Db, shopId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const variants = await readPlannedVariants(tx, shopId, ids)
  await writeGaps(tx, shopId, ids, await findGaps(tx, shopId, variants))
  await writeOverstock(tx, shopId, ids, variants)
  await writeLostSales(tx, shopId, ids, variants)
}

/** Ranks are whole numbers from 0: the most money first, then by pieces what has no price or cost. */
const rankOf = (money: number | null, pieces: number) =>
  money === null
    ? 4_000_000_000_000_000 - Math.round(Math.min(pieces, 1e9) * 1000)
    : Math.max(0, 1_000_000_000_000_000 - Math.round(money * 1000))

export const lostRevenueOf = ({ variant: { price, currency }, gap }: VariantGap) =>
  price === null ? null : roundMoney(gap.missingUnits * price, currency)

// Each of the next three deletes the rows of these variants that are not fresh, then writes those that differ.

async function writeGaps(tx: Db, shopId: number, ids: readonly number[], gaps: readonly VariantGap[]) {
  const rows = gaps.map((found) => [
    found.variant.id,
    found.location?.locationId ?? null,
    found.gap.gapOn,
    found.gap.nextArrivalOn,
    rankOf(lostRevenueOf(found), found.gap.missingUnits),
  ])
  const fresh = sql.fragment`
    select * from ${sql.unnest(rows, ['int8', 'int8', 'date', 'date', 'int8'])}
      as f (variant_id, location_id, gap_on, next_arrival_on, rank)
  `
  await tx.query(sql.typeAlias('void')`
    delete from stock_gap g
    where g.shop_id = ${shopId} and g.variant_id = any(${sql.array([...ids], 'int8')}) and not exists (
      select from (${fresh}) f where f.variant_id = g.variant_id and f.location_id is not distinct from g.location_id
    )
  `)
  await tx.query(sql.typeAlias('void')`
    insert into stock_gap (shop_id, variant_id, location_id, gap_on, next_arrival_on, rank)
    select ${shopId}::bigint, variant_id, location_id, gap_on, next_arrival_on, rank
    from (${fresh}) f
    order by variant_id, location_id
    on conflict (shop_id, variant_id, location_id) do update
    set gap_on = excluded.gap_on, next_arrival_on = excluded.next_arrival_on, rank = excluded.rank
    where (stock_gap.gap_on, stock_gap.next_arrival_on, stock_gap.rank)
      is distinct from (excluded.gap_on, excluded.next_arrival_on, excluded.rank)
  `)
}

async function writeOverstock(
  tx: Db,
  shopId: number,
  ids: readonly number[],
  variants: readonly PlannedVariant[],
) {
  const rows = variants.flatMap((variant) =>
    overstockOf(variant).map(({ coverDays, demand, pieces }) => {
      const { id, available, unitCost, currency } = variant
      const value = unitCost === null ? null : roundMoney(pieces * unitCost, currency)
      const cost = unitCost === null ? null : Number(unitCost.toFixed(4))
      return [coverDays, id, available, demand, pieces, cost, value, rankOf(value, pieces)]
    }),
  )
  const fresh = sql.fragment`
    select * from ${sql.unnest(rows, ['int4', 'int8', 'int4', 'float8', 'int4', 'numeric', 'numeric', 'int8'])}
      as f (cover_days, variant_id, stock, demand, pieces, unit_cost, value, rank)
  `
  await tx.query(sql.typeAlias('void')`
    delete from overstock o
    where o.shop_id = ${shopId} and o.variant_id = any(${sql.array([...ids], 'int8')}) and not exists (
      select from (${fresh}) f where f.variant_id = o.variant_id and f.cover_days = o.cover_days
    )
  `)
  await tx.query(sql.typeAlias('void')`
    insert into overstock (shop_id, cover_days, variant_id, stock, demand, pieces, unit_cost, value, rank)
    select ${shopId}::bigint, cover_days, variant_id, stock, demand, pieces, unit_cost, value, rank
    from (${fresh}) f
    order by cover_days, variant_id
    on conflict (shop_id, cover_days, variant_id) do update
    set stock = excluded.stock, demand = excluded.demand, pieces = excluded.pieces, unit_cost = excluded.unit_cost,
      value = excluded.value, rank = excluded.rank
    where (overstock.stock, overstock.demand, overstock.unit_cost, overstock.rank)
      is distinct from (excluded.stock, excluded.demand, excluded.unit_cost, excluded.rank)
  `)
}

async function writeLostSales(
  tx: Db,
  shopId: number,
  ids: readonly number[],
  variants: readonly PlannedVariant[],
) {
  const byId = new Map(variants.map((variant) => [variant.id, variant]))
  const soldOut = await readSoldOut(tx, shopId, [...byId.keys()])
  const rows = soldOut.flatMap((days) => {
    const variant = byId.get(days.variantId)
    if (!variant) return []
    const lost = lostUnits(days, currentPerDay(variant))
    if (lost <= 0) return []
    const revenue = variant.price === null ? null : roundMoney(lost * variant.price, variant.currency)
    const { periodDays, variantId, emptyDays, daysKnown, soldUnits } = days
    return [[periodDays, variantId, emptyDays, daysKnown, soldUnits, lost, revenue, rankOf(revenue, lost)]]
  })
  const fresh = sql.fragment`
    select * from ${sql.unnest(rows, ['int4', 'int8', 'int4', 'int4', 'int4', 'float8', 'numeric', 'int8'])}
      as f (period_days, variant_id, days_without_stock, days_known, sold_units, lost_units, lost_revenue, rank)
  `
  await tx.query(sql.typeAlias('void')`
    delete from lost_sale s
    where s.shop_id = ${shopId} and s.variant_id = any(${sql.array([...ids], 'int8')}) and not exists (
      select from (${fresh}) f where f.variant_id = s.variant_id and f.period_days = s.period_days
    )
  `)
  await tx.query(sql.typeAlias('void')`
    insert into lost_sale (
      shop_id, period_days, variant_id, days_without_stock, days_known, sold_units, lost_units, lost_revenue, rank
    )
    select ${shopId}::bigint, period_days, variant_id, days_without_stock, days_known, sold_units, lost_units,
      lost_revenue, rank
    from (${fresh}) f
    order by period_days, variant_id
    on conflict (shop_id, period_days, variant_id) do update
    set days_without_stock = excluded.days_without_stock, days_known = excluded.days_known,
      sold_units = excluded.sold_units, lost_units = excluded.lost_units, lost_revenue = excluded.lost_revenue,
      rank = excluded.rank
    where (lost_sale.days_without_stock, lost_sale.days_known, lost_sale.sold_units, lost_sale.lost_units, lost_sale.rank)
      is distinct from (
        excluded.days_without_stock, excluded.days_known, excluded.sold_units, excluded.lost_units, excluded.rank
      )
  `)
}

/** The mean demand of a day in the next four weeks. */
function currentPerDay({ week, ahead, today }: PlannedVariant): number {
  if (week === null) return 0
  const start = daysBetween(week, today) / 7
  return demandOver(ahead, start, start + 4) / 28
}

/** One statement over all variants of a large shop would take longer than Postgres may. */
const variantsPerSum = 10_000

const NeedPart = Type.Object({
  week: Type.String(),
  /** In 10⁻⁸ of the currency and 10⁻⁸ pieces: each part of 10 000 variants is rounded to that. */
  value: Type.String(),
  uncosted: Type.String(),
})

/** The forecast of all variants by week, at cost. A forecast of an earlier week continues with its weeks that are left. */
async function writeNeed(tx: Db, shopId: number): Promise<void> {
  const sums = new Map<string, { value: bigint; uncosted: bigint }>()
  for (let after: number | null = 0; after !== null; ) {
    const ids: readonly number[] = await tx.anyFirst(sql.typeAlias('id')`
      select id from variant where shop_id = ${shopId} and id > ${after} order by id limit ${variantsPerSum}
    `)
    for (const { week, value, uncosted } of await readNeed(tx, shopId, after, ids.at(-1) ?? after)) {
      const sum = sums.get(week) ?? { value: 0n, uncosted: 0n }
      sums.set(week, { value: sum.value + BigInt(value), uncosted: sum.uncosted + BigInt(uncosted) })
    }
    after = ids.length === variantsPerSum ? (ids.at(-1) ?? null) : null
  }
  const rows = [...sums].map(([week, { value, uncosted }]) => [week, String(value), String(uncosted)])
  await tx.query(sql.typeAlias('void')`
    with fresh as materialized (
      select f.week, round(f.value / 1e8, minor_digits(${currencyOf(shopId)})) as value,
        round(f.uncosted / 1e8, 1)::float8 as uncosted_units
      from ${sql.unnest(rows, ['date', 'numeric', 'numeric'])} as f (week, value, uncosted)
    ),
    removed as (
      delete from forecast_need n
      where n.shop_id = ${shopId}
        and (n.week < ${thisWeekOf(shopId)} or not exists (select from fresh where fresh.week = n.week))
    )
    insert into forecast_need (shop_id, week, value, uncosted_units)
    select ${shopId}::bigint, week, value, uncosted_units
    from fresh
    where week >= ${thisWeekOf(shopId)}
    order by week
    on conflict (shop_id, week) do update
    set value = excluded.value, uncosted_units = excluded.uncosted_units
  `)
}

/** Reads the forecast of the variants after one id, up to another, by week and at cost. */
function readNeed(
  tx: Db,
  shopId: number,
  after: number,
  last: number,
): Promise<readonly Static<typeof NeedPart>[]> {
  return tx.any(sql.type(row(NeedPart))`
    select (f.week + 7 * (w.place - 1)::int)::date::text as week,
      round(coalesce(sum(w.units::numeric * k.cost), 0) * 1e8)::text as value,
      round(coalesce(sum(w.units::numeric) filter (where k.cost is null), 0) * 1e8)::text as uncosted
    from variant_forecast f
    join variant v on v.shop_id = ${shopId} and v.id = f.variant_id and v.deleted_at is null and v.is_tracked
    left join variant_cost c on c.shop_id = ${shopId} and c.variant_id = v.id
    cross join lateral (select coalesce(c.average_cost, v.unit_cost) as cost) k
    cross join lateral unnest(f.units) with ordinality as w (units, place)
    where w.place <= ${weeksAhead} and f.shop_id = ${shopId} and f.location_id is null and f.variant_id > ${after} and f.variant_id <= ${last}
    group by 1
  `)
}
