import { arrayOf, type Db, sql } from '../../../db/db.ts'
import { followReportedCosts } from '../../ledgers/costs/reported-costs.ts'
import {
  type PlatformProduct,
  type WrittenProducts,
  writeReportedProducts,
} from '../../records/catalogue/reported-products.ts'

/** Stores products that the platform reports (`writeReportedProducts`), and what follows from their costs. */
export async function upsertProducts(
  tx: Db,
  shopId: number,
  products: readonly PlatformProduct[],
  options: { isReading?: boolean } = {},
): Promise<WrittenProducts> {
  const written = await writeReportedProducts(tx, shopId, products, options)
  const gids = arrayOf('text', written.variantGids, (gid) => gid)
  if (written.variantGids.length > 0)
    await followReportedCosts(tx, shopId, sql.fragment`v.gid = any(${gids})`)
  return written
}
