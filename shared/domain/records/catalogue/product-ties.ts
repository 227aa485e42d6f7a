import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Nullable } from '../../../schemas/common.ts'
import { compareInstants } from '../../kit/newest-by.ts'

/*
 * The platform's instants have whole seconds, so two webhooks of a product may have the same one and differ. Nothing in them says which
 * is the later one: only a reading shows the variants that exist.
 */

const StoredProduct = Type.Object({
  gid: Type.String(),
  title: Type.String(),
  status: Type.String(),
  vendor: Nullable(Type.String()),
  productType: Nullable(Type.String()),
  tags: Nullable(Type.Array(Type.String())),
  picture: Nullable(Type.String()),
  isDeleted: Type.Boolean(),
  sourceUpdatedAt: Nullable(Type.String()),
})
type StoredProduct = Static<typeof StoredProduct>

/** Fields that are null in the report are not in its body. */
type ReportedProduct = Omit<StoredProduct, 'isDeleted' | 'sourceUpdatedAt' | 'tags'> & {
  tags: readonly string[] | null
  updatedAt: string | null
}

type VariantFacts = {
  title: string
  sku: string
  barcode: string
  price: string | null
  inventoryItemGid: string | null
  isDeleted: boolean
}

/** Locks the products that are stored, in the order that every writer uses. */
export async function lockProducts(
  tx: Db,
  shopId: number,
  gids: readonly string[],
): Promise<ReadonlyMap<string, StoredProduct>> {
  const products = await tx.any(sql.type(row(StoredProduct))`
    select gid, title, status, vendor, product_type, tags, picture, deleted_at is not null as is_deleted, source_updated_at
    from product
    where shop_id = ${shopId} and gid = any(${sql.array([...gids], 'text')})
    order by gid
    for no key update
  `)
  return new Map(products.map((product) => [product.gid, product]))
}

/** The products with two reports of the same instant that differ, among the newest ones of a batch. */
export function tiedProducts<Product extends ReportedProduct>(
  products: readonly Product[],
  newest: ReadonlyMap<string, Product>,
): ReadonlySet<string> {
  const tied = products.filter((product) => {
    const other = newest.get(product.gid)
    return (
      other !== undefined &&
      compareInstants(product.updatedAt, other.updatedAt) === 0 &&
      !isDeepStrictEqual({ ...product, updatedAt: null }, { ...other, updatedAt: null })
    )
  })
  return new Set(tied.map(({ gid }) => gid))
}

export const isOfSameInstant = (report: ReportedProduct, stored: StoredProduct) =>
  stored.sourceUpdatedAt !== null && compareInstants(report.updatedAt, stored.sourceUpdatedAt) === 0

export function saysTheSame(report: ReportedProduct, stored: StoredProduct): boolean {
  const isSame = (name: 'vendor' | 'productType' | 'tags' | 'picture') =>
    report[name] === null || isDeepStrictEqual(report[name], stored[name])
  return (
    !stored.isDeleted &&
    report.title === stored.title &&
    report.status === stored.status &&
    (['vendor', 'productType', 'tags', 'picture'] as const).every(isSame)
  )
}

/** A variant without a price has null, and a stored price has 4 decimals. */
export function isSameVariant(reported: VariantFacts, stored: VariantFacts | undefined): boolean {
  const priceOf = ({ price }: VariantFacts) => (price === null ? null : Number(price))
  return (
    stored !== undefined &&
    reported.isDeleted === stored.isDeleted &&
    reported.title === stored.title &&
    reported.sku === stored.sku &&
    reported.barcode === stored.barcode &&
    priceOf(reported) === priceOf(stored) &&
    (reported.inventoryItemGid ?? stored.inventoryItemGid) === stored.inventoryItemGid
  )
}
