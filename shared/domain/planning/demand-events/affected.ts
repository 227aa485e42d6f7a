import { type Db, sql } from '../../../db/db.ts'
import { enqueue, jobKey } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import { lockEventsForChange } from '../../ledgers/demand/events.ts'
import { markStale } from '../forecasts/stale.ts'
import type { EventScope } from './check.ts'

/**
 * Marks the forecasts of these scopes as stale, and enqueues the job. The last
 * statement of a transaction.
 */
export async function recomputeAffected(
  tx: Db,
  shopId: number,
  scopes: readonly EventScope[],
): Promise<void> {
  // waits until forecasts that were read before this event are stored, also the first ones of a variant
  await lockEventsForChange(tx, shopId)
  await markStale(tx, shopId, isOneOf(shopId, scopes))
  await enqueue(tx, jobs.recomputeForecasts, { shopId }, { key: jobKey(jobs.recomputeForecasts, shopId) })
}

function isOneOf(shopId: number, scopes: readonly EventScope[]) {
  if (scopes.some(({ scope }) => scope === 'shop')) return sql.fragment`true`
  const conditions = scopes.map(({ scope, scopeValue, variantRowId }) =>
    scope === 'variant'
      ? sql.fragment`f.variant_id = ${variantRowId}`
      : sql.fragment`f.variant_id in (
          select v.id
          from product p
          join variant v on v.shop_id = ${shopId} and v.product_id = p.id
          where p.shop_id = ${shopId} and p.${sql.identifier([scope])} = ${scopeValue}
        )`,
  )
  return sql.fragment`(${sql.join(conditions, sql.fragment` or `)})`
}
