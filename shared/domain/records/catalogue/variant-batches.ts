import type { FragmentSqlToken } from 'slonik'
import { type Db, sql } from '../../../db/db.ts'

/** Keeps each statement far below the 8 seconds that Postgres allows. */
export const variantsPerStatement = 20_000

/** Calls `write` with a condition on `variant v` for each batch of the shop's variants, deleted ones included. */
export async function forVariantBatches(
  tx: Db,
  shopId: number,
  write: (variants: FragmentSqlToken) => Promise<void>,
): Promise<void> {
  for (let from = 0; ; ) {
    const last: number | null = await lastOfBatch(tx, shopId, from)
    if (last === null) return
    await write(sql.fragment`v.id > ${from} and v.id <= ${last}`)
    from = last
  }
}

function lastOfBatch(tx: Db, shopId: number, from: number): Promise<number | null> {
  return tx.oneFirst(sql.typeAlias('maybeId')`
    select max(id) as id
    from (
      select id from variant where shop_id = ${shopId} and id > ${from} order by id limit ${variantsPerStatement}
    ) batch
  `)
}
