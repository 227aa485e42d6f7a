import { type Static, Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { createFormats } from '../../../format.ts'
import { Id, Nullable, Timestamp } from '../../../schemas/common.ts'
import { renewAlerts, resolveAlerts } from '../../kit/alerts/alerts.ts'
import { localeOf } from '../../records/shops/locale.ts'
import { dueAt } from '../../records/supplier-prices/due-at.ts'

const OverdueOrder = Type.Object({
  id: Id,
  poNumber: Type.String(),
  supplierName: Type.String(),
  dueAt: Timestamp,
  locale: Type.String(),
  timeZone: Type.String(),
  /** Of its open alert; null without one. */
  alert: Nullable(Type.String()),
})
type OverdueOrder = Static<typeof OverdueOrder>

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

/** Stores the due dates of orders `o` after another lead time. An order that has ended keeps its own: it was promised with the lead time of its days. */
export const followLeadTimes = (tx: Db, shopId: number, condition: FragmentSqlToken) =>
  followDueDates(tx, shopId, sql.fragment`${condition} and o.status in ('sent', 'partial')`)

export const isOverdue = (order: string, supplier: string) =>
  sql.fragment`${sql.identifier([order])}.status in ('sent', 'partial') and ${dueAt(order, supplier)} < now()`

/**
 * Raises one `po_overdue` alert for each overdue order, rewrites open alerts whose text has changed, such as its date, and resolves
 * the alerts of orders that are no longer overdue; for one order or for all. Locks the orders for which it writes alerts, so that
 * none is received at the same time.
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
  const ofOrder = purchaseOrderId === undefined ? sql.fragment`true` : sql.fragment`o.id = ${purchaseOrderId}`
  const overdue = await tx.any(overdueOrders(shopId, ofOrder))
  const messages = messagesOf(overdue)
  const ids = overdue.flatMap(({ id, alert }) => (alert === messages.get(id) ? [] : [id]))
  const isChosen = sql.fragment`o.id = any(${sql.array(ids, 'int8')})`
  const orders = await tx.any(overdueOrders(shopId, isChosen, sql.fragment`for no key update of o`))
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

const overdueOrders = (
  shopId: number,
  condition: FragmentSqlToken,
  lock: FragmentSqlToken = sql.fragment``,
) => sql.type(row(OverdueOrder))`
  select o.id, o.po_number, s.name as supplier_name, ${dueAt('o', 's')} as due_at,
    ${localeOf(shopId)} as locale, coalesce(t.time_zone, 'UTC') as time_zone,
    (
      select a.message
      from alert a
      where a.shop_id = ${shopId} and a.type = 'po_overdue' and a.subject = 'purchase_order/' || o.id
        and a.resolved_at is null
    ) as alert
  from purchase_order o
  join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id
  left join shop_setting t on t.shop_id = ${shopId}
  left join alert_configuration c on c.shop_id = ${shopId}
  where o.shop_id = ${shopId} and ${isOverdue('o', 's')} and coalesce(c.overdue_po_alerts, true) and ${condition}
  order by o.id
  ${lock}
`

/** The texts of the alerts, by order. */
function messagesOf(orders: readonly OverdueOrder[]): ReadonlyMap<number, string> {
  const [first] = orders
  if (!first) return new Map()
  // Only dates are formatted, so the currency does not matter.
  const { date } = createFormats(first.locale, 'USD', first.timeZone)
  return new Map(
    orders.map(({ id, poNumber, supplierName, dueAt: at }) => [
      id,
      `${poNumber} of ${supplierName} was expected on ${date(at)} and has not arrived.`,
    ]),
  )
}

async function raise(tx: Db, shopId: number, orders: readonly OverdueOrder[]): Promise<void> {
  if (orders.length === 0) return
  const rows = [...messagesOf(orders)]
  // an open alert says the date as it is now
  await renewAlerts(
    tx,
    shopId,
    sql.fragment`
      select 'po_overdue' as type, 'purchase_order/' || late.id as subject, late.message, late.id as purchase_order_id
      from ${sql.unnest(rows, ['int8', 'text'])} as late (id, message)
    `,
  )
}
