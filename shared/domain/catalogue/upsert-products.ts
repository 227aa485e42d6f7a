import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Id, Nullable } from '../../schemas/common.ts'

/*
 * The only writer of what the platform says about products and variants (`shared/domain/catalogue/locations.ts` is that of
 * locations). Order lines may add rows that nobody has confirmed yet (`shared/domain/catalogue/variants.ts`).
 *
 * Whoever writes locks products in the order of their gid and then variants in the order of their id, so two
 * writers never deadlock. No statement joins: until Postgres has looked at the rows of a new shop, it takes the shop
 * for empty and would go through all of it for each row that is joined.
 */

/** A product as the platform tells it; instants are ISO 8601. */
export type PlatformProduct = {
  gid: string
  title: string
  status: string
  /** When the platform last changed it; null when it does not say, and then the news counts as new. */
  updatedAt: string | null
  /** Those that were told with their fields. */
  variants: PlatformVariant[]
  /** The full list when it is known: variants that are not on it have been deleted. */
  variantGids: string[] | null
}

export type PlatformVariant = {
  gid: string
  title: string
  sku: string
  barcode: string
  price: string | null
  /** Null when the news does not say; what was known stays. */
  inventoryItemGid: string | null
  /** Null when the news does not say; what was known stays. */
  isTracked: boolean | null
}

const FreshProduct = Type.Object({ id: Id, gid: Type.String(), words: Type.String() })
type FreshProduct = Static<typeof FreshProduct>

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
  words: Type.String(),
})
type StoredVariant = Static<typeof StoredVariant>

/** A variant as it is to be: told now, or known and concerned by what was told of its product. */
type DueVariant = PlatformVariant & {
  productId: number
  productTitle: string
  isTold: boolean
  isDeleted: boolean
}

/** What a variant's `search_text` holds behind the title of its product: written here only, in lower case. */
const ownWords = sql.fragment`lower(concat_ws(' ', nullif(title, ''), nullif(sku, ''), nullif(barcode, '')))`

/** The one variant of a product without options has this title, which is no word of the merchant's. */
const noTitle = 'Default Title'

/**
 * Takes over what the platform says about products and their variants, in three statements however many there are.
 * News older than what is stored is dropped, product and variants together. Variants that a full list leaves out
 * are marked as deleted; one that is told or listed again is back. May be told the same twice, and in any order.
 */
export async function upsertProducts(
  tx: Db,
  shopId: number,
  products: readonly PlatformProduct[],
): Promise<void> {
  const news = newestOfEach(products)
  if (news.size === 0) return
  const fresh = await upsertNewer(tx, shopId, [...news.values()])
  if (fresh.length === 0) return
  const stored = Map.groupBy(await lockVariants(tx, shopId, fresh), ({ productId }) => productId)
  const due = fresh.flatMap((product) => {
    const told = news.get(product.gid)
    return told ? variantsDue(product, told, stored.get(product.id) ?? []) : []
  })
  await upsertVariants(tx, shopId, due)
}

/** The same product twice in one call: the newest counts, and of equals the last. */
function newestOfEach(products: readonly PlatformProduct[]): ReadonlyMap<string, PlatformProduct> {
  const newest = new Map<string, PlatformProduct>()
  for (const product of products) {
    const known = newest.get(product.gid)
    if (!known || ageOf(known) <= ageOf(product)) newest.set(product.gid, product)
  }
  return newest
}

function ageOf({ updatedAt }: PlatformProduct): number {
  return updatedAt === null ? Number.POSITIVE_INFINITY : Date.parse(updatedAt)
}

/** Locks every product that is named; answers those for which this is no older news. */
function upsertNewer(
  tx: Db,
  shopId: number,
  products: readonly PlatformProduct[],
): Promise<readonly FreshProduct[]> {
  const rows = products.map(({ gid, title, status, updatedAt }) => [
    gid,
    clean(title),
    clean(status),
    updatedAt,
  ])
  return tx.any(sql.type(row(FreshProduct))`
    insert into product (shop_id, gid, title, status, source_updated_at)
    select ${shopId}::bigint, gid, title, lower(status), updated_at
    from ${sql.unnest(rows, ['text', 'text', 'text', 'timestamptz'])} as told (gid, title, status, updated_at)
    order by gid
    on conflict (shop_id, gid) do update
    set title = excluded.title,
      status = excluded.status,
      source_updated_at = coalesce(excluded.source_updated_at, product.source_updated_at),
      deleted_at = null,
      updated_at = case
        when (product.title, product.status, product.deleted_at)
          is distinct from (excluded.title, excluded.status, null::timestamptz) then now()
        else product.updated_at
      end
    where product.source_updated_at is null or excluded.source_updated_at is null
      or product.source_updated_at <= excluded.source_updated_at
    returning id, gid, lower(title) as words
  `)
}

