import type { FragmentSqlToken } from 'slonik'
import { arrayOf, type Db, sql } from '../../../db/db.ts'
import { resolveAlerts } from '../../kit/alerts/alerts.ts'

export const alertOf = (variantId: number) =>
  ({ type: 'sync_conflict', subject: `cost_push/${variantId}` }) as const

/** Forgets all costs that wait or that the platform refused, with their alerts. */
export async function forgetCostPushes(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`delete from cost_push where shop_id = ${shopId}`)
  // also alerts of costs that the previous release has forgotten
  await resolveAlerts(tx, shopId, sql.fragment`type = 'sync_conflict' and subject like 'cost_push/%'`)
}

/**
 * Forgets costs of some variants (a condition on `variant v`), with their alerts, that must not be sent any more: the platform has
 * reported another one since, which is newer, or the variant was deleted; a refused one also when the platform has it.
 */
export function forgetSettledCostPushes(tx: Db, shopId: number, variants: FragmentSqlToken): Promise<void> {
  return forgetCostPushesOf(
    tx,
    shopId,
    sql.fragment`
      ${variants}
      and (
        v.deleted_at is not null
        or p.failed_at is not null and v.platform_cost = p.cost
        or exists (
          select from cost_movement m
          where m.shop_id = ${shopId} and m.variant_id = p.variant_id and m.cause = 'platform'
            and m.occurred_at > coalesce(p.failed_at, p.requested_at)
        )
      )
    `,
  )
}

/** Forgets the costs that meet a condition on `cost_push p` and its `variant v`, with their alerts. */
export async function forgetCostPushesOf(tx: Db, shopId: number, condition: FragmentSqlToken): Promise<void> {
  const ids = await tx.anyFirst(sql.typeAlias('id')`
    delete from cost_push p
    using variant v
    where p.shop_id = ${shopId} and v.shop_id = ${shopId} and v.id = p.variant_id and ${condition}
    returning p.variant_id as id
  `)
  if (ids.length === 0) return
  const subjects = arrayOf('text', ids, (id) => alertOf(id).subject)
  await resolveAlerts(tx, shopId, sql.fragment`type = 'sync_conflict' and subject = any(${subjects})`)
}
