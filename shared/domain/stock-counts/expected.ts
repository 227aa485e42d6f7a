import type { FragmentSqlToken } from 'slonik'
import { type Db, sql } from '../../db/db.ts'

/*
 * What was expected on hand when a number was entered. Example: a shelf of 10, of which 3 are sold and not shipped.
 *   10:00:00  `addEntries` stores the number 10 and requests a reading; expected: what the last reading said
 *   10:00:01  the worker reads available 7, committed 3: expected is 10, as of the entry
 *   10:05     the 3 are shipped: on hand is 7, and expected stays 10
 *   10:06     submitted: 10 - 10 = 0, so nothing moves
 * Our own movements between the entry and the reading are taken off the reading (`movedSince`).
 */

/** SQL: item `i` has the platform's word from after its entry. The release before updates entries without `read_at`. */
export const isRead = sql.fragment`coalesce(i.read_at >= greatest(i.entered_at, i.counted_at), false)`

/** Locks the draft counts that wait for a reading of these variants, before levels are locked. */
export function lockWaitingCounts(
  tx: Db,
  shopId: number,
  variantIds: readonly number[],
): Promise<readonly number[]> {
  return tx.anyFirst(sql.typeAlias('id')`
    select c.id
    from stock_count c
    where c.shop_id = ${shopId} and c.status = 'draft' and exists (
      select
      from stock_count_item i
      where i.shop_id = ${shopId} and i.count_id = c.id and i.variant_id = any(${sql.array([...variantIds], 'int8')})
        and i.counted_quantity is not null and not ${isRead}
    )
    order by c.id
    for no key update of c
  `)
}

/** Stores what locked counts expected on hand, for the numbers that were entered before the reading. */
export async function storeReadQuantities(
  tx: Db,
  shopId: number,
  countIds: readonly number[],
  { variantIds, readAt }: { variantIds: readonly number[]; readAt: string },
): Promise<void> {
  if (countIds.length === 0) return
  await tx.query(sql.typeAlias('void')`
    update stock_count_item item
    set expected_quantity = waiting.expected, read_at = ${readAt}
    from (
      select i.count_id, i.variant_id, ${asQuantity(sql.fragment`coalesce(l.on_hand, 0) - since.delta`)} as expected
      from stock_count_item i
      join stock_count c on c.shop_id = ${shopId} and c.id = i.count_id
      left join lateral (
        -- the limit prevents a join, which without statistics may compare every level with every item
        select variant_id, on_hand, states_read_at
        from stock_level
        where shop_id = ${shopId} and variant_id = i.variant_id and location_id = c.location_id
        limit 1
      ) l on true
      cross join lateral (${movedSince(shopId, sql.fragment`c.location_id`)}) since
      where i.shop_id = ${shopId} and i.count_id = any(${sql.array([...countIds], 'int8')})
        and i.variant_id = any(${sql.array([...variantIds], 'int8')}) and i.counted_quantity is not null
        and not ${isRead} and greatest(i.entered_at, i.counted_at) <= ${readAt}::timestamptz
        and (l.variant_id is null or l.states_read_at >= ${readAt}::timestamptz)
    ) waiting
    where item.shop_id = ${shopId} and item.count_id = waiting.count_id and item.variant_id = waiting.variant_id
  `)
}

/** SQL for item `i`: the sum of our own movements since its entry. A repair adds a movement, but changes no level. */
function movedSince(shopId: number, locationId: FragmentSqlToken) {
  return sql.fragment`
    select coalesce(sum(m.delta), 0) as delta
    from stock_movement m
    where ${ofLevel(shopId, locationId)} and m.id > i.after_movement_id and m.kind not in ('platform', 'repair')
  `
}

/**
 * SQL for item `i`: the sum of the corrections since its entry. They change what is expected, and no goods moved:
 * another count, a set quantity, a discarded change.
 */
export function correctedSince(shopId: number, locationId: FragmentSqlToken) {
  return sql.fragment`
    select coalesce(sum(m.delta), 0) as delta
    from stock_movement m
    where ${ofLevel(shopId, locationId)} and m.id > i.after_movement_id and m.kind in ('count', 'set', 'discard')
  `
}

/** `+ 0` prevents an index scan over all movements of the location for each item, without statistics of the shop. */
export const ofLevel = (shopId: number, locationId: FragmentSqlToken) => sql.fragment`
  m.shop_id = ${shopId} and m.variant_id = i.variant_id and m.location_id + 0 = ${locationId}
`

/** SQL for item `i`: what is on hand as far as known. A level that was never read counts as its available quantity. */
export function onHandOfItem(shopId: number, locationId: FragmentSqlToken) {
  return sql.fragment`coalesce(
    (
      select coalesce(on_hand, quantity)
      from stock_level
      where shop_id = ${shopId} and variant_id = i.variant_id and location_id = ${locationId}
    ),
    0
  )`
}

/** The states of a level may add up to more than an integer column holds. */
export const asQuantity = (pieces: FragmentSqlToken) =>
  sql.fragment`greatest(least(${pieces}, 2000000000), -2000000000)::int`
