import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { notFound } from '../../../errors.ts'
import { LocationAddress } from '../../../schemas/locations.ts'
import { SupplierReturnDocument } from '../../../schemas/return-document.ts'
import { chooseLanguage } from '../../../words/words.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { localeOf } from '../../records/shops/locale.ts'
import { paperOf } from '../../records/shops/paper.ts'
import { postalAddress } from '../purchase-orders/mail/document.ts'
import { shopParty, supplierAddress, supplierParty } from '../purchase-orders/mail/parties.ts'

const StoredDocument = Type.Object({
  ...Type.Omit(SupplierReturnDocument, ['language']).properties,
  supplierLanguage: Type.Union([Type.String(), Type.Null()]),
  supplierAddress: LocationAddress,
})

/**
 * The return note with the current details of shop and supplier, in the supplier's language. A draft has the bins of its
 * goods, in their order. Throws not_found.
 */
export async function getReturnDocument(db: Db, shopId: number, id: number): Promise<SupplierReturnDocument> {
  const found = await db.maybeOne(sql.type(row(StoredDocument))`
    select b.updated_at as as_of, b.number, b.state, coalesce(b.shipped_at, b.created_at) as returned_at,
      ${localeOf(shopId)} as locale, coalesce(t.time_zone, 'UTC') as time_zone, ${paperOf(shopId)} as paper, o.po_number, b.supplier_reference,
      s.language as supplier_language, ${shopParty(shopId, { shop: 'shop', setting: 't' })} as shop,
      ${supplierParty(shopId, 's')} as supplier, ${supplierAddress('s')} as supplier_address,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'supplierSku', coalesce(ordered.supplier_sku, ''), 'sku', v.sku, 'title', ${variantTitle('v', 'p')},
          'bin', coalesce(n.bin, ''), 'quantity', l.quantity, 'reason', l.reason
        ) order by n.bin nulls last, l.position), '[]')
        from supplier_return_line l
        join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
        join product p on p.shop_id = ${shopId} and p.id = v.product_id
        left join location_bin n on n.shop_id = ${shopId} and n.variant_id = l.variant_id
          and n.location_id = b.location_id and b.state = 'draft'
        left join lateral (
          select x.supplier_sku
          from purchase_order_line x
          where x.shop_id = ${shopId} and x.purchase_order_id = o.id and x.variant_id = l.variant_id
          order by x.position
          limit 1
        ) ordered on true
        where l.shop_id = ${shopId} and l.supplier_return_id = b.id
      ) as lines
    from supplier_return b
    join shop on shop.id = b.shop_id
    join supplier s on s.shop_id = ${shopId} and s.id = b.supplier_id
    left join shop_setting t on t.shop_id = ${shopId}
    left join receipt r on r.shop_id = ${shopId} and r.id = b.receipt_id
    left join purchase_order o on o.shop_id = ${shopId} and o.id = r.purchase_order_id
    where b.shop_id = ${shopId} and b.id = ${id}
  `)
  if (!found) throw notFound('Supplier return')
  const { supplierLanguage, supplierAddress: parts, ...document } = found
  return {
    ...document,
    ...chooseLanguage({ language: supplierLanguage, country: parts.countryCode }, document.locale),
    supplier: { ...document.supplier, address: postalAddress(parts) || document.supplier.address },
  }
}
