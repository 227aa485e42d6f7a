import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { SupplierPrice } from '../../../schemas/supplier-products.ts'
import { isSamePrice, type Price } from './prices.ts'

/** A supplier product with row ids instead of platform ids. */
const StoredProduct = Type.Object({
  id: Id,
  supplierId: Id,
  variantId: Id,
  supplierSku: Type.String(),
  supplierTitle: Type.String(),
  packSize: Type.Integer(),
  minimumQuantity: Nullable(Type.Integer()),
  quantityMultiple: Type.Integer(),
  leadTimeDays: Nullable(Type.Integer()),
  rank: Type.Integer(),
  isActive: Type.Boolean(),
  packBarcode: Type.String(),
  version: Type.Integer(),
  prices: Type.Array(SupplierPrice),
})
export type StoredProduct = Static<typeof StoredProduct>

/** A product without an id is new. */
export type ProductToWrite = Omit<StoredProduct, 'id' | 'version' | 'prices'> & {
  id: number | null
  prices: Price[]
}

/** A supplier sells a variant once per supplier SKU. */
export const productKey = ({
  supplierId,
  variantId,
  supplierSku,
}: Pick<StoredProduct, 'supplierId' | 'variantId' | 'supplierSku'>) =>
  `${supplierId}/${variantId}/${supplierSku}`

/** The products of these suppliers that match the condition on `x`. The caller must have locked the suppliers. */
export function readStoredProducts(
  tx: Db,
  shopId: number,
  supplierIds: readonly number[],
  condition: ReturnType<typeof sql.fragment>,
): Promise<readonly StoredProduct[]> {
  return tx.any(sql.type(row(StoredProduct))`
    select x.id, x.supplier_id, x.variant_id, x.supplier_sku, x.supplier_title, x.pack_size, x.minimum_quantity,
      x.quantity_multiple, x.lead_time_days, x.rank, x.is_active, x.pack_barcode, x.version,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', c.id, 'minQuantity', c.min_quantity, 'price', c.price, 'currency', c.currency,
          'validFrom', c.valid_from, 'validTo', c.valid_to, 'source', c.source
        ) order by c.id), '[]')
        from supplier_price c
        where c.shop_id = ${shopId} and c.supplier_product_id = x.id
      ) as prices
    from supplier_product x
    where x.shop_id = ${shopId} and x.supplier_id = any(${sql.array([...supplierIds], 'int8')}) and (${condition})
    order by x.id
  `)
}

const fields = [
  'supplierSku',
  'supplierTitle',
  'packSize',
  'minimumQuantity',
  'quantityMultiple',
  'leadTimeDays',
  'rank',
  'isActive',
  'packBarcode',
  'variantId',
] as const

/** Whether a row differs from the stored one. */
export function isChanged(product: ProductToWrite, stored: StoredProduct): boolean {
  return (
    fields.some((field) => product[field] !== stored[field]) ||
    product.prices.length !== stored.prices.length ||
    product.prices.some((price) => !stored.prices.some((other) => isSamePrice(price, other)))
  )
}

const Written = Type.Object({
  id: Id,
  supplierId: Id,
  variantId: Id,
  supplierSku: Type.String(),
})

/**
 * Writes products and their prices in a few statements. Each product is new or differs from the stored one. Where the
 * rank of a product becomes 1, another first one of its variant becomes the second. Returns the ids in order.
 */
export async function writeProducts(
  tx: Db,
  shopId: number,
  products: readonly ProductToWrite[],
  stored: ReadonlyMap<number, StoredProduct>,
): Promise<number[]> {
  if (products.length === 0) return []
  const preferred = products.map(({ id, rank }) => rank === 1 && (id === null || stored.get(id)?.rank !== 1))
  if (preferred.includes(true)) await lockPreference(tx, shopId)
  await updateProducts(
    tx,
    shopId,
    products.filter(({ id }) => id !== null),
    stored,
  )
  const inserted = await insertProducts(
    tx,
    shopId,
    products.filter(({ id }) => id === null),
  )
  const ids = products.map((product) => product.id ?? inserted.get(productKey(product)) ?? 0)
  await writePrices(tx, shopId, products, ids, stored)
  await demoteOthers(
    tx,
    shopId,
    ids.filter((_id, at) => preferred[at]),
  )
  return ids
}

