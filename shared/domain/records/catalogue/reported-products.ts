import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { compareInstants, newestBy } from '../../kit/newest-by.ts'
import { isOfSameInstant, isSameVariant, lockProducts, saysTheSame, tiedProducts } from './product-ties.ts'
import { itemAssignments } from './reported-items.ts'
import { confirmVariants } from './retire.ts'

/*
 * The only writer of product data from the platform (`variants.ts` adds unconfirmed variants). All writers lock
 * products by gid, then variants by id, so that they never deadlock. The statements have no joins: without statistics
 * of a new shop's rows, Postgres would scan all rows for each joined row.
 */

/** A product as the platform reports it; instants are ISO 8601. */
export type PlatformProduct = {
  gid: string
  title: string
  status: string
  /** Null when the update does not have it; the stored value then stays. The same for the next two. */
  vendor: string | null
  productType: string | null
  tags: readonly string[] | null
  /** The address of its picture, read by `readPicture`. Null when the update does not have it; the stored value then stays. */
  picture: string | null
  /** When the platform last changed it. Null when unknown; the update then counts as the newest. */
  updatedAt: string | null
  /** The variants that the update has in full. */
  variants: PlatformVariant[]
  /** The complete list, if it is known: variants that it omits have been deleted. */
  variantGids: string[] | null
}

export type PlatformVariant = {
  gid: string
  title: string
  sku: string
  barcode: string
  price: string | null
  /** Null when the update does not have it; the stored value then stays. */
  inventoryItemGid: string | null
  isTracked: boolean | null
  /** In the currency of the shop; null without one, and when the update does not have the inventory item. */
  cost: string | null
  /** 0: the platform has none. Null when the update does not have it; the stored value then stays. */
  weightGrams: number | null
  /** When the inventory item changed; null when the update does not have it. */
  itemUpdatedAt: string | null
  /** When the platform created it; the stored value stays when the update does not have it. */
  createdAt?: string | null
}

export type WrittenProducts = {
  /** The variants that may have another cost. */
  variantGids: string[]
  /** The products of which the update added variants. */
  newGids: string[]
  /** The products with another report of the same instant that differs: only a reading can say which one is the last. */
  ambiguousGids: string[]
}

const UpdatedProduct = Type.Object({
  id: Id,
  gid: Type.String(),
  searchTitle: Type.String(),
  isNew: Type.Boolean(),
})
type UpdatedProduct = Static<typeof UpdatedProduct>

const StoredVariant = Type.Object({
  gid: Type.String(),
  productId: Id,
  title: Type.String(),
  sku: Type.String(),
  barcode: Type.String(),
  price: Nullable(Type.String()),
  inventoryItemGid: Nullable(Type.String()),
  isTracked: Type.Boolean(),
  isDeleted: Type.Boolean(),
  isConfirmed: Type.Boolean(),
  searchText: Type.String(),
  ownSearchText: Type.String(),
})
type StoredVariant = Static<typeof StoredVariant>

/** The new values of a variant: one in the update, or a stored one that the update of its product changes. */
type DueVariant = PlatformVariant & {
  productId: number
  productTitle: string
  isConfirmedNow: boolean
  isDeleted: boolean
}

/** The part of `search_text` after the title of the product, in lower case. */
const ownSearchText = sql.fragment`lower(concat_ws(' ', nullif(title, ''), nullif(sku, ''), nullif(barcode, '')))`

/** The platform's title for the only variant of a product without options. It is not shown. */
const noTitle = 'Default Title'

/**
 * An update older than the stored product is dropped with its variants; those that it reports only count as confirmed. A variant
 * that a complete list omits is marked as deleted; one that an update contains or lists exists again. Idempotent; updates
 * may arrive in any order. Unlike a reading, a webhook deletes no variants when another report of its instant differs.
 */
