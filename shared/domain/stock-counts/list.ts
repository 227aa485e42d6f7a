import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../db/db.ts'
import { type StockCountFilter, StockCountListItem, type StockCountSort } from '../../schemas/stock-counts.ts'
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
import { phaseOf } from './phase.ts'
import { accuracyOf } from './result.ts'
import { matchesCountSearch } from './search.ts'

const ListRow = Type.Composite([StockCountListItem, SortedKey])

/** The order of the sort by status: open counts first. */
const statuses = ['draft', 'submitted', 'cancelled']

function sortOf(shopId: number, sort: StockCountSort): DocumentSort {
  const id = sql.fragment`c.id`
  const isDescending = sort.startsWith('-')
  if (sort === 'newest' || sort === 'oldest') return sortById(id, sort === 'newest')
  return sort.endsWith('status')
    ? sortByStatus({ id, status: sql.fragment`c.status` }, statuses, isDescending)
    : sortByLocation(shopId, { id, locationId: sql.fragment`c.location_id` }, isDescending)
}

/** Lists the shop's counts, the newest first unless `sort` says otherwise. Throws invalid_request for a cursor of another sort. */
export async function listStockCounts(
  db: Db,
  shopId: number,
  filter: StockCountFilter,
): Promise<Page<StockCountListItem>> {
  const { status, locationId, ids, search, sort: name = 'newest' } = filter
  const sort = sortOf(shopId, name)
  const conditions: (FragmentSqlToken | false)[] = [
    status !== undefined && sql.fragment`c.status = ${status}`,
    locationId !== undefined && sql.fragment`c.location_id = ${locationIdOf(shopId, locationId)}`,
    isOneOf(sql.fragment`c.id`, ids),
    matchesCountSearch(shopId, search),
  ]
  const page = pageIds({
    from: sql.fragment`stock_count c`,
    alias: 'c',
    conditions: [sql.fragment`c.shop_id = ${shopId}`, ...conditions],
    isNarrow: Boolean(search || ids || locationId),
    sort,
    after: readDocumentCursor(name, sort.columns, filter.cursor),
    limit: pageSize(filter) + 1,
  })
  const records = db.any(sql.type(row(ListRow))`
    with page as materialized (${page})
    select c.id, w.gid as location_id, w.name as location_name, c.status, ${phaseOf('c')} as phase, c.blind, c.item_count,
      c.created_at, c.variance_value,
      ${accuracyOf(sql.fragment`c.variance_pieces`, sql.fragment`c.expected_pieces`)} as accuracy,
      ${sortKeys(sort.columns)} as sort_keys
    from page
    join stock_count c on c.shop_id = ${shopId} and c.id = page.id
    join location w on w.shop_id = ${shopId} and w.id = c.location_id
    ${joinGroup(sort)}
    order by ${sortOrder(sort.columns)}
  `)
  const counted = sql.fragment`from stock_count c where c.shop_id = ${shopId} and ${sql.and(conditions)}`
  return withCount(
    db,
    filter,
    counted,
    records.then((rows) => toDocumentPage(name, rows, filter)),
  )
}
