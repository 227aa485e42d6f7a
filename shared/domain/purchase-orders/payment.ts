import type { FragmentSqlToken } from 'slonik'
import { sql } from '../../db/db.ts'
import type { PurchaseOrderPayment } from '../../schemas/purchase-orders.ts'
import { todayOf } from '../date-range.ts'

/** SQL condition on orders `o`; the index `purchase_order_unpaid` has the same condition. */
const isUnpaid = sql.fragment`
  o.paid_at is null and (o.invoice_number <> '' or o.invoice_date is not null or o.payment_due_on is not null)
`

/** SQL condition: the payment of order `o` was due before the shop's today. */
export const isPaymentOverdue = (shopId: number) => sql.fragment`
  (o.paid_at is null and coalesce(o.payment_due_on < ${todayOf(shopId)}, false))
`

/** SQL condition: the payment of order `o` is in this state. */
export function hasPayment(shopId: number, payment: PurchaseOrderPayment): FragmentSqlToken {
  if (payment === 'paid') return sql.fragment`o.paid_at is not null`
  if (payment === 'unpaid') return sql.fragment`(${isUnpaid})`
  // the condition of the index `purchase_order_payment_due`, which Postgres does not see in the comparison above
  return sql.fragment`(o.paid_at is null and o.payment_due_on is not null and ${isPaymentOverdue(shopId)})`
}