export async function writeReportedProducts(
  tx: Db,
  shopId: number,
  products: readonly PlatformProduct[],
  { isReading = true }: { isReading?: boolean } = {},
): Promise<WrittenProducts> {
  const updates = newestBy(
    products,
    ({ gid }) => gid,
    (a, b) => compareInstants(a.updatedAt, b.updatedAt),
  )
  if (updates.size === 0) return { variantGids: [], newGids: [], ambiguousGids: [] }
  const before = isReading ? null : await lockProducts(tx, shopId, [...updates.keys()])
  const tied = tiedProducts(products, updates)
  const updated = await upsertNewer(tx, shopId, [...updates.values()])
  const newer = new Set(updated.map(({ gid }) => gid))
  const dropped = [...updates.values()].filter(({ gid }) => !newer.has(gid))
  const droppedIds = await findIds(tx, shopId, dropped)
  const variants = await lockVariants(tx, shopId, [...updated.map(({ id }) => id), ...droppedIds])
  const stored = Map.groupBy(variants, ({ productId }) => productId)
  const isAmbiguous = (product: UpdatedProduct, update: PlatformProduct, due: readonly DueVariant[]) => {
    if (before === null) return false
    if (tied.has(product.gid)) return true
    const known = before.get(product.gid)
    // one that is neither known nor new was stored by a concurrent webhook
    if (!known) return !product.isNew
    const variants = new Map((stored.get(product.id) ?? []).map((variant) => [variant.gid, variant]))
    return (
      isOfSameInstant(update, known) &&
      !(
        saysTheSame(update, known) &&
        due.every((variant) => isSameVariant(variant, variants.get(variant.gid)))
      )
    )
  }
  const ambiguousGids: string[] = []
  const due = updated.flatMap((product) => {
    const update = updates.get(product.gid)
    if (!update) return []
    const ofProduct = stored.get(product.id) ?? []
    const variants = variantsDue(product, update, ofProduct)
    if (!isAmbiguous(product, update, variants)) return variants
    ambiguousGids.push(product.gid)
    return variantsDue(product, { ...update, variantGids: null }, ofProduct)
  })
  await upsertVariants(tx, shopId, due)
  const reported = dropped.flatMap(({ variants, variantGids }) => [
    ...variants.map(({ gid }) => gid),
    ...(variantGids ?? []),
  ])
  await confirmVariants(tx, shopId, droppedIds, reported)
  return {
    variantGids: due.map(({ gid }) => gid),
    ambiguousGids,
    newGids: updated.flatMap(({ id, gid }) => (hasNew(updates.get(gid), stored.get(id)) ? [gid] : [])),
  }
}

function hasNew(update: PlatformProduct | undefined, stored: readonly StoredVariant[] = []): boolean {
  const confirmed = new Set(stored.flatMap(({ gid, isConfirmed }) => (isConfirmed ? [gid] : [])))
  return update?.variants.some(({ gid }) => !confirmed.has(gid)) ?? false
}

/** Locks every product, and returns those whose stored version is not newer. */
function upsertNewer(
  tx: Db,
  shopId: number,
  products: readonly PlatformProduct[],
): Promise<readonly UpdatedProduct[]> {
  const rows = products.map(({ gid, title, status, vendor, productType, tags, picture, updatedAt }) => [
    gid,
    clean(title),
    clean(status),
    vendor === null ? null : clean(vendor),
    productType === null ? null : clean(productType),
    tags === null ? null : JSON.stringify(tags.map(clean)),
    picture === null ? null : clean(picture),
    updatedAt,
  ])
  return tx.any(sql.type(row(UpdatedProduct))`
    insert into product (shop_id, gid, title, status, vendor, product_type, tags, picture, source_updated_at)
    select ${shopId}::bigint, gid, title, lower(status), vendor, product_type,
      case when tags is not null then array(select jsonb_array_elements_text(tags)) end, picture, updated_at
    from ${sql.unnest(rows, ['text', 'text', 'text', 'text', 'text', 'jsonb', 'text', 'timestamptz'])}
      as reported (gid, title, status, vendor, product_type, tags, picture, updated_at)
    order by gid
    on conflict (shop_id, gid) do update
    set title = excluded.title,
      status = excluded.status,
      vendor = coalesce(excluded.vendor, product.vendor),
      product_type = coalesce(excluded.product_type, product.product_type),
      tags = coalesce(excluded.tags, product.tags),
      picture = coalesce(excluded.picture, product.picture),
      source_updated_at = coalesce(excluded.source_updated_at, product.source_updated_at),
      deleted_at = null,
      updated_at = case
        when (product.title, product.status, product.deleted_at)
          is distinct from (excluded.title, excluded.status, null::timestamptz) then excluded.updated_at
        else product.updated_at
      end
    where product.source_updated_at is null or excluded.source_updated_at is null
      or product.source_updated_at <= excluded.source_updated_at
    returning id, gid, lower(title) as search_title, created_at = now() as is_new
  `)
}

async function findIds(
  tx: Db,
  shopId: number,
  products: readonly PlatformProduct[],
): Promise<readonly number[]> {
  if (products.length === 0) return []
  return tx.anyFirst(sql.typeAlias('id')`
    select id from product where shop_id = ${shopId} and gid = any(${textArray(products.map(({ gid }) => gid))})
  `)
}

/** All variants at once, in the order of their ids. */
function lockVariants(
  tx: Db,
  shopId: number,
  productIds: readonly number[],
): Promise<readonly StoredVariant[]> {
  return tx.any(sql.type(row(StoredVariant))`
    select gid, product_id, title, sku, barcode, price::text, inventory_item_gid, is_tracked,
      deleted_at is not null as is_deleted, confirmed_at is not null as is_confirmed, search_text,
      ${ownSearchText} as own_search_text
    from variant
    where shop_id = ${shopId} and product_id = any(${sql.array([...productIds], 'int8')})
    order by id
    for no key update
  `)
}

