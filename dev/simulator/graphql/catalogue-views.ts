import type { FoundVariant } from '../shops/catalogue.ts'
import { type Product, variantTitle } from '../shops/seed.ts'
import type { Shop } from '../shops/shop.ts'
import { connection, type Entry, type Listing, listed, type PageArgs, padded } from './listing.ts'
import type { View, ViewContext } from './view.ts'

/** All products by number. Reading starts at the cursor, so the products before it are not generated. */
export const productNumbers =
  ({ catalogue }: Shop): Listing<number> =>
  (after, isReverse) =>
    numbers(catalogue.end(), after, isReverse, (number) => catalogue.product(number) !== undefined)

function* numbers(
  end: number,
  after: string | undefined,
  isReverse: boolean,
  exists: (number: number) => boolean,
) {
  const step = isReverse ? -1 : 1
  const start = after === undefined ? (isReverse ? end - 1 : 0) : Number(after) + step
  for (let number = start; number >= 0 && number < end; number += step)
    if (exists(number)) yield [padded(number), number] as const
}

/** The variants of all products, ordered by id. */
export const allVariants =
  (shop: Shop): Listing<FoundVariant> =>
  (after, isReverse) =>
    variants(shop, after, isReverse)

function* variants(
  shop: Shop,
  after: string | undefined,
  isReverse: boolean,
): Generator<Entry<FoundVariant>> {
  const [product, slot] = after?.split('.') ?? []
  const inside = after === undefined ? undefined : padded(Number(product) + (isReverse ? 1 : -1))
  const before = inside !== undefined && Number(inside) < 0 ? undefined : inside
  for (const [, number] of productNumbers(shop)(before, isReverse)) {
    const found = variantsOf(shop, number).sort((a, b) => (isReverse ? b.slot - a.slot : a.slot - b.slot))
    for (const variant of found) {
      const isPast = isReverse ? variant.slot < Number(slot) : variant.slot > Number(slot)
      if (number === Number(product) && !isPast) continue
      yield [`${padded(number)}.${padded(variant.slot)}`, variant]
    }
  }
}

/** The variants of a product, in the product's order. */
export const variantsOf = ({ catalogue }: Shop, product: number): FoundVariant[] => {
  const inProduct = catalogue.product(product)
  return (inProduct?.variants ?? []).flatMap((variant) =>
    inProduct ? [{ product, slot: variant.slot, variant, inProduct }] : [],
  )
}

export function productView({ shop, views }: ViewContext, number: number): View | null {
  const product = shop.catalogue.product(number)
  if (!product) return null
  const id = shop.catalogue.productId(number)
  const found = variantsOf(shop, number)
  return {
    __typename: 'Product',
    id: shop.gid('Product', id),
    legacyResourceId: id,
    title: product.title,
    handle: product.handle,
    vendor: product.vendor,
    productType: product.productType,
    status: product.status,
    tags: product.tags,
    isGiftCard: product.isGiftCard,
    hasOnlyDefaultVariant: found.length === 1 && product.options[0] === 'Title',
    tracksInventory: found.some(({ variant }) => variant.tracked),
    totalInventory: () => found.reduce((sum, variant) => sum + inventoryQuantity(shop, variant), 0),
    createdAt: product.createdAt,
    updatedAt: product.updatedAt,
    featuredImage: () => imageView(shop, number, product),
    variantsCount: { count: found.length, precision: 'EXACT' },
    variants(args: PageArgs & { sortKey: 'ID' | 'POSITION' }) {
      const positions = new Map(found.map((variant, index) => [variant, index]))
      const listing = listed(found, (variant) =>
        padded(args.sortKey === 'ID' ? variant.slot : (positions.get(variant) ?? 0)),
      )
      return connection(args, listing, views.variant)
    },
  }
}

function imageView(shop: Shop, number: number, product: Product): View | null {
  const url = shop.pictureOf(number, product)
  return url === null ? null : { __typename: 'Image', id: null, url, altText: null, width: 120, height: 120 }
}

function inventoryQuantity(shop: Shop, { product, variant }: FoundVariant): number {
  if (!variant.tracked) return 0
  const levels = shop.stock.levelsOfItem({ product, slot: variant.itemSlot })
  return levels.reduce((sum, { level }) => sum + level.available, 0)
}

export function variantView({ shop, views }: ViewContext, found: FoundVariant | undefined): View | null {
  if (!found) return null
  const { product, slot, variant, inProduct } = found
  const id = shop.catalogue.variantId(product, slot)
  const title = variantTitle(variant)
  return {
    __typename: 'ProductVariant',
    id: shop.gid('ProductVariant', id),
    legacyResourceId: id,
    title,
    displayName: `${inProduct.title} - ${title}`,
    sku: variant.sku,
    barcode: variant.barcode,
    price: variant.price,
    compareAtPrice: null,
    taxable: !inProduct.isGiftCard,
    position: () => inProduct.variants.findIndex((other) => other.slot === slot) + 1,
    inventoryPolicy: variant.policy,
    inventoryQuantity: () => inventoryQuantity(shop, found),
    createdAt: variant.createdAt,
    updatedAt: variant.updatedAt,
    product: () => views.product(product),
    inventoryItem: () => views.item({ product, slot: variant.itemSlot }),
  }
}
