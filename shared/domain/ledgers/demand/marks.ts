import { type Db, sql } from '../../../db/db.ts'
import { timeZoneOf, todayOf } from '../../kit/date-range.ts'

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

/** A day is rolled up an hour after its end at the earliest, so the roll-up has seen a movement that is applied within this time. */
const minAgeMinutes = 30

/**
 * Marks the variants whose stock the platform lowered on a day that has ended: the webhook was late, or lost and healed by a reading. The
 * day may be rolled up already, also by a run under way, with its sales at other locations. Costs nothing for movements of the last
 * half hour.
 */
export async function markLateMovements(
  tx: Db,
  shopId: number,
  lowered: readonly { variantId: number; occurredAt: string }[],
): Promise<void> {
  const latest = Date.now() - minAgeMinutes * 60_000
  const rows = lowered
    .filter(({ occurredAt }) => Date.parse(occurredAt) < latest)
    .map(({ variantId, occurredAt }) => [variantId, occurredAt])
  if (rows.length === 0) return
  const late = await tx.anyFirst(sql.typeAlias('id')`
    select distinct variant_id as id
    from ${sql.unnest(rows, ['int8', 'timestamptz'])} as moved (variant_id, occurred_at)
    where (occurred_at at time zone ${timeZoneOf(shopId)})::date < ${todayOf(shopId)}
  `)
  await markVariants(tx, shopId, late)
}
