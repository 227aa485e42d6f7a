import type { Static } from '@sinclair/typebox'
import type { Db } from '../../shared/db.ts'
import { upsertProducts } from '../../shared/domain/catalogue.ts'
import { applyFetchedLevels, namedIn } from '../../shared/domain/inventory-news.ts'
import { upsertLocations } from '../../shared/domain/locations.ts'
import { holdInstalledShop } from '../../shared/domain/shops.ts'
import { readDeliveries, settleDeliveries, takeDeliveries } from '../../shared/domain/webhook-deliveries.ts'
import { jobs } from '../../shared/jobs.ts'
import { documents } from '../../shared/platform/documents.ts'
import { toPlatformProduct } from '../platform-products.ts'
import { type Attempt, defineTask, type Services } from '../task.ts'

/** An item with its variants costs 33 points, and a request may cost 1 000. */
const pageSize = 25

type Node = NonNullable<Static<typeof documents.inventoryItems.answer>['nodes'][number]>

/** Asks the platform for items and locations that stock was told of before we knew them, and applies it then. */
export const fetchInventoryItems = defineTask(
  jobs.fetchInventoryItems,
  async (services, entries, attempt) => {
    for (const [shopId, ofShop] of Map.groupBy(entries, (entry) => entry.shopId)) {
      const ids = ofShop.map(({ deliveryId }) => deliveryId)
      const nodes = await fetchNodes(services, shopId, ids, attempt)
      await services.db.transaction(async (tx) => {
        if (!(await holdInstalledShop(tx, shopId))) return
        await storeNodes(tx, shopId, nodes)
        const deliveries = await takeDeliveries(tx, shopId, ids)
        const settlements = await applyFetchedLevels(tx, shopId, services.gidNamespace, deliveries)
        await settleDeliveries(tx, shopId, settlements)
      })
    }
  },
)

async function fetchNodes(
  { db, adminApi, gidNamespace }: Services,
  shopId: number,
  deliveryIds: readonly number[],
  { signal }: Attempt,
): Promise<Node[]> {
  const gids = namedIn(gidNamespace, await readDeliveries(db, shopId, deliveryIds))
  const nodes: Node[] = []
  for (let at = 0; at < gids.length; at += pageSize) {
    const ids = gids.slice(at, at + pageSize)
    const answer = await adminApi(shopId).query(documents.inventoryItems, { ids }, { signal })
    nodes.push(...answer.nodes.filter((node) => node !== null))
  }
  return nodes
}

async function storeNodes(tx: Db, shopId: number, nodes: readonly Node[]): Promise<void> {
  const variants = nodes.flatMap((node) => ('variants' in node ? node.variants.nodes : []))
  const locations = nodes.filter((node) => 'isActive' in node)
  const products = [...Map.groupBy(variants, ({ product }) => product.id).values()].flatMap((ofProduct) =>
    ofProduct[0] ? [toPlatformProduct(ofProduct[0].product, ofProduct, null)] : [],
  )
  await upsertProducts(tx, shopId, products)
  await upsertLocations(
    tx,
    shopId,
    locations.map(({ id, name, isActive }) => ({ gid: id, name, isActive, isPrimary: false })),
  )
}
