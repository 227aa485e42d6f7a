import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import { repairLedger, sumOfMovements } from './move.ts'

/** A level that differs from the sum of its movements, which only a bug can cause. */
export const StockDifference = Type.Object({
  variantId: Id,
  locationId: Id,
  variantGid: Type.String(),
  sku: Type.String(),
  locationName: Type.String(),
  quantity: Type.Integer(),
  ledger: Type.Integer(),
})
export type StockDifference = Static<typeof StockDifference>

const Batch = Type.Object({
  lastVariantId: Type.Union([Id, Type.Null()]),
  levels: Type.Integer(),
  differences: Type.Array(StockDifference),
})

/** The result for one batch of variants; `lastVariantId` is null after the last batch. */
type VerifiedBatch = Static<typeof Batch> & { repaired: number }

const variantsPerBatch = 500

/** `repair` writes a movement per difference. Locks the levels first, so that concurrent changes are not lost. */
export function verifyStockBatch(
  db: Db,
  shopId: number,
  afterVariantId: number,
  { repair = false }: { repair?: boolean } = {},
): Promise<VerifiedBatch> {
  return db.transaction(async (tx) => {
    const batch = await tx.one(sql.type(row(Batch))`
      with batch as (
        select distinct variant_id
        from stock_level
        where shop_id = ${shopId} and variant_id > ${afterVariantId}
        order by variant_id
        limit ${variantsPerBatch}
      ),
      verified as (
        select l.variant_id, l.location_id, v.gid, v.sku, w.name, l.quantity, ledger.sum
        from batch
        join stock_level l on l.shop_id = ${shopId} and l.variant_id = batch.variant_id
        join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
        join location w on w.shop_id = ${shopId} and w.id = l.location_id
        cross join lateral (${sumOfMovements(shopId, 'l')}) ledger
      )
      select
        case when (select count(*) from batch) = ${variantsPerBatch} then max(variant_id) end as last_variant_id,
        count(*) as levels,
        coalesce(jsonb_agg(jsonb_build_object(
          'variantId', variant_id, 'locationId', location_id, 'variantGid', gid, 'sku', sku, 'locationName', name,
          'quantity', quantity, 'ledger', sum
        ) order by variant_id, location_id) filter (where quantity <> sum), '[]') as differences
      from verified
    `)
    return { ...batch, repaired: repair ? await repairLedger(tx, shopId, batch.differences) : 0 }
  })
}
