import { sql } from '../../../db/db.ts'
import { replaceCostPushes } from '../../cost-pushes/request.ts'
import { followUnitCosts } from '../../costs/follow.ts'
import { lockVariants } from '../../stock/move.ts'
import type { Remover } from './remover.ts'

/** Unit cost and average go back to those before, unless the cost has changed since; the ledger of costs shows both. */
export const revertCosts: Remover = async (tx, shopId, importId, ids) => {
  await lockVariants(tx, shopId, ids)
  const restored = await tx.anyFirst(sql.typeAlias('id')`
    update variant v
    set unit_cost = (t.before->>'from')::numeric, cost_source = t.before->>'source',
      cost_at = case when t.before->>'from' is not null then ${new Date().toISOString()}::timestamptz end
    from import_target t
    where v.shop_id = ${shopId} and v.id = any(${sql.array(ids, 'int8')}) and t.shop_id = ${shopId}
      and t.import_id = ${importId} and t.target = 'cost' and t.target_id = v.id and v.cost_source = 'import'
      and v.unit_cost = (t.before->>'to')::numeric
      and not exists (
        select from cost_movement m
        where m.shop_id = ${shopId} and m.variant_id = v.id
          and (m.receipt_id is not null or m.average_after is distinct from m.average_before)
          and m.id > coalesce((
            select max(own.id) from cost_movement own
            where own.shop_id = ${shopId} and own.variant_id = v.id and own.cause in ('opening', 'import')
          ), 0)
      )
    returning v.id
  `)
  const back = new Set(restored)
  if (restored.length > 0) {
    // an import of the previous release has not stored the average
    const average = sql.fragment`
      select t.before ? 'average' as is_known, (t.before->>'average')::numeric as cost,
        t.before->>'averageSource' as source
      from import_target t
      where t.shop_id = ${shopId} and t.import_id = ${importId} and t.target = 'cost' and t.target_id = v.id
    `
    const isRestored = sql.fragment`v.id = any(${sql.array([...restored], 'int8')})`
    await followUnitCosts(tx, shopId, isRestored, '', { average })
    await replaceCostPushes(tx, shopId, restored)
  }
  return ids
    .filter((id) => !back.has(id))
    .map((targetId) => ({
      targetId,
      message: 'The cost of this product has changed since.',
    }))
}
