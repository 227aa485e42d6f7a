import { Type } from '@sinclair/typebox'
import { minorDigitsOf } from '../../../currency.ts'
import { type Db, row, sql } from '../../../db/db.ts'
import { conflict, unprocessable } from '../../../errors.ts'
import { Id } from '../../../schemas/common.ts'
import type { PurchaseOrder, ToppedUpPurchaseOrder } from '../../../schemas/purchase-orders.ts'
import { followedBreaks, type LineTerms, readLineTerms } from '../../records/supplier-prices/price-of-line.ts'
import { lockOrder, readLines, updatePurchaseOrder } from './edit.ts'
import type { ExistingLine } from './lines/lines.ts'
import { fillGap, type TopUpLine } from './lines/top-up-lines.ts'
import { getPurchaseOrder } from './purchase-orders.ts'
import { requireVersion } from './version.ts'

/**
 * Fills the gap of a draft to the supplier's minimum (value and pieces), or to free freight: one pack or multiple at a time to the line with
 * the fewest days of cover; lines of one variant have one cover. A line that has a price of the catalogue gets the price of its new
 * quantity. Throws not_found, stale_version, conflict when the order is no draft, no_minimum, minimum_met (also for free freight), and cannot_top_up when no line can fill
 * the gap.
 */
export function topUpPurchaseOrder(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  { version, to = 'minimum' }: { version?: number; to?: 'minimum' | 'free_freight' },
): Promise<ToppedUpPurchaseOrder> {
  return db.transaction(async (tx) => {
    await lockOrder(tx, shopId, id)
    const order = await getPurchaseOrder(tx, shopId, id)
    requireVersion(order, { version })
    const gap = to === 'minimum' ? gapOf(order) : gapToFreeFreight(order)
    const before = await readLines(tx, shopId, id)
    const lines = await topUpLines(tx, shopId, order, before)
    const after = fillGap(lines, gap, minorDigitsOf(order.currency))
    if (!after) {
      const message = 'No line can fill the gap within 10 000 packs. Add a product, or raise the quantities.'
      throw unprocessable('cannot_top_up', message)
    }
    const lineItems = after.map(({ lineId, quantity, costPrice }) => ({ id: lineId, quantity, costPrice }))
    const { total, version: now, ...saved } = await updatePurchaseOrder(tx, shopId, id, actor, { lineItems })
    const { supplierMinimum, supplierMinimumQuantity, freeFreight } = saved
    const added = before.flatMap((line, at) => {
      const quantity = after[at]?.quantity ?? line.quantity
      const addedQuantity = quantity - line.quantity
      const { id: lineItemId, sku, title } = line
      return addedQuantity > 0 ? [{ lineItemId, sku, title, addedQuantity, quantity }] : []
    })
    return { id, total, version: now, supplierMinimum, supplierMinimumQuantity, freeFreight, added }
  })
}

function requireDraft({ status }: PurchaseOrder): void {
  if (status !== 'draft') throw conflict('Only a draft can be topped up. Revise an order that was sent.')
}

/** What is missing to the value from which the supplier pays the freight. */
function gapToFreeFreight(order: PurchaseOrder) {
  requireDraft(order)
  if (!order.freeFreight) {
    throw unprocessable('no_minimum', "The supplier offers no free freight in the order's currency.")
  }
  const { shortBy } = order.freeFreight
  if (shortBy > 0) return { value: shortBy, pieces: 0 }
  throw unprocessable('minimum_met', 'The order reaches free freight already.')
}

/** What is missing to the supplier's minimum. */
function gapOf(order: PurchaseOrder) {
  requireDraft(order)
  const { supplierMinimum, supplierMinimumQuantity } = order
  if (!supplierMinimum && !supplierMinimumQuantity) {
    throw unprocessable('no_minimum', "The supplier has no minimum in the order's currency.")
  }
  const gap = { value: supplierMinimum?.shortBy ?? 0, pieces: supplierMinimumQuantity?.shortBy ?? 0 }
  if (gap.value > 0 || gap.pieces > 0) return gap
  throw unprocessable('minimum_met', "The order reaches the supplier's minimum already.")
}

const Cover = Type.Object({ id: Id, pieces: Type.Number(), sold: Type.Number() })

/** Stock of all locations, since sales have no location, and what other orders will bring. */
async function topUpLines(
  tx: Db,
  shopId: number,
  { id, supplierId, currency }: PurchaseOrder,
  lines: readonly ExistingLine[],
): Promise<TopUpLine[]> {
  const covers = await tx.any(sql.type(row(Cover))`
    select l.id, coalesce(y.units_30d, 0) / 30.0 as sold,
      (
        select coalesce(sum(s.quantity), 0)
        from stock_level s
        where s.shop_id = ${shopId} and s.variant_id = l.variant_id
      ) + (
        select coalesce(sum(greatest(x.quantity - x.accepted - x.cancelled, 0)), 0)
        from purchase_order_line x
        join purchase_order o on o.shop_id = ${shopId} and o.id = x.purchase_order_id
        where x.shop_id = ${shopId} and x.variant_id = l.variant_id and o.status in ('sent', 'partial')
      ) as pieces
    from purchase_order_line l
    left join variant_velocity y on y.shop_id = ${shopId} and y.variant_id = l.variant_id
    where l.shop_id = ${shopId} and l.purchase_order_id = ${id}
  `)
  const coverOf = new Map(covers.map((cover) => [cover.id, cover]))
  const wanted = lines.map(({ variantRowId, supplierSku, quantity }) => ({
    ...{ variantRowId, supplierId, currency, quantity },
    supplierSku: supplierSku || undefined,
  }))
  const terms = await readLineTerms(tx, shopId, wanted)
  return lines.map((line, at) => {
    const { pieces = 0, sold = 0 } = coverOf.get(line.id) ?? {}
    return { ...topUpLineOf(line, terms[at]), stock: pieces, soldPerDay: sold }
  })
}

function topUpLineOf(line: ExistingLine, terms: LineTerms | undefined) {
  const { id: lineId, variantRowId, quantity, costPrice, packSize, discountPercent } = line
  return {
    ...{ lineId, variantRowId, quantity, costPrice, discountPercent, packSize },
    minimumQuantity: terms?.minimumQuantity ?? null,
    quantityMultiple: terms?.quantityMultiple ?? 1,
    breaks: followedBreaks(costPrice, terms),
  }
}
