import { type Db, sql } from '../../../db/db.ts'
import { conflict, unprocessable } from '../../../errors.ts'
import { maxOrderLines, type PurchaseOrder } from '../../../schemas/purchase-orders.ts'
import type { OrderSuggestionInput, SuggestedOrder } from '../../../schemas/replenishment.ts'
import { lockOrder, readLines, updatePurchaseOrder } from '../../documents/purchase-orders/edit.ts'
import type { ExistingLine, LineEntry } from '../../documents/purchase-orders/lines/lines.ts'
import { getPurchaseOrder } from '../../documents/purchase-orders/purchase-orders.ts'
import { requireVersion } from '../../documents/purchase-orders/version.ts'
import { followedBreaks, priceAt, readLineTerms } from '../../records/supplier-prices/price-of-line.ts'
import { roundedQuantity } from '../supply/explain-quantity.ts'
import { roundedUpBy } from '../supply/plan.ts'
import { readDrafts } from './drafts.ts'
import { type Planned, planSupplier } from './replenishment.ts'

/**
 * Fills a draft with what its supplier should deliver. `replace`: the suggestions are the new lines; a line that they
 * repeat keeps its other fields. `add`: lines stay, those with less than the suggestion grow to it, and other suggestions
 * become new lines. A line with the catalogue's price gets the price of its new quantity; a typed price stays. What runs out first
 * comes first, up to 500 lines; of a supplier with 5 000 variants or more, those are planned that run out first, and those of the order. New lines have the supplier's price of their
 * quantity, or no cost. The stock is that of the order's destination, and what other drafts of the supplier bring there is
 * not suggested again. Throws not_found, stale_version, conflict when the order is no draft, and nothing_to_order.
 */
export function suggestIntoOrder(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  { version, mode, ...plan }: OrderSuggestionInput,
): Promise<SuggestedOrder> {
  return db.transaction(async (tx) => {
    await lockOrder(tx, shopId, id)
    const order = await getPurchaseOrder(tx, shopId, id)
    requireVersion(order, { version })
    if (order.status !== 'draft') {
      throw conflict('Only a draft can be filled with suggestions. Revise an order that was sent.')
    }
    const { planned: unsorted, isComplete } = await planDraft(tx, shopId, order, plan)
    const planned = unsorted.toSorted(byUrgency)
    if (planned.length === 0) {
      const message = `No product of ${order.supplierName} needs an order. Raise the days, or check the other drafts and the products of the supplier.`
      throw unprocessable('nothing_to_order', message)
    }
    const lines = await readLines(tx, shopId, id)
    const { kept, raised, missing } = compareLines(lines, planned, mode)
    const added = missing.slice(0, Math.max(0, maxOrderLines - kept.length))
    const lineItems = [
      ...(await withPrices(tx, shopId, order, kept)),
      ...(await newLines(tx, shopId, order, added)),
    ]
    const saved = await updatePurchaseOrder(tx, shopId, id, actor, { lineItems })
    return {
      id,
      total: saved.total,
      version: saved.version,
      lineItemCount: saved.lineItems.length,
      added: added.length,
      raised,
      left: missing.length - added.length,
      isComplete,
    }
  })
}

/** What the supplier should deliver to the destination of the order, less what other drafts have. */
async function planDraft(
  tx: Db,
  shopId: number,
  { id, supplierId, destinationLocationId }: PurchaseOrder,
  plan: Pick<OrderSuggestionInput, 'days' | 'basis' | 'growth'>,
): Promise<{ planned: Planned[]; isComplete: boolean }> {
  const place = destinationLocationId === null ? {} : { locationId: destinationLocationId }
  // its own variants too, so that replacing deletes no line that is needed
  const variantIds = await tx.anyFirst(sql.typeAlias('id')`
    select distinct variant_id as id from purchase_order_line where shop_id = ${shopId} and purchase_order_id = ${id}
  `)
  const { planned, isComplete } = await planSupplier(
    tx,
    shopId,
    { supplierId, variantIds },
    { ...plan, ...place },
  )
  const drafted = await readDrafts(
    tx,
    shopId,
    planned.map(({ candidate }) => candidate.id),
    { supplierId, exceptId: id, ...place },
  )
  const suggested = planned.flatMap((each) => {
    const missing = each.plan.wantedQuantity - (drafted.get(each.candidate.id) ?? 0)
    if (missing <= 0) return []
    const suggestedQuantity = roundedQuantity(missing, each.candidate)
    return [{ ...each, plan: { ...each.plan, wantedQuantity: missing, suggestedQuantity } }]
  })
  return { planned: suggested, isComplete }
}

