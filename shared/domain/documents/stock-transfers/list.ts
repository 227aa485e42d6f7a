import { Type } from '@sinclair/typebox'
import { type Db, sql } from '../../../db/db.ts'
import { type StockTransferFilter, StockTransferListItem } from '../../../schemas/stock-transfers.ts'
import { byName, byStatus, listDocuments } from '../../kit/pages/grouped-pages.ts'
import { isOneOf, type Page } from '../../kit/pages/pages.ts'
import { SortedKey } from '../../kit/pages/sorted-pages.ts'
import { locationIdOf } from '../../records/catalogue/locations.ts'
import { matchesTransferSearch } from './search.ts'

const ListRow = Type.Composite([StockTransferListItem, SortedKey])

/** The order in which a transfer reaches them. */
const statuses = ['pending', 'in_transit', 'partial', 'completed', 'cancelled']

/** Lists the shop's transfers by one of the sorts. Throws invalid_request for a cursor of another sort. */
export function listStockTransfers(
  db: Db,
  shopId: number,
  filter: StockTransferFilter,
): Promise<Page<StockTransferListItem>> {
  const { status, sourceLocationId, destinationLocationId, ids, search } = filter
  return listDocuments(db, shopId, filter, {
    row: ListRow,
    from: sql.fragment`stock_transfer t`,
    alias: 't',
    conditions: [
      status !== undefined && sql.fragment`t.status = ${status}`,
      sourceLocationId !== undefined &&
        sql.fragment`t.source_location_id = ${locationIdOf(shopId, sourceLocationId)}`,
      destinationLocationId !== undefined &&
        sql.fragment`t.destination_location_id = ${locationIdOf(shopId, destinationLocationId)}`,
      isOneOf(sql.fragment`t.id`, ids),
      matchesTransferSearch(shopId, search),
    ],
    isNarrow: Boolean(search || ids || sourceLocationId || destinationLocationId),
    sorts: {
      source: byName(shopId, sql.fragment`location g`, sql.fragment`t.source_location_id`),
      destination: byName(shopId, sql.fragment`location g`, sql.fragment`t.destination_location_id`),
      status: byStatus(sql.fragment`t.status`, statuses),
    },
    fields: sql.fragment`
      t.id, s.gid as source_location_id, s.name as source_location_name, d.gid as destination_location_id,
      d.name as destination_location_name, t.status, t.item_count, pieces.quantity, pieces.shipped, pieces.in_transit,
      t.created_at
    `,
    joins: sql.fragment`
      join location s on s.shop_id = ${shopId} and s.id = t.source_location_id
      join location d on d.shop_id = ${shopId} and d.id = t.destination_location_id
      cross join lateral (
        select sum(i.quantity) as quantity, sum(i.shipped) as shipped, sum(i.in_transit) as in_transit
        from stock_transfer_item i
        where i.shop_id = ${shopId} and i.transfer_id = t.id
      ) pieces
    `,
  })
}
