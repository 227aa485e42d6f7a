import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { compareInstants, newestBy } from '../../kit/newest-by.ts'
import { unitCostAt } from './unit-cost-at.ts'

/*
 * An inventory item of the platform has three facts of its variants: the unit cost, the weight, and whether stock is tracked. A report
 * with an older `item_updated_at` than the stored one changes nothing. A newer one always changes `platform_cost`, and
 * changes `unit_cost` as follows:
 *
 *   unit cost stored     the report has       unit_cost afterwards
 *   none, or platform    any cost or none     the platform's
 *   another source       no cost              unchanged
 *   another source       the cost as before   unchanged: another field of the item has changed
 *   another source       a new cost           the platform's if it changed at or after the stored one came (`unit_cost_at`), else unchanged
 *   any                  a cost that the app has just sent   unchanged
 *
 * The platform's instants have whole seconds, so that instant is cut to its second before the comparison. Example: a receipt
 * sets 5.00 at 12:00:07.4, and the merchant sets 6.00 at 12:00:07.9. The platform reports 6.00 at 12:00:07, which is taken.
 */

/** An inventory item as the platform reports it. Instants are ISO 8601. */
export type ReportedItem = {
  itemGid: string
  isTracked: boolean
  /** In the currency of the shop; null without one. */
  cost: string | null
  /** 0: the platform has none; null: the report does not have it. */
  weightGrams: number | null
  updatedAt: string
  /** When the report was caused; more precise than `updatedAt` if a webhook has it. */
  causedAt: string
}

const maxCost = 1_000_000_000

/** The platform's amount as a unit cost. Anything but a decimal number from 0 to 1 000 000 000 counts as no cost. */
export function readCost(amount: string | null | undefined): string | null {
  return /^\d{1,10}(\.\d{1,20})?$/.test(amount ?? '') && Number(amount) <= maxCost ? (amount ?? null) : null
}

/**
 * SQL assignments for the columns of a variant that come from its inventory item. `v` is the stored row; `x` has the columns
 * `is_tracked`, `platform_cost`, `weight_grams`, `cost_at` and `item_updated_at`, which is null when the report does not have the item.
 */
export function itemAssignments(v: string, x: string) {
  const stored = (column: string) => sql.identifier([v, column])
  const reported = (column: string) => sql.identifier([x, column])
  const isNewer = sql.fragment`
    coalesce(${reported('item_updated_at')} >= coalesce(${stored('item_updated_at')}, '-infinity'), false)
  `
  const isPlatforms = sql.fragment`(
    ${stored('unit_cost')} is null
    -- a write-back of another cost sets the platform's, and the unit cost stays
    or ${stored('cost_source')} = 'platform' and ${stored('unit_cost')} is not distinct from ${stored('platform_cost')}
  )`
  const isNewCost = sql.fragment`(
    ${reported('platform_cost')} is not null and ${reported('platform_cost')} is distinct from ${stored('platform_cost')}
    and coalesce(
      ${reported('cost_at')} >= date_trunc('second', ${unitCostAt(v)}),
      ${stored('platform_cost')} is not null
    )
  )`
  const isTaken = sql.fragment`${isNewer} and not ${isEcho(v, x)} and (${isPlatforms} or ${isNewCost})`
  const isTracked = sql.fragment`case
    when ${isNewer} or ${reported('item_updated_at')} is null then ${reported('is_tracked')}
    else ${stored('is_tracked')}
  end`
  const ifTaken = (value: ReturnType<typeof sql.fragment>, column: string) =>
    sql.fragment`${sql.identifier([column])} = case when ${isTaken} then ${value} else ${stored(column)} end`
  return sql.fragment`
    ${ifTaken(sql.fragment`${reported('platform_cost')}`, 'unit_cost')},
    ${ifTaken(sql.fragment`case when ${reported('platform_cost')} is not null then 'platform' end`, 'cost_source')},
    ${ifTaken(sql.fragment`case when ${reported('platform_cost')} is not null then ${reported('cost_at')} end`, 'cost_at')},
    platform_cost = case when ${isNewer} then ${reported('platform_cost')} else ${stored('platform_cost')} end,
    weight_grams = case
      when ${isNewer} then coalesce(${reported('weight_grams')}, ${stored('weight_grams')})
      else ${stored('weight_grams')}
    end,
    is_tracked = ${isTracked},
    tracking_changed_at = case
      when ${isTracked} is distinct from ${stored('is_tracked')} then ${new Date().toISOString()}::timestamptz
      else ${stored('tracking_changed_at')}
    end,
    item_updated_at = greatest(${stored('item_updated_at')}, ${reported('item_updated_at')})
  `
}

