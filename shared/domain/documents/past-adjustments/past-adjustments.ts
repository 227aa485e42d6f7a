import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { PastAdjustment, type PastAdjustmentFilter } from '../../../schemas/past-adjustments.ts'
import { resolveDates, within } from '../../kit/date-range.ts'
import {
  isAfterInstant,
  type Page,
  PairKey,
  pageSize,
  readPair,
  toPairPage,
  withCount,
} from '../../kit/pages/pages.ts'
import { matchesSearch } from '../../kit/search.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'

const AdjustmentRow = Type.Composite([PastAdjustment, PairKey])

/**
 * Lists adjustments of another system that were imported, newest first without a sort. They moved no stock here. The search covers
 * product title, variant title, SKU and barcode.
 */
export async function listPastAdjustments(
  db: Db,
  shopId: number,
  filter: PastAdjustmentFilter,
): Promise<Page<PastAdjustment>> {
  const after = readPair(filter.cursor)
  const isOldestFirst = filter.sort === 'oldest'
  const matching = matchesSearch('v', filter.search)
  const conditions = [
    filter.variantId !== undefined &&
      sql.fragment`a.variant_id = (select id from variant where shop_id = ${shopId} and gid = ${filter.variantId})`,
    matching &&
      sql.fragment`a.variant_id in (select v.id from variant v where v.shop_id = ${shopId} and ${matching})`,
    ...within(sql.fragment`a.adjusted_at`, await resolveDates(db, shopId, filter)),
  ]
  const counted = sql.fragment`from past_adjustment a where a.shop_id = ${shopId} and ${sql.and(conditions)}`
  const rows = db.any(sql.type(row(AdjustmentRow))`
    select a.id, v.gid as variant_id, v.sku, ${variantTitle('v', 'p')} as title, w.name as location_name, a.adjusted_at,
      a.quantity, a.previous_quantity, a.new_quantity, a.reason, a.notes,
      (extract(epoch from a.adjusted_at) * 1000000)::bigint as rank, a.id as row_id
    from past_adjustment a
    join variant v on v.shop_id = ${shopId} and v.id = a.variant_id
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    left join location w on w.shop_id = ${shopId} and w.id = a.location_id
    where a.shop_id = ${shopId} and ${sql.and([
      ...conditions,
      after !== null &&
        isAfterInstant(after, [sql.fragment`a.adjusted_at`, sql.fragment`a.id`], isOldestFirst),
    ])}
    order by ${isOldestFirst ? sql.fragment`a.adjusted_at, a.id` : sql.fragment`a.adjusted_at desc, a.id desc`}
    limit ${pageSize(filter) + 1}
  `)
  return withCount(
    db,
    filter,
    counted,
    rows.then((found) => toPairPage(found, filter)),
  )
}
