import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Dashboard } from '../../../schemas/dashboard.ts'
import { piecesOfOrder } from '../../documents/purchase-orders/list/list.ts'
import { isOverdue } from '../../documents/purchase-orders/overdue.ts'
import { emailStatus, isClosedShort, receivedValue } from '../../documents/purchase-orders/purchase-orders.ts'
import { alertMessage } from '../../kit/alerts/message.ts'
import { endOfToday, isoInstant } from '../../kit/date-range.ts'
import { currencyOf } from '../../records/shops/currency.ts'
import { dueAt } from '../../records/supplier-prices/due-at.ts'
import { vendorKey } from '../../records/suppliers/aliases.ts'

/**
 * Reads all numbers in one statement, so from one snapshot (specification, GET /api/dashboard). Reads the vendors of the products
 * only for a shop without a supplier, since the first steps offer to create suppliers from them.
 */
export async function getDashboard(db: Db, shopId: number): Promise<Dashboard> {
  const { setup, ...rest } = await readDashboard(db, shopId)
  if (setup.hasSupplier) return { ...rest, setup }
  return { ...rest, setup: { ...setup, vendorCount: await countVendors(db, shopId) } }
}

function readDashboard(db: Db, shopId: number): Promise<Dashboard> {
  return db.one(sql.type(row(Dashboard))`
    select
      jsonb_build_object(
        'totalProducts', (${productCount(shopId)}),
        'lowStockItems', (${lowRuleCount(shopId)}),
        'openPurchaseOrders', coalesce(sum(open.count), 0),
        'pendingReceives', coalesce(sum(open.count) filter (where open.status <> 'draft'), 0)
      ) as stats,
      (${attentionOf(shopId)}) as attention,
      jsonb_build_object(
        'hasSupplier', ${hasRow(sql.fragment`select min(id) from supplier where shop_id = ${shopId}`)},
        'hasSentOrder', ${hasRow(sql.fragment`select min(sent_at) from purchase_order where shop_id = ${shopId}`)},
        'hasReorderRule', ${hasRow(sql.fragment`select min(id) from reorder_rule where shop_id = ${shopId}`)},
        'vendorCount', 0
      ) as setup,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', o.id, 'poNumber', o.po_number, 'supplier', s.name, 'status', o.status, 'total', o.total,
          'currency', coalesce(o.currency, ${currencyOf(shopId)}), 'isClosedShort', ${isClosedShort(shopId, 'o')}, 'receivedValue', ${receivedValue(shopId, 'o')},
          'unknownCosts', pieces.unknown_costs, 'orderedQuantity', pieces.ordered, 'receivedQuantity', pieces.received,
          'emailStatus', ${emailStatus(shopId, 'o')},
          'createdAt', ${isoInstant(sql.fragment`o.created_at`)}
        ) order by o.id desc), '[]')
        from (
          select id, po_number, supplier_id, status, subtotal, discount, tax, is_own_tax, total, currency, created_at
          from purchase_order
          where shop_id = ${shopId}
          order by id desc
          limit 5
        ) o
        join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id
        cross join lateral (${piecesOfOrder(shopId, 'o')}) pieces
      ) as "recentPOs",
      (
        select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
          'id', a.id, 'type', a.type, 'message', a.message, 'productId', a.product_gid,
          'createdAt', ${isoInstant(sql.fragment`a.created_at`)}
        )) order by a.id desc), '[]')
        from (
          select id, type, ${alertMessage('alert')} as message, product_gid, created_at
          from alert
          where shop_id = ${shopId} and resolved_at is null and is_read = false
          order by id desc
          limit 10
        ) a
      ) as alerts
    from (
      select status, count(*) as count
      from purchase_order
      where shop_id = ${shopId} and status in ('draft', 'sent', 'partial')
      group by status
    ) open
  `)
}

/** A `min` reads one index entry; `exists` may scan the table, where rows of other shops may come first. */
const hasRow = (first: ReturnType<typeof sql.fragment>) => sql.fragment`(${first}) is not null`

/** Products that the platform reported and did not delete; counted in the index `product_shown`. */
const productCount = (shopId: number) => sql.fragment`
  select count(*) from product where shop_id = ${shopId} and deleted_at is null and status <> ''
`

/**
 * Rules at or below their point, without those of deleted or untracked variants; counted in the indexes
 * `reorder_rule_low` and `variant_uncounted`.
 */
const lowRuleCount = (shopId: number) => sql.fragment`
  select count(*)
  from reorder_rule r
  where r.shop_id = ${shopId} and r.is_low and not exists (
    select
    from variant v
    where v.shop_id = ${shopId} and v.id = r.variant_id and (v.deleted_at is not null or not v.is_tracked)
  )
`

const attentionOf = (shopId: number) => sql.fragment`
  select jsonb_build_object(
    'overdueOrders', count(*) filter (where ${isOverdue('o', 's')}),
    'dueOrders', count(*) filter (where ${dueAt('o', 's')} < ${endOfToday(shopId)}),
    'stockGaps', (
      select count(distinct variant_id) from stock_gap where shop_id = ${shopId} and next_arrival_on is not null
    ),
    'failedMails', (
      select count(*) from alert where shop_id = ${shopId} and type = 'mail_failed' and resolved_at is null
    ),
    'failedPushes', (select count(*) from stock_push where shop_id = ${shopId} and state = 'failed'),
    'failedDeliveries', (select count(*) from webhook_delivery where shop_id = ${shopId} and state = 'failed')
  )
  from purchase_order o
  join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id
  where o.shop_id = ${shopId} and o.status in ('sent', 'partial')
`

const VendorCount = Type.Object({ count: Type.Integer() })

const countVendors = (db: Db, shopId: number) =>
  db.oneFirst(sql.type(row(VendorCount))`
    select count(distinct ${vendorKey(sql.fragment`p.vendor`)}) as count
    from (
      select distinct vendor from product where shop_id = ${shopId} and deleted_at is null and btrim(vendor) <> ''
    ) p
  `)
