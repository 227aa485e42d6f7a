import { type Db, sql } from '../../db/db.ts'

/**
 * All days of these variants are rolled up again in the next night. Also locks marks that are there already: a roll-up that
 * would end them waits, and then sees what the caller has written.
 */
export async function markVariants(tx: Db, shopId: number, variantIds: readonly number[]): Promise<void> {
  if (variantIds.length === 0) return
  await tx.query(sql.typeAlias('void')`
    insert into demand_mark (shop_id, variant_id)
    select ${shopId}::bigint, id
    from unnest(${sql.array([...variantIds], 'int8')}) as id
    order by id
    on conflict (shop_id, variant_id) do update set variant_id = excluded.variant_id
  `)
}
