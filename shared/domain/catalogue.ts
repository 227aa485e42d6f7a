import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../db.ts'
import { Id } from '../schemas/common.ts'

/*
 * The only writer of what the platform says about products and variants (`shared/domain/locations.ts` is that of
 * locations). Order lines may add rows that nobody has confirmed yet (`shared/domain/variants.ts`).
 *
 * Whoever writes locks products in the order of their gid and then variants in the order of their id, so two
 * writers never deadlock.
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

const FreshProduct = Type.Object({ id: Id, gid: Type.String() })
type FreshProduct = Static<typeof FreshProduct>

/** The one variant of a product without options has this title, which is no word of the merchant's. */
const noTitle = 'Default Title'

/**
 * Takes over what the platform says about products and their variants, in four statements however many there are.
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
  await lockVariants(tx, shopId, fresh, news)
  await upsertVariants(tx, shopId, fresh, news)
  await settleVariants(tx, shopId, fresh, news)
}

type News = ReadonlyMap<string, PlatformProduct>

/** The same product twice in one call: the newest counts, and of equals the last. */
function newestOfEach(products: readonly PlatformProduct[]): News {
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
  const rows = products.map(({ gid, title, status, updatedAt }) => [gid, clean(title), status, updatedAt])
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
    returning id, gid
  `)
}

/** Those that are named, and those that may be missing from a full list. */
async function lockVariants(
  tx: Db,
  shopId: number,
  fresh: readonly FreshProduct[],
  news: News,
): Promise<void> {
  const productIds = fresh.map(({ id }) => id)
  const gids = fresh.flatMap(({ gid }) => news.get(gid)?.variants.map((variant) => variant.gid) ?? [])
  await tx.query(sql.typeAlias('void')`
    select id
    from variant
    where shop_id = ${shopId} and (product_id = any(${sql.array(productIds, 'int8')}) or gid = any(${sql.array(gids, 'text')}))
    order by id
    for no key update
  `)
}

async function upsertVariants(
  tx: Db,
  shopId: number,
  fresh: readonly FreshProduct[],
  news: News,
): Promise<void> {
  const variants = fresh.flatMap(({ id, gid }) =>
    (news.get(gid)?.variants ?? []).map((variant) => [variant.gid, id, ...fieldsOf(variant)] as const),
  )
  const rows = [...new Map(variants.map((variant) => [variant[0], [...variant]])).values()]
  if (rows.length === 0) return
  await tx.query(sql.typeAlias('void')`
    insert into variant (
      shop_id, gid, product_id, title, sku, barcode, price, inventory_item_gid, is_tracked, search_text, confirmed_at
    )
    select p.shop_id, told.gid, p.id, told.title, told.sku, told.barcode, told.price, told.inventory_item_gid,
      coalesce(told.is_tracked, known.is_tracked, true),
      ${searchText(sql.fragment`p.title, nullif(told.title, ''), told.sku, told.barcode`)}, now()
    from ${sql.unnest(rows, ['text', 'int8', 'text', 'text', 'text', 'numeric', 'text', 'bool'])}
      as told (gid, product_id, title, sku, barcode, price, inventory_item_gid, is_tracked)
    join product p on p.shop_id = ${shopId} and p.id = told.product_id
    left join variant known on known.shop_id = ${shopId} and known.gid = told.gid
    order by told.gid
    on conflict (shop_id, gid) do update
    set product_id = excluded.product_id,
      title = excluded.title,
      sku = excluded.sku,
      barcode = excluded.barcode,
      price = excluded.price,
      inventory_item_gid = coalesce(excluded.inventory_item_gid, variant.inventory_item_gid),
      is_tracked = excluded.is_tracked,
      search_text = excluded.search_text,
      deleted_at = null,
      confirmed_at = excluded.confirmed_at,
      updated_at = case
        when (variant.confirmed_at is null, variant.title, variant.sku, variant.barcode, variant.price, variant.deleted_at)
          is distinct from (
            false, excluded.title, excluded.sku, excluded.barcode, excluded.price, null::timestamptz
          ) then now()
        else variant.updated_at
      end
  `)
}

function fieldsOf({ title, sku, barcode, price, inventoryItemGid, isTracked }: PlatformVariant) {
  return [
    title === noTitle ? '' : clean(title),
    clean(sku),
    clean(barcode),
    price,
    inventoryItemGid,
    isTracked,
  ]
}

/**
 * What follows for the variants of these products that were not told with their fields: what is on no full list has
 * been deleted, what is listed is there, and a new title of the product is found with each of them.
 */
async function settleVariants(
  tx: Db,
  shopId: number,
  fresh: readonly FreshProduct[],
  news: News,
): Promise<void> {
  const rows = fresh.map(({ id, gid }) => [id, news.get(gid)?.variantGids !== null])
  const listed = fresh.flatMap(({ gid }) => news.get(gid)?.variantGids ?? [])
  await tx.query(sql.typeAlias('void')`
    update variant v
    set search_text = due.search_text, deleted_at = due.deleted_at, updated_at = now()
    from (
      select v.id, ${searchText(sql.fragment`p.title, nullif(v.title, ''), v.sku, v.barcode`)} as search_text,
        case
          when not told.is_full then v.deleted_at
          when v.gid = any(${sql.array(listed, 'text')}) then null
          else coalesce(v.deleted_at, now())
        end as deleted_at
      from ${sql.unnest(rows, ['int8', 'bool'])} as told (product_id, is_full)
      join product p on p.shop_id = ${shopId} and p.id = told.product_id
      join variant v on v.shop_id = ${shopId} and v.product_id = p.id
    ) due
    where v.shop_id = ${shopId} and v.id = due.id
      and (v.search_text, v.deleted_at) is distinct from (due.search_text, due.deleted_at)
  `)
}

/** What a search looks through: written here only, always in lower case. */
const searchText = (fields: ReturnType<typeof sql.fragment>) => sql.fragment`lower(concat_ws(' ', ${fields}))`

/** Postgres has no room for this one character, and a title that holds it must not stop all others. */
const clean = (text: string) => text.replaceAll('\u0000', '')
