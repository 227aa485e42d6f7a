import { type Static, Type } from '@sinclair/typebox'
import { sql } from '../../db/db.ts'
import { type Fault, unprocessable } from '../../errors.ts'
import { Id } from '../../schemas/common.ts'
import type { PurchaseOrderInput, PurchaseOrderLinePatch } from '../../schemas/purchase-orders.ts'
import { type ResolvedVariant, type VariantReference, variantTitle } from '../catalogue/variants.ts'

/** A line to write; `id` is null for a new one. */
export type OrderLine = { id: number | null; variant: ResolvedVariant; quantity: number; costPrice: number }

export const ExistingLine = Type.Object({
  id: Id,
  productId: Type.String(),
  variantId: Type.String(),
  variantRowId: Id,
  sku: Type.String(),
  title: Type.String(),
  isOwnSku: Type.Boolean(),
  isOwnTitle: Type.Boolean(),
  catalogueSku: Type.String(),
  catalogueTitle: Type.String(),
  quantity: Type.Integer(),
  costPrice: Type.Number(),
})
export type ExistingLine = Static<typeof ExistingLine>

/** A line of an update: its variant is either unchanged, or a reference that must be resolved. */
type PlannedLine = Omit<OrderLine, 'variant'> & { variant: ResolvedVariant | VariantReference }

/**
 * SQL for SKU and title of a line `l` of a draft, with variant `v` and product `p`: the caller's own words, else those
 * of the catalogue.
 */
export const draftSku = sql.fragment`case when l.is_own_sku then l.sku else v.sku end`
export const draftTitle = sql.fragment`case when l.is_own_title then l.title else ${variantTitle('v', 'p')} end`

/** The same for a line of an order `o` in any state. Sending stores the words in the line (`send.ts`). */
export const shownSku = sql.fragment`case when o.sent_at is null then ${draftSku} else l.sku end`
export const shownTitle = sql.fragment`case when o.sent_at is null then ${draftTitle} else l.title end`

export function orderLines(lines: readonly OrderLine[]) {
  const rows = lines.map(({ id, variant, quantity, costPrice }, position) => [
    id,
    position,
    variant.rowId,
    variant.sku,
    variant.title,
    variant.isOwnSku,
    variant.isOwnTitle,
    quantity,
    costPrice,
  ])
  return sql.fragment`
    select * from ${sql.unnest(rows, ['int8', 'int4', 'int8', 'text', 'text', 'bool', 'bool', 'int4', 'numeric'])}
      as input (id, position, variant_id, sku, title, is_own_sku, is_own_title, quantity, cost_price)
  `
}

/** SQL for the lines whose variants the platform's ids name. A line of another product, or of none, is left out. */
export function namedLines(shopId: number, lines: PurchaseOrderInput['lineItems']) {
  const rows = lines.map(({ variantId, productId, sku, title, quantity, costPrice }, position) => [
    position,
    variantId,
    productId,
    sku ?? null,
    title ?? null,
    quantity,
    costPrice,
  ])
  return sql.fragment`
    select input.position, v.id as variant_id, coalesce(input.sku, v.sku) as sku,
      coalesce(input.title, catalogue.title) as title,
      coalesce(input.sku <> v.sku or (input.sku is not null and v.confirmed_at is null), false) as is_own_sku,
      coalesce(input.title <> catalogue.title or (input.title is not null and v.confirmed_at is null), false)
        as is_own_title,
      input.quantity, input.cost_price
    from ${sql.unnest(rows, ['int4', 'text', 'text', 'text', 'text', 'int4', 'numeric'])}
      as input (position, variant_gid, product_gid, sku, title, quantity, cost_price)
    join variant v on v.shop_id = ${shopId} and v.gid = input.variant_gid
    join product p on p.shop_id = v.shop_id and p.id = v.product_id and p.gid = input.product_gid
    cross join lateral (select ${variantTitle('v', 'p')} as title) catalogue
  `
}

/**
 * Computes the full new list of an order's lines. An entry matches an existing line by `id`, else by `sku`, and keeps
 * the fields that it omits; each line is matched at most once. An entry without a match is a new line, and must have a
 * variant, a quantity and a cost. Throws unknown_line or unknown_variant with every faulty entry.
 */
export function planLines(
  existing: readonly ExistingLine[],
  entries: readonly PurchaseOrderLinePatch[],
): PlannedLine[] {
  const matchedIds = new Set(entries.map(({ id }) => id))
  const unmatched = existing.filter(({ id }) => !matchedIds.has(id))
  const byId = new Map(existing.map((line) => [line.id, line]))
  const faults: Fault[] = []
  const planned = entries.map((entry, index): PlannedLine | undefined => {
    const path = `/lineItems/${index}`
    if (entry.id === undefined) return planFrom(takeBySku(unmatched, entry), entry, path, faults)
    const line = byId.get(entry.id)
    byId.delete(entry.id)
    if (line) return planFrom(line, entry, path, faults)
    faults.push({ path: `${path}/id`, message: 'is not a line of this order, or is used twice' })
    return undefined
  })
  if (faults.length > 0) {
    const code = faults.some(({ path }) => path.endsWith('/id')) ? 'unknown_line' : 'unknown_variant'
    throw unprocessable(
      code,
      'Some lines match no line of this order and cannot be added as new ones.',
      faults,
    )
  }
  return planned.filter((line) => line !== undefined)
}

function takeBySku(
  lines: ExistingLine[],
  { sku, variantId }: PurchaseOrderLinePatch,
): ExistingLine | undefined {
  const at = lines.findIndex((line) => line.sku === sku && (variantId ?? line.variantId) === line.variantId)
  return sku === undefined || at === -1 ? undefined : lines.splice(at, 1)[0]
}

function planFrom(
  line: ExistingLine | undefined,
  entry: PurchaseOrderLinePatch,
  path: string,
  faults: Fault[],
): PlannedLine | undefined {
  const quantity = entry.quantity ?? line?.quantity
  const costPrice = entry.costPrice ?? line?.costPrice
  const variantId = entry.variantId ?? line?.variantId
  const productId = entry.productId ?? line?.productId
  if (quantity === undefined) faults.push({ path: `${path}/quantity`, message: 'is required for a new line' })
  if (costPrice === undefined)
    faults.push({ path: `${path}/costPrice`, message: 'is required for a new line' })
  if (variantId === undefined)
    faults.push({ path: `${path}/variantId`, message: 'is required for a new line' })
  if (productId === undefined)
    faults.push({ path: `${path}/productId`, message: 'is required for a new line' })
  if (quantity === undefined || costPrice === undefined || variantId === undefined || productId === undefined)
    return undefined
  const base = { id: line?.id ?? null, quantity, costPrice }
  if (line && line.variantId === variantId && line.productId === productId) {
    return { ...base, variant: wordsOf(line, entry) }
  }
  return { ...base, variant: { productId, variantId, sku: entry.sku, title: entry.title } }
}

/** A word that the line shows already keeps its origin; one that equals the catalogue's follows the catalogue again. */
function wordsOf(
  line: ExistingLine,
  { sku = line.sku, title = line.title }: PurchaseOrderLinePatch,
): ResolvedVariant {
  return {
    rowId: line.variantRowId,
    sku,
    title,
    isOwnSku: sku === line.sku ? line.isOwnSku : sku !== line.catalogueSku,
    isOwnTitle: title === line.title ? line.isOwnTitle : title !== line.catalogueTitle,
  }
}