function lockVariants(
  tx: Db,
  shopId: number,
  products: readonly FreshProduct[],
): Promise<readonly StoredVariant[]> {
  const ids = products.map(({ id }) => id)
  return tx.any(sql.type(row(StoredVariant))`
    select gid, product_id, title, sku, barcode, price::text, inventory_item_gid, is_tracked,
      deleted_at is not null as is_deleted, confirmed_at is not null as is_confirmed, search_text, ${ownWords} as words
    from variant
    where shop_id = ${shopId} and product_id = any(${sql.array(ids, 'int8')})
    order by id
    for no key update
  `)
}

/**
 * The variants that were told, and of the others those that follow: what is on no full list has been deleted, what
 * is listed is there, and a new title of the product is found with each of them.
 */
function variantsDue(
  { id: productId, words }: FreshProduct,
  { title, variants, variantGids }: PlatformProduct,
  stored: readonly StoredVariant[],
): DueVariant[] {
  const known = new Map(stored.map((variant) => [variant.gid, variant]))
  const ofProduct = { productId, productTitle: clean(title) }
  const told = variants.map(
    (variant): DueVariant => ({
      ...variant,
      title: variant.title === noTitle ? '' : variant.title,
      isTracked: variant.isTracked ?? known.get(variant.gid)?.isTracked ?? true,
      ...ofProduct,
      isTold: true,
      isDeleted: false,
    }),
  )
  for (const { gid } of variants) known.delete(gid)
  const listed = variantGids && new Set(variantGids)
  const others = [...known.values()].flatMap((variant): DueVariant[] => {
    const isDeleted = listed ? !listed.has(variant.gid) : variant.isDeleted
    const isSame = isDeleted === variant.isDeleted && variant.searchText === `${words} ${variant.words}`
    // listed is as good as told to a reading of the whole catalogue, which retires what it does not meet
    const isTold = variant.isConfirmed && listed?.has(variant.gid) === true
    return isSame && !isTold ? [] : [{ ...variant, ...ofProduct, isTold, isDeleted }]
  })
  return [...others, ...told]
}

async function upsertVariants(tx: Db, shopId: number, due: readonly DueVariant[]): Promise<void> {
  // a variant under two products was told with the latter
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
    variant.isTold,
    variant.isDeleted,
  ])
  if (rows.length === 0) return
  await tx.query(sql.typeAlias('void')`
    insert into variant (
      shop_id, gid, product_id, title, sku, barcode, price, inventory_item_gid, is_tracked, search_text,
      confirmed_at, deleted_at
    )
    select ${shopId}::bigint, gid, product_id, title, sku, barcode, price, inventory_item_gid, is_tracked,
      lower(product_title) || ' ' || ${ownWords},
      case when is_told then now() end, case when is_deleted then now() end
    from ${sql.unnest(rows, ['text', 'int8', 'text', 'text', 'text', 'text', 'numeric', 'text', 'bool', 'bool', 'bool'])}
      as due (
        gid, product_id, product_title, title, sku, barcode, price, inventory_item_gid, is_tracked, is_told, is_deleted
      )
    order by gid
    on conflict (shop_id, gid) do update
    set product_id = excluded.product_id,
      title = excluded.title,
      sku = excluded.sku,
      barcode = excluded.barcode,
      price = excluded.price,
      inventory_item_gid = coalesce(excluded.inventory_item_gid, variant.inventory_item_gid),
      is_tracked = excluded.is_tracked,
      search_text = excluded.search_text,
      confirmed_at = coalesce(excluded.confirmed_at, variant.confirmed_at),
      deleted_at = case when excluded.deleted_at is not null then coalesce(variant.deleted_at, now()) end,
      updated_at = case
        when (variant.search_text, variant.title, variant.price, variant.deleted_at is null)
          is distinct from (excluded.search_text, excluded.title, excluded.price, excluded.deleted_at is null)
          then now()
        else variant.updated_at
      end
  `)
}

/** Postgres has no room for this one character, and a title that holds it must not stop all others. */
const clean = (text: string) => text.replaceAll('\u0000', '')
