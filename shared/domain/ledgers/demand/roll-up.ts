import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import { timeZoneOf, todayOf } from '../../kit/date-range.ts'
import { knownSinceOf } from './known-days.ts'
import { markVariants } from './marks.ts'
import { writeDays } from './write-days.ts'

/** A first run reads 800 days of each variant, a night one day. */
const variantsPerBatch = { first: 200, nightly: 2_000 }
/** Maximum sales that one statement reads (about a second). */
const salesPerStatement = 10_000

const SaleCount = Type.Object({ id: Id, count: Type.Integer() })
const Run = Type.Object({ isFirst: Type.Boolean() })

/**
 * Begins a run with its first batch; later ones continue it. It rolls up the days to yesterday, in the shop's time zone; all
 * of them again when sales of earlier days became known, or when the time zone changed: a sale is then of another day, and a night that
 * adds a day would count it on both or on none. Example: a sale at 08:00 UTC is of the day before in Pago Pago (UTC-11). Its last day stays
 * the same across midnight, so that each batch has rolled up every day that closing the run records.
 */
async function openRollUp(tx: Db, shopId: number, isBegin: boolean): Promise<{ isFirst: boolean }> {
  return tx.one(sql.type(row(Run))`
    insert into demand_roll_up as r (shop_id, rolling_to, known_day, time_zone)
    select ${shopId}::bigint, ${todayOf(shopId)} - 1, (${knownSinceOf(shopId)} at time zone ${timeZoneOf(shopId)})::date,
      ${timeZoneOf(shopId)}
    on conflict (shop_id) do update
    set rolling_to = case
        when not ${isBegin} then r.rolling_to
        -- farther west, yesterday may be an earlier day
        when r.time_zone is distinct from excluded.time_zone then excluded.rolling_to
        else greatest(r.rolling_to, excluded.rolling_to)
      end,
      rolled_until = case
        when ${isBegin} and (excluded.known_day < r.known_day or r.time_zone is distinct from excluded.time_zone) then null
        else r.rolled_until
      end,
      known_day = case when ${isBegin} then excluded.known_day else r.known_day end,
      time_zone = case when ${isBegin} then excluded.time_zone else r.time_zone end
    returning rolled_until is null as is_first
  `)
}

/**
 * Rolls up the next variants; may run twice. `next` is the last id, null after the last batch; of the variants `wholeIds` all days were
 * rolled up anew, so that their forecasts are stale.
 */
export async function rollUpBatch(
  tx: Db,
  shopId: number,
  afterVariantId: number,
): Promise<{ next: number | null; wholeIds: number[] }> {
  const { isFirst } = await openRollUp(tx, shopId, afterVariantId === 0)
  const limit = isFirst ? variantsPerBatch.first : variantsPerBatch.nightly
  const ids = await tx.anyFirst(sql.typeAlias('id')`
    select id from variant where shop_id = ${shopId} and id > ${afterVariantId} order by id limit ${limit}
  `)
  const [first = []] = isFirst ? await boundedBySales(tx, shopId, ids) : [ids]
  const wholeIds = await rollUpVariants(tx, shopId, first)
  const isLast = ids.length < limit && first.length === ids.length
  return { next: isLast ? null : (first.at(-1) ?? null), wholeIds }
}

/**
 * Parts of a list of variants, in its order, with at most 10 000 sales each; a variant with more is a part of its own.
 *
 * Example: 200 variants that sold on each of 730 days: 13 of them have 9 490 sales, so there are 16 parts.
 */
async function boundedBySales(tx: Db, shopId: number, ids: readonly number[]): Promise<number[][]> {
  if (ids.length === 0) return []
  const counted = await tx.any(sql.type(row(SaleCount))`
    select v.id, s.count
    from ${sql.unnest(
      ids.map((id) => [id]),
      ['int8'],
    )} as wanted (id)
    join variant v on v.shop_id = ${shopId} and v.id = wanted.id
    cross join lateral (
      select count(*)::int as count
      from (
        select from sale where shop_id = ${shopId} and variant_gid = v.gid limit ${salesPerStatement}
      ) known
    ) s
    order by v.id
  `)
  const parts: number[][] = []
  let sales = 0
  for (const { id, count } of counted) {
    const part = parts.at(-1)
    if (part === undefined || sales + count > salesPerStatement) {
      parts.push([id])
      sales = count
    } else {
      part.push(id)
      sales += count
    }
  }
  return parts
}

export async function closeRollUp(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update demand_roll_up set rolled_until = rolling_to where shop_id = ${shopId}
  `)
}

/**
 * Rolls up the days of these variants since the last run, or all days of those whose earlier sales changed, or of which a
 * location sold for the first time: it returns these. The caller has opened the run, and variants without a change of demand keep their rows.
 */
async function rollUpVariants(tx: Db, shopId: number, ids: readonly number[]): Promise<number[]> {
  // a mark that is deleted first is not older than the sales that the next statement reads
  const marked = await tx.anyFirst(sql.typeAlias('id')`
    with due as (
      select variant_id
      from demand_mark
      where shop_id = ${shopId} and variant_id = any(${sql.array([...ids], 'int8')})
      order by variant_id
      for update
    )
    delete from demand_mark m
    using due
    where m.shop_id = ${shopId} and m.variant_id = due.variant_id
    returning m.variant_id as id
  `)
  const whole = new Set(marked.slice(0, variantsPerBatch.first))
  const opened = await writeDays(
    tx,
    shopId,
    ids.filter((id) => !whole.has(id)),
    { isWhole: false },
  )
  const wholeDue = [...new Set([...marked, ...opened])]
  const wholeNow = wholeDue.slice(0, variantsPerBatch.first)
  // others wait for the next night
  await markVariants(tx, shopId, wholeDue.slice(variantsPerBatch.first))
  for (const part of await boundedBySales(tx, shopId, wholeNow)) {
    await writeDays(tx, shopId, part, { isWhole: true })
  }
  return wholeNow
}
