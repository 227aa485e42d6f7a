import { upsertProducts } from '../../shared/domain/exchange/sync/upsert-products.ts'
import { countCatalogue, retireUnconfirmed } from '../../shared/domain/records/catalogue/retire.ts'
import { documents } from '../platform/documents.ts'
import { nextCursor, readPosition } from './position.ts'
import { toPlatformProduct } from './read-products.ts'
import type { ReadSyncPage } from './sync-page.ts'

/** A variant with its product and its picture, its inventory item, cost and weight costs 7 points, and a request may cost 1 000. */
const pageSize = 140

/** Reads all variants by id, each with its product. Those on none of the pages are retired as deleted. */
export const readProducts: ReadSyncPage = async ({ api, shopId, sync, signal }) => {
  const position = readPosition(sync.cursor)
  const { productVariants } = await api.query(
    documents.variants,
    {
      first: pageSize,
      after: position.after,
      query: position.from === null ? null : `id:>=${position.from}`,
    },
    { signal },
  )
  const { nodes, pageInfo } = productVariants
  const next = nextCursor(position, { ...pageInfo, count: nodes.length, from: nextId(nodes.at(-1)?.id) })
  const products = [...Map.groupBy(nodes, ({ product }) => product.id).values()].flatMap(
    ([first, ...others]) => (first ? [toPlatformProduct(first.product, [first, ...others], null)] : []),
  )
  return {
    next,
    async store(tx) {
      await upsertProducts(tx, shopId, products)
      if (next !== null) {
        return {
          products: sync.counts.products + products.length,
          variants: sync.counts.variants + nodes.length,
        }
      }
      await retireUnconfirmed(tx, shopId, sync.startedAt)
      return countCatalogue(tx, shopId)
    },
  }
}

/** BigInt, since ids may exceed the safe integers. */
function nextId(gid = ''): string {
  return String(BigInt(/\d+$/.exec(gid)?.[0] ?? '0') + 1n)
}