/** A complete list decides whether a stored variant is deleted; a new product title changes its search text. */
function variantsDue(
  { id: productId, searchTitle }: UpdatedProduct,
  { title, variants, variantGids }: PlatformProduct,
  stored: readonly StoredVariant[],
): DueVariant[] {
  const known = new Map(stored.map((variant) => [variant.gid, variant]))
  const ofProduct = { productId, productTitle: clean(title) }
  const reported = variants.map(
    (variant): DueVariant => ({
      ...variant,
      title: variant.title === noTitle ? '' : variant.title,
      isTracked: variant.isTracked ?? known.get(variant.gid)?.isTracked ?? true,
      ...ofProduct,
      isConfirmedNow: true,
      isDeleted: false,
    }),
  )
  for (const { gid } of variants) known.delete(gid)
  const listed = variantGids && new Set(variantGids)
  const others = [...known.values()].flatMap((variant): DueVariant[] => {
    const isDeleted = listed ? !listed.has(variant.gid) : variant.isDeleted
    const searchText = `${searchTitle} ${variant.ownSearchText}`
    const isSame = isDeleted === variant.isDeleted && variant.searchText === searchText
    // A listed variant gets a new `confirmed_at`, because a sync retires the variants that it has not confirmed.
    const isConfirmedNow = variant.isConfirmed && listed?.has(variant.gid) === true
    const ofItem = { cost: null, weightGrams: null, itemUpdatedAt: null }
    return isSame && !isConfirmedNow
      ? []
      : [{ ...variant, ...ofItem, ...ofProduct, isConfirmedNow, isDeleted }]
  })
  return [...others, ...reported]
}

const dueTypes = [
  ...['text', 'int8', 'text', 'text', 'text', 'text', 'numeric', 'text', 'bool', 'numeric', 'timestamptz'],
  ...['bool', 'bool', 'timestamptz', 'numeric'],
]

async function upsertVariants(tx: Db, shopId: number, due: readonly DueVariant[]): Promise<void> {
  // A variant that two products contain belongs to the later one.
  const rows = [...new Map(due.map((variant) => [variant.gid, variant])).values()].map((variant) => [
    variant.gid,
    variant.productId,
    variant.productTitle,
    clean(variant.title),
    clean(variant.sku),
    clean(variant.barcode),
    variant.price,
    variant.inventoryItemGid,
    variant.isTracked,
    variant.cost,
    variant.itemUpdatedAt,
    variant.isConfirmedNow,
    variant.isDeleted,
    variant.createdAt ?? null,
    variant.weightGrams,
  ])
  if (rows.length === 0) return
  await tx.query(sql.typeAlias('void')`
    insert into variant (
      shop_id, gid, product_id, title, sku, barcode, price, inventory_item_gid, is_tracked, unit_cost, cost_source,
      cost_at, platform_cost, item_updated_at, search_text, confirmed_at, deleted_at,
      platform_created_at, weight_grams
    )
    select ${shopId}::bigint, gid, product_id, title, sku, barcode, price, inventory_item_gid, is_tracked, cost,
      case when cost is not null then 'platform' end, case when cost is not null then item_updated_at end, cost,
      item_updated_at, lower(product_title) || ' ' || ${ownSearchText},
      case when is_confirmed_now then now() end, case when is_deleted then now() end, platform_created_at, weight_grams
    from ${sql.unnest(rows, dueTypes)}
      as due (
        gid, product_id, product_title, title, sku, barcode, price, inventory_item_gid, is_tracked, cost,
        item_updated_at, is_confirmed_now, is_deleted, platform_created_at, weight_grams
      )
    order by gid
    on conflict (shop_id, gid) do update
    set product_id = excluded.product_id,
      title = excluded.title,
      sku = excluded.sku,
      barcode = excluded.barcode,
      price = excluded.price,
      inventory_item_gid = coalesce(excluded.inventory_item_gid, variant.inventory_item_gid),
      ${itemAssignments('variant', 'excluded')},
      search_text = excluded.search_text,
      platform_created_at = coalesce(excluded.platform_created_at, variant.platform_created_at),
      confirmed_at = coalesce(excluded.confirmed_at, variant.confirmed_at),
      deleted_at = case when excluded.deleted_at is not null then coalesce(variant.deleted_at, excluded.deleted_at) end,
      updated_at = case
        when (variant.search_text, variant.title, variant.price, variant.deleted_at is null)
          is distinct from (excluded.search_text, excluded.title, excluded.price, excluded.deleted_at is null)
          then excluded.updated_at
        else variant.updated_at
      end
  `)
}

const textArray = (values: readonly string[]) => sql.array([...values], 'text')

/** Removes NUL, which Postgres cannot store: one such title must not fail the whole batch. */
const clean = (text: string) => text.replaceAll('\u0000', '')
