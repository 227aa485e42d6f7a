import { sql } from '../../db/db.ts'

/** SQL: whether receipts of order `o` were entered or undone since it was imported. */
export const hasNewReceipts = (shopId: number) => sql.fragment`exists (
  select from receipt r
  where r.shop_id = ${shopId} and r.purchase_order_id = o.id and (not r.is_imported or r.reversed_at is not null)
)`

/** SQL: whether order `o` was e-mailed since it was imported. */
export const isMailed = (shopId: number) => sql.fragment`exists (
  select from outgoing_mail m where m.shop_id = ${shopId} and m.purchase_order_id = o.id
)`
