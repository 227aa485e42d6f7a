import { Type } from '@sinclair/typebox'
import { row, sql } from '../../../../db/db.ts'
import { Id, Nullable } from '../../../../schemas/common.ts'
import { deleteUnchangedRules } from '../../../planning/reorder/delete-unchanged.ts'
import type { Remover } from './remover.ts'

const Created = Type.Object({
  id: Id,
  mode: Nullable(Type.String()),
  supplierId: Nullable(Id),
  reorderPoint: Nullable(Type.Integer()),
  reorderQuantity: Nullable(Type.Integer()),
  serviceLevel: Nullable(Type.Integer()),
  reviewDays: Nullable(Type.Integer()),
  maxLevel: Nullable(Type.Integer()),
})

export const revertRules: Remover = async (tx, shopId, importId, ids) => {
  const created = await tx.any(sql.type(row(Created))`
    select t.target_id as id, b.mode, b."supplierId" as supplier_id, b."reorderPoint" as reorder_point,
      b."reorderQuantity" as reorder_quantity, b."serviceLevel" as service_level, b."reviewDays" as review_days,
      b."maxLevel" as max_level
    from import_target t
    cross join lateral jsonb_to_record(t.before) as b (
      mode text, "supplierId" bigint, "reorderPoint" int, "reorderQuantity" int, "serviceLevel" int, "reviewDays" int,
      "maxLevel" int
    )
    where t.shop_id = ${shopId} and t.import_id = ${importId} and t.target = 'reorder_rule'
      and t.target_id = any(${sql.array(ids, 'int8')})
  `)
  const deleted = await deleteUnchangedRules(tx, shopId, created)
  return ids
    .filter((id) => !deleted.includes(id))
    .map((targetId) => ({ targetId, message: 'The rule has been changed since.' }))
}
