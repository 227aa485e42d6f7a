import { Type } from '@sinclair/typebox'
import { arrayOf, type Db, row, sql } from '../../../../db/db.ts'
import { Id, Nullable } from '../../../../schemas/common.ts'
import { deleteImportedLines } from '../../../documents/purchase-orders/imported/remove.ts'
import { restoreImportedOrders } from '../../../documents/purchase-orders/imported/restore.ts'
import { deleteReceiptsOfLines } from '../../../documents/receipts/imported/remove.ts'
import { lockOrders } from '../locks.ts'
import { hasNewReceipts, isMailed } from './order-use.ts'
import type { Remover } from './remover.ts'

const Extended = Type.Object({
  id: Id,
  /** Why the lines stay; null: they can be taken back. */
  message: Nullable(Type.String()),
  /** Other imports that have added lines to the order. */
  others: Type.Integer(),
  /** The order before imports added lines to it, when they stored it (`keepVersions`). */
  before: Nullable(Type.Unknown()),
})

/**
 * Deletes the lines that the import added to orders of earlier imports, with their imported receipts; all lines of
 * an order together. Lines stay when the order has changed since. Imports of earlier releases did not store the version that
 * they left: each of them that added lines has raised the version by 1.
 */
export const revertLines: Remover = async (tx, shopId, importId, lineIds) => {
  const parents = sql.fragment`
    select t.parent_id from import_target t
    where t.shop_id = ${shopId} and t.import_id = ${importId} and t.target = 'purchase_order_line'
      and t.target_id = any(${sql.array([...lineIds], 'int8')})
  `
  await lockOrders(
    tx,
    shopId,
    await tx.anyFirst(sql.typeAlias('id')`
      select distinct p.parent_id as id from (${parents}) p where p.parent_id is not null
    `),
  )
  const orders = await tx.any(sql.type(row(Extended))`
    with added as materialized (
      select t.parent_id, count(distinct t.import_id) as imports,
        array_agg(t.target_id) filter (where t.import_id = ${importId}) as lines
      from import_target t
      where t.shop_id = ${shopId} and t.target = 'purchase_order_line' and t.parent_id in (${parents})
      group by t.parent_id
    )
    select o.id, a.imports - 1 as others, made.before->'order' as before, case
      when ${hasNewReceipts(shopId, 'o')} then 'Receipts of ' || o.po_number || ' have been entered or undone since, so the added lines stay.'
      when ${isMailed(shopId, 'o')} then o.po_number || ' has been e-mailed since, so the added lines stay.'
      when made.version is null or o.version <> coalesce((made.before->>'version')::int, made.version + a.imports) then
        o.po_number || ' has been changed since, so the added lines stay.' || case
          when o.status in ('draft', 'sent') then ' Remove them in the order if you do not need them.' else ''
        end
      when exists (
        select from receipt_line x
        join receipt r on r.shop_id = ${shopId} and r.id = x.receipt_id
        where x.shop_id = ${shopId} and x.purchase_order_line_id = any(a.lines) and (
          exists (select from supplier_return b where b.shop_id = ${shopId} and b.receipt_id = r.id)
          or exists (select from attachment b where b.shop_id = ${shopId} and b.receipt_id = r.id)
        )
      ) then 'A receipt of ' || o.po_number || ' has a return or a file, so the added lines stay.'
    end as message
    from added a
    join purchase_order o on o.shop_id = ${shopId} and o.id = a.parent_id
    left join import_target made on made.shop_id = ${shopId} and made.target = 'purchase_order' and made.target_id = o.id
    order by o.id
  `)
  await removeLines(
    tx,
    shopId,
    importId,
    orders.filter(({ message }) => message === null),
  )
  await tx.query(sql.typeAlias('void')`
    update import_row r
    set state = case when n.message = '' then 'reverted' else 'kept' end, message = n.message
    from ${sql.unnest(
      orders.map(({ id, message }) => [id, message ?? '']),
      ['int8', 'text'],
    )} as n (id, message)
    where r.shop_id = ${shopId} and r.import_id = ${importId} and r.state = 'changed' and r.target = 'purchase_order'
      and r.target_id = n.id
  `)
  await tx.query(sql.typeAlias('void')`
    delete from import_target
    where shop_id = ${shopId} and import_id = ${importId} and target = 'purchase_order_line'
      and parent_id = any(${arrayOf('int8', orders, ({ id }) => id)})
  `)
  // the rows of the orders have been marked above
  return []
}

type Free = { id: number; others: number; before: unknown }

async function removeLines(tx: Db, shopId: number, importId: number, free: readonly Free[]): Promise<void> {
  if (free.length === 0) return
  const orderIds = arrayOf('int8', free, ({ id }) => id)
  const lines = await tx.anyFirst(sql.typeAlias('id')`
    select target_id as id
    from import_target
    where shop_id = ${shopId} and import_id = ${importId} and target = 'purchase_order_line' and parent_id = any(${orderIds})
  `)
  await deleteReceiptsOfLines(tx, shopId, lines)
  await deleteImportedLines(tx, shopId, lines)
  await restoreOrders(tx, shopId, free)
}

/**
 * Gives orders the fields from before: those that were stored, once no import's lines are left, else by the lines that are
 * left. An order without lines keeps its total. The earlier import gets the new version, so that it can be reverted, too.
 */
async function restoreOrders(tx: Db, shopId: number, free: readonly Free[]): Promise<void> {
  const rows = free.map(({ id, others, before }) => ({ id, before: others === 0 ? before : null }))
  const restored = await restoreImportedOrders(tx, shopId, rows)
  const othersOf = new Map(free.map(({ id, others }) => [id, others]))
  await tx.query(sql.typeAlias('void')`
    update import_target t
    set version = n.version - n.others, before = coalesce(t.before, '{}') || jsonb_build_object('version', n.version)
    from ${sql.unnest(
      restored.map(({ id, version }) => [id, version, othersOf.get(id) ?? 0]),
      ['int8', 'int4', 'int4'],
    )} as n (id, version, others)
    where t.shop_id = ${shopId} and t.target = 'purchase_order' and t.target_id = n.id
  `)
}
