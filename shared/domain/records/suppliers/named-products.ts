import { type Static, Type } from '@sinclair/typebox'
import { arrayOf, type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import { todayOf } from '../../kit/date-range.ts'
import { currencyOf } from '../shops/currency.ts'
import { readStoredProducts } from './write-products.ts'

/** The products that a request names, by the ids of the platform and of supplier products. */
type Named = { id?: number | undefined; variantId?: string | undefined }

const Shop = Type.Object({ day: Type.String(), currency: Type.String() })
export type Shop = Static<typeof Shop>

/** Today, and the currency of the supplier. */
export function readShop(tx: Db, shopId: number, supplierId: number): Promise<Shop> {
  return tx.one(sql.type(row(Shop))`
    select ${todayOf(shopId)}::text as day, coalesce(s.currency, ${currencyOf(shopId)}) as currency
    from supplier s
    where s.shop_id = ${shopId} and s.id = ${supplierId}
  `)
}

const KnownVariant = Type.Object({ id: Id, gid: Type.String(), isDeleted: Type.Boolean() })

export async function findVariants(tx: Db, shopId: number, changes: readonly Named[]) {
  const gids = [...new Set(changes.flatMap(({ variantId }) => variantId ?? []))]
  const variants = await tx.any(sql.type(row(KnownVariant))`
    select id, gid, deleted_at is not null as is_deleted
    from variant
    where shop_id = ${shopId} and gid = any(${sql.array(gids, 'text')})
  `)
  return new Map(variants.map((variant) => [variant.gid, variant]))
}

/** The stored products that the request names, with the other packagings of the same variants. */
export function readExisting(
  tx: Db,
  shopId: number,
  supplierId: number,
  changes: readonly Named[],
  variantOf: ReadonlyMap<string, { id: number }>,
) {
  const ids = sql.array(
    changes.flatMap(({ id }) => id ?? []),
    'int8',
  )
  const variantIds = arrayOf('int8', [...variantOf.values()], ({ id }) => id)
  return readStoredProducts(
    tx,
    shopId,
    [supplierId],
    // also the other packagings of the changed products, which may have the new supplier SKU
    sql.fragment`
      x.id = any(${ids}) or x.variant_id = any(${variantIds}) or x.variant_id in (
        select o.variant_id
        from supplier_product o
        where o.shop_id = ${shopId} and o.supplier_id = ${supplierId} and o.id = any(${ids})
      )
    `,
  )
}

const LastRank = Type.Object({ variantId: Id, rank: Type.Integer() })

/** Returns a function that answers the rank of a further product of a variant: 1 for the first. */
export async function readRanks(
  tx: Db,
  shopId: number,
  variantIds: readonly number[],
): Promise<(variantId: number) => number> {
  const ranks = await tx.any(sql.type(row(LastRank))`
    select variant_id, max(rank)::int as rank
    from supplier_product
    where shop_id = ${shopId} and variant_id = any(${sql.array([...variantIds], 'int8')})
    group by variant_id
  `)
  const lastOf = new Map(ranks.map(({ variantId, rank }) => [variantId, rank]))
  return (variantId) => {
    const next = Math.min(99, (lastOf.get(variantId) ?? 0) + 1)
    lastOf.set(variantId, next)
    return next
  }
}
