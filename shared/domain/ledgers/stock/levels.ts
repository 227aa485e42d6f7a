import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { StockLevel, type StockLevelFilter } from '../../../schemas/stock-levels.ts'
import { type Page, PairKey, pageSize, readPair, toPairPage, withCount } from '../../kit/pages/pages.ts'
import {
  otherSort,
  readSortCursor,
  SortedKey,
  sortKeys,
  sortOrder,
  toSortedPage,
} from '../../kit/pages/sorted-pages.ts'
import { matchesSearch } from '../../kit/search.ts'
import { matchesProduct } from '../../records/catalogue/product-filter.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { columnsOfSort, isAfterCursor, type SortedLevels } from './level-sorts.ts'

const LevelRow = Type.Composite([StockLevel, PairKey])
const SortedRow = Type.Composite([StockLevel, SortedKey])

/**
 * Lists the levels of tracked variants: newest variants first, by one of the sorts, or in the order of bins with those without one at
 * the end. The search covers titles, SKU and barcode. Throws invalid_request for a cursor of another sort.
 */
export function listStockLevels(db: Db, shopId: number, filter: StockLevelFilter): Promise<Page<StockLevel>> {
  const counted = sql.fragment`
    from stock_level l ${joins(shopId)}
    where l.shop_id = ${shopId} and ${sql.and(conditionsOf(shopId, filter, sql.fragment`l`))}
  `
  return withCount(db, filter, counted, readPage(db, shopId, filter))
}

async function readPage(db: Db, shopId: number, filter: StockLevelFilter): Promise<Page<StockLevel>> {
  const { sort } = filter
  if (sort !== undefined && sort !== 'bin') return readSorted(db, shopId, filter, sort)
  const limit = pageSize(filter) + 1
  const { pair, bin } = readCursor(sort, filter.cursor)
  if (sort !== 'bin') {
    return toLevelPage(await readLevels(db, shopId, filter, { after: pair, limit }), filter)
  }
  const inBins =
    pair && bin === null ? [] : await readLevels(db, shopId, filter, { after: pair, bin: bin ?? '', limit })
  const rest = limit - inBins.length
  const after = bin === null ? pair : null
  const others =
    rest === 0 ? [] : await readLevels(db, shopId, filter, { after, limit: rest, isWithoutBin: true })
  return toLevelPage([...inBins, ...others], filter)
}

/** SQL: what the filters of levels `l` need. */
const joins = (shopId: number) => sql.fragment`
  join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
  join product p on p.shop_id = ${shopId} and p.id = v.product_id
  join location w on w.shop_id = ${shopId} and w.id = l.location_id
`

/** `alias`: the table whose `location_id` the filter compares. */
const conditionsOf = (shopId: number, filter: StockLevelFilter, alias: FragmentSqlToken) => [
  sql.fragment`v.deleted_at is null and v.is_tracked`,
  filter.variantId !== undefined &&
    sql.fragment`l.variant_id = (select id from variant where shop_id = ${shopId} and gid = ${filter.variantId})`,
  filter.variantIds !== undefined &&
    sql.fragment`l.variant_id = any(array(
      select id from variant
      where shop_id = ${shopId} and gid = any(${sql.array(filter.variantIds.split(','), 'text')})
    ))`,
  filter.locationId !== undefined &&
    sql.fragment`${alias}.location_id = (
      select id from location where shop_id = ${shopId} and gid = ${filter.locationId}
    )`,
  filter.stock === 'out' && sql.fragment`l.quantity <= 0`,
  filter.stock === 'low' && isLow(shopId),
  matchesSearch('v', filter.search),
  ...matchesProduct('p', filter),
]

/** SQL condition: a rule of the level's location, or of all locations together, suggests an order. */
const isLow = (shopId: number) => sql.fragment`exists (
  select
  from reorder_rule r
  where r.shop_id = ${shopId} and r.variant_id = l.variant_id and r.is_low
    and (r.location_id = l.location_id or r.location_id is null)
)`

/** SQL: the fields of level `l`. */
const fieldsOf = (shopId: number) => sql.fragment`
  v.gid as variant_id, v.sku, v.barcode, ${variantTitle('v', 'p')} as title, l.quantity as current_stock, l.on_hand,
  l.committed, l.unavailable, ${orderedFor(shopId)} + ${inTransitTo(shopId)} as on_the_way,
  l.quantity - l.platform_quantity as pending_quantity, w.gid as location_id, w.name as location_name,
  coalesce(b.bin, '') as bin, v.unit_cost
`

