import { arrayOf, row, sql } from '../../../../db/db.ts'
import { deleteImportedOrders } from '../../../documents/purchase-orders/imported/remove.ts'
import { deleteReceiptsOfOrders } from '../../../documents/receipts/imported/remove.ts'
import { resolveAlerts } from '../../../kit/alerts/alerts.ts'
import { lockOrders } from '../locks.ts'
import { hasNewReceipts, isMailed } from './order-use.ts'
import { Kept, type Remover } from './remover.ts'

export const revertOrders: Remover = async (tx, shopId, importId, ids) => {
  await lockOrders(tx, shopId, ids)
  const kept = await tx.any(sql.type(row(Kept))`
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
  const free = ids.filter((id) => !used.has(id))
  await deleteReceiptsOfOrders(tx, shopId, free)
  const subjects = arrayOf('text', free, (id) => `purchase_order/${id}`)
  await resolveAlerts(tx, shopId, sql.fragment`subject = any(${subjects})`)
  await deleteImportedOrders(tx, shopId, free)
  return kept
}
