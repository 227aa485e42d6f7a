import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../db/db.ts'
import {
  type StockTransferFilter,
  StockTransferListItem,
  type StockTransferSort,
} from '../../schemas/stock-transfers.ts'
import {
  type DocumentSort,
  joinGroup,
  locationIdOf,
  pageIds,
  readDocumentCursor,
  sortById,
  sortByLocation,
  sortByStatus,
  toDocumentPage,
} from '../grouped-pages.ts'
import { isOneOf, type Page, pageSize, withCount } from '../pages.ts'
import { SortedKey, sortKeys, sortOrder } from '../sorted-pages.ts'
import { matchesTransferSearch } from './search.ts'

const ListRow = Type.Composite([StockTransferListItem, SortedKey])

/** The order of the sort by status: the order in which a transfer reaches them. */
const statuses = ['pending', 'in_transit', 'partial', 'completed', 'cancelled']

function sortOf(shopId: number, sort: StockTransferSort): DocumentSort {
  const id = sql.fragment`t.id`
  const isDescending = sort.startsWith('-')
  if (sort === 'newest' || sort === 'oldest') return sortById(id, sort === 'newest')
  if (sort.endsWith('status')) {
    return sortByStatus({ id, status: sql.fragment`t.status` }, statuses, isDescending)
  }
  const locationId = sort.endsWith('source')
    ? sql.fragment`t.source_location_id`
    : sql.fragment`t.destination_location_id`
  return sortByLocation(shopId, { id, locationId }, isDescending)
}

/** Lists the shop's transfers, the newest first unless `sort` says otherwise. Throws invalid_request for a cursor of another sort. */
export async function listStockTransfers(
  db: Db,
  shopId: number,
  filter: StockTransferFilter,
): Promise<Page<StockTransferListItem>> {
  const { status, sourceLocationId, destinationLocationId, ids, search, sort: name = 'newest' } = filter
  const sort = sortOf(shopId, name)
  const conditions: (FragmentSqlToken | false)[] = [
    status !== undefined && sql.fragment`t.status = ${status}`,
    sourceLocationId !== undefined &&
      sql.fragment`t.source_location_id = ${locationIdOf(shopId, sourceLocationId)}`,
    destinationLocationId !== undefined &&
      sql.fragment`t.destination_location_id = ${locationIdOf(shopId, destinationLocationId)}`,
    isOneOf(sql.fragment`t.id`, ids),
    matchesTransferSearch(shopId, search),
  ]
  const page = pageIds({
    from: sql.fragment`stock_transfer t`,
    alias: 't',
    conditions: [sql.fragment`t.shop_id = ${shopId}`, ...conditions],
    isNarrow: Boolean(search || ids || sourceLocationId || destinationLocationId),
    sort,
    after: readDocumentCursor(name, sort.columns, filter.cursor),
    limit: pageSize(filter) + 1,
  })
  const records = db.any(sql.type(row(ListRow))`
    with page as materialized (${page})
    select t.id, s.gid as source_location_id, s.name as source_location_name, d.gid as destination_location_id,
      d.name as destination_location_name, t.status, t.item_count, pieces.quantity, pieces.shipped, pieces.in_transit,
      t.created_at, ${sortKeys(sort.columns)} as sort_keys
    from page
    join stock_transfer t on t.shop_id = ${shopId} and t.id = page.id
    join location s on s.shop_id = ${shopId} and s.id = t.source_location_id
    join location d on d.shop_id = ${shopId} and d.id = t.destination_location_id
    ${joinGroup(sort)}
    cross join lateral (
      select sum(i.quantity) as quantity, sum(i.shipped) as shipped, sum(i.in_transit) as in_transit
      from stock_transfer_item i
      where i.shop_id = ${shopId} and i.transfer_id = t.id
    ) pieces
    order by ${sortOrder(sort.columns)}
  `)
  const counted = sql.fragment`from stock_transfer t where t.shop_id = ${shopId} and ${sql.and(conditions)}`
  return withCount(
    db,
    filter,
    counted,
    records.then((rows) => toDocumentPage(name, rows, filter)),
  )
}
