import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Alert, type AlertFilter, type AlertType } from '../../schemas/alerts.ts'
import { Id, Nullable } from '../../schemas/common.ts'
import { type Page, pageSize, toPage } from '../pages.ts'

/** The subject of an alert, as in `stock_push/42`. At most one alert of a type is open for a subject. */
type AlertSubject = { type: AlertType; subject: string }

/** Raises an alert, unless one of its type is already open for the subject. */
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

/** Resolves the open alert for a subject, if there is one. It may be raised again. */
export const resolveAlert = (tx: Db, shopId: number, { type, subject }: AlertSubject): Promise<void> =>
  resolveAlerts(tx, shopId, sql.fragment`type = ${type} and subject = ${subject}`)

/** Resolves all open alerts that match `condition`, which reads columns of the table `alert`. Locks them in id order. */
export async function resolveAlerts(
  tx: Db,
  shopId: number,
  condition: ReturnType<typeof sql.fragment>,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    with due as (
      select id
      from alert
      where shop_id = ${shopId} and resolved_at is null and ${condition}
      order by id
      for no key update
    )
    update alert a
    set resolved_at = now()
    from due
    where a.shop_id = ${shopId} and a.id = due.id
  `)
}

const AlertRow = Type.Object({
  ...Alert.properties,
  productId: Nullable(Type.String()),
  productTitle: Nullable(Type.String()),
  purchaseOrderId: Nullable(Id),
})
type AlertRow = Static<typeof AlertRow>

/** Lists alerts, newest first. The default state is `open`. */
export async function listAlerts(db: Db, shopId: number, filter: AlertFilter): Promise<Page<Alert>> {
  const { state = 'open' } = filter
  const rows = await db.any(sql.type(row(AlertRow))`
    select a.id, a.type, a.message, a.product_gid as product_id, p.title as product_title, a.purchase_order_id,
      a.is_read as read, a.created_at, a.resolved_at
    from alert a
    left join product p on p.shop_id = a.shop_id and p.gid = a.product_gid
    where ${sql.and([
      sql.fragment`a.shop_id = ${shopId}`,
      state === 'open' && sql.fragment`a.resolved_at is null`,
      state === 'resolved' && sql.fragment`a.resolved_at is not null`,
      filter.type !== undefined && sql.fragment`a.type = ${filter.type}`,
      filter.read !== undefined && sql.fragment`a.is_read = ${filter.read}`,
      filter.cursor !== undefined && sql.fragment`a.id < ${filter.cursor}`,
    ])}
    order by a.id desc
    limit ${pageSize(filter) + 1}
  `)
  return toPage(rows.map(toAlert), filter)
}

/** Omits the fields that the alert does not have. */
function toAlert({ productId, productTitle, purchaseOrderId, ...alert }: AlertRow): Alert {
  return {
    ...alert,
    ...(productId !== null && { productId }),
    ...(productTitle !== null && { productTitle }),
    ...(purchaseOrderId !== null && { purchaseOrderId }),
  }
}
