import type { Db } from '../../../db/db.ts'
import { makeGid, readGid } from '../../../platform/gid.ts'
import { enqueueAll } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import { ProductPayload } from '../../../schemas/webhooks.ts'
import { readPicture } from '../../records/catalogue/picture.ts'
import type { PlatformProduct } from '../../records/catalogue/reported-products.ts'
import { upsertProducts } from '../sync/upsert-products.ts'
import type { Settlement, WebhookDelivery } from './deliveries.ts'
import { createPayloadReader, type ReadDelivery } from './payloads.ts'

const readProducts = createPayloadReader(ProductPayload)

/** The platform sends at most this many variants in full. `variant_gids` lists all variants of a larger product. */
const maxInFull = 100

/**
 * Topics PRODUCTS_CREATE and PRODUCTS_UPDATE. A job reads a product whose payload lacks variants in full (specification),
 * one with new variants, since the payload has neither
 * their costs and weights nor whether their stock is tracked, and one with two different payloads of one second.
 */
export async function applyProducts(
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<Settlement[]> {
  const { readable, rejected } = readProducts(deliveries)
  const products = readable.map((delivery) => toProduct(namespace, delivery))
  const { newGids, ambiguousGids } = await upsertProducts(tx, shopId, products, { isReading: false })
  const incomplete = products.filter(({ variants, variantGids }) => variants.length !== variantGids?.length)
  await enqueueAll(
    tx,
    jobs.syncProduct,
    [...new Set([...incomplete.map(({ gid }) => gid), ...newGids, ...ambiguousGids])].map((productGid) => ({
      shopId,
      productGid,
    })),
  )
  return [...rejected, ...readable.map(({ id }): Settlement => ({ id, state: 'applied', reason: '' }))]
}

function toProduct(
  namespace: string,
  { payload, happenedAt }: ReadDelivery<ProductPayload>,
): PlatformProduct {
  const { id, title, status } = payload
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
    cost: null,
    weightGrams: null,
    itemUpdatedAt: null,
  }))
  return {
    gid: makeGid(namespace, 'Product', String(id)),
    title,
    status: (status ?? 'active').toLowerCase(),
    vendor: payload.vendor ?? null,
    productType: payload.product_type ?? null,
    tags: payload.tags === undefined ? null : splitTags(payload.tags),
    picture: payload.image === undefined ? null : readPicture(payload.image?.src),
    updatedAt: payload.updated_at ?? happenedAt,
    variants,
    variantGids: fullList(
      variants.map(({ gid }) => gid),
      payload.variant_gids?.map(({ admin_graphql_api_id: gid }) => readGid(namespace, 'ProductVariant', gid)),
    ),
  }
}

/** Null without a reliable list: missing variants count as deleted, so an invalid list must not be used. */
function fullList(
  inFull: readonly string[],
  listed: readonly (string | null)[] | undefined,
): string[] | null {
  if (!listed) return inFull.length < maxInFull ? [...inFull] : null
  const valid = listed.filter((gid) => gid !== null)
  const list = new Set(valid)
  return valid.length === listed.length && inFull.every((gid) => list.has(gid)) ? [...list] : null
}

const splitTags = (tags: string | null) =>
  (tags ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')

/** A price is a string with a decimal number. Any other value counts as missing. */
const readPrice = (text: string | null | undefined) =>
  /^\d{1,12}(\.\d{1,4})?$/.test(text ?? '') ? (text ?? null) : null
