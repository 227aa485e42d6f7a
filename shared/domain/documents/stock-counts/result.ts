import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { conflict } from '../../../errors.ts'
import { Nullable } from '../../../schemas/common.ts'
import { currencyOf } from '../../records/shops/currency.ts'
import { correctedSince, isRead, onHandOfItem } from './expected.ts'
import { isMoving } from './unread.ts'

/*
 * The result of a count, over the counted products. Example, two products of 10 expected each:
 *   counted 8 at a cost of 5.00: variance -2, worth -10.00;  counted 11 at a cost of 2.00: variance 1, worth 2.00
 *   variance value -8.00; absolute 12.00; accuracy 1 - 3 / 20 = 0.85; by value 1 - 12 / 70 = 0.8286
 * Variants that share an inventory item have one level, so the sums have one of them: of two with 10 expected and 8 counted,
 * the variance is -2, not -4.
 * A product without a known cost is in the pieces, not in the money, and `uncosted` counts it if it has a variance.
 * Nothing expected: 1 when nothing was found, else 0. A negative expected quantity counts as 0.
 */

/**
 * SQL: the items of a count with what is expected of them, their variance and its value, from the alias of the count.
 * `difference` is the variance also while the platform has not answered.
 */
export function linesOf(shopId: number, count: string) {
  const c = sql.identifier([count])
  const place = { item: 'i', locationId: sql.fragment`${c}.location_id` }
  return sql.fragment`
    select i.*, coalesce(v.inventory_item_gid, v.id::text) as item, expected.quantity as expected, cost.of_piece as cost,
      ${isRead('i')} as is_read,
      (i.counted_quantity - expected.quantity) as difference,
      round((i.counted_quantity - expected.quantity) * cost.of_piece, shop.digits) as difference_value,
      round(greatest(expected.quantity, 0) * cost.of_piece, shop.digits) as expected_value,
      case when ${c}.status <> 'draft' or ${isRead('i')} then i.counted_quantity - expected.quantity end as variance,
      ${isMoving('i', 'v')} as is_moving
    from stock_count_item i
    join variant v on v.shop_id = ${shopId} and v.id = i.variant_id
    left join variant_cost b on b.shop_id = ${shopId} and b.variant_id = i.variant_id
    cross join (select minor_digits(${currencyOf(shopId)}) as digits) shop
    cross join lateral (
      select case when ${c}.status = 'draft' then coalesce(b.average_cost, v.unit_cost) else i.unit_cost end as of_piece
    ) cost
    cross join lateral (
      select case
        when ${c}.status <> 'draft' then i.expected_quantity
        when i.counted_quantity is null then ${onHandOfItem(shopId, place)}::bigint
        else i.expected_quantity + (${correctedSince(shopId, place)})
      end as quantity
      -- otherwise Postgres plans the subqueries of an expected quantity again for each use of it
      offset 0
    ) expected
    where i.shop_id = ${shopId} and i.count_id = ${c}.id
  `
}

/**
 * SQL: the sums of `linesOf`. Of each inventory item one line counts: one that moves its level, with a known cost if there is one.
 * `isCompared` leaves out the numbers that the platform has not answered. An approval depends on `moving_value` and
 * `uncosted_moving_count`, of the products whose stock the submit will change.
 */
export const sumsOf = (lines: ReturnType<typeof sql.fragment>, { isCompared }: { isCompared: boolean }) => {
  const counts = isCompared ? sql.fragment`x.variance is not null` : sql.fragment`x.difference is not null`
  return sql.fragment`
    select sum(greatest(x.expected, 0)) as expected_pieces, sum(abs(x.difference)) as variance_pieces,
      sum(x.expected_value) as expected_value,
      sum(x.difference_value) as variance_value, sum(abs(x.difference_value)) as absolute_variance_value,
      count(*) filter (where x.difference <> 0 and x.cost is null) as uncosted_item_count,
      sum(abs(x.difference_value)) filter (where x.is_moving) as moving_value,
      count(*) filter (where x.difference <> 0 and x.cost is null and x.is_moving) as uncosted_moving_count
    from (
      select x.*, row_number() over (partition by x.item order by x.is_moving desc, x.cost is null, x.position) as rank_in_item
      from (${lines}) x
      where ${counts}
    ) x
    where x.rank_in_item = 1
  `
}

/** SQL: a text that identifies the variances of a draft, from its alias, whatever they are worth. */
export const variancesOf = (shopId: number, count: string) => sql.fragment`(
  select md5(coalesce(string_agg(x.variant_id || ' ' || x.difference, ',' order by x.variant_id), ''))
  from (${linesOf(shopId, count)}) x
  where x.difference <> 0
)`

