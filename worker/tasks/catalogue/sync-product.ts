import { applyReading } from '../../../shared/domain/documents/stock-counts/apply-reading.ts'
import { upsertProducts } from '../../../shared/domain/exchange/sync/upsert-products.ts'
import { listStockedVariantsOf } from '../../../shared/domain/ledgers/stock/stocked-variants.ts'
import { retireProducts } from '../../../shared/domain/records/catalogue/retire.ts'
import { inInstalledShop } from '../../../shared/domain/records/shops/shops.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { documents } from '../../platform/documents.ts'
import { type Attempt, defineTask, type Services } from '../../queue/task.ts'
import { openLevelReader } from '../../sync/read-levels.ts'
import { toPlatformProduct } from '../../sync/read-products.ts'

/** A variant with its inventory item, cost and weight costs 5 points, and a request may cost 1 000. */
const pageSize = 190

type ProductRef = { shopId: number; productGid: string }

/** Reads a product with any number of variants, then their stock levels. */
export const syncProduct = defineTask(jobs.syncProduct, async (services, product, attempt) => {
  if (await readProduct(services, product, attempt)) await readStock(services, product, attempt)
})

/** Returns false when the product is deleted. The last page completes the list, which shows the deleted variants. */
async function readProduct(
  { db, adminApi }: Services,
  { shopId, productGid }: ProductRef,
  { signal }: Attempt,
) {
  const variantGids: string[] = []
  const requestedAt = new Date().toISOString()
  for (let after: string | null = null, hasNextPage = true; hasNextPage; ) {
    const variables: { id: string; first: number; after: string | null } = {
      id: productGid,
      first: pageSize,
      after,
    }
    const { product } = await adminApi(shopId).query(documents.product, variables, { signal })
    if (!product) {
      await inInstalledShop(db, shopId, (tx) =>
        retireProducts(tx, shopId, [{ gid: productGid, deletedAt: requestedAt }]),
      )
      return false
    }
    const { nodes, pageInfo } = product.variants
    variantGids.push(...nodes.map(({ id }) => id))
    hasNextPage = pageInfo.hasNextPage
    after = pageInfo.endCursor
    const platformProduct = toPlatformProduct(product, nodes, hasNextPage ? null : variantGids)
    await inInstalledShop(db, shopId, (tx) => upsertProducts(tx, shopId, [platformProduct]))
  }
  return true
}

async function readStock(
  { db, adminApi }: Services,
  { shopId, productGid }: ProductRef,
  { signal }: Attempt,
) {
  const reader = await openLevelReader(adminApi(shopId), db, shopId, signal)
  const variants = await listStockedVariantsOf(db, shopId, productGid)
  for (let at = 0; at < variants.length; at += reader.pageSize) {
    const reading = await reader.read(variants.slice(at, at + reader.pageSize))
    await inInstalledShop(db, shopId, (tx) => applyReading(tx, shopId, reading))
  }
}
