import { sql } from '../../../db/db.ts'
import { contains, matchesSearch } from '../../kit/search.ts'

/**
 * SQL condition: the number, the notes, a location, or the title, SKU or barcode of a line's product of transfer `t` contains `text`;
 * false without a text. Each part of the union finds its rows in an index; an `or` of them would read every transfer.
 */
export function matchesTransferSearch(shopId: number, text: string | undefined) {
  const ofTransfer = contains(sql.fragment`lower('#' || id::text || ' ' || notes)`, text)
  const ofLocation = contains(sql.fragment`lower(w.name)`, text)
  const ofVariant = matchesSearch('v', text)
  if (!ofTransfer || !ofLocation || !ofVariant) return false
  const locations = sql.fragment`select w.id from location w where w.shop_id = ${shopId} and ${ofLocation}`
  return sql.fragment`t.id in (
    select id from stock_transfer where shop_id = ${shopId} and ${ofTransfer}
    union
    select id from stock_transfer where shop_id = ${shopId} and source_location_id in (${locations})
    union
    select id from stock_transfer where shop_id = ${shopId} and destination_location_id in (${locations})
    union
    select i.transfer_id
    from variant v
    join stock_transfer_item i on i.shop_id = ${shopId} and i.variant_id = v.id
    where v.shop_id = ${shopId} and ${ofVariant}
  )`
}