/** One statement finds the levels of a page in the order of an index, and reads the fields of those alone. */
async function readSorted(
  db: Db,
  shopId: number,
  filter: StockLevelFilter,
  sort: SortedLevels,
): Promise<Page<StockLevel>> {
  const columns = columnsOfSort(sort)
  const after = readSortCursor(sort, columns, filter.cursor)
  const rows = await db.any(sql.type(row(SortedRow))`
    with page as materialized (
      select l.variant_id, l.location_id
      from stock_level l ${joins(shopId)}
      where l.shop_id = ${shopId} and ${sql.and([
        ...conditionsOf(shopId, filter, sql.fragment`l`),
        // repeats the condition for `v` and `p`, so that Postgres can use their index for the sort
        sql.fragment`v.shop_id = ${shopId} and p.shop_id = ${shopId}`,
        after !== null && isAfterCursor(sort, after),
      ])}
      order by ${sortOrder(columns)}
      limit ${pageSize(filter) + 1}
    )
    select ${fieldsOf(shopId)}, ${sortKeys(columns)} as sort_keys
    from page
    join stock_level l on l.shop_id = ${shopId} and l.variant_id = page.variant_id and l.location_id = page.location_id
    join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    join location w on w.shop_id = ${shopId} and w.id = l.location_id
    left join location_bin b
      on b.shop_id = ${shopId} and b.variant_id = l.variant_id and b.location_id = l.location_id
    order by ${sortOrder(columns)}
  `)
  return toSortedPage(sort, rows, filter)
}

type Part = { after: PairKey | null; limit: number; bin?: string; isWithoutBin?: true }

/** With `bin`, the levels that have one, in the order of bins, after this bin of `after`. */
function readLevels(db: Db, shopId: number, filter: StockLevelFilter, part: Part) {
  const { after, limit, bin, isWithoutBin = false } = part
  const isByBin = bin !== undefined
  return db.any(sql.type(row(LevelRow))`
    select ${fieldsOf(shopId)}, l.variant_id as rank, l.location_id as row_id
    from stock_level l ${joins(shopId)}
    ${isByBin ? sql.fragment`` : sql.fragment`left`} join location_bin b
      on b.shop_id = ${shopId} and b.variant_id = l.variant_id and b.location_id = l.location_id
    where l.shop_id = ${shopId} and ${sql.and([
      ...conditionsOf(shopId, filter, isByBin ? sql.fragment`b` : sql.fragment`l`),
      isWithoutBin && sql.fragment`b.bin is null`,
      after !== null &&
        (isByBin
          ? sql.fragment`(b.bin, b.variant_id, b.location_id) > (${bin}, ${after.rank}, ${after.rowId})`
          : sql.fragment`(l.variant_id, l.location_id) < (${after.rank}, ${after.rowId})`),
    ])}
    order by ${isByBin ? sql.fragment`b.bin, b.variant_id, b.location_id` : sql.fragment`l.variant_id desc, l.location_id desc`}
    limit ${limit}
  `)
}

/** A cursor such as `12-345`; of a level with a bin, in the order of bins, also the bin in base64url. */
function readCursor(
  sort: 'bin' | undefined,
  cursor: string | undefined,
): { pair: PairKey | null; bin: string | null } {
  if (cursor === undefined) return { pair: null, bin: null }
  const [, pair, bin] = /^(\d+-\d+)(?:-(.+))?$/.exec(cursor) ?? []
  if (pair === undefined || (bin !== undefined && sort !== 'bin')) throw otherSort(sort)
  return { pair: readPair(pair), bin: bin === undefined ? null : textOf(bin) }
}

// Postgres accepts no NUL
const textOf = (base64url: string) => Buffer.from(base64url, 'base64url').toString().replaceAll('\0', '')

function toLevelPage(rows: readonly (StockLevel & PairKey)[], filter: StockLevelFilter): Page<StockLevel> {
  const { records, next } = toPairPage(rows, filter)
  const bin = filter.sort === 'bin' ? records.at(-1)?.bin : ''
  return { records, next: next !== null && bin ? `${next}-${Buffer.from(bin).toString('base64url')}` : next }
}

/** SQL: the outstanding pieces of level `l` on sent orders. One without a destination arrives at the primary location. */
const orderedFor = (shopId: number) => sql.fragment`(
  select coalesce(sum(greatest(x.quantity - x.accepted - x.cancelled, 0)), 0)
  from purchase_order_line x
  join purchase_order o on o.shop_id = ${shopId} and o.id = x.purchase_order_id
  where x.shop_id = ${shopId} and x.variant_id = l.variant_id and o.status in ('sent', 'partial')
    and (o.destination_location_id = l.location_id or (o.destination_location_id is null and w.is_primary))
)`

/** SQL: the pieces of level `l` in transfers that were shipped and have not arrived. */
const inTransitTo = (shopId: number) => sql.fragment`(
  select coalesce(sum(i.in_transit), 0)
  from stock_transfer_item i
  join stock_transfer t on t.shop_id = ${shopId} and t.id = i.transfer_id
  where i.shop_id = ${shopId} and i.variant_id = l.variant_id and i.in_transit > 0
    and t.destination_location_id = l.location_id
)`
