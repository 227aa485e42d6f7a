import type { Static } from '@sinclair/typebox'
import type { Db } from '../../../shared/db/db.ts'
import { upsertProducts } from '../../../shared/domain/exchange/sync/upsert-products.ts'
import { readDeliveries } from '../../../shared/domain/exchange/webhooks/deliveries.ts'
import {
  applyFetchedLevels,
  platformIdsIn,
} from '../../../shared/domain/exchange/webhooks/inventory-levels-update.ts'
import { upsertLocations } from '../../../shared/domain/records/catalogue/locations.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { documents } from '../../platform/documents.ts'
import { applyInTransaction, type DeliveryBatch, defineDeliveryTask } from '../../queue/delivery-task.ts'
import { toPlatformProduct } from '../../sync/read-products.ts'

/** An item with its variants costs 63 points, and a request may cost 1 000. */
const pageSize = 15

type Node = NonNullable<Static<typeof documents.inventoryItems.response>['nodes'][number]>

/** Applies stock updates that name unknown items or locations, after it has read those from the platform. */
export const fetchInventoryItems = defineDeliveryTask(jobs.fetchInventoryItems, async (batch) => {
  const nodes = await fetchNodes(batch)
  return applyInTransaction(batch, async (tx, shopId, namespace, deliveries) => {
    await storeNodes(tx, shopId, nodes)
    return applyFetchedLevels(tx, shopId, namespace, deliveries)
  })
})

async function fetchNodes({ services, shopId, deliveryIds, attempt }: DeliveryBatch): Promise<Node[]> {
  const { db, adminApi, gidNamespace } = services
  const gids = platformIdsIn(gidNamespace, await readDeliveries(db, shopId, deliveryIds))
  const nodes: Node[] = []
  for (let at = 0; at < gids.length; at += pageSize) {
    const ids = gids.slice(at, at + pageSize)
    const page = await adminApi(shopId).query(documents.inventoryItems, { ids }, { signal: attempt.signal })
    nodes.push(...page.nodes.filter((node) => node !== null))
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
    locations.map(({ id, ...location }) => ({ ...location, gid: id, isPrimary: false })),
  )
}
