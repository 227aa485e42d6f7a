import { sql } from '../../../../db/db.ts'

/** SQL: whether receipts of an order were entered or undone since it was imported; `order` is the alias of its table. */
export const hasNewReceipts = (shopId: number, order: string) => sql.fragment`exists (
  select from receipt r
  where r.shop_id = ${shopId} and r.purchase_order_id = ${sql.identifier([order, 'id'])}
    and (not r.is_imported or r.reversed_at is not null)
)`

/** SQL: whether an order was e-mailed since it was imported; `order` is the alias of its table. */
export const isMailed = (shopId: number, order: string) => sql.fragment`exists (
  select from outgoing_mail m where m.shop_id = ${shopId} and m.purchase_order_id = ${sql.identifier([order, 'id'])}
)`
