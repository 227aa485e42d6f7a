import { type Static, Type } from '@sinclair/typebox'
import { sql } from '../../db/db.ts'
import { type Fault, unprocessable } from '../../errors.ts'
import { Id } from '../../schemas/common.ts'
import type { PurchaseOrderLinePatch } from '../../schemas/purchase-orders.ts'
import type { ResolvedVariant, VariantReference } from '../catalogue/variants.ts'

/** A line to write; `id` is null for a new one. */
export type OrderLine = { id: number | null; variant: ResolvedVariant; quantity: number; costPrice: number }

export const ExistingLine = Type.Object({
  id: Id,
  productId: Type.String(),
  variantId: Type.String(),
  variantRowId: Id,
  sku: Type.String(),
  title: Type.String(),
  quantity: Type.Integer(),
  costPrice: Type.Number(),
})
export type ExistingLine = Static<typeof ExistingLine>

/** A line of an update: its variant is either unchanged, or a reference that must be resolved. */
type PlannedLine = Omit<OrderLine, 'variant'> & { variant: ResolvedVariant | VariantReference }

export function orderLines(lines: readonly OrderLine[]) {
  const rows = lines.map(({ id, variant, quantity, costPrice }, position) => [
    id,
    position,
    variant.rowId,
    variant.sku,
    variant.title,
    quantity,
    costPrice,
  ])
  return sql.fragment`
    select * from ${sql.unnest(rows, ['int8', 'int4', 'int8', 'text', 'text', 'int4', 'numeric'])}
      as input (id, position, variant_id, sku, title, quantity, cost_price)
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
    return {
      ...base,
      variant: { rowId: line.variantRowId, sku: entry.sku ?? line.sku, title: entry.title ?? line.title },
    }
  }
  return { ...base, variant: { productId, variantId, sku: entry.sku, title: entry.title } }
}
