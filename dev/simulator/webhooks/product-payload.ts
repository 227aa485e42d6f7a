import type { Catalogue } from '../shops/catalogue.ts'
import type { ShopCore } from '../shops/core.ts'
import { makeGid, type Namespace } from '../shops/ids.ts'
import { type Product, type ShopFacts, type Variant, variantTitle } from '../shops/seed.ts'
import type { Stock } from '../shops/stock.ts'
import { localTime } from './body.ts'

export type PayloadShop = {
  facts: ShopFacts
  namespace: Namespace
  catalogue: Catalogue
  stock: Stock
} & Pick<ShopCore, 'pictureOf'>

/** The first variants are sent in full, the others as ids only. */
const maxFullVariants = 100

/** The body of products/create and products/update. */
export function productPayload(shop: PayloadShop, number: number, product: Product) {
  const id = shop.catalogue.productId(number)
  const gidOf = ({ slot }: Variant) =>
    makeGid(shop.namespace, 'ProductVariant', shop.catalogue.variantId(number, slot))
  const src = shop.pictureOf(number, product)
  const image = src === null ? null : { src, alt: null, position: 1, product_id: BigInt(id), variant_ids: [] }
  return {
    admin_graphql_api_id: makeGid(shop.namespace, 'Product', id),
    body_html: null,
    created_at: localTime(product.createdAt, shop.facts.timeZone),
    handle: product.handle,
    id: BigInt(id),
    product_type: product.productType,
    published_at: localTime(product.createdAt, shop.facts.timeZone),
    template_suffix: null,
    title: product.title,
    updated_at: localTime(product.updatedAt, shop.facts.timeZone),
    vendor: product.vendor,
    status: product.status.toLowerCase(),
    published_scope: 'global',
    tags: product.tags.toSorted().join(', '),
    variants: product.variants
      .slice(0, maxFullVariants)
      .map((variant, index) => variantPayload(shop, number, product, variant, index + 1)),
    options: product.options.map((name, index) => ({
      name,
      product_id: BigInt(id),
      position: index + 1,
      values: [...new Set(product.variants.map(({ values }) => values[index] ?? ''))],
    })),
    images: image === null ? [] : [image],
    image,
    media: [],
    variant_gids: product.variants.map((variant) => ({
      admin_graphql_api_id: gidOf(variant),
      updated_at: new Date(variant.updatedAt).toISOString(),
    })),
    has_variants_that_requires_components: false,
    category: null,
  }
}

function variantPayload(
  { facts, namespace, catalogue, stock }: PayloadShop,
  number: number,
  product: Product,
  variant: Variant,
  position: number,
) {
  const id = catalogue.variantId(number, variant.slot)
  const levels = stock.levelsOfItem({ product: number, slot: variant.itemSlot })
  const quantity = variant.tracked ? levels.reduce((sum, { level }) => sum + level.available, 0) : 0
  return {
    admin_graphql_api_id: makeGid(namespace, 'ProductVariant', id),
    barcode: variant.barcode,
    compare_at_price: null,
    created_at: localTime(variant.createdAt, facts.timeZone),
    id: BigInt(id),
    inventory_policy: variant.policy.toLowerCase(),
    position,
    price: variant.price,
    product_id: BigInt(catalogue.productId(number)),
    sku: variant.sku,
    taxable: !product.isGiftCard,
    title: variantTitle(variant),
    updated_at: localTime(variant.updatedAt, facts.timeZone),
    option1: variant.values[0] ?? null,
    option2: variant.values[1] ?? null,
    option3: variant.values[2] ?? null,
    image_id: null,
    inventory_item_id: BigInt(catalogue.itemId(number, variant.itemSlot)),
    inventory_quantity: quantity,
    old_inventory_quantity: quantity,
  }
}
