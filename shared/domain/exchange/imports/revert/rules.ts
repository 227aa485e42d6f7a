import { sql } from '../../../../db/db.ts'
import { defaultServiceLevel } from '../../../planning/supply/service-level.ts'
import type { Remover } from './remover.ts'

export const revertRules: Remover = async (tx, shopId, importId, ids) => {
  const deleted = await tx.anyFirst(sql.typeAlias('id')`
    delete from reorder_rule r
    using import_target t
    where r.shop_id = ${shopId} and r.id = any(${sql.array(ids, 'int8')}) and t.shop_id = ${shopId}
      and t.import_id = ${importId} and t.target = 'reorder_rule' and t.target_id = r.id
      and t.before->>'mode' = r.mode and coalesce((t.before->>'serviceLevel')::int, ${defaultServiceLevel}) = r.service_level
      and (t.before->>'reviewDays')::int = r.review_days and (t.before->>'maxLevel')::int is not distinct from r.max_level
      and (t.before->>'supplierId')::bigint is not distinct from r.supplier_id
      and (r.mode = 'auto' or (
        (t.before->>'reorderPoint')::int = r.reorder_point and (t.before->>'reorderQuantity')::int = r.reorder_quantity
      ))
    returning r.id
  `)
  await tx.query(sql.typeAlias('void')`
    update alert
    set resolved_at = ${new Date().toISOString()}
    where shop_id = ${shopId} and resolved_at is null
      and subject = any(select 'reorder_rule/' || id from unnest(${sql.array([...deleted], 'int8')}) as id)
  `)
  return ids
    .filter((id) => !deleted.includes(id))
    .map((targetId) => ({ targetId, message: 'The rule has been changed since.' }))
}
