import type { FragmentSqlToken } from 'slonik'
import { sql } from '../../../../db/db.ts'
import type { PurchaseOrderPayment } from '../../../../schemas/purchase-orders.ts'
import { todayOf } from '../../../kit/date-range.ts'

/** SQL condition on orders `o`; the index `purchase_order_unpaid` has the same condition. */
const isUnpaid = sql.fragment`
  o.paid_at is null and (o.invoice_number <> '' or o.invoice_date is not null or o.payment_due_on is not null)
`

/** SQL condition, never null: the payment of order `o` was due before the shop's today; from the index `purchase_order_payment_due`. */
export const isPaymentOverdue = (shopId: number) => sql.fragment`
  (o.paid_at is null and o.payment_due_on is not null and o.payment_due_on < ${todayOf(shopId)})
`

/** SQL condition: the payment of order `o` is in this state. */
export function hasPayment(shopId: number, payment: PurchaseOrderPayment): FragmentSqlToken {
  if (payment === 'paid') return sql.fragment`o.paid_at is not null`
  return payment === 'unpaid' ? sql.fragment`(${isUnpaid})` : isPaymentOverdue(shopId)
}
