import { type Static, Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../db/db.ts'
import { createFormats } from '../../format.ts'
import { Id, Timestamp } from '../../schemas/common.ts'
import { resolveAlerts } from '../alerts/alerts.ts'
import { localeOf } from '../shops/locale.ts'

const OverdueOrder = Type.Object({
  id: Id,
  poNumber: Type.String(),
  supplierName: Type.String(),
  dueAt: Timestamp,
  locale: Type.String(),
  timeZone: Type.String(),
})
type OverdueOrder = Static<typeof OverdueOrder>

/** SQL for the due date of an order: its expected date, else the date it was sent plus its supplier's lead time. */
export function dueAt(order: string, supplier: string) {
  const o = sql.identifier([order])
  const s = sql.identifier([supplier])
  return sql.fragment`coalesce(${o}.expected_at, ${o}.sent_at + make_interval(days => ${s}.lead_time_days))`
}

/**
 * Stores the due dates of orders `o` that meet the condition, so that an index lists the orders by them. Locks the orders in the order
 * of their ids, as every other statement that locks several.
 */
export async function followDueDates(tx: Db, shopId: number, condition: FragmentSqlToken): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update purchase_order o
    set due_at = n.due_at
    from (
      select o.id, ${dueAt('o', 's')} as due_at
      from purchase_order o
      join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id
      where o.shop_id = ${shopId} and ${condition} and o.due_at is distinct from ${dueAt('o', 's')}
      order by o.id
      for no key update of o
    ) n
    where o.shop_id = ${shopId} and o.id = n.id
  `)
}

export const isOverdue = (order: string, supplier: string) =>
  sql.fragment`${sql.identifier([order])}.status in ('sent', 'partial') and ${dueAt(order, supplier)} < now()`

/**
 * Raises one `po_overdue` alert for each overdue order, and resolves the alerts of orders that are no longer overdue;
 * for one order or for all. Locks the orders for which it raises alerts, so that none is received at the same time.
 */
export async function checkOverdueOrders(
  tx: Db,
  shopId: number,
  { purchaseOrderId }: { purchaseOrderId?: number } = {},
): Promise<void> {
  // an earlier release, which may run beside this one, does not store due dates
  if (purchaseOrderId === undefined) {
    await followDueDates(tx, shopId, sql.fragment`o.status in ('draft', 'sent', 'partial')`)
  }
  const orders = await tx.any(sql.type(row(OverdueOrder))`
    select o.id, o.po_number, s.name as supplier_name, ${dueAt('o', 's')} as due_at,
      ${localeOf(shopId)} as locale, coalesce(t.time_zone, 'UTC') as time_zone
    from purchase_order o
    join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id
    left join shop_setting t on t.shop_id = ${shopId}
    left join alert_configuration c on c.shop_id = ${shopId}
    where ${sql.and([
      sql.fragment`o.shop_id = ${shopId} and ${isOverdue('o', 's')} and coalesce(c.overdue_po_alerts, true)`,
      purchaseOrderId !== undefined && sql.fragment`o.id = ${purchaseOrderId}`,
      sql.fragment`o.id not in (
        select a.purchase_order_id
        from alert a
        where a.shop_id = ${shopId} and a.type = 'po_overdue' and a.resolved_at is null
          and a.purchase_order_id is not null
      )`,
    ])}
    order by o.id
    for no key update of o
  `)
  await resolveAlerts(
    tx,
    shopId,
    sql.fragment`type = 'po_overdue' and ${sql.and([
      purchaseOrderId !== undefined && sql.fragment`subject = ${`purchase_order/${purchaseOrderId}`}`,
      sql.fragment`not exists (
        select
        from purchase_order o
        join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id
        where o.shop_id = ${shopId} and o.id = alert.purchase_order_id and ${isOverdue('o', 's')}
      )`,
    ])}`,
  )
  await raise(tx, shopId, orders)
}

async function raise(tx: Db, shopId: number, orders: readonly OverdueOrder[]): Promise<void> {
  const [first] = orders
  if (!first) return
  // Only dates are formatted, so the currency does not matter.
  const { date } = createFormats(first.locale, 'USD', first.timeZone)
  const rows = orders.map(({ id, poNumber, supplierName, dueAt: at }) => [
    id,
    `${poNumber} of ${supplierName} was expected on ${date(at)} and has not arrived.`,
  ])
  await tx.query(sql.typeAlias('void')`
    insert into alert (shop_id, type, subject, message, purchase_order_id)
    select ${shopId}::bigint, 'po_overdue', 'purchase_order/' || late.id, late.message, late.id
    from ${sql.unnest(rows, ['int8', 'text'])} as late (id, message)
    order by late.id
    on conflict (shop_id, type, subject) where resolved_at is null do nothing
  `)
}
