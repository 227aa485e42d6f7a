import { type Static, Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { minorDigitsOf } from '../../../../currency.ts'
import { sql } from '../../../../db/db.ts'
import { type Fault, unprocessable } from '../../../../errors.ts'
import { Id, Nullable } from '../../../../schemas/common.ts'
import type { PurchaseOrderLinePatch } from '../../../../schemas/purchase-orders.ts'
import {
  type ResolvedVariant,
  type VariantReference,
  variantTitle,
} from '../../../records/catalogue/variants.ts'
import type { OpenLine } from './complete-lines.ts'

/** A line to write; `id` is null for a new one. */
export type OrderLine = {
  id: number | null
  variant: ResolvedVariant
  /** 0: not known yet. */
  quantity: number
  /** Null: not known. */
  costPrice: number | null
  supplierSku: string
  packSize: number
  discountPercent: number
  taxRate: number
  roundedUpBy: number
}

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
  costPrice: Nullable(Type.Number()),
  supplierSku: Type.String(),
  packSize: Type.Integer(),
  discountPercent: Type.Number(),
  taxRate: Type.Number(),
  roundedUpBy: Type.Integer(),
})
export type ExistingLine = Static<typeof ExistingLine>

/** An entry of an update. One that a suggestion rounded up says by how many pieces. */
export type LineEntry = PurchaseOrderLinePatch & { roundedUpBy?: number }

/** A line of an update: its variant is either unchanged, or a reference that must be resolved. */
type PlannedLine = Omit<OpenLine, 'variant'> & { variant: ResolvedVariant | VariantReference }

type LineAliases = { line: string; variant: string; product: string }

/** SQL for the SKU of a line of a draft, from the aliases of its tables: the merchant's own, else that of the catalogue. */
export function draftSku({ line, variant }: Omit<LineAliases, 'product'>) {
  const l = sql.identifier([line])
  return sql.fragment`case when ${l}.is_own_sku then ${l}.sku else ${sql.identifier([variant, 'sku'])} end`
}

/** The same for its title. */
export function draftTitle({ line, variant, product }: LineAliases) {
  const l = sql.identifier([line])
  return sql.fragment`case when ${l}.is_own_title then ${l}.title else ${variantTitle(variant, product)} end`
}

/** The same for a line of an order in any state: sending stores SKU and title in the line (`send.ts`). */
export const shownSku = ({
  order,
  ...line
}: Omit<LineAliases, 'product'> & { order: string }) => sql.fragment`
  case when ${sql.identifier([order, 'sent_at'])} is null then ${draftSku(line)} else ${sql.identifier([line.line, 'sku'])} end
`
export const shownTitle = ({ order, ...line }: LineAliases & { order: string }) => sql.fragment`
  case when ${sql.identifier([order, 'sent_at'])} is null then ${draftTitle(line)} else ${sql.identifier([line.line, 'title'])} end
`

/** SQL for the cost of a line of an order, from the alias of its table; null while it is not known. */
export function knownCost(line: string) {
  const l = sql.identifier([line])
  return sql.fragment`case when ${l}.is_cost_known then ${l}.cost_price end`
}

const lineColumns = [
  'position',
  'variant_id',
  'sku',
  'title',
  'is_own_sku',
  'is_own_title',
  'quantity',
  'cost_price',
  'is_cost_known',
  'supplier_sku',
  'pack_size',
  'discount_percent',
  'tax_rate',
  'rounded_up_by',
  'minor_digits',
]

const join = (fragments: FragmentSqlToken[]) => sql.join(fragments, sql.fragment`, `)
/** The columns of a line that `order_lines` returns, without its id. */
export const lineNames = join(lineColumns.map((name) => sql.fragment`${sql.identifier([name])}`))
export const lineAssignments = join(
  lineColumns.map((name) => sql.fragment`${sql.identifier([name])} = ${sql.identifier(['line', name])}`),
)

/** Lines as `functions/order_lines.sql` reads them. */
export const linesJson = (lines: readonly OrderLine[], currency: string): string =>
  JSON.stringify(
    lines.map(({ id, variant, ...line }, position) => ({
      id,
      position,
      variant_id: variant.rowId,
      sku: variant.sku,
      title: variant.title,
      is_own_sku: variant.isOwnSku,
      is_own_title: variant.isOwnTitle,
      quantity: line.quantity,
      cost_price: line.costPrice ?? 0,
      is_cost_known: line.costPrice !== null,
      supplier_sku: line.supplierSku,
      pack_size: line.packSize,
      discount_percent: line.discountPercent,
      tax_rate: line.taxRate,
      rounded_up_by: line.roundedUpBy,
      minor_digits: minorDigitsOf(currency),
    })),
  )

