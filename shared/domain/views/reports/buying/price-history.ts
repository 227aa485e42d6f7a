import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { PaidPrice, type PriceHistoryFilter } from '../../../../schemas/reports.ts'
import { rateToShop } from '../../../documents/purchase-orders/currency.ts'
import { shownSku, shownTitle } from '../../../documents/purchase-orders/lines/lines.ts'
import { postedAt } from '../../../documents/receipts/of-order.ts'
import { resolveDates, within } from '../../../kit/date-range.ts'
import { type Page, pageSize } from '../../../kit/pages/pages.ts'
import {
  isAfter,
  readSortCursor,
  type SortColumn,
  SortedKey,
  sortKeys,
  sortOrder,
  toSortedPage,
} from '../../../kit/pages/sorted-pages.ts'
import { matchesSearch } from '../../../kit/search.ts'
import { isOfProduct } from '../../../records/catalogue/product-filter.ts'
import { currencyOf } from '../../../records/shops/currency.ts'

/** The aliases of the tables in the SQL of this file. */
const aliases = { order: 'o', line: 'l', variant: 'v', product: 'p' }

const PaidPriceRow = Type.Composite([PaidPrice, SortedKey])

const newest: readonly SortColumn[] = [
  { sql: postedAt('r'), type: 'timestamptz', isDescending: true },
  { sql: sql.fragment`r.id`, type: 'int8', isDescending: true },
  { sql: sql.fragment`x.purchase_order_line_id`, type: 'int8', isDescending: true },
]

/**
 * Lists what was paid by receipt and line, newest first, without reversed receipts and goods without an order. An imported receipt
 * stands at the day of its goods. A cost that was corrected at the receipt is the price, without a discount. The landed cost is what
 * the ledger of costs has for the variant's pieces of the receipt, with charges that came later; null where no stock moved.
 */
export async function listPriceHistory(
  db: Db,
  shopId: number,
  filter: PriceHistoryFilter,
): Promise<Page<PaidPrice>> {
  const after = readSortCursor('newest', newest, filter.cursor, { isChosen: false })
  const period = await resolveDates(db, shopId, filter)
  // the page first: its names come from tables that would make the plan of one statement expensive
  const rows = await db.any(sql.type(row(PaidPriceRow))`
    select x.received_at, x.receipt_id, l.id as line_item_id, o.id as purchase_order_id, o.po_number, s.id as supplier_id, s.name as supplier_name,
      v.gid as variant_id, ${shownSku(aliases)} as sku, ${shownTitle(aliases)} as title, x.quantity,
      coalesce(x.unit_cost, l.cost_price) as unit_price,
      case when x.unit_cost is null then l.discount_percent else 0 end as discount_percent, coalesce(o.currency, ${currencyOf(shopId)}) as currency,
      ${rateToShop(shopId, 'o')} as rate,
      (
        select round(sum(m.value + m.variance) / nullif(sum(m.quantity), 0), 6)
        from cost_movement m
        where m.shop_id = ${shopId} and m.receipt_id = x.receipt_id and m.variant_id = l.variant_id
      ) as landed_unit_cost,
      x.sort_keys
    from (
      select ${postedAt('r')} as received_at, x.quantity, x.unit_cost, r.id as receipt_id, x.purchase_order_line_id as line_id,
        ${sortKeys(newest)} as sort_keys
      from receipt r
      join receipt_line x on x.shop_id = ${shopId} and x.receipt_id = r.id
      where ${sql.and([
        sql.fragment`r.shop_id = ${shopId} and r.state = 'posted' and r.reversed_at is null and x.quantity > 0`,
        // a price that is still to be agreed is none
        sql.fragment`(x.unit_cost is not null or exists (
          select from purchase_order_line l where l.shop_id = ${shopId} and l.id = x.purchase_order_line_id and l.is_cost_known
        ))`,
        isOfVariants(shopId, filter),
        filter.supplierId !== undefined &&
          sql.fragment`r.purchase_order_id in (
            select o.id from purchase_order o where o.shop_id = ${shopId} and o.supplier_id = ${filter.supplierId}
          )`,
        ...within(postedAt('r'), period),
        after !== null && isAfter(newest, after),
        // Postgres reads an index by it, and cannot by a comparison of columns of two tables
        after !== null && sql.fragment`${postedAt('r')} <= ${after[0] ?? ''}::timestamptz`,
      ])}
      order by ${sortOrder(newest)}
      limit ${pageSize(filter) + 1}
    ) x
    join purchase_order_line l on l.shop_id = ${shopId} and l.id = x.line_id
    join purchase_order o on o.shop_id = ${shopId} and o.id = l.purchase_order_id
    join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id
    join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    order by x.received_at desc, x.receipt_id desc, x.line_id desc
  `)
  return toSortedPage('newest', rows, filter)
}

/** SQL condition: the order line of a receipt is one of the variants that the filter names; false when it names none. */
function isOfVariants(shopId: number, filter: PriceHistoryFilter) {
  const conditions = [
    filter.variantId !== undefined && sql.fragment`v.gid = ${filter.variantId}`,
    matchesSearch('v', filter.search),
    isOfProduct(sql.fragment`v.id`, shopId, filter),
  ]
  return (
    conditions.some(Boolean) &&
    sql.fragment`x.purchase_order_line_id in (
      select l.id
      from purchase_order_line l
      join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
      where l.shop_id = ${shopId} and ${sql.and(conditions)}
    )`
  )
}
