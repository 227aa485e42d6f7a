import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import type { SourceRow } from './load.ts'

const FoundVariant = Type.Object({
  id: Id,
  gid: Type.String(),
  inventoryItemGid: Type.Union([Type.String(), Type.Null()]),
  sku: Type.String(),
  barcode: Type.String(),
  title: Type.String(),
  isDeleted: Type.Boolean(),
})
export type FoundVariant = Static<typeof FoundVariant>

const names = ['inventoryItemId', 'variantId', 'barcode', 'sku'] as const
const words = { inventoryItemId: 'inventory item', variantId: 'variant', barcode: 'barcode', sku: 'SKU' }

/** The number at the end of an id, which may come as `gid://…/123` or as `123`. */
const numberOf = (id: string) => id.slice(id.lastIndexOf('/') + 1)

export type VariantMatcher = (each: SourceRow) => FoundVariant | { fault: string }

/**
 * Finds the variants of rows, in one statement: by inventory item id, variant id, barcode, SKU, and SKU without regard to
 * capitals. The first of these that finds a variant decides, and several variants are a fault. A deleted variant
 * counts when none of these finds another one, since orders of the past name products that are no longer sold.
 */
export async function variantMatcher(
  db: Db,
  shopId: number,
  rows: readonly SourceRow[],
): Promise<VariantMatcher> {
  const given = (name: string, keyOf: (cell: string) => string = (cell) => cell) =>
    sql.array([...new Set(rows.map((each) => keyOf(each.cell(name))).filter((key) => key !== ''))], 'text')
  const lower = (text: string) => text.toLowerCase()
  const variants = await db.any(sql.type(row(FoundVariant))`
    select v.id, v.gid, v.inventory_item_gid, v.sku, v.barcode, ${variantTitle('v', 'p')} as title,
      v.deleted_at is not null as is_deleted
    from variant v
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    where v.shop_id = ${shopId} and (
      substring(v.inventory_item_gid from '\\d+$') = any(${given('inventoryItemId', numberOf)})
      or substring(v.gid from '\\d+$') = any(${given('variantId', numberOf)})
      or v.barcode = any(${given('barcode')})
      or lower(v.sku) = any(${given('sku', lower)})
    )
  `)
  const index = {
    inventoryItemId: indexBy(
      variants,
      ({ inventoryItemGid }) => inventoryItemGid && numberOf(inventoryItemGid),
    ),
    variantId: indexBy(variants, ({ gid }) => numberOf(gid)),
    barcode: indexBy(variants, ({ barcode }) => barcode),
    sku: indexBy(variants, ({ sku }) => sku),
  }
  const lowerSku = indexBy(variants, ({ sku }) => lower(sku))
  return (each) => {
    const tried: string[] = []
    let deleted: FoundVariant | { fault: string } | null = null
    for (const name of names) {
      const cell = each.cell(name)
      if (cell === '') continue
      const key = name === 'variantId' || name === 'inventoryItemId' ? numberOf(cell) : cell
      const exact = index[name].get(key) ?? []
      const alike = name === 'sku' ? (lowerSku.get(lower(cell)) ?? []) : []
      const what = `${words[name]} ${cell}`
      const hit = only(exact.filter(isLiving), what) ?? only(alike.filter(isLiving), what)
      if (hit) return hit
      deleted ??= only(exact, what) ?? only(alike, what)
      tried.push(what)
    }
    if (deleted) return deleted
    if (tried.length === 0)
      return { fault: 'The row names no product: it has neither SKU nor barcode nor variant id.' }
    const hint = /\dE\+\d/i.test(tried.join())
      ? ' A spreadsheet has shortened the number: format the column as text, and export it again.'
      : ''
    return { fault: `No product has the ${tried.join(' or the ')}.${hint}` }
  }
}

const isLiving = ({ isDeleted }: FoundVariant) => !isDeleted

/** Null without a hit; several are a fault. */
const only = (hits: readonly FoundVariant[], what: string): FoundVariant | { fault: string } | null =>
  hits.length > 1
    ? { fault: `${hits.length} products have the ${what}. Give each its own, or name the variant id.` }
    : (hits[0] ?? null)

function indexBy(variants: readonly FoundVariant[], keyOf: (variant: FoundVariant) => string | null) {
  const index = new Map<string, FoundVariant[]>()
  for (const variant of variants) {
    const key = keyOf(variant)
    if (!key) continue
    const known = index.get(key)
    if (known) known.push(variant)
    else index.set(key, [variant])
  }
  return index
}
