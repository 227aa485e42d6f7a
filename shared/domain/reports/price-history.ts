import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { PaidPrice, type PriceHistoryFilter } from '../../schemas/reports.ts'
import { resolveDates, within } from '../date-range.ts'
import { type Page, PairKey, pageSize, readPair, toPairPage } from '../pages.ts'
import { shownSku, shownTitle } from '../purchase-orders/lines.ts'
import { currencyOf } from '../shops/currency.ts'

const PaidPriceRow = Type.Composite([PaidPrice, PairKey])

/**
 * Lists what was paid by receipt and line, newest first, without reversed receipts. The landed cost is what the ledger of costs has
 * for the variant's pieces of the receipt, with charges that came later; null where no stock moved.
 */
export async function listPriceHistory(
  db: Db,
  shopId: number,
  filter: PriceHistoryFilter,
): Promise<Page<PaidPrice>> {
  const after = readPair(filter.cursor)
  const period = await resolveDates(db, shopId, filter)
  const rows = await db.any(sql.type(row(PaidPriceRow))`
    select r.created_at as received_at, o.id as purchase_order_id, o.po_number, s.id as supplier_id, s.name as supplier_name,
      v.gid as variant_id, ${shownSku} as sku, ${shownTitle} as title, x.quantity, l.cost_price as unit_price,
      l.discount_percent, coalesce(o.currency, ${currencyOf(shopId)}) as currency,
      case when coalesce(o.currency, ${currencyOf(shopId)}) = ${currencyOf(shopId)} then 1 else o.rate end as rate,
      (
        select round(sum(m.value + m.variance) / nullif(sum(m.quantity), 0), 6)
        from cost_movement m
        where m.shop_id = ${shopId} and m.receipt_id = r.id and m.variant_id = l.variant_id
      ) as landed_unit_cost,
      r.id as rank, l.id as row_id
    from receipt r
    join receipt_line x on x.shop_id = r.shop_id and x.receipt_id = r.id
    join purchase_order_line l on l.shop_id = x.shop_id and l.id = x.purchase_order_line_id
    join purchase_order o on o.shop_id = r.shop_id and o.id = r.purchase_order_id
    join supplier s on s.shop_id = o.shop_id and s.id = o.supplier_id
    join variant v on v.shop_id = l.shop_id and v.id = l.variant_id
    join product p on p.shop_id = v.shop_id and p.id = v.product_id
    where ${sql.and([
      sql.fragment`r.shop_id = ${shopId} and r.reversed_at is null and x.quantity > 0`,
      filter.variantId !== undefined && sql.fragment`v.gid = ${filter.variantId}`,
      filter.supplierId !== undefined && sql.fragment`o.supplier_id = ${filter.supplierId}`,
      ...within(sql.fragment`r.created_at`, period),
      after !== null && sql.fragment`(r.id, l.id) < (${after.rank}::bigint, ${after.rowId}::bigint)`,
    ])}
    order by r.id desc, l.id desc
    limit ${pageSize(filter) + 1}
  `)
  return toPairPage(rows, filter)
}
