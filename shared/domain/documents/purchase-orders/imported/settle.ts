import { type Db, sql } from '../../../../db/db.ts'
import { noonOrInstant } from '../../../kit/date-range.ts'

/** An order that got lines. Instants are texts as `noonOrInstant` reads them. */
export type OrderToSettle = {
  id: number
  isNew: boolean
  isArrivalKnown: boolean
  /** Null: computed from the lines and the discount. */
  tax: number | null
  /** Of a new order. */
  discount: number
  arrivedAt: string | null
  cancelledAt: string | null
  cancelledBy: string | null
}

/** Totals, and for an order that got further lines its status, from the lines. */
export async function settleImportedOrders(
  tx: Db,
  shopId: number,
  orders: readonly OrderToSettle[],
): Promise<void> {
  if (orders.length === 0) return
  const now = new Date().toISOString()
  const isCancelledNow = sql.fragment`
    not n.is_new and o.status not in ('draft', 'cancelled') and o.closed_at is null and state.is_withdrawn
  `
  const discount = sql.fragment`
    least(case when n.is_new then round(n.discount, state.minor_digits) else o.discount end, state.subtotal)
  `
  await tx.query(sql.typeAlias('void')`
    update purchase_order o
    set subtotal = state.subtotal, discount = ${discount},
      tax = coalesce(
        round(n.tax, state.minor_digits), case when o.is_own_tax then o.tax end,
        tax_after_discount(state.tax, state.subtotal, ${discount}, state.minor_digits)
      ),
      line_item_count = state.line_count,
      status = case
        when n.is_new or o.status in ('draft', 'cancelled') then o.status
        when state.is_withdrawn then 'cancelled'
        else state.status
      end,
      cancelled_at = case when ${isCancelledNow} then coalesce(${noonOrInstant(shopId, sql.fragment`n.cancelled`)}, ${now}::timestamptz) else o.cancelled_at end,
      cancelled_by = case when ${isCancelledNow} then n.cancelled_by else o.cancelled_by end,
      version = o.version + case when n.is_new then 0 else 1 end,
      is_arrival_known = case
        when n.is_new then o.is_arrival_known
        when o.line_item_count = 0 then n.is_arrival_known
        else o.is_arrival_known and n.is_arrival_known
      end,
      received_at = case when state.has_arrived then coalesce(${noonOrInstant(shopId, sql.fragment`n.arrived`)}, (
        select max(r.created_at) from receipt r where r.shop_id = ${shopId} and r.purchase_order_id = o.id
      )) end
    from ${sql.unnest(
      orders.map((order) => [
        order.id,
        order.isNew,
        order.isArrivalKnown,
        order.tax,
        order.discount,
        order.arrivedAt,
        order.cancelledAt,
        order.cancelledBy,
      ]),
      ['int8', 'bool', 'bool', 'numeric', 'numeric', 'text', 'text', 'text'],
    )} as n (id, is_new, is_arrival_known, tax, discount, arrived, cancelled, cancelled_by)
    cross join lateral order_state(${shopId}, n.id) state
    where o.shop_id = ${shopId} and o.id = n.id
  `)
}
