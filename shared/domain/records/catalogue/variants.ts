import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { type Fault, unprocessable } from '../../../errors.ts'
import { enqueueAll } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import { Id } from '../../../schemas/common.ts'

/** The variant of an order line. `sku` and `title` are optional for a variant in the catalogue. */
export type VariantReference = {
  productId: string
  variantId: string
  sku?: string | undefined
  title?: string | undefined
}

/** `isOwn…`: the caller's own word, which the catalogue does not replace. */
export type ResolvedVariant = {
  rowId: number
  sku: string
  title: string
  isOwnSku: boolean
  isOwnTitle: boolean
}

export const KnownVariant = Type.Object({
  id: Id,
  gid: Type.String(),
  productGid: Type.String(),
  sku: Type.String(),
  title: Type.String(),
  isConfirmed: Type.Boolean(),
})
export type KnownVariant = Static<typeof KnownVariant>

/**
 * SQL for the full title of a variant, from the aliases of its tables. An unconfirmed one has that of its order line.
 * The SQL functions `look_up_order` and `refresh_rules` have the same rule.
 */
export function variantTitle(variant: string, product: string) {
  const v = sql.identifier([variant])
  const p = sql.identifier([product])
  return sql.fragment`
    case
      when ${v}.confirmed_at is null then ${v}.title
      when ${v}.title = '' then ${p}.title
      else ${p}.title || ' - ' || ${v}.title
    end
  `
}

/**
 * Finds the variants of order lines, in the order of the lines. A variant that is not in the catalogue is added from
 * its line, if that has a title, and a job reads it from the platform. `pathOf` returns the JSON pointer of a line.
 * Throws unknown_variant with every faulty line.
 */
export async function resolveVariants(
  tx: Db,
  shopId: number,
  references: readonly VariantReference[],
  pathOf: (index: number) => string,
): Promise<ResolvedVariant[]> {
  if (references.length === 0) return []
  const gids = [...new Set(references.map(({ variantId }) => variantId))]
  let known = await findVariants(tx, shopId, gids)
  const unknown = references.filter(({ variantId, title }) => title !== undefined && !known.has(variantId))
  if (unknown.length > 0) {
    await addUnconfirmedVariants(tx, shopId, unknown)
    const productGids = [...new Set(unknown.map(({ productId }) => productId))]
    await enqueueAll(
      tx,
      jobs.syncProduct,
      productGids.map((productGid) => ({ shopId, productGid })),
    )
    known = await findVariants(tx, shopId, gids)
  }
  return matchVariants(known, references, pathOf)
}

/** The variants of order lines among the known ones, by their gid. Throws unknown_variant with every faulty line. */
export function matchVariants(
  known: ReadonlyMap<string, KnownVariant>,
  references: readonly VariantReference[],
  pathOf: (index: number) => string,
): ResolvedVariant[] {
  const faults: Fault[] = []
  const resolved = references.map(({ productId, variantId, sku, title }, index) => {
    const variant = known.get(variantId)
    if (!variant) {
      faults.push({
        path: `${pathOf(index)}/variantId`,
        message: 'is not in the catalogue; send its title too',
      })
    } else if (variant.productGid !== productId) {
      faults.push({ path: `${pathOf(index)}/productId`, message: 'is not the product of this variant' })
    }
    // a word of the catalogue is none of the caller's, but that of an unconfirmed variant comes from an order line
    const isOwn = (word: string | undefined, ofCatalogue: string | undefined) =>
      word !== undefined && (word !== ofCatalogue || !variant?.isConfirmed)
    return {
      rowId: variant?.id ?? 0,
      sku: sku ?? variant?.sku ?? '',
      title: title ?? variant?.title ?? '',
      isOwnSku: isOwn(sku, variant?.sku),
      isOwnTitle: isOwn(title, variant?.title),
    }
  })
  if (faults.length > 0) {
    throw unprocessable(
      'unknown_variant',
      'Some lines name a product that is not in this shop. Choose other products.',
      faults,
    )
  }
  return resolved
}

async function findVariants(
  db: Db,
  shopId: number,
  gids: readonly string[],
): Promise<Map<string, KnownVariant>> {
  const variants = await db.any(sql.type(row(KnownVariant))`
    select v.id, v.gid, p.gid as product_gid, v.sku, ${variantTitle('v', 'p')} as title,
      v.confirmed_at is not null as is_confirmed
    from variant v
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    where v.shop_id = ${shopId} and v.gid = any(${sql.array(gids, 'text')})
  `)
  return new Map(variants.map((variant) => [variant.gid, variant]))
}

/** Inserts in a fixed order, so that two concurrent orders with the same variants never deadlock. */
async function addUnconfirmedVariants(
  tx: Db,
  shopId: number,
  references: readonly VariantReference[],
): Promise<void> {
  const rows = references.map(({ productId, variantId, sku, title }) => [
    productId,
    variantId,
    sku ?? '',
    title ?? '',
  ])
  const lines = sql.fragment`
    ${sql.unnest(rows, ['text', 'text', 'text', 'text'])} as line (product_gid, variant_gid, sku, title)
  `
  await tx.query(sql.typeAlias('void')`
    insert into product (shop_id, gid, title)
    select distinct on (product_gid) ${shopId}::bigint, product_gid, title
    from ${lines}
    order by product_gid
    on conflict (shop_id, gid) do nothing
  `)
  await tx.query(sql.typeAlias('void')`
    insert into variant (shop_id, gid, product_id, sku, title)
    select distinct on (line.variant_gid) p.shop_id, line.variant_gid, p.id, line.sku, line.title
    from ${lines}
    join product p on p.shop_id = ${shopId} and p.gid = line.product_gid
    order by line.variant_gid
    on conflict (shop_id, gid) do nothing
  `)
}
