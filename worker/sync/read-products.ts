import { readPicture } from '../../shared/domain/records/catalogue/picture.ts'
import { readCost } from '../../shared/domain/records/catalogue/reported-items.ts'
import type {
  PlatformProduct,
  PlatformVariant,
} from '../../shared/domain/records/catalogue/reported-products.ts'
import { readWeight } from '../../shared/domain/records/catalogue/weight.ts'
import type { ProductNode, VariantNode } from '../platform/documents.ts'

/** Converts a product of the admin API for the catalogue; `variantGids` is the full list, null when it is unknown. */
export function toPlatformProduct(
  { id, featuredImage, ...product }: ProductNode,
  variants: readonly VariantNode[],
  variantGids: string[] | null,
): PlatformProduct {
  const picture = featuredImage === undefined ? null : readPicture(featuredImage?.url)
  return { gid: id, ...product, picture, variants: variants.map(toPlatformVariant), variantGids }
}

function toPlatformVariant({
  id,
  title,
  sku,
  barcode,
  price,
  createdAt,
  inventoryItem,
}: VariantNode): PlatformVariant {
  return {
    gid: id,
    title,
    sku: sku ?? '',
    barcode: barcode ?? '',
    price,
    inventoryItemGid: inventoryItem.id,
    isTracked: inventoryItem.tracked,
    cost: readCost(inventoryItem.unitCost?.amount),
    weightGrams: readWeight(inventoryItem.measurement.weight),
    itemUpdatedAt: inventoryItem.updatedAt,
    createdAt: createdAt ?? null,
  }
}
