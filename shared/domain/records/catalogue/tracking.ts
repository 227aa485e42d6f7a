import { type Db, sql } from '../../../db/db.ts'

/** Whether the platform tracks the stock of a variant, and when it changed that; ISO instant. */
export type ReportedTracking = { variantId: number; isTracked: boolean; updatedAt: string }

/** Stores whether the platform tracks the variants, of several reports for one the newest. */
export async function writeTracking(
  tx: Db,
  shopId: number,
  tracked: readonly ReportedTracking[],
): Promise<void> {
  if (tracked.length === 0) return
  const rows = tracked.map(({ variantId, isTracked, updatedAt }) => [variantId, isTracked, updatedAt])
  await tx.query(sql.typeAlias('void')`
    update variant v
    set is_tracked = newest.is_tracked, tracking_changed_at = now(), updated_at = now()
    from (
      select distinct on (variant_id) variant_id, is_tracked
      from ${sql.unnest(rows, ['int8', 'bool', 'timestamptz'])} as update (variant_id, is_tracked, updated_at)
      order by variant_id, updated_at desc
    ) newest
    where v.shop_id = ${shopId} and v.id = newest.variant_id and v.is_tracked <> newest.is_tracked
  `)
}
