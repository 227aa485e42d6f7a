import { type Static, Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { Alert, type AlertFilter, type AlertType } from '../../../schemas/alerts.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { type Page, pageSize, toPage, withCount } from '../pages/pages.ts'
import { contains } from '../search.ts'
import { alertMessage } from './message.ts'

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

/** A query with the columns `type`, `subject`, `message` and `purchase_order_id`. */
type AlertsQuery = FragmentSqlToken

/** Raises the alerts of a query, except those of which one of the type is already open for the subject. */
export async function raiseAlerts(tx: Db, shopId: number, alerts: AlertsQuery): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into alert (shop_id, type, subject, message, purchase_order_id)
    select ${shopId}::bigint, a.type, a.subject, a.message, a.purchase_order_id from (${alerts}) a
    order by a.purchase_order_id
    on conflict (shop_id, type, subject) where resolved_at is null do nothing
  `)
}

/** As `raiseAlerts`, but an open alert gets the new message, and stays read. */
export async function renewAlerts(tx: Db, shopId: number, alerts: AlertsQuery): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into alert (shop_id, type, subject, message, purchase_order_id)
    select ${shopId}::bigint, a.type, a.subject, a.message, a.purchase_order_id from (${alerts}) a
    order by a.purchase_order_id
    on conflict (shop_id, type, subject) where resolved_at is null
    do update set message = excluded.message where alert.message <> excluded.message
  `)
}

/** Resolves the open alert for a subject, if there is one. It may be raised again. */
export const resolveAlert = (tx: Db, shopId: number, { type, subject }: AlertSubject): Promise<void> =>
  resolveAlerts(tx, shopId, sql.fragment`type = ${type} and subject = ${subject}`)

/** Resolves all open alerts that match `condition`, which reads columns of the table `alert`. Locks them in id order. */
export async function resolveAlerts(tx: Db, shopId: number, condition: FragmentSqlToken): Promise<void> {
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
  variantId: Nullable(Type.String()),
  purchaseOrderId: Nullable(Id),
})
type AlertRow = Static<typeof AlertRow>

/** SQL conditions on the table `alert` for each state; a list of several has the alerts of all. */
const states = {
  open: [sql.fragment`resolved_at is null`],
  resolved: [sql.fragment`resolved_at is not null`],
  all: [sql.fragment`true`],
  current: [sql.fragment`resolved_at is null`, sql.fragment`resolved_at > now() - interval '7 days'`],
}

/** Lists alerts, newest first without a sort. The search covers the sentence, which names the product or the order. Without a state: the open ones and those resolved in the last 7 days. */
export async function listAlerts(db: Db, shopId: number, filter: AlertFilter): Promise<Page<Alert>> {
  const rows = db.any(sql.type(row(AlertRow))`
    select a.id, a.type, a.message, a.product_gid as product_id, p.title as product_title, v.gid as variant_id,
      a.purchase_order_id, a.is_read as read, a.created_at, a.resolved_at
    from (${sql.join(
      states[filter.state ?? 'current'].map((condition) => pageOfAlerts(shopId, filter, condition)),
      sql.fragment` union all `,
    )}) a
    left join product p on p.shop_id = ${shopId} and p.gid = a.product_gid
    left join reorder_rule r on r.shop_id = ${shopId}
      and r.id = substring(a.subject from '^reorder_rule/([0-9]+)$')::bigint
    left join variant v on v.shop_id = ${shopId} and v.product_id = p.id
      and v.id = coalesce(r.variant_id, substring(a.subject from '^cost_push/([0-9]+)$')::bigint)
    order by ${orderBy(sql.fragment`a.id`, filter)}
    limit ${pageSize(filter) + 1}
  `)
  const counted = sql.fragment`from (${sql.join(
    states[filter.state ?? 'current'].map(
      (condition) => sql.fragment`(
        select id from alert where shop_id = ${shopId} and ${sql.and(conditionsOf(filter, condition))}
      )`,
    ),
    sql.fragment` union all `,
  )}) a`
  return withCount(
    db,
    filter,
    counted,
    rows.then((found) => toPage(found.map(toAlert), filter)),
  )
}

const conditionsOf = ({ type, read, search }: AlertFilter, condition: FragmentSqlToken) => [
  condition,
  type !== undefined && sql.fragment`type = ${type}`,
  read !== undefined && sql.fragment`is_read = ${read}`,
  contains(sql.fragment`lower(${alertMessage('alert')})`, search),
]

const orderBy = (id: FragmentSqlToken, { sort }: AlertFilter) =>
  sort === 'oldest' ? id : sql.fragment`${id} desc`

/** One page of the alerts that match `condition`, which an index finds in the order of the list. */
const pageOfAlerts = (shopId: number, filter: AlertFilter, condition: FragmentSqlToken) =>
  sql.fragment`(
    select id, type, subject, ${alertMessage('alert')} as message, product_gid, purchase_order_id, is_read, created_at, resolved_at
    from alert
    where shop_id = ${shopId} and ${sql.and([
      ...conditionsOf(filter, condition),
      filter.cursor !== undefined && isAfter(filter.cursor, filter),
    ])}
    order by ${orderBy(sql.fragment`id`, filter)}
    limit ${pageSize(filter) + 1}
  )`

const isAfter = (cursor: number, { sort }: AlertFilter) =>
  sort === 'oldest' ? sql.fragment`id > ${cursor}` : sql.fragment`id < ${cursor}`

/** Omits the fields that the alert does not have. */
function toAlert({ productId, productTitle, variantId, purchaseOrderId, ...alert }: AlertRow): Alert {
  return {
    ...alert,
    ...(productId !== null && { productId }),
    ...(productTitle !== null && { productTitle }),
    ...(variantId !== null && { variantId }),
    ...(purchaseOrderId !== null && { purchaseOrderId }),
  }
}
