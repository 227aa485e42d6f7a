import { type Static, Type } from '@sinclair/typebox'
import { sql } from '../../db/db.ts'
import { type Fault, unprocessable } from '../../errors.ts'
import { Id } from '../../schemas/common.ts'
import type { PurchaseOrderLinePatch } from '../../schemas/purchase-orders.ts'
import type { ResolvedVariant, VariantReference } from '../catalogue/variants.ts'

/** A line as it is written; `id` is null for a new one. */
export type OrderLine = { id: number | null; variant: ResolvedVariant; quantity: number; costPrice: number }

/** A line as it stands in the order that is edited. */
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

/** What an update wants of one line: keeps the row of a known variant, or names one to look up. */
export type PlannedLine = Omit<OrderLine, 'variant'> & { variant: ResolvedVariant | VariantReference }

/** The lines as a row source with the columns id, position, variant_id, sku, title, quantity, cost_price. */
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
 * The full new list of an order's lines: an entry matches a line by `id`, else by `sku`, each line once, and
 * inherits what it leaves out; an entry that matches none is a new line and needs a variant, a quantity and a cost.
 * Throws unknown_line or unknown_variant with every entry at fault.
 */
export function planLines(
  existing: readonly ExistingLine[],
  entries: readonly PurchaseOrderLinePatch[],
): PlannedLine[] {
  const named = new Set(entries.map(({ id }) => id))
  const free = existing.filter(({ id }) => !named.has(id))
  const byId = new Map(existing.map((line) => [line.id, line]))
  const faults: Fault[] = []
  const planned = entries.map((entry, index): PlannedLine | undefined => {
    const path = `/lineItems/${index}`
    if (entry.id === undefined) return planFrom(takeBySku(free, entry), entry, path, faults)
    const line = byId.get(entry.id)
    byId.delete(entry.id)
    if (line) return planFrom(line, entry, path, faults)
    faults.push({ path: `${path}/id`, message: 'is not a line of this order, or is named twice' })
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
  free: ExistingLine[],
  { sku, variantId }: PurchaseOrderLinePatch,
): ExistingLine | undefined {
  const at = free.findIndex((line) => line.sku === sku && (variantId ?? line.variantId) === line.variantId)
  return sku === undefined || at === -1 ? undefined : free.splice(at, 1)[0]
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
  if (quantity === undefined) faults.push({ path: `${path}/quantity`, message: 'is needed for a new line' })
  if (costPrice === undefined) faults.push({ path: `${path}/costPrice`, message: 'is needed for a new line' })
  if (variantId === undefined) faults.push({ path: `${path}/variantId`, message: 'is needed for a new line' })
  if (productId === undefined) faults.push({ path: `${path}/productId`, message: 'is needed for a new line' })
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
