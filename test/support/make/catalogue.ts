import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import type {
  PlatformProduct,
  PlatformVariant,
} from '../../../shared/domain/records/catalogue/reported-products.ts'

export const gidOf = (type: string, number: number | string) => `gid://platform/${type}/${number}`

/** A variant as the platform reports it. Tests change single fields. */
export const variant = (number: number | string, fields: Partial<PlatformVariant> = {}): PlatformVariant => ({
  gid: gidOf('ProductVariant', number),
  title: `Size ${number}`,
  sku: `SKU-${number}`,
  barcode: `00${number}`,
  price: '9.50',
  inventoryItemGid: gidOf('InventoryItem', number),
  isTracked: true,
  cost: null,
  weightGrams: null,
  itemUpdatedAt: null,
  ...fields,
})

export const product = (
  number: number | string,
  variants: PlatformVariant[],
  fields: Partial<PlatformProduct> = {},
): PlatformProduct => ({
  gid: gidOf('Product', number),
  title: `Mug ${number}`,
  status: 'ACTIVE',
  vendor: null,
  productType: null,
  tags: null,
  picture: null,
  updatedAt: '2026-03-01T12:00:00Z',
  variants,
  variantGids: variants.map(({ gid }) => gid),
  ...fields,
})

const StoredVariant = Type.Object({
  gid: Type.String(),
  productTitle: Type.String(),
  title: Type.String(),
  sku: Type.String(),
  barcode: Type.String(),
  price: Type.Union([Type.Number(), Type.Null()]),
  inventoryItemGid: Type.Union([Type.String(), Type.Null()]),
  isTracked: Type.Boolean(),
  isDeleted: Type.Boolean(),
  isConfirmed: Type.Boolean(),
  searchText: Type.String(),
})

/** The stored variants of a shop, ordered by id. */
export function storedVariants(db: Db, shopId: number) {
  return db.any(sql.type(row(StoredVariant))`
    select v.gid, p.title as product_title, v.title, v.sku, v.barcode, v.price, v.inventory_item_gid, v.is_tracked,
      v.deleted_at is not null as is_deleted, v.confirmed_at is not null as is_confirmed, v.search_text
    from variant v
    join product p on p.shop_id = v.shop_id and p.id = v.product_id
    where v.shop_id = ${shopId}
    order by v.id
  `)
}
