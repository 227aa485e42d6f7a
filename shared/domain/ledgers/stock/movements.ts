import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import type { ProductFields } from '../../../schemas/products.ts'
import { StockMovement, type StockMovementFilter } from '../../../schemas/stock-movements.ts'
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
import { locationIdOf } from '../../records/catalogue/locations.ts'
import { isOfProduct } from '../../records/catalogue/product-filter.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'

const MovementRow = Type.Composite([StockMovement, PairKey])

/**
 * Lists movements by the instant at which they happened, newest first without a sort. The search covers product title, variant
 * title, SKU and barcode.
 */
export function listStockMovements(
  db: Db,
  shopId: number,
  filter: StockMovementFilter,
): Promise<Page<StockMovement>> {
  const { kind } = filter
  return readMovements(db, shopId, filter, kind !== undefined && sql.fragment`m.kind = ${kind}`)
}

export function listAdjustingMovements(
  db: Db,
  shopId: number,
  filter: Omit<StockMovementFilter, 'kind'> & ProductFields,
): Promise<Page<StockMovement>> {
  return readMovements(db, shopId, filter, sql.fragment`m.kind in ('set', 'delta', 'count')`)
}

/** SQL: the number of the document of movement `m`; null for documents that have none but their id. */
const documentName = (shopId: number) => sql.fragment`
  case
    when split_part(m.reference, '/', 1) = 'purchase_order' then (
      select po_number from purchase_order where shop_id = ${shopId} and id = split_part(m.reference, '/', 2)::bigint
    )
    when split_part(m.reference, '/', 1) = 'supplier_return' then (
      select number from supplier_return where shop_id = ${shopId} and id = split_part(m.reference, '/', 2)::bigint
    )
  end
`

async function readMovements(
  db: Db,
  shopId: number,
  filter: Omit<StockMovementFilter, 'kind'> & ProductFields,
  ofKind: FragmentSqlToken | false,
): Promise<Page<StockMovement>> {
  const period = await resolveDates(db, shopId, filter)
  const after = readPair(filter.cursor)
  const isOldestFirst = filter.sort === 'oldest'
  const matching = matchesSearch('v', filter.search)
  const conditions = [
    sql.fragment`m.shop_id = ${shopId}`,
    filter.variantId !== undefined &&
      sql.fragment`m.variant_id = (select id from variant where shop_id = ${shopId} and gid = ${filter.variantId})`,
    filter.locationId !== undefined &&
      sql.fragment`m.location_id = ${locationIdOf(shopId, filter.locationId)}`,
    ofKind,
    filter.reference !== undefined && sql.fragment`m.reference = ${filter.reference}`,
    matching &&
      sql.fragment`m.variant_id in (select v.id from variant v where v.shop_id = ${shopId} and ${matching})`,
    isOfProduct(sql.fragment`m.variant_id`, shopId, filter),
    ...within(sql.fragment`m.occurred_at`, period),
  ]
  const counted = sql.fragment`from stock_movement m where m.shop_id = ${shopId} and ${sql.and(conditions)}`
  const readRows = db.any(sql.type(row(MovementRow))`
    select m.id, v.gid as variant_id, v.sku, ${variantTitle('v', 'p')} as title,
      w.gid as location_id, w.name as location_name, m.kind, m.previous_quantity, m.new_quantity, m.delta, m.reason,
      m.reference, coalesce(${documentName(shopId)}, '') as reference_name,
      m.kind = 'platform' and not exists (
        select
        from stock_movement e
        where e.shop_id = ${shopId} and e.variant_id = m.variant_id and e.location_id = m.location_id and e.id < m.id
      ) as is_opening,
      m.actor, m.occurred_at, (extract(epoch from m.occurred_at) * 1000000)::bigint as rank,
      m.id as row_id
    from stock_movement m
    join variant v on v.shop_id = ${shopId} and v.id = m.variant_id
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    join location w on w.shop_id = ${shopId} and w.id = m.location_id
    where m.shop_id = ${shopId} and ${sql.and([
      ...conditions,
      after !== null &&
        isAfterInstant(after, [sql.fragment`m.occurred_at`, sql.fragment`m.id`], isOldestFirst),
    ])}
    order by ${isOldestFirst ? sql.fragment`m.occurred_at, m.id` : sql.fragment`m.occurred_at desc, m.id desc`}
    limit ${pageSize(filter) + 1}
  `)
  return withCount(
    db,
    filter,
    counted,
    readRows.then((rows) => toPairPage(rows, filter)),
  )
}
