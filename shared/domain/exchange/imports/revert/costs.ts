import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id, Nullable } from '../../../../schemas/common.ts'
import { replaceCostPushes } from '../../../ledgers/cost-pushes/request.ts'
import { followUnitCosts } from '../../../ledgers/costs/follow.ts'
import { lockVariants } from '../../../ledgers/stock/move.ts'
import { restoreImportedCosts } from '../../../records/catalogue/imported-costs.ts'
import type { Remover } from './remover.ts'

const Stored = Type.Object({
  id: Id,
  imported: Type.Number(),
  cost: Nullable(Type.Number()),
  source: Nullable(Type.String()),
})

/**
 * Unit cost and average go back to those before, unless the cost has changed since; the ledger of costs shows both. Where a
 * later import holds the cost, its revert restores them.
 */
export const revertCosts: Remover = async (tx, shopId, importId, ids) => {
  await lockVariants(tx, shopId, ids)
  const handedOn = new Set(await handOn(tx, shopId, importId, ids))
  const stored = await tx.any(sql.type(row(Stored))`
    select t.target_id as id, (t.before->>'to')::numeric as imported, (t.before->>'from')::numeric as cost,
      t.before->>'source' as source
    from import_target t
    where t.shop_id = ${shopId} and t.import_id = ${importId} and t.target = 'cost' and t.target_id = any(${sql.array(ids, 'int8')})
      and not exists (${laterTargets(shopId, importId)})
      and not exists (
        select from cost_movement m
        where m.shop_id = ${shopId} and m.variant_id = t.target_id
          and (m.receipt_id is not null or m.average_after is distinct from m.average_before)
          and m.id > coalesce((
            select max(own.id) from cost_movement own
            where own.shop_id = ${shopId} and own.variant_id = t.target_id and own.cause in ('opening', 'import')
          ), 0)
      )
  `)
  const restored = await restoreImportedCosts(tx, shopId, stored)
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
      message: handedOn.has(targetId)
        ? 'A later import has set another cost. When you revert that import, the cost from before both comes back.'
        : 'The cost of this product has changed since.',
    }))
}

/** SQL: the costs of the variant of `t` that imports after this one have set, the earliest first. A revert deletes its targets. */
const laterTargets = (shopId: number, importId: number): FragmentSqlToken => sql.fragment`
  select n.import_id, n.before
  from import own
  join import_target n on n.shop_id = ${shopId} and n.target = 'cost' and n.target_id = t.target_id
    and n.import_id <> own.id
  join import i on i.shop_id = ${shopId} and i.id = n.import_id
  where own.shop_id = ${shopId} and own.id = ${importId}
    and (coalesce(i.finished_at, 'infinity'), i.id) > (coalesce(own.finished_at, 'infinity'), own.id)
  order by coalesce(i.finished_at, 'infinity'), i.id
`

/**
 * Gives the unit cost and the average from before this import to the next import that has set the cost, if nothing has changed them
 * between the two. Example: 7.15, this import sets 5.00, the next one 6.00; the next one then restores 7.15 instead of
 * 5.00. Returns these variants.
 */
const handOn = (
  tx: Db,
  shopId: number,
  importId: number,
  ids: readonly number[],
): Promise<readonly number[]> =>
  tx.anyFirst(sql.typeAlias('id')`
    update import_target n
    set before = n.before - 'average' - 'averageSource' || t.before || jsonb_build_object('to', n.before->'to')
    from import_target t
    cross join lateral (${laterTargets(shopId, importId)} limit 1) later
    where t.shop_id = ${shopId} and t.import_id = ${importId} and t.target = 'cost'
      and t.target_id = any(${sql.array([...ids], 'int8')})
      and n.shop_id = ${shopId} and n.import_id = later.import_id and n.target = 'cost' and n.target_id = t.target_id
      and n.before->>'source' = 'import' and (n.before->>'from')::numeric = (t.before->>'to')::numeric
      and (not n.before ? 'average' or (
        n.before->>'averageSource' = 'import' and (n.before->>'average')::numeric = (t.before->>'to')::numeric
      ))
    returning n.target_id as id
  `)
