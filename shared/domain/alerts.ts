import { type Db, sql } from '../db.ts'
import type { AlertType } from '../schemas/alerts.ts'

/** What an alert is about. `subject` names it, as in `stock_push/42`: at most one alert of a type is open for it. */
export type AlertSubject = { type: AlertType; subject: string }

/** Raises an alert, unless one is open for its subject already. */
export async function raiseAlert(
  tx: Db,
  shopId: number,
  alert: AlertSubject & { message: string; productGid?: string | null; purchaseOrderId?: number | null },
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into alert (shop_id, type, subject, message, product_gid, purchase_order_id)
    values (
      ${shopId}, ${alert.type}, ${alert.subject}, ${alert.message}, ${alert.productGid ?? null},
      ${alert.purchaseOrderId ?? null}
    )
    on conflict (shop_id, type, subject) where resolved_at is null do nothing
  `)
}

/** Ends what is open for a subject; it may be raised again. */
export async function resolveAlert(tx: Db, shopId: number, { type, subject }: AlertSubject): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update alert
    set resolved_at = now()
    where shop_id = ${shopId} and type = ${type} and subject = ${subject} and resolved_at is null
  `)
}