/** SQL for sums over the CTE `line` of `order_lines`. */
export const subtotalOfLines = sql.fragment`(select coalesce(sum(line_total), 0) from line)`

/** The same for the tax of an order with a discount (`functions/tax_after_discount.sql`). */
export const taxOfLines = (discount: FragmentSqlToken) => sql.fragment`
  (
    select coalesce(tax_after_discount(sum(line_tax), sum(line_total), ${discount}, max(minor_digits)::integer), 0)
    from line
  )
`

/**
 * Computes the full new list of an order's lines. An entry matches an existing line by `id`, else by `sku`, and keeps
 * the fields that it omits; each line is matched at most once. An entry without a match is a new line, and must have a
 * variant. A line does not keep the price of another variant, and with `isOtherSupplier` no
 * supplier SKU, pack size and tax rate. Throws unknown_line or unknown_variant with every faulty entry.
 */
export function planLines(
  existing: readonly ExistingLine[],
  entries: readonly LineEntry[],
  { isOtherSupplier }: { isOtherSupplier: boolean },
): PlannedLine[] {
  const matchedIds = new Set(entries.map(({ id }) => id))
  const unmatched = existing.filter(({ id }) => !matchedIds.has(id))
  const byId = new Map(existing.map((line) => [line.id, line]))
  const faults: Fault[] = []
  const planned = entries.map((entry, index): PlannedLine | undefined => {
    const path = `/lineItems/${index}`
    if (entry.id === undefined)
      return planFrom(takeBySku(unmatched, entry), entry, path, faults, isOtherSupplier)
    const line = byId.get(entry.id)
    byId.delete(entry.id)
    if (line) return planFrom(line, entry, path, faults, isOtherSupplier)
    faults.push({ path: `${path}/id`, message: 'is not a line of this order, or is used twice' })
    return undefined
  })
  if (faults.length > 0) {
    const code = faults.some(({ path }) => path.endsWith('/id')) ? 'unknown_line' : 'unknown_variant'
    throw unprocessable(
      code,
      'Some lines match no line of this order and cannot be added as new ones. Reload the order.',
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
  entry: LineEntry,
  path: string,
  faults: Fault[],
  isOtherSupplier: boolean,
): PlannedLine | undefined {
  const { quantity, packs } = quantityOf(line, entry)
  const variantId = entry.variantId ?? line?.variantId
  const productId = entry.productId ?? line?.productId
  if (variantId === undefined)
    faults.push({ path: `${path}/variantId`, message: 'is required for a new line' })
  if (productId === undefined)
    faults.push({ path: `${path}/productId`, message: 'is required for a new line' })
  if (variantId === undefined || productId === undefined) return undefined
  const isSameVariant = line?.variantId === variantId && line.productId === productId
  const kept = isSameVariant && !isOtherSupplier ? line : undefined
  const base = {
    id: line?.id ?? null,
    quantity,
    packs,
    costPrice: entry.costPrice !== undefined || !isSameVariant ? entry.costPrice : line.costPrice,
    supplierSku: entry.supplierSku ?? kept?.supplierSku,
    packSize: entry.packSize ?? kept?.packSize,
    discountPercent: entry.discountPercent ?? line?.discountPercent,
    taxRate: entry.taxRate ?? kept?.taxRate,
    rounded: roundingOf(kept, entry),
  }
  if (line && isSameVariant) return { ...base, variant: wordsOf(line, entry) }
  return { ...base, variant: { productId, variantId, sku: entry.sku, title: entry.title } }
}

/** A suggestion brings its own rounding; else that of the line stays with the quantity for which it was stored. */
const roundingOf = (kept: ExistingLine | undefined, { roundedUpBy, quantity = 0 }: LineEntry) =>
  roundedUpBy === undefined
    ? kept && { by: kept.roundedUpBy, ofQuantity: kept.quantity }
    : { by: roundedUpBy, ofQuantity: quantity }

/**
 * Of quantity and packs, one that only repeats the line's does not count beside a changed other one. Packs of another size, without
 * a quantity, count: 3 packs of 12 where the line has 3 of 6 are 36 pieces.
 */
function quantityOf(
  line: ExistingLine | undefined,
  { quantity, packs: given, packSize = line?.packSize ?? 1 }: PurchaseOrderLinePatch,
): { quantity?: number | undefined; packs?: number | undefined } {
  const packs = given ?? undefined
  if (!line) return { quantity, packs }
  const isSame = quantity === undefined || quantity === line.quantity
  if (packs === undefined) return { quantity: quantity ?? line.quantity }
  if (quantity === undefined && packSize !== line.packSize) return { packs }
  if (packs * line.packSize === line.quantity) return { quantity: quantity ?? line.quantity }
  return isSame && packs * packSize !== line.quantity ? { packs } : { quantity, packs }
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
