import { type Static, Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'

/*
 * What was expected on hand when a number was entered. Example: a shelf of 10, of which 3 are sold and not shipped.
 *   10:00:00  `addEntries` stores the number 10 and requests a reading; expected: what the last reading said
 *   10:00:01  the worker reads available 7, committed 3: expected is 10, as of the entry
 *   10:05     the 3 are shipped: on hand is 7, and expected stays 10
 *   10:06     submitted: 10 - 10 = 0, so nothing moves
 * Our own movements between the entry and the reading are taken off the reading (`movedSince`).
 */

/** SQL, from the alias of an item: the worker has read its level after its entry. The previous release updates entries without `read_at`. */
export function isRead(item: string) {
  const i = sql.identifier([item])
  return sql.fragment`coalesce(${i}.read_at >= greatest(${i}.entered_at, ${i}.counted_at), false)`
}

/** The alias of an item of a count, and where it is counted. */
export type ItemPlace = { item: string; locationId: FragmentSqlToken }

const WaitingCount = Type.Object({ id: Id, locationId: Id })
type WaitingCount = Static<typeof WaitingCount>

/** Locks the draft counts that wait for a reading of these variants, before levels are locked. */
export function lockWaitingCounts(
  tx: Db,
  shopId: number,
  variantIds: readonly number[],
): Promise<readonly WaitingCount[]> {
  return tx.any(sql.type(row(WaitingCount))`
    select c.id, c.location_id
    from stock_count c
    where c.shop_id = ${shopId} and c.status = 'draft' and exists (
      select
      from stock_count_item i
      where i.shop_id = ${shopId} and i.count_id = c.id and i.variant_id = any(${sql.array([...variantIds], 'int8')})
        and i.counted_quantity is not null and not ${isRead('i')}
    )
    order by c.id
    for no key update of c
  `)
}

/**
 * Stores what locked counts expected on hand, for the numbers that were entered before the reading. The approval of a count ends
 * when what it expected changes: another variance was approved.
 */
export async function storeReadQuantities(
  tx: Db,
  shopId: number,
  counts: readonly WaitingCount[],
  { variantIds, readAt }: { variantIds: readonly number[]; readAt: string },
): Promise<void> {
  if (counts.length === 0) return
  const rows = counts.map(({ id, locationId }) => [id, locationId])
  const place = { item: 'i', locationId: sql.fragment`c.location_id` }
  // subqueries: without statistics, Postgres may plan a join that compares every level with every item
  await tx.query(sql.typeAlias('void')`
    with due as materialized (
      select i.count_id, i.variant_id, i.expected_quantity as before,
        ${asQuantity(sql.fragment`${onHandOfItem(shopId, place)} - (${movedSince(shopId, place)})`)} as expected
      from ${sql.unnest(rows, ['int8', 'int8'])} as c (id, location_id)
      join stock_count_item i on i.shop_id = ${shopId} and i.count_id = c.id
      where i.variant_id = any(${sql.array([...variantIds], 'int8')})
        and i.counted_quantity is not null and not ${isRead('i')}
        and greatest(i.entered_at, i.counted_at) <= ${readAt}::timestamptz
        and not exists (
          select
          from stock_level l
          where l.shop_id = ${shopId} and l.variant_id = i.variant_id and l.location_id = c.location_id
            and coalesce(l.states_read_at < ${readAt}::timestamptz, true)
        )
    ),
    stored as (
      update stock_count_item i
      set read_at = ${readAt}, expected_quantity = due.expected
      from due
      where i.shop_id = ${shopId} and i.count_id = due.count_id and i.variant_id = due.variant_id
    )
    update stock_count
    set approved_at = null, approved_by = null, approved_variances = null, updated_at = now()
    where shop_id = ${shopId} and approved_at is not null
      and id in (select count_id from due where before <> expected)
  `)
}

/** SQL: the sum of our own movements of an item since its entry. A repair adds a movement, but changes no level. */
function movedSince(shopId: number, place: ItemPlace) {
  return sql.fragment`
    select coalesce(sum(m.delta), 0) as delta
    from stock_movement m
    where m.shop_id = ${shopId} and ${ofLevel('m', place)}
      and m.id > ${sql.identifier([place.item, 'after_movement_id'])} and m.kind not in ('platform', 'repair')
  `
}

/**
 * SQL: the sum of the corrections of an item since its entry. They change what is expected, and no goods moved:
 * another count, a set quantity, a discarded change.
 */
export function correctedSince(shopId: number, place: ItemPlace) {
  return sql.fragment`
    select coalesce(sum(m.delta), 0) as delta
    from stock_movement m
    where m.shop_id = ${shopId} and ${ofLevel('m', place)}
      and m.id > ${sql.identifier([place.item, 'after_movement_id'])} and m.kind in ('count', 'set', 'discard')
  `
}

/**
 * SQL: the movement is one of the item's level. `+ 0` prevents an index scan over all movements of the location for each item, without
 * statistics of the shop.
 */
export const ofLevel = (movement: string, { item, locationId }: ItemPlace) => sql.fragment`
  ${sql.identifier([movement, 'variant_id'])} = ${sql.identifier([item, 'variant_id'])}
    and ${sql.identifier([movement, 'location_id'])} + 0 = ${locationId}
`

/** SQL: the pieces of an item on hand as far as known. A level that was never read counts as its available quantity. */
export function onHandOfItem(shopId: number, { item, locationId }: ItemPlace) {
  return sql.fragment`coalesce(
    (
      select coalesce(on_hand, quantity)
      from stock_level
      where shop_id = ${shopId} and variant_id = ${sql.identifier([item, 'variant_id'])} and location_id = ${locationId}
    ),
    0
  )`
}

/** The states of a level may add up to more than an integer column holds. */
export const asQuantity = (pieces: FragmentSqlToken) =>
  sql.fragment`greatest(least(${pieces}, 2000000000), -2000000000)::int`
