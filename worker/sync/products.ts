import { countCatalogue, retireUnseen } from '../../shared/domain/catalogue/retire.ts'
import { upsertProducts } from '../../shared/domain/catalogue/upsert-products.ts'
import { documents } from '../platform/documents.ts'
import { nextCursor, readPosition } from './position.ts'
import { toPlatformProduct } from './read-products.ts'
import type { ReadSyncPage } from './sync-page.ts'

/** A variant with its product and its inventory item costs 3 points, and a request may cost 1 000. */
const pageSize = 200

/**
 * All variants by their ids, each with its product: pages of one size, however many variants a product has. What
 * none of the pages holds has been deleted.
 */
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
  const next = nextCursor(position, { ...pageInfo, count: nodes.length, from: idBehind(nodes.at(-1)?.id) })
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
      await retireUnseen(tx, shopId, sync.startedAt)
      return countCatalogue(tx, shopId)
    },
  }
}

/** Ids may be larger than a number holds exactly. */
function idBehind(gid = ''): string {
  return String(BigInt(/\d+$/.exec(gid)?.[0] ?? '0') + 1n)
}