export const variancesChanged = () =>
  conflict('The differences have changed since you saw them. Check them again.', 'stale_version')

/** Throws stale_version when the variances are not those of `variancesVersion`. */
export async function requireVariances(
  tx: Db,
  shopId: number,
  id: number,
  variancesVersion: string | null | undefined,
): Promise<void> {
  if (variancesVersion == null) return
  const isAsSeen = await tx.exists(sql.typeAlias('void')`
    select from stock_count c
    where c.shop_id = ${shopId} and c.id = ${id} and ${variancesOf(shopId, 'c')} = ${variancesVersion}
  `)
  if (!isAsSeen) throw variancesChanged()
}

/** SQL: the count is approved, and its variances are those that were approved. */
export function isApproved(shopId: number, count: string) {
  const c = sql.identifier([count])
  return sql.fragment`(
    ${c}.approved_at is not null and (
      ${c}.status <> 'draft' or coalesce(${c}.approved_variances = ${variancesOf(shopId, count)}, true)
    )
  )`
}

/** SQL: 1 - variance / expected, at least 0; null without both. */
export function accuracyOf(
  variance: ReturnType<typeof sql.fragment>,
  expected: ReturnType<typeof sql.fragment>,
) {
  return sql.fragment`
    case
      when ${expected} > 0 then greatest(round(1 - ${variance}::numeric / ${expected}, 4), 0)
      when ${variance} = 0 then 1
      when ${variance} > 0 then 0
    end
  `
}

const Result = Type.Object({
  /** Without sign; null: the cost of none is known. */
  movingValue: Nullable(Type.Number()),
  uncostedMovingCount: Type.Integer(),
  differingMovingCount: Type.Integer(),
  isApproved: Type.Boolean(),
  /** The shop's limit; null: no count needs an approval. */
  limit: Nullable(Type.Number()),
})
type Result = Static<typeof Result>

/** The result of a draft as it would be submitted now, of the products whose stock it changes. */
export function readResult(db: Db, shopId: number, id: number): Promise<Result> {
  return db.one(sql.type(row(Result))`
    select sums.moving_value, sums.uncosted_moving_count,
      (
        select count(*) from (${linesOf(shopId, 'c')}) x where x.difference <> 0 and x.is_moving
      ) as differing_moving_count,
      ${isApproved(shopId, 'c')} as is_approved,
      (select count_approval_value from shop_setting where shop_id = ${shopId}) as limit
    from stock_count c
    cross join lateral (${sumsOf(linesOf(shopId, 'c'), { isCompared: false })}) sums
    where c.shop_id = ${shopId} and c.id = ${id}
  `)
}

/** A variance of unknown value may be above every limit. */
export const needsApproval = ({ isApproved, limit, movingValue, uncostedMovingCount }: Result) =>
  !isApproved && limit !== null && ((movingValue ?? 0) > limit || uncostedMovingCount > 0)

export function approvalRequired({ limit, movingValue, uncostedMovingCount }: Result) {
  const cause =
    (movingValue ?? 0) > (limit ?? 0)
      ? `The variances are worth ${movingValue}, above the limit of ${limit} in the settings.`
      : `The cost of ${uncostedMovingCount === 1 ? 'a product' : `${uncostedMovingCount} products`} with a variance is not known.`
  return conflict(
    `${cause} Finish counting. A user without numbers in this count can then approve it.`,
    'approval_required',
  )
}

/** Stores the cost of each piece and the sums, after the status has changed: the submit has moved what is on hand. */
export async function storeResult(tx: Db, shopId: number, id: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update stock_count_item i
    set unit_cost = coalesce(
      (select average_cost from variant_cost where shop_id = ${shopId} and variant_id = i.variant_id),
      (select unit_cost from variant where shop_id = ${shopId} and id = i.variant_id)
    )
    where i.shop_id = ${shopId} and i.count_id = ${id}
  `)
  await tx.query(sql.typeAlias('void')`
    update stock_count t
    set expected_pieces = sums.expected_pieces, variance_pieces = sums.variance_pieces,
      expected_value = sums.expected_value, variance_value = sums.variance_value,
      absolute_variance_value = sums.absolute_variance_value, uncosted_item_count = sums.uncosted_item_count
    from stock_count c
    cross join lateral (${sumsOf(linesOf(shopId, 'c'), { isCompared: false })}) sums
    where t.shop_id = ${shopId} and t.id = ${id} and c.shop_id = ${shopId} and c.id = ${id}
  `)
}
