import type { Db } from '../../../shared/db/db.ts'
import { retireProduct } from '../../../shared/domain/catalogue/retire.ts'
import { upsertProducts } from '../../../shared/domain/catalogue/upsert-products.ts'
import { lockInstalledShop } from '../../../shared/domain/shops/shops.ts'
import { applyPlatformLevels } from '../../../shared/domain/stock/platform-updates.ts'
import { listStockedVariantsOf } from '../../../shared/domain/stock/stocked-variants.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { documents } from '../../platform/documents.ts'
import { type Attempt, defineTask, type Services } from '../../queue/task.ts'
import { openLevelReader } from '../../sync/read-levels.ts'
import { toPlatformProduct } from '../../sync/read-products.ts'

/** A variant with its inventory item costs 2 points, and a request may cost 1 000. */
const pageSize = 200

type Subject = { shopId: number; productGid: string }

/** Reads a product with all its variants, however many, and then what is in stock of them. */
export const syncProduct = defineTask(jobs.syncProduct, async (services, subject, attempt) => {
  if (await readProduct(services, subject, attempt)) await readStock(services, subject, attempt)
})

/** Page by page; the last one completes the list, and so tells which variants are gone. */
async function readProduct({ db, adminApi }: Services, { shopId, productGid }: Subject, { signal }: Attempt) {
  const variantGids: string[] = []
  for (let after: string | null = null, hasNextPage = true; hasNextPage; ) {
    const variables: { id: string; first: number; after: string | null } = {
      id: productGid,
      first: pageSize,
      after,
    }
    const { product } = await adminApi(shopId).query(documents.product, variables, { signal })
    if (!product) {
      await store(db, shopId, (tx) => retireProduct(tx, shopId, productGid))
      return false
    }
    const { nodes, pageInfo } = product.variants
    variantGids.push(...nodes.map(({ id }) => id))
    hasNextPage = pageInfo.hasNextPage
    after = pageInfo.endCursor
    const told = toPlatformProduct(product, nodes, hasNextPage ? null : variantGids)
    await store(db, shopId, (tx) => upsertProducts(tx, shopId, [told]))
  }
  return true
}

async function readStock({ db, adminApi }: Services, { shopId, productGid }: Subject, { signal }: Attempt) {
  const reader = await openLevelReader(adminApi(shopId), db, shopId, signal)
  const variants = await listStockedVariantsOf(db, shopId, productGid)
  for (let at = 0; at < variants.length; at += reader.pageSize) {
    const levels = await reader.read(variants.slice(at, at + reader.pageSize))
    await store(db, shopId, (tx) => applyPlatformLevels(tx, shopId, levels, { isRead: true }))
  }
}

/** Nothing is written for a shop that has been uninstalled meanwhile. */
function store(db: Db, shopId: number, write: (tx: Db) => Promise<unknown>): Promise<void> {
  return db.transaction(async (tx) => {
    if (await lockInstalledShop(tx, shopId)) await write(tx)
  })
}
