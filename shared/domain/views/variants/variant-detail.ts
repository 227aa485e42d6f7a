import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { notFound } from '../../../errors.ts'
import { Variant } from '../../../schemas/variants.ts'
import { isOverdue } from '../../documents/purchase-orders/overdue.ts'
import { isoInstant } from '../../kit/date-range.ts'
import { listStockLevels } from '../../ledgers/stock/levels.ts'
import { listReorderRules } from '../../planning/reorder/list-rules.ts'
import { costColumns } from '../../records/catalogue/unit-cost.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { currencyOf } from '../../records/shops/currency.ts'
import { dueAt } from '../../records/supplier-prices/due-at.ts'
import { netPrice } from '../../records/supplier-prices/net-price.ts'
import { velocityOf } from '../reports/velocity-measures.ts'

const Facts = Type.Omit(Variant, ['levels', 'rules'])

/** More than a shop can have locations. */
const maxPerList = 1_000

/** All that is known about a variant, also about a deleted one, since documents name it. Throws not_found. */
export async function getVariant(db: Db, shopId: number, variantId: string): Promise<Variant> {
  const facts = await db.maybeOne(sql.type(row(Facts))`
    select v.gid as variant_id, p.gid as product_id, v.sku, v.barcode, ${variantTitle('v', 'p')} as title,
      coalesce(p.vendor, '') as vendor, coalesce(p.product_type, '') as product_type, coalesce(p.tags, '{}') as tags,
      v.price, ${costColumns('v')}, nullif(v.weight_grams, 0) as weight_grams, v.is_tracked,
      v.deleted_at is not null as is_deleted, ${velocityOf(shopId)} as velocity,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'purchaseOrderId', o.id, 'poNumber', o.po_number, 'quantity', o.quantity, 'isLate', o.is_late,
          'expectedAt', ${isoInstant(sql.fragment`o.due_at`)}
        ) order by o.due_at nulls last, o.id), '[]')
        from (
          select o.id, o.po_number, ${dueAt('o', 's')} as due_at, coalesce(${isOverdue('o', 's')}, false) as is_late,
            sum(greatest(l.quantity - l.accepted - l.cancelled, 0)) as quantity
          from purchase_order_line l
          join purchase_order o on o.shop_id = ${shopId} and o.id = l.purchase_order_id
          join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id
          where l.shop_id = ${shopId} and l.variant_id = v.id and o.status in ('sent', 'partial')
            and l.quantity > l.accepted + l.cancelled
          group by o.id, o.po_number, o.status, o.expected_at, o.sent_at, s.lead_time_days
        ) o
      ) as on_order,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'supplierId', s.id, 'supplierName', s.name, 'leadTimeDays', s.lead_time_days,
          'lastCostPrice', bought.cost_price, 'lastCostCurrency', bought.currency, 'orderCount', coalesce(bought.order_count, 0),
          'lastOrderedAt', ${isoInstant(sql.fragment`bought.ordered_at`)}
        ) order by bought.ordered_at desc nulls last, s.id), '[]')
        from supplier s
        left join (
          select o.supplier_id, count(distinct o.id) as order_count,
            max(coalesce(o.sent_at, o.created_at)) as ordered_at,
            (array_agg(
              ${netPrice('l')} order by coalesce(o.sent_at, o.created_at) desc, l.id desc
            ) filter (where l.is_cost_known))[1] as cost_price,
            (array_agg(coalesce(o.currency, ${currencyOf(shopId)}) order by coalesce(o.sent_at, o.created_at) desc, l.id desc) filter (where l.is_cost_known))[1] as currency
          from purchase_order_line l
          join purchase_order o on o.shop_id = ${shopId} and o.id = l.purchase_order_id
          where l.shop_id = ${shopId} and l.variant_id = v.id and o.status <> 'cancelled'
          group by o.supplier_id
        ) bought on bought.supplier_id = s.id
        where s.shop_id = ${shopId} and s.archived_at is null and (bought.supplier_id is not null or s.id in (
          select r.supplier_id from reorder_rule r where r.shop_id = ${shopId} and r.variant_id = v.id
        ))
      ) as suppliers
    from variant v
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    where v.shop_id = ${shopId} and v.gid = ${variantId}
  `)
  if (!facts) throw notFound('Product')
  const ofVariant = { variantId, limit: maxPerList }
  return {
    ...facts,
    levels: (await listStockLevels(db, shopId, ofVariant)).records,
    rules: (await listReorderRules(db, shopId, ofVariant)).records,
  }
}
