import { sql } from '../../../db/db.ts'
import { contains, matchesSearch } from '../../kit/search.ts'

/**
 * SQL condition: the number, the notes, the location, or the title, SKU or barcode of a product of count `c` contains `text`; false
 * without a text. Each part of the union finds its rows in an index; an `or` of them would read every count.
 */
export function matchesCountSearch(shopId: number, text: string | undefined) {
  const ofCount = contains(sql.fragment`lower('#' || id::text || ' ' || notes)`, text)
  const ofLocation = contains(sql.fragment`lower(w.name)`, text)
  const ofVariant = matchesSearch('v', text)
  if (!ofCount || !ofLocation || !ofVariant) return false
  return sql.fragment`c.id in (
    select id from stock_count where shop_id = ${shopId} and ${ofCount}
    union
    select id
    from stock_count
    where shop_id = ${shopId}
      and location_id in (select w.id from location w where w.shop_id = ${shopId} and ${ofLocation})
    union
    select i.count_id
    from variant v
    join stock_count_item i on i.shop_id = ${shopId} and i.variant_id = v.id
    where v.shop_id = ${shopId} and ${ofVariant}
  )`
}
