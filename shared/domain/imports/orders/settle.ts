import { type Db, sql } from '../../../db/db.ts'
import type { Terms } from '../load.ts'
import { instantOf, type WrittenOrder } from './written.ts'

/** Totals, and for an order that got further lines its status, from the lines. */
export async function settleOrders(
  tx: Db,
  { shopId }: Terms,
  orders: readonly WrittenOrder[],
): Promise<void> {
  const withLines = orders.filter(({ lines }) => lines.length > 0)
  if (withLines.length === 0) return
  const now = new Date().toISOString()
  const isWithdrawn = sql.fragment`
    not line.has_arrived and not line.is_outstanding and line.is_withdrawn
  `
  const isCancelledNow = sql.fragment`
    not n.is_new and o.status not in ('draft', 'cancelled') and o.closed_at is null and ${isWithdrawn}
  `
  await tx.query(sql.typeAlias('void')`
    update purchase_order o
    set subtotal = line.subtotal, tax = coalesce(n.tax, case when o.is_own_tax then o.tax end, line.tax),
      discount = least(case when n.is_new then n.discount else o.discount end, line.subtotal),
      line_item_count = line.count,
      status = case
        when n.is_new or o.status in ('draft', 'cancelled') then o.status
        when line.has_arrived and line.is_outstanding then 'partial'
        when line.has_arrived then 'received'
        when ${isWithdrawn} then 'cancelled'
        else 'sent'
      end,
      cancelled_at = case when ${isCancelledNow} then coalesce(${instantOf(shopId, 'cancelled')}, ${now}::timestamptz) else o.cancelled_at end,
      cancelled_by = case when ${isCancelledNow} then n.cancelled_by else o.cancelled_by end,
      version = o.version + case when n.is_new then 0 else 1 end,
      is_arrival_known = case
        when n.is_new then o.is_arrival_known
        when o.line_item_count = 0 then n.is_arrival_known
        else o.is_arrival_known and n.is_arrival_known
      end,
      received_at = case when line.has_arrived then coalesce(${instantOf(shopId, 'arrived')}, (
        select max(r.created_at) from receipt r where r.shop_id = ${shopId} and r.purchase_order_id = o.id
      )) end
    from ${sql.unnest(
      withLines.map(({ id, known, each: { plan } }) => [
        id,
        known === null,
        plan.isArrivalKnown,
        plan.tax,
        plan.discount,
        known === null ? plan.arrivedAt : null,
        plan.cancelledAt,
        plan.cancelledAt && plan.cancelledBy,
      ]),
      ['int8', 'bool', 'bool', 'numeric', 'numeric', 'text', 'text', 'text'],
    )} as n (id, is_new, is_arrival_known, tax, discount, arrived, cancelled, cancelled_by)
    cross join lateral (
      select sum(l.line_total) as subtotal, sum(round(l.line_total * l.tax_rate / 100, l.minor_digits)) as tax, count(*) as count,
        bool_or(l.accepted > 0 or l.credited > 0) as has_arrived, bool_or(l.quantity > l.accepted + l.cancelled) as is_outstanding,
        bool_or(l.cancelled > 0) as is_withdrawn
      from purchase_order_line l
      where l.shop_id = ${shopId} and l.purchase_order_id = n.id
    ) line
    where o.shop_id = ${shopId} and o.id = n.id
  `)
}
