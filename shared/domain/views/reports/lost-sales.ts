import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { LostSale, type LostSaleFilter } from '../../../schemas/planning.ts'
import { type Page, PairKey, pageSize, readPair, toPairPage, withCount } from '../../kit/pages/pages.ts'
import { matchesSearch } from '../../kit/search.ts'
import { isOfProduct } from '../../records/catalogue/product-filter.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'

const LostSaleRow = Type.Composite([LostSale, PairKey])

/** Lists what was not sold for lack of stock in the days before the last night, the largest loss first, then without a price. */
export async function listLostSales(db: Db, shopId: number, filter: LostSaleFilter): Promise<Page<LostSale>> {
  const after = readPair(filter.cursor)
  const period = Number.parseInt(filter.period ?? '90d', 10)
  const conditions = [
    sql.fragment`s.period_days = ${period} and v.deleted_at is null`,
    matchesSearch('v', filter.search),
    isOfProduct(sql.fragment`s.variant_id`, shopId, filter),
  ]
  const listed = sql.fragment`
    from lost_sale s
    join variant v on v.shop_id = ${shopId} and v.id = s.variant_id
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    where s.shop_id = ${shopId} and ${sql.and(conditions)}
  `
  const rows = db.any(sql.type(row(LostSaleRow))`
    select v.gid as variant_id, v.sku, ${variantTitle('v', 'p')} as title, s.days_without_stock, s.days_known, s.sold_units,
      s.lost_units, s.lost_revenue, s.rank, s.variant_id as row_id
    ${listed}
      and ${after === null || sql.fragment`(s.rank, s.variant_id) > (${after.rank}::bigint, ${after.rowId}::bigint)`}
    order by s.rank, s.variant_id
    limit ${pageSize(filter) + 1}
  `)
  const page = rows.then((found) => toPairPage(found, filter))
  return withCount(db, filter, listed, page)
}
