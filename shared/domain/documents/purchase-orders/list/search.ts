import { sql } from '../../../../db/db.ts'
import { contains, matchesSearch } from '../../../kit/search.ts'

/**
 * SQL condition: the number here or in an earlier system, the notes, the supplier's name or the SKU of a line of order `o` contains `text`; false
 * without a text. Each part of the union finds its rows in a trigram index; an `or` of them would read every order. Postgres computes the
 * union once, also while the tables have no statistics: else it may do so for each order.
 */
export function matchesOrderSearch(shopId: number, text: string | undefined) {
  const ofOrder = contains(sql.fragment`lower(po_number || ' ' || notes || ' ' || supplier_notes)`, text)
  const ofSource = contains(sql.fragment`lower(source_number)`, text)
  const ofSupplier = contains(sql.fragment`lower(name)`, text)
  const ofLine = contains(sql.fragment`lower(l.sku)`, text)
  const ofVariant = matchesSearch('v', text)
  const ofVariantSku = contains(sql.fragment`lower(v.sku)`, text)
  if (!ofOrder || !ofSource || !ofSupplier || !ofLine || !ofVariant || !ofVariantSku) return false
  return sql.fragment`o.id in (
    with found as materialized (
      select id from purchase_order where shop_id = ${shopId} and ${ofOrder}
      union
      select id from purchase_order where shop_id = ${shopId} and source_number <> '' and ${ofSource}
      union
      select id
      from purchase_order
      where shop_id = ${shopId} and supplier_id in (select id from supplier where shop_id = ${shopId} and ${ofSupplier})
      union
      select l.purchase_order_id
      from purchase_order_line l
      join purchase_order d on d.shop_id = ${shopId} and d.id = l.purchase_order_id
      where l.shop_id = ${shopId} and ${ofLine} and (d.sent_at is not null or l.is_own_sku)
      union
      -- a line of a draft with the current SKU of its product
      select l.purchase_order_id
      from variant v
      join purchase_order_line l on l.shop_id = ${shopId} and l.variant_id = v.id
      join purchase_order d on d.shop_id = ${shopId} and d.id = l.purchase_order_id
      where v.shop_id = ${shopId} and ${ofVariant} and ${ofVariantSku} and d.sent_at is null and not l.is_own_sku
    )
    select id from found
  )`
}