const afterAllDays = '9999'

const byUrgency = (a: Planned, b: Planned) =>
  (a.plan.gapOn ?? afterAllDays).localeCompare(b.plan.gapOn ?? afterAllDays) ||
  a.candidate.id - b.candidate.id

type KeptLine = { line: ExistingLine; quantity: number; roundedUpBy?: number }

/** The lines that stay, with their quantities, and the suggestions that have none. */
function compareLines(
  lineItems: readonly ExistingLine[],
  planned: readonly Planned[],
  mode: 'replace' | 'add',
) {
  const suggested = new Map(planned.map(({ candidate, plan }) => [candidate.variantId, plan]))
  const lines = Map.groupBy(lineItems, ({ variantId }) => variantId)
  const kept: KeptLine[] = []
  let raised = 0
  for (const [variantId, [first, ...others]] of lines) {
    const plan = suggested.get(variantId)
    if (!first || (mode === 'replace' && plan === undefined)) continue
    const staying = mode === 'replace' ? [] : others
    const inOthers = staying.reduce((sum, line) => sum + line.quantity, 0)
    const wanted = (plan?.suggestedQuantity ?? 0) - inOthers
    const isRaised = wanted > first.quantity
    if (isRaised) raised += 1
    const isSuggested = plan !== undefined && (isRaised || mode === 'replace')
    kept.push({
      line: first,
      ...(isSuggested
        ? { quantity: wanted, roundedUpBy: Math.min(wanted, roundedUpBy(plan)) }
        : { quantity: first.quantity }),
    })
    kept.push(...staying.map((line) => ({ line, quantity: line.quantity })))
  }
  return { kept, raised, missing: planned.filter(({ candidate }) => !lines.has(candidate.variantId)) }
}

async function withPrices(
  tx: Db,
  shopId: number,
  { supplierId, currency }: PurchaseOrder,
  kept: readonly KeptLine[],
): Promise<LineEntry[]> {
  const wanted = kept.map(({ line: { variantRowId, supplierSku, quantity } }) => ({
    ...{ variantRowId, supplierId, currency, quantity },
    supplierSku: supplierSku || undefined,
  }))
  const terms = await readLineTerms(tx, shopId, wanted)
  return kept.map(({ line: { id, quantity: before, costPrice }, quantity, ...rounding }, at) => {
    if (quantity === before) return { id, quantity, ...rounding }
    const breaks = followedBreaks(costPrice, terms[at])
    return { id, quantity, costPrice: priceAt(breaks, { quantity, costPrice }), ...rounding }
  })
}

async function newLines(
  tx: Db,
  shopId: number,
  { supplierId, currency }: PurchaseOrder,
  planned: readonly Planned[],
): Promise<LineEntry[]> {
  const wanted = planned.map(({ candidate: { id, supplierSku }, plan: { suggestedQuantity } }) => ({
    ...{ variantRowId: id, supplierId, currency, quantity: suggestedQuantity },
    supplierSku: supplierSku ?? undefined,
  }))
  const terms = await readLineTerms(tx, shopId, wanted)
  return planned.map(({ candidate: { variantId, productId, supplierSku, packSize }, plan }, at) => ({
    ...{ variantId, productId, packSize },
    supplierSku: supplierSku ?? '',
    quantity: plan.suggestedQuantity,
    roundedUpBy: roundedUpBy(plan),
    costPrice: terms[at]?.price ?? null,
  }))
}
