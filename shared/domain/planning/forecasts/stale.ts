import type { FragmentSqlToken } from 'slonik'
import { type Db, sql } from '../../../db/db.ts'

/** Marks forecasts as stale, which the next computation replaces. Locks them in the order in which it writes them. `isChosen` is a condition on `f`. */
export async function markStale(tx: Db, shopId: number, isChosen: FragmentSqlToken): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    with chosen as materialized (
      select f.id
      from variant_forecast f
      where f.shop_id = ${shopId} and not f.is_stale and ${isChosen}
      order by f.variant_id, f.location_id
      for no key update
    )
    update variant_forecast f
    set is_stale = true
    from chosen
    where f.shop_id = ${shopId} and f.id = chosen.id
  `)
}
