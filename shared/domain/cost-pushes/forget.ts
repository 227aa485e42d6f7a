import type { FragmentSqlToken } from 'slonik'
import { type Db, sql } from '../../db/db.ts'
import { resolveAlerts } from '../alerts/alerts.ts'

export const alertOf = (variantId: number) =>
  ({ type: 'sync_conflict', subject: `cost_push/${variantId}` }) as const

/** Forgets all costs that wait or that the platform refused, with their alerts. */
export async function forgetCostPushes(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`delete from cost_push where shop_id = ${shopId}`)
  // also alerts of costs that the previous release has forgotten
  await resolveAlerts(tx, shopId, sql.fragment`type = 'sync_conflict' and subject like 'cost_push/%'`)
}

/**
 * Forgets refused costs of some variants (a condition on `variant v`), with their alerts, that need no decision any more: the
 * platform has reported that cost or another one since, or the variant was deleted.
 */
export async function forgetSettledCostPushes(
  tx: Db,
  shopId: number,
  variants: FragmentSqlToken,
): Promise<void> {
  const ids = await tx.anyFirst(sql.typeAlias('id')`
    delete from cost_push p
    using variant v
    where p.shop_id = ${shopId} and p.failed_at is not null and v.shop_id = ${shopId} and v.id = p.variant_id and ${variants}
      and (
        v.deleted_at is not null
        or v.platform_cost = p.cost
        or exists (
          select from cost_movement m
          where m.shop_id = ${shopId} and m.variant_id = p.variant_id and m.cause = 'platform' and m.occurred_at > p.failed_at
        )
      )
    returning p.variant_id as id
  `)
  if (ids.length === 0) return
  const subjects = sql.array(
    ids.map((id) => alertOf(id).subject),
    'text',
  )
  await resolveAlerts(tx, shopId, sql.fragment`type = 'sync_conflict' and subject = any(${subjects})`)
}
