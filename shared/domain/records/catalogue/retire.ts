import { Type } from '@sinclair/typebox'
import { arrayOf, type Db, row, sql } from '../../../db/db.ts'

const Count = Type.Object({ products: Type.Integer(), variants: Type.Integer() })

/**
 * Counts variants as seen by a sync although their products are stored with a later time than the platform has: a webhook without
 * the time of its change counts from when it was sent.
 */
export async function confirmVariants(
  tx: Db,
  shopId: number,
  productIds: readonly number[],
  gids: readonly string[],
): Promise<void> {
  if (productIds.length === 0) return
  await tx.query(sql.typeAlias('void')`
    update variant
    set confirmed_at = now()
    where shop_id = ${shopId} and product_id = any(${sql.array([...productIds], 'int8')})
      and gid = any(${sql.array([...gids], 'text')}) and deleted_at is null and confirmed_at < now()
  `)
}

/** Marks as deleted what a sync has not seen since `since` (ISO instant). Locks products, then variants. */
export async function retireUnconfirmed(tx: Db, shopId: number, since: string): Promise<void> {
  const isUnseen = sql.fragment`
    v.deleted_at is null and coalesce(v.confirmed_at, v.created_at) < ${since}::timestamptz
  `
  await retire(
    tx,
    shopId,
    sql.fragment`p.id in (select v.product_id from variant v where v.shop_id = ${shopId} and ${isUnseen})`,
    isUnseen,
  )
}

/**
 * Marks products and their variants as deleted, because the platform does not have them. Reports that are older than
 * `deletedAt` (ISO instant) have no effect afterwards, so a product that is not known yet is stored as a deleted one.
 * Returns the deleted variants.
 */
export async function retireProducts(
  tx: Db,
  shopId: number,
  deleted: readonly { gid: string; deletedAt: string }[],
): Promise<readonly number[]> {
  const rows = [...new Map(deleted.map(({ gid, deletedAt }) => [gid, deletedAt]))]
  await tx.query(sql.typeAlias('void')`
    insert into product (shop_id, gid, title, source_updated_at, deleted_at)
    select ${shopId}::bigint, gid, '', deleted_at, deleted_at
    from ${sql.unnest(rows, ['text', 'timestamptz'])} as deleted (gid, deleted_at)
    order by gid
    on conflict (shop_id, gid) do update
    set source_updated_at = greatest(product.source_updated_at, excluded.source_updated_at)
  `)
  const gids = arrayOf('text', rows, ([gid]) => gid)
  return retire(tx, shopId, sql.fragment`p.gid = any(${gids})`, sql.fragment`v.deleted_at is null`)
}

type Fragment = ReturnType<typeof sql.fragment>

async function retire(
  tx: Db,
  shopId: number,
  ofProducts: Fragment,
  ofVariants: Fragment,
): Promise<readonly number[]> {
  const productIds = await tx.anyFirst(sql.typeAlias('id')`
    select p.id from product p where p.shop_id = ${shopId} and ${ofProducts} order by p.gid for no key update
  `)
  const ids = sql.array([...productIds], 'int8')
  const variantIds = await tx.anyFirst(sql.typeAlias('id')`
    with due as (
      select v.id
      from variant v
      where v.shop_id = ${shopId} and v.product_id = any(${ids}) and ${ofVariants}
      order by v.id
      for no key update
    )
    update variant v
    set deleted_at = now(), updated_at = now()
    from due
    where v.shop_id = ${shopId} and v.id = due.id
    returning v.id
  `)
  await tx.query(sql.typeAlias('void')`
    update product p
    set deleted_at = now(), updated_at = now()
    where p.shop_id = ${shopId} and p.id = any(${ids}) and p.deleted_at is null
      and not exists (
        select 1 from variant v where v.shop_id = ${shopId} and v.product_id = p.id and v.deleted_at is null
      )
  `)
  return variantIds
}

export function countCatalogue(db: Db, shopId: number): Promise<{ products: number; variants: number }> {
  return db.one(sql.type(row(Count))`
    select count(distinct product_id) as products, count(*) as variants
    from variant
    where shop_id = ${shopId} and deleted_at is null and confirmed_at is not null
  `)
}
