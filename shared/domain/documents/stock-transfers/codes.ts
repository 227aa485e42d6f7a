import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { notFound } from '../../../errors.ts'
import { TransferCode, type TransferCodes } from '../../../schemas/stock-transfers.ts'

const Found = Type.Object({ codes: Type.Array(TransferCode) })

/**
 * Every code that names a product of a transfer, so that a device can answer scans without a network: barcode and SKU, then
 * the barcodes of its packs. Of suppliers that give one pack several sizes, the preferred one decides. Throws not_found.
 */
export async function listTransferCodes(db: Db, shopId: number, id: number): Promise<TransferCodes> {
  const found = await db.maybeOne(sql.type(row(Found))`
    select (
      select coalesce(jsonb_agg(jsonb_build_object(
        'code', c.code, 'kind', c.kind, 'variantId', v.gid, 'packSize', c.pieces
      ) order by c.rank, v.id, c.code), '[]')
      from variant v
      cross join lateral (
        values (lower(v.barcode), 'barcode', 1, 1), (lower(v.sku), 'sku', 2, 1)
        union all
        select * from (
          select distinct on (lower(p.pack_barcode)) lower(p.pack_barcode), 'pack', 3, p.pack_size
          from supplier_product p
          where p.shop_id = ${shopId} and p.variant_id = v.id
          order by lower(p.pack_barcode), p.is_active desc, p.rank, p.id
        ) packs
      ) c (code, kind, rank, pieces)
      where v.shop_id = ${shopId} and c.code <> ''
        and exists (
          select from stock_transfer_item i
          where i.shop_id = ${shopId} and i.transfer_id = t.id and i.variant_id = v.id
        )
    ) as codes
    from stock_transfer t
    where t.shop_id = ${shopId} and t.id = ${id}
  `)
  if (!found) throw notFound('Stock transfer')
  return found
}
