import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { notFound } from '../../../errors.ts'
import { LineCode, type LineCodes } from '../../../schemas/receipts.ts'

const Found = Type.Object({ codes: Type.Array(LineCode) })

/**
 * Every code that `scanCode` finds a line of the order by, so that a device can answer scans without a network. The best kind
 * comes first: barcode of the product, SKU, supplier SKU, barcode of a pack. Throws not_found.
 */
export async function listCodes(db: Db, shopId: number, purchaseOrderId: number): Promise<LineCodes> {
  const found = await db.maybeOne(sql.type(row(Found))`
    select (
      select coalesce(jsonb_agg(jsonb_build_object(
        'code', c.code, 'kind', c.kind, 'lineItemId', l.id, 'packSize', c.pieces
      ) order by c.rank, l.position, c.code), '[]')
      from purchase_order_line l
      join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
      cross join lateral (
        select lower(code) as code, kind, rank, max(pieces) as pieces
        from (
          values (v.barcode, 'barcode', 1, 1), (l.barcode, 'barcode', 1, 1), (l.sku, 'sku', 2, 1), (v.sku, 'sku', 2, 1),
            (l.supplier_sku, 'supplier_sku', 3, 1)
          union all
          -- as in scanCode: the supplier of the order before others, an active product before an archived one
          select * from (
            select distinct on (kinds.kind, lower(kinds.code)) kinds.*
            from supplier_product p
            cross join lateral (
              values (case when p.supplier_id = o.supplier_id then p.supplier_sku end, 'supplier_sku', 3, 1),
                (p.pack_barcode, 'pack', 4, p.pack_size)
            ) kinds (code, kind, rank, pieces)
            where p.shop_id = ${shopId} and p.variant_id = l.variant_id
            order by kinds.kind, lower(kinds.code), p.supplier_id = o.supplier_id desc, p.is_active desc, p.rank, p.id
          ) sold
        ) every_code (code, kind, rank, pieces)
        where code <> ''
        group by lower(code), kind, rank
      ) c
      where l.shop_id = ${shopId} and l.purchase_order_id = o.id
    ) as codes
    from purchase_order o
    where o.shop_id = ${shopId} and o.id = ${purchaseOrderId}
  `)
  if (!found) throw notFound('Purchase order')
  return found
}
