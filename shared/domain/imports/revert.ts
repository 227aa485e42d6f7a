import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Id } from '../../schemas/common.ts'
import { replaceCostPushes } from '../cost-pushes/request.ts'
import { followUnitCosts } from '../costs/follow.ts'
import { defaultServiceLevel } from '../reorder/service-level.ts'
import { lockVariants } from '../stock/move.ts'
import { contactsHash } from '../suppliers/contacts.ts'
import { lockOrders, lockRecords } from './locks.ts'
import { hasNewReceipts, isMailed } from './order-use.ts'
import { type RevertedTarget, revertedTargets } from './outcomes.ts'
import { revertOrderFields, revertSupplierFields } from './revert-fields.ts'
import { revertLines } from './revert-lines.ts'
import { summarise } from './work.ts'

type Kept = { target: string; targetId: number; message: string }

const Target = Type.Object({ targetId: Id })
const KeptRow = Type.Object({ targetId: Id, message: Type.String() })

const perBatch = 200

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
  return true
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

type Remover = (tx: Db, shopId: number, importId: number, ids: number[]) => Promise<Kept[]>

const removers: Record<RevertedTarget, Remover> = {
  async reorder_rule(tx, shopId, importId, ids) {
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
      .map((targetId) => ({ target: 'reorder_rule', targetId, message: 'The rule has been changed since.' }))
  },

  async past_adjustment(tx, shopId, importId, ids) {
    await tx.query(sql.typeAlias('void')`
      delete from past_adjustment
      where shop_id = ${shopId} and import_id = ${importId} and id = any(${sql.array(ids, 'int8')})
    `)
    return []
  },

  async receipt(tx, shopId, _importId, ids) {
    await lockRecords(tx, shopId, 'receipt', ids)
    const kept = await tx.any(sql.type(row(KeptRow))`
      select r.id as target_id, 'The receipt has been used since.' as message
      from receipt r
      where r.shop_id = ${shopId} and r.id = any(${sql.array(ids, 'int8')}) and (
        not r.is_imported or r.reversed_at is not null
        or exists (select from supplier_return x where x.shop_id = ${shopId} and x.receipt_id = r.id)
        or exists (select from attachment a where a.shop_id = ${shopId} and a.receipt_id = r.id)
      )
    `)
    const used = new Set(kept.map(({ targetId }) => targetId))
    const free = sql.array(
      ids.filter((id) => !used.has(id)),
      'int8',
    )
    await tx.query(sql.typeAlias('void')`
      delete from direct_receipt_line where shop_id = ${shopId} and receipt_id = any(${free})
    `)
    await tx.query(sql.typeAlias('void')`
      delete from receipt where shop_id = ${shopId} and id = any(${free}) and purchase_order_id is null
    `)
    return kept.map((each) => ({ ...each, target: 'receipt' }))
  },

  async stock_count(tx, shopId, _importId, ids) {
    await lockRecords(tx, shopId, 'stock_count', ids)
    const deleted = await tx.anyFirst(sql.typeAlias('id')`
      delete from stock_count c
      where c.shop_id = ${shopId} and c.is_imported and c.id = any(${sql.array(ids, 'int8')})
        and not exists (select from attachment a where a.shop_id = ${shopId} and a.stock_count_id = c.id)
      returning c.id
    `)
    return ids
      .filter((id) => !deleted.includes(id))
      .map((targetId) => ({
        target: 'stock_count',
        targetId,
        message: 'Files have been attached to the count.',
      }))
  },

  async purchase_order_line(tx, shopId, importId, ids) {
    await revertLines(tx, shopId, importId, ids)
    return []
  },

  filled_purchase_order: revertOrderFields,

  async purchase_order(tx, shopId, importId, ids) {
    await lockOrders(tx, shopId, ids)
    const kept = await tx.any(sql.type(row(KeptRow))`
      select o.id as target_id, used.message
      from purchase_order o
      join import_target t on t.shop_id = ${shopId} and t.import_id = ${importId} and t.target = 'purchase_order'
        and t.target_id = o.id
      cross join lateral (
        select case
          when ${hasNewReceipts(shopId, 'o')} then 'Goods of ' || o.po_number || ' have been received since.'
          when ${isMailed(shopId, 'o')} then o.po_number || ' has been e-mailed since.'
          when o.version <> coalesce((t.before->>'version')::int, t.version)
            or exists (select from attachment a where a.shop_id = ${shopId} and a.purchase_order_id = o.id)
            or exists (
              select from receipt r
              join supplier_return x on x.shop_id = ${shopId} and x.receipt_id = r.id
              where r.shop_id = ${shopId} and r.purchase_order_id = o.id
            )
            or exists (
              select from receipt r
              join attachment a on a.shop_id = ${shopId} and a.receipt_id = r.id
              where r.shop_id = ${shopId} and r.purchase_order_id = o.id
            )
          then o.po_number || ' has been changed since.'
        end as message
      ) used
      where o.shop_id = ${shopId} and o.id = any(${sql.array(ids, 'int8')}) and used.message is not null
    `)
    const used = new Set(kept.map(({ targetId }) => targetId))
    const free = sql.array(
      ids.filter((id) => !used.has(id)),
      'int8',
    )
    await tx.query(sql.typeAlias('void')`
      delete from receipt_line x
      using receipt r
      where x.shop_id = ${shopId} and r.shop_id = ${shopId} and r.id = x.receipt_id and r.purchase_order_id = any(${free})
    `)
    await tx.query(sql.typeAlias('void')`
      delete from receipt where shop_id = ${shopId} and purchase_order_id = any(${free})
    `)
    await tx.query(sql.typeAlias('void')`
      update alert
      set resolved_at = ${new Date().toISOString()}
      where shop_id = ${shopId} and resolved_at is null
        and subject = any(select 'purchase_order/' || id from unnest(${free}) as id)
    `)
    await tx.query(sql.typeAlias('void')`
      delete from purchase_order where shop_id = ${shopId} and id = any(${free})
    `)
    return kept.map((each) => ({ ...each, target: 'purchase_order' }))
  },

  /** A product that was changed or ordered since stays with its supplier. */
  async supplier_product(tx, shopId, importId, ids) {
    await tx.query(sql.typeAlias('void')`
      delete from supplier_product x
      using import_target t
      where x.shop_id = ${shopId} and x.id = any(${sql.array(ids, 'int8')}) and t.shop_id = ${shopId}
        and t.import_id = ${importId} and t.target = 'supplier_product' and t.target_id = x.id and x.version = t.version
        and not exists (
          select from purchase_order_line l
          join purchase_order o on o.shop_id = ${shopId} and o.id = l.purchase_order_id and o.supplier_id = x.supplier_id
          where l.shop_id = ${shopId} and l.variant_id = x.variant_id
        )
    `)
    const kept = await tx.any(sql.type(row(KeptRow))`
      select x.id as target_id, case
        when x.version <> t.version then 'The product of the supplier has been changed since.'
        else 'The product of the supplier is in orders.'
      end as message
      from supplier_product x
      join import_target t on t.shop_id = ${shopId} and t.import_id = ${importId} and t.target = 'supplier_product'
        and t.target_id = x.id
      where x.shop_id = ${shopId} and x.id = any(${sql.array(ids, 'int8')})
    `)
    return kept.map((each) => ({ ...each, target: 'supplier_product' }))
  },

  filled_supplier: revertSupplierFields,

  async supplier(tx, shopId, importId, ids) {
    await lockRecords(tx, shopId, 'supplier', ids)
    const kept = await tx.any(sql.type(row(KeptRow))`
      select s.id as target_id, used.message
      from supplier s
      join import_target t on t.shop_id = ${shopId} and t.import_id = ${importId} and t.target = 'supplier'
        and t.target_id = s.id
      cross join lateral (
        select case
          when exists (select from purchase_order o where o.shop_id = ${shopId} and o.supplier_id = s.id)
            then s.name || ' has orders.'
          when exists (select from supplier_product x where x.shop_id = ${shopId} and x.supplier_id = s.id)
            then s.name || ' has products.'
          when exists (select from buying_budget b where b.shop_id = ${shopId} and b.supplier_id = s.id)
            then s.name || ' has a budget.'
          when s.version <> t.version
            or exists (select from reorder_rule r where r.shop_id = ${shopId} and r.supplier_id = s.id)
            or exists (select from receipt r where r.shop_id = ${shopId} and r.supplier_id = s.id)
            or exists (select from supplier_return x where x.shop_id = ${shopId} and x.supplier_id = s.id)
            or (select count(*) from supplier_contact c where c.shop_id = ${shopId} and c.supplier_id = s.id)
              > coalesce((t.before->>'contacts')::int, 0)
            or t.before->>'contactsHash' <> ${contactsHash(shopId, sql.fragment`s.id`)}
            or (select count(*) from supplier_alias a where a.shop_id = ${shopId} and a.supplier_id = s.id)
              > coalesce((t.before->>'aliases')::int, 0)
          then s.name || ' has been changed since.'
        end as message
      ) used
      where s.shop_id = ${shopId} and s.id = any(${sql.array(ids, 'int8')}) and used.message is not null
    `)
    const used = new Set(kept.map(({ targetId }) => targetId))
    const free = ids.filter((id) => !used.has(id))
    await tx.query(sql.typeAlias('void')`
      delete from supplier where shop_id = ${shopId} and id = any(${sql.array(free, 'int8')})
    `)
    return kept.map((each) => ({ ...each, target: 'supplier' }))
  },

  /** Unit cost and average go back to those before, unless the cost has changed since; the ledger of costs shows both. */
  async cost(tx, shopId, importId, ids) {
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
        target: 'cost',
        targetId,
        message: 'The cost of this product has changed since.',
      }))
  },
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
