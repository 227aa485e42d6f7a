import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { enqueueAll } from '../../../../queue/enqueue.ts'
import { jobs } from '../../../../queue/jobs.ts'

/**
 * Enqueues syncs of these variants' products: platform times are too coarse to order updates within a second, or the platform
 * has no item of a variant, so that its product may be deleted.
 */
export async function recheckLevels(tx: Db, shopId: number, variantIds: readonly number[]): Promise<void> {
  if (variantIds.length === 0) return
  const productGids = await tx.anyFirst(sql.type(row(Type.Object({ gid: Type.String() })))`
    select distinct p.gid
    from variant v
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    where v.shop_id = ${shopId} and v.id = any(${sql.array([...variantIds], 'int8')})
  `)
  await enqueueAll(
    tx,
    jobs.syncProduct,
    productGids.map((productGid) => ({ shopId, productGid })),
  )
}
