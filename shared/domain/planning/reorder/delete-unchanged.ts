import { arrayOf, type Db, sql } from '../../../db/db.ts'
import { resolveAlerts } from '../../kit/alerts/alerts.ts'
import { storedServiceLevel } from '../supply/service-level.ts'

/** A rule as it was created. Null: as in a rule (`RuleToWrite`), or not known, with which the rule counts as changed. */
export type CreatedRule = {
  id: number
  mode: string | null
  supplierId: number | null
  reorderPoint: number | null
  reorderQuantity: number | null
  serviceLevel: number | null
  reviewDays: number | null
  maxLevel: number | null
}

/** Deletes the rules that are still as they were created, and resolves their alerts; returns their ids. Points of automatic rules may differ. */
export async function deleteUnchangedRules(
  tx: Db,
  shopId: number,
  rules: readonly CreatedRule[],
): Promise<readonly number[]> {
  const rows = rules.map((rule) => [
    rule.id,
    rule.mode,
    rule.supplierId,
    rule.reorderPoint,
    rule.reorderQuantity,
    storedServiceLevel(rule.serviceLevel).level,
    rule.reviewDays,
    rule.maxLevel,
  ])
  const deleted = await tx.anyFirst(sql.typeAlias('id')`
    delete from reorder_rule r
    using ${sql.unnest(rows, ['int8', 'text', 'int8', 'int4', 'int4', 'int4', 'int4', 'int4'])}
      as n (id, mode, supplier_id, reorder_point, reorder_quantity, service_level, review_days, max_level)
    where r.shop_id = ${shopId} and r.id = n.id and r.mode = n.mode and r.service_level = n.service_level
      and r.review_days = n.review_days and r.max_level is not distinct from n.max_level
      and r.supplier_id is not distinct from n.supplier_id
      and (r.mode = 'auto' or (r.reorder_point = n.reorder_point and r.reorder_quantity = n.reorder_quantity))
    returning r.id
  `)
  const subjects = arrayOf('text', deleted, (id) => `reorder_rule/${id}`)
  await resolveAlerts(tx, shopId, sql.fragment`subject = any(${subjects})`)
  return deleted
}
