import type { Db } from '../../db/db.ts'
import { makeGid, readGid } from '../../platform/gid.ts'
import { enqueueAll } from '../../queue/enqueue.ts'
import { jobs } from '../../queue/jobs.ts'
import { ProductPayload } from '../../schemas/webhooks.ts'
import { type PlatformProduct, upsertProducts } from '../catalogue/upsert-products.ts'
import type { Settlement, WebhookDelivery } from './deliveries.ts'
import { createPayloadReader } from './payloads.ts'

const readProducts = createPayloadReader(ProductPayload)

/** The platform tells so many variants in full; where there are more it names them all in `variant_gids`. */
const maxInFull = 100

/**
 * Takes over products as the merchant has changed them (specification, topic PRODUCTS_UPDATE). The variants of a
 * product that has more than the platform tells in full are read by a job.
 */
export async function applyProducts(
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<Settlement[]> {
  const { readable, rejected } = readProducts(deliveries)
  const products = readable.map(({ payload }) => toProduct(namespace, payload))
  await upsertProducts(tx, shopId, products)
  const cut = products.filter(({ variants, variantGids }) => variants.length !== variantGids?.length)
  await enqueueAll(
    tx,
    jobs.syncProduct,
    [...new Set(cut.map(({ gid }) => gid))].map((productGid) => ({ shopId, productGid })),
  )
  return [...rejected, ...readable.map(({ id }): Settlement => ({ id, state: 'applied', reason: '' }))]
}

function toProduct(namespace: string, payload: ProductPayload): PlatformProduct {
  const { id, title, status, updated_at: updatedAt } = payload
  const variants = payload.variants.map((variant) => ({
    gid: makeGid(namespace, 'ProductVariant', String(variant.id)),
    title: variant.title ?? '',
    sku: variant.sku ?? '',
    barcode: variant.barcode ?? '',
    price: readPrice(variant.price),
    inventoryItemGid: variant.inventory_item_id
      ? makeGid(namespace, 'InventoryItem', String(variant.inventory_item_id))
      : null,
    isTracked: null,
  }))
  return {
    gid: makeGid(namespace, 'Product', String(id)),
    title,
    status: (status ?? 'active').toLowerCase(),
    updatedAt,
    variants,
    variantGids: fullList(
      variants.map(({ gid }) => gid),
      payload.variant_gids?.map(({ admin_graphql_api_id: gid }) => readGid(namespace, 'ProductVariant', gid)),
    ),
  }
}

/**
 * All variants of the product, or null when the news does not say so for certain: what is missing from the list is
 * taken for deleted, so a list that leaves out what it tells in full, or that cannot be read, is none.
 */
function fullList(told: readonly string[], named: readonly (string | null)[] | undefined): string[] | null {
  if (!named) return told.length < maxInFull ? [...told] : null
  const readable = named.filter((gid) => gid !== null)
  const list = new Set(readable)
  return readable.length === named.length && told.every((gid) => list.has(gid)) ? [...list] : null
}

/** A price is a decimal in text; what is none counts as not told. */
const readPrice = (text: string | null | undefined) =>
  /^\d{1,12}(\.\d{1,4})?$/.test(text ?? '') ? (text ?? null) : null