/** Of two requests that prefer different suppliers of a variant at once, the second sees what the first has written. */
async function lockPreference(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    select from pg_advisory_xact_lock(hashtextextended('preferred_suppliers', ${shopId}::bigint))
  `)
}

const valuesOf = (product: ProductToWrite) => [
  product.variantId,
  product.supplierSku,
  product.supplierTitle,
  product.packSize,
  product.minimumQuantity,
  product.quantityMultiple,
  product.leadTimeDays,
  product.rank,
  product.isActive,
  product.packBarcode,
]
const valueTypes = ['int8', 'text', 'text', 'int4', 'int4', 'int4', 'int4', 'int4', 'bool', 'text'] as const
const valueColumns = sql.fragment`
  variant_id, supplier_sku, supplier_title, pack_size, minimum_quantity, quantity_multiple, lead_time_days, rank,
  is_active, pack_barcode
`

/** A rank that the request does not change may have been lowered by a request for another supplier, so it stays. */
async function updateProducts(
  tx: Db,
  shopId: number,
  products: readonly ProductToWrite[],
  stored: ReadonlyMap<number, StoredProduct>,
): Promise<void> {
  if (products.length === 0) return
  const rows = products.map((product) => [
    product.id,
    ...valuesOf(product),
    product.rank !== stored.get(product.id ?? 0)?.rank,
  ])
  await tx.query(sql.typeAlias('void')`
    update supplier_product x
    set variant_id = n.variant_id, supplier_sku = n.supplier_sku, supplier_title = n.supplier_title,
      pack_size = n.pack_size, minimum_quantity = n.minimum_quantity, quantity_multiple = n.quantity_multiple,
      lead_time_days = n.lead_time_days, rank = case when n.has_new_rank then n.rank else x.rank end,
      is_active = n.is_active, pack_barcode = n.pack_barcode,
      version = x.version + 1, updated_at = now()
    from ${sql.unnest(rows, ['int8', ...valueTypes, 'bool'])} as n (id, ${valueColumns}, has_new_rank)
    where x.shop_id = ${shopId} and x.id = n.id
  `)
}

async function insertProducts(
  tx: Db,
  shopId: number,
  products: readonly ProductToWrite[],
): Promise<Map<string, number>> {
  if (products.length === 0) return new Map()
  const rows = products.map((product) => [product.supplierId, ...valuesOf(product)])
  const written = await tx.any(sql.type(row(Written))`
    insert into supplier_product (shop_id, supplier_id, ${valueColumns})
    select ${shopId}::bigint, n.*
    from ${sql.unnest(rows, ['int8', ...valueTypes])} as n
    returning id, supplier_id, variant_id, supplier_sku
  `)
  return new Map(written.map((product) => [productKey(product), product.id]))
}

async function writePrices(
  tx: Db,
  shopId: number,
  products: readonly ProductToWrite[],
  ids: readonly number[],
  stored: ReadonlyMap<number, StoredProduct>,
): Promise<void> {
  const gone: number[] = []
  const added: (string | number | null)[][] = []
  for (const [at, { id, prices }] of products.entries()) {
    const before = id === null ? [] : (stored.get(id)?.prices ?? [])
    gone.push(
      ...before
        .filter((price) => !prices.some((other) => isSamePrice(price, other)))
        .map((price) => price.id),
    )
    for (const price of prices.filter((one) => !before.some((other) => isSamePrice(one, other)))) {
      const { minQuantity, currency, validFrom, validTo, source } = price
      added.push([ids[at] ?? 0, minQuantity, String(price.price), currency, validFrom, validTo, source])
    }
  }
  if (gone.length > 0) {
    await tx.query(sql.typeAlias('void')`
      delete from supplier_price where shop_id = ${shopId} and id = any(${sql.array(gone, 'int8')})
    `)
  }
  if (added.length === 0) return
  await tx.query(sql.typeAlias('void')`
    insert into supplier_price (
      shop_id, supplier_product_id, min_quantity, price, currency, valid_from, valid_to, source
    )
    select ${shopId}::bigint, n.*
    from ${sql.unnest(added, ['int8', 'int4', 'numeric', 'text', 'date', 'date', 'text'])} as n
  `)
}

async function demoteOthers(tx: Db, shopId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const chosen = sql.array([...ids], 'int8')
  await tx.query(sql.typeAlias('void')`
    update supplier_product x
    set rank = 2, version = x.version + 1, updated_at = now()
    where x.shop_id = ${shopId} and x.rank = 1 and x.id <> all(${chosen}) and x.variant_id in (
      select p.variant_id from supplier_product p where p.shop_id = ${shopId} and p.id = any(${chosen})
    )
  `)
}
