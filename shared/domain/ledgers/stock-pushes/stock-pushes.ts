import { type Db, row, sql } from '../../../db/db.ts'
import { StockPush, type StockPushFilter } from '../../../schemas/stock-pushes.ts'
import { type Page, pageSize, toPage } from '../../kit/pages/pages.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'

const maxListedLines = 10

export async function listStockPushes(
  db: Db,
  shopId: number,
  filter: StockPushFilter,
): Promise<Page<StockPush>> {
  const records = await db.any(sql.type(row(StockPush))`
    select s.id, s.state, s.reference, s.error, s.created_at, (
      select count(*) from stock_push_line x where x.shop_id = ${shopId} and x.push_id = s.id
    ) as line_count, (
      select coalesce(jsonb_agg(jsonb_build_object(
        'variantId', v.gid, 'sku', v.sku, 'title', ${variantTitle('v', 'p')},
        'locationId', w.gid, 'locationName', w.name, 'delta', x.delta
      ) order by x.variant_id, x.location_id), '[]')
      from (
        select shop_id, variant_id, location_id, delta
        from stock_push_line
        where shop_id = ${shopId} and push_id = s.id
        order by variant_id, location_id
        limit ${maxListedLines}
      ) x
      join variant v on v.shop_id = ${shopId} and v.id = x.variant_id
      join product p on p.shop_id = ${shopId} and p.id = v.product_id
      join location w on w.shop_id = ${shopId} and w.id = x.location_id
    ) as lines
    from stock_push s
    where ${sql.and([
      sql.fragment`s.shop_id = ${shopId} and s.state in ('queued', 'sending', 'failed')`,
      filter.state !== undefined && sql.fragment`s.state = ${filter.state}`,
      filter.cursor !== undefined && sql.fragment`s.id < ${filter.cursor}`,
    ])}
    order by s.id desc
    limit ${pageSize(filter) + 1}
  `)
  return toPage(records, filter)
}
