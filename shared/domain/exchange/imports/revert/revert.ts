import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import { type RevertedTarget, revertedTargets } from '../outcomes.ts'
import { summarise } from '../work.ts'
import { revertAdjustments } from './adjustments.ts'
import { revertCosts } from './costs.ts'
import { revertCounts } from './counts.ts'
import { revertOrderFields, revertSupplierFields } from './fields.ts'
import { revertLines } from './lines.ts'
import { revertOrders } from './orders.ts'
import { revertReceipts } from './receipts.ts'
import type { Kept, Remover } from './remover.ts'
import { revertRules } from './rules.ts'
import { revertSupplierProducts, revertSuppliers } from './suppliers.ts'

const Target = Type.Object({ targetId: Id })

const perBatch = 200

const removers: Record<RevertedTarget, Remover> = {
  reorder_rule: revertRules,
  past_adjustment: revertAdjustments,
  stock_count: revertCounts,
  purchase_order_line: revertLines,
  filled_purchase_order: revertOrderFields,
  purchase_order: revertOrders,
  receipt: revertReceipts,
  supplier_product: revertSupplierProducts,
  filled_supplier: revertSupplierFields,
  supplier: revertSuppliers,
  cost: revertCosts,
}

/**
 * Deletes the records of an import that nothing has used since, in the order of `revertedTargets`: dependent records first. A
 * batch is one transaction, so the next attempt continues after a kill. The rows of records that stay get the reason. Returns
 * false when the time budget ends first.
 */
export async function revertBatches(
  db: Db,
  shopId: number,
  importId: number,
  { signal, isOver }: { signal: AbortSignal; isOver: () => boolean },
): Promise<boolean> {
  const start = await readProgress(db, shopId, importId)
  for (const target of revertedTargets) {
    for (;;) {
      signal.throwIfAborted()
      const isLeft = await db.transaction(async (tx) => {
        const open = await tx.maybeOne(sql.typeAlias('id')`
          select id from import where shop_id = ${shopId} and id = ${importId} and state = 'reverting' for no key update
        `)
        if (!open) return false
        const batch = await tx.any(sql.type(row(Target))`
          select target_id
          from import_target
          where shop_id = ${shopId} and import_id = ${importId} and target = ${target}
          order by target_id
          limit ${perBatch}
        `)
        if (batch.length === 0) return false
        const ids = batch.map(({ targetId }) => targetId)
        const kept = await removers[target](tx, shopId, importId, ids)
        await markRows(tx, shopId, importId, target, ids, kept)
        await tx.query(sql.typeAlias('void')`
          delete from import_target
          where shop_id = ${shopId} and import_id = ${importId} and target = ${target}
            and target_id = any(${sql.array(ids, 'int8')})
        `)
        await showProgress(tx, shopId, importId, start)
        return true
      })
      if (!isLeft) break
      if (isOver()) return false
    }
  }
  await endRevert(db, shopId, importId)
  return true
}

/** Records that existed before the import stay. */
async function endRevert(db: Db, shopId: number, importId: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(sql.typeAlias('void')`
      update import_row r
      set state = case when used.is_gone then 'reverted' else 'kept' end, message = case
        when used.is_gone then ''
        when target = 'purchase_order' then 'The order existed before the import. The fields that the import filled in stay.'
        when target = 'supplier' then 'The supplier existed before the import. Contacts and names that the import added, and what else it filled in, stay.'
        when target = 'stock_count' then 'The count existed before the import. The products that the import added stay.'
        else 'The supplier product existed before the import. The fields that the import filled in stay.'
      end
      from (
        select own.position, case
          when own.target = 'purchase_order' then o.id is null
          when own.target = 'supplier' then s.id is null
          else false
        end as is_gone
        from import_row own
        left join purchase_order o on o.shop_id = ${shopId} and o.id = own.target_id
        left join supplier s on s.shop_id = ${shopId} and s.id = own.target_id
        where own.shop_id = ${shopId} and own.import_id = ${importId} and own.state = 'changed'
          and own.target in ('supplier', 'supplier_product', 'stock_count', 'purchase_order')
      ) used
      where r.shop_id = ${shopId} and r.import_id = ${importId} and r.position = used.position
    `)
    const summary = await summarise(tx, shopId, importId, false)
    await tx.query(sql.typeAlias('void')`
      update import
      set state = 'reverted', progress = 1, summary = ${JSON.stringify(summary)}::jsonb, reverted_at = ${new Date().toISOString()}
      where shop_id = ${shopId} and id = ${importId} and state = 'reverting'
    `)
  })
}

const Start = Type.Object({ progress: Type.Number(), left: Type.Integer() })
type Start = { progress: number; left: number }

/** How far an earlier attempt has come, and the records that are left. */
const readProgress = (db: Db, shopId: number, importId: number): Promise<Start> =>
  db.one(sql.type(row(Start))`
    select i.progress, (
      select count(*) from import_target t where t.shop_id = ${shopId} and t.import_id = i.id
    ) as left
    from import i
    where i.shop_id = ${shopId} and i.id = ${importId}
  `)

async function showProgress(tx: Db, shopId: number, importId: number, { progress, left }: Start) {
  await tx.query(sql.typeAlias('void')`
    update import
    set progress = least(0.999, ${progress}::numeric + (1 - ${progress}::numeric) * (1 - (
      select count(*) from import_target t where t.shop_id = ${shopId} and t.import_id = ${importId}
    )::numeric / ${Math.max(left, 1)}::int))
    where shop_id = ${shopId} and id = ${importId} and state = 'reverting'
  `)
}

async function markRows(
  tx: Db,
  shopId: number,
  importId: number,
  target: string,
  ids: readonly number[],
  kept: readonly Kept[],
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update import_row r
    set state = case when k.message is null then 'reverted' else 'kept' end, message = coalesce(k.message, '')
    from unnest(${sql.array([...ids], 'int8')}) as done (id)
    left join ${sql.unnest(
      kept.map(({ targetId, message }) => [targetId, message]),
      ['int8', 'text'],
    )} as k (target_id, message) on k.target_id = done.id
    where r.shop_id = ${shopId} and r.import_id = ${importId} and r.target = ${target.replace('filled_', '')}
      and r.target_id = done.id and (r.state in ('new', 'changed') or (r.state = 'reverted' and k.message is not null))
  `)
}
