import { Type } from '@sinclair/typebox'
import { type Db, sql } from '../../../db/db.ts'
import { type StockCountFilter, StockCountListItem } from '../../../schemas/stock-counts.ts'
import { byName, byStatus, listDocuments } from '../../kit/pages/grouped-pages.ts'
import { isOneOf, type Page } from '../../kit/pages/pages.ts'
import { SortedKey } from '../../kit/pages/sorted-pages.ts'
import { locationIdOf } from '../../records/catalogue/locations.ts'
import { phaseOf } from './phase.ts'
import { accuracyOf } from './result.ts'
import { matchesCountSearch } from './search.ts'

const ListRow = Type.Composite([StockCountListItem, SortedKey])

/** Lists the shop's counts by one of the sorts; by status, open counts come first. Throws invalid_request for a cursor of another sort. */
export function listStockCounts(
  db: Db,
  shopId: number,
  filter: StockCountFilter,
): Promise<Page<StockCountListItem>> {
  const { status, locationId, ids, search } = filter
  return listDocuments(db, shopId, filter, {
    row: ListRow,
    from: sql.fragment`stock_count c`,
    alias: 'c',
    conditions: [
      status !== undefined && sql.fragment`c.status = ${status}`,
      locationId !== undefined && sql.fragment`c.location_id = ${locationIdOf(shopId, locationId)}`,
      isOneOf(sql.fragment`c.id`, ids),
      matchesCountSearch(shopId, search),
    ],
    isNarrow: Boolean(search || ids || locationId),
    sorts: {
      location: byName(shopId, sql.fragment`location g`, sql.fragment`c.location_id`),
      status: byStatus(sql.fragment`c.status`, ['draft', 'submitted', 'cancelled']),
    },
    fields: sql.fragment`
      c.id, w.gid as location_id, w.name as location_name, c.status, ${phaseOf('c')} as phase, c.blind, c.item_count,
      c.created_at, c.variance_value,
      ${accuracyOf(sql.fragment`c.variance_pieces`, sql.fragment`c.expected_pieces`)} as accuracy
    `,
    joins: sql.fragment`join location w on w.shop_id = ${shopId} and w.id = c.location_id`,
  })
}
