import { type Db, sql } from '../../../db/db.ts'
import { raiseAlerts, resolveAlert } from '../../kit/alerts/alerts.ts'

/** Raises an alert for a mail that failed or whose outcome is unknown, unless the order has ended. */
export async function raiseMailAlert(tx: Db, shopId: number, outgoingMailId: number): Promise<void> {
  const alert = sql.fragment`
    select 'mail_failed' as type, 'purchase_order/' || o.id as subject,
      concat(
        'The e-mail of ', o.po_number, ' to ', s.name,
        case m.state when 'failed' then ' was not sent. ' else ' may not have arrived. ' end, m.reason
      ) as message,
      o.id as purchase_order_id
    from outgoing_mail m
    join purchase_order o on o.shop_id = ${shopId} and o.id = m.purchase_order_id
    join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id
    where m.shop_id = ${shopId} and m.id = ${outgoingMailId} and o.status in ('sent', 'partial')
  `
  await raiseAlerts(tx, shopId, alert)
}

/** Resolves the mail alert of an order, after one of its mails was sent. */
export const resolveMailAlert = (tx: Db, shopId: number, purchaseOrderId: number): Promise<void> =>
  resolveAlert(tx, shopId, { type: 'mail_failed', subject: `purchase_order/${purchaseOrderId}` })

/** Resolves all alerts of an order that was cancelled or closed; `functions/settle_order.sql` does the same for a received one. */
export async function resolveOrderAlerts(tx: Db, shopId: number, purchaseOrderId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`select resolve_order_alerts(${shopId}, ${purchaseOrderId})`)
}
