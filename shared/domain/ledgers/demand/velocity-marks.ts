import { type Static, Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'

const Marked = Type.Object({ id: Id, isPast: Type.Boolean() })

/**
 * SQL statement: marks variants whose velocity the next run computes, those of a query with the columns `variant_gid` and `is_past` (sales of
 * earlier days changed).
 */
export const markVelocity = (shopId: number, variants: FragmentSqlToken) => sql.fragment`
  insert into velocity_mark (shop_id, variant_gid, is_past)
  select ${shopId}::bigint, m.variant_gid, m.is_past from (${variants}) m
`

/**
 * The variants whose sales changed since the last run. A sale that is stored later than this statement keeps its mark
 * and is counted now or in the next run. Sales of variants that are not synced yet keep their marks, too.
 */
export async function removeVelocityMarks(tx: Db, shopId: number): Promise<readonly Static<typeof Marked>[]> {
  return tx.any(sql.type(row(Marked))`
    with marked as (
      delete from velocity_mark m
      using variant v
      where m.shop_id = ${shopId} and v.shop_id = ${shopId} and v.gid = m.variant_gid
      returning v.id, m.is_past
    )
    select id, bool_or(is_past) as is_past from marked group by id
  `)
}