/** The cost is one that the app has just sent (`cost-pushes/request.ts`). Ten minutes cover the clocks and a busy platform. */
function isEcho(v: string, x: string) {
  const stored = (column: string) => sql.identifier([v, column])
  const reported = (column: string) => sql.identifier([x, column])
  return sql.fragment`coalesce(
    ${reported('platform_cost')}::numeric(19, 4) = any(${stored('pushed_costs')})
      and ${reported('item_updated_at')} between ${stored('pushed_at')} - interval '10 minutes'
        and ${stored('pushed_at')} + interval '10 minutes',
    false
  )`
}

const LockedVariant = Type.Object({
  id: Id,
  itemGid: Type.String(),
  isTracked: Type.Boolean(),
  itemUpdatedAt: Nullable(Type.String()),
  platformCost: Nullable(Type.Number()),
  weightGrams: Nullable(Type.Number()),
})

export type WrittenItems = {
  /** The variants that have the items. */
  variantIds: number[]
  /** The items that variants of the shop have. */
  knownGids: ReadonlySet<string>
  /** Variants of which tracking has changed. */
  retrackedIds: number[]
  /** Variants with two different reports for one instant: only a reading can say which one is the last. */
  ambiguousIds: number[]
}

/** Stores reports of inventory items to all variants that have them, of several for one item only the newest. */
export async function writeReportedItems(
  tx: Db,
  shopId: number,
  items: readonly ReportedItem[],
): Promise<WrittenItems> {
  const newest = newestBy(items, ({ itemGid }) => itemGid, compareReports)
  if (newest.size === 0) return { variantIds: [], knownGids: new Set(), retrackedIds: [], ambiguousIds: [] }
  const variants: readonly Static<typeof LockedVariant>[] = await tx.any(sql.type(row(LockedVariant))`
    select id, inventory_item_gid as item_gid, is_tracked, item_updated_at, platform_cost, weight_grams
    from variant
    where shop_id = ${shopId} and inventory_item_gid = any(${sql.array([...newest.keys()], 'text')})
    order by id
    for no key update
  `)
  const rows = [...newest.values()].map(({ itemGid, isTracked, cost, updatedAt, causedAt, weightGrams }) => [
    itemGid,
    isTracked,
    cost,
    updatedAt,
    causedAt,
    weightGrams,
  ])
  await tx.query(sql.typeAlias('void')`
    update variant v
    set ${itemAssignments('v', 'x')}
    from ${sql.unnest(rows, ['text', 'bool', 'numeric', 'timestamptz', 'timestamptz', 'numeric'])}
      as x (item_gid, is_tracked, platform_cost, item_updated_at, cost_at, weight_grams)
    where v.shop_id = ${shopId} and v.inventory_item_gid = x.item_gid
  `)
  const changes = variants.flatMap((variant) => {
    const item = newest.get(variant.itemGid)
    return item ? [{ variant, item }] : []
  })
  const instant = (at: string | null) => (at === null ? Number.NEGATIVE_INFINITY : Date.parse(at))
  return {
    variantIds: variants.map(({ id }) => id),
    knownGids: new Set(variants.map(({ itemGid }) => itemGid)),
    retrackedIds: changes.flatMap(({ variant, item }) =>
      instant(item.updatedAt) >= instant(variant.itemUpdatedAt) && item.isTracked !== variant.isTracked
        ? [variant.id]
        : [],
    ),
    ambiguousIds: changes.flatMap(({ variant, item }) => {
      const isTie = instant(item.updatedAt) === instant(variant.itemUpdatedAt)
      const weight = variant.weightGrams ?? 0
      const isSame =
        item.isTracked === variant.isTracked &&
        costOf(item.cost) === variant.platformCost &&
        (item.weightGrams ?? weight) === weight
      return isTie && !isSame ? [variant.id] : []
    }),
  }
}

/** As the column stores it, with 4 decimals. */
const costOf = (cost: string | null) => (cost === null ? null : Number(Number(cost).toFixed(4)))

/** Of two reports for the same second, the one that was caused later is newer. */
const compareReports = (a: ReportedItem, b: ReportedItem) =>
  compareInstants(a.updatedAt, b.updatedAt) || compareInstants(a.causedAt, b.causedAt)
