import { type Db, row, sql } from '../../../db/db.ts'
import { type OrderReceiptFilter, Receipt } from '../../../schemas/receipts.ts'
import { type Page, pageSize, toPage } from '../../kit/pages/pages.ts'
import { requireOrder } from '../purchase-orders/settle.ts'

/** SQL: the instant at which a receipt was posted, from the alias of its table. One that was no draft was posted when it was created. */
export function postedAt(receipt: string) {
  const r = sql.identifier([receipt])
  return sql.fragment`coalesce(${r}.posted_at, ${r}.created_at)`
}

/** SQL columns of a receipt, from the alias of its table. */
export function receiptColumns(receipt: string) {
  const r = sql.identifier([receipt])
  return sql.fragment`
    ${r}.is_imported, ${r}.notes, ${r}.delivery_note, ${r}.version, ${r}.created_by, ${r}.created_at,
    case when ${r}.state = 'posted' then ${postedAt(receipt)} end as posted_at,
    case when ${r}.state = 'posted' then coalesce(${r}.posted_by, ${r}.created_by) else '' end as posted_by,
    ${r}.reversed_at, coalesce(${r}.reversed_by, '') as reversed_by
  `
}

/** Lists the posted receipts of an order, newest first, including reversed ones, or its drafts. Throws not_found. */
export async function listReceipts(
  db: Db,
  shopId: number,
  purchaseOrderId: number,
  query: OrderReceiptFilter,
): Promise<Page<Receipt>> {
  const records = await db.any(sql.type(row(Receipt))`
    select r.id, r.purchase_order_id, r.state, w.gid as location_id, w.name as location_name, ${receiptColumns('r')},
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'lineItemId', l.id, 'variantId', v.gid, 'sku', l.sku, 'title', l.title, 'quantity', x.quantity,
          'accepted', x.quantity, 'rejected', x.rejected, 'rejectReason', x.reject_reason,
          'rejectOutcome', x.reject_outcome, 'unitCost', x.unit_cost
        ) order by l.position), '[]')
        from receipt_line x
        join purchase_order_line l on l.shop_id = ${shopId} and l.id = x.purchase_order_line_id
        join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
        where x.shop_id = ${shopId} and x.receipt_id = r.id
      ) as line_items
    from receipt r
    join location w on w.shop_id = ${shopId} and w.id = r.location_id
    where ${sql.and([
      sql.fragment`r.shop_id = ${shopId}`,
      sql.fragment`r.purchase_order_id = ${purchaseOrderId}`,
      sql.fragment`r.state = ${query.state ?? 'posted'}`,
      query.cursor !== undefined && sql.fragment`r.id < ${query.cursor}`,
    ])}
    order by r.id desc
    limit ${pageSize(query) + 1}
  `)
  if (records.length === 0) await requireOrder(db, shopId, purchaseOrderId)
  return toPage(records, query)
}
