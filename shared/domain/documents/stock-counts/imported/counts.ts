import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id, Nullable } from '../../../../schemas/common.ts'
import { noonOrInstant } from '../../../kit/date-range.ts'

/** A count of the past. `day` is a text as `noonOrInstant` reads it. */
export type ImportedCount = { locationId: number; day: string; notes: string }

export type ImportedCountItem = { variantId: number; counted: number; expected: number }

const Stored = Type.Object({
  id: Id,
  variantId: Id,
  isNew: Type.Boolean(),
  /** The product's quantity in the count before this import. */
  known: Nullable(Type.Integer()),
})

/**
 * Stores a submitted count, or adds missing products to the existing one of the same location, instant and notes. No stock moves.
 * Returns an entry for each item.
 */
export function storeImportedCount(
  tx: Db,
  shopId: number,
  actor: string,
  { locationId, day, notes }: ImportedCount,
  items: readonly ImportedCountItem[],
): Promise<readonly Static<typeof Stored>[]> {
  const at = sql.fragment`(${noonOrInstant(shopId, sql.fragment`${day}::text`)})`
  const rows = items.map(({ variantId, counted, expected }, position) => [
    variantId,
    position,
    counted,
    expected,
  ])
  return tx.any(sql.type(row(Stored))`
    with known as (
      select id
      from stock_count
      where shop_id = ${shopId} and is_imported and location_id = ${locationId} and notes = ${notes} and submitted_at = ${at}
      order by id
      limit 1
    ),
    created as (
      insert into stock_count (
        shop_id, location_id, status, notes, item_count, created_by, created_at, submitted_by, submitted_at, is_imported
      )
      select ${shopId}, ${locationId}, 'submitted', ${notes}, ${items.length}, ${actor}, ${at}, ${actor}, ${at}, true
      where not exists (select from known)
      returning id
    ),
    target as (
      select id, true as is_new, 0 as first_position from created
      union all
      select id, false, (
        select coalesce(max(position) + 1, 0) from stock_count_item where shop_id = ${shopId} and count_id = known.id
      )
      from known
    ),
    given as materialized (
      select target.id, target.is_new, given.variant_id, target.first_position + given.position as position, given.counted,
        given.expected, i.variant_id is not null as is_known, i.counted_quantity as known
      from target
      cross join ${sql.unnest(rows, ['int8', 'int4', 'int4', 'int4'])} as given (variant_id, position, counted, expected)
      left join stock_count_item i on i.shop_id = ${shopId} and i.count_id = target.id and i.variant_id = given.variant_id
    ),
    added as (
      insert into stock_count_item (
        shop_id, count_id, variant_id, position, counted_quantity, expected_quantity, counted_at, entered_at, read_at,
        submitted_quantity
      )
      select ${shopId}, id, variant_id, position, counted, expected, ${at}, ${at}, ${at}, counted
      from given
      where not is_known
      returning variant_id
    ),
    extended as (
      update stock_count
      set item_count = item_count + (select count(*) from added), updated_at = ${new Date().toISOString()}
      where shop_id = ${shopId} and id = (select id from known) and exists (select from added)
    )
    select id, variant_id, is_new, known from given order by position
  `)
}

/** Deletes imported counts that have no files; returns their ids. The caller must have locked them. */
export const deleteImportedCounts = (
  tx: Db,
  shopId: number,
  ids: readonly number[],
): Promise<readonly number[]> =>
  tx.anyFirst(sql.typeAlias('id')`
    delete from stock_count c
    where c.shop_id = ${shopId} and c.is_imported and c.id = any(${sql.array([...ids], 'int8')})
      and not exists (select from attachment a where a.shop_id = ${shopId} and a.stock_count_id = c.id)
    returning c.id
  `)
