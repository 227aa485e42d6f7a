import { sql } from '../../../db/db.ts'

/** SQL for the shop's currency (ISO 4217); USD while the shop has no settings. `purchase-orders/functions/look_up_order.sql` has the same rule. */
export const currencyOf = (shopId: number) => sql.fragment`
  coalesce((select currency from shop_setting where shop_id = ${shopId}), 'USD')
`
