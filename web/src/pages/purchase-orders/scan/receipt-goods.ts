import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import type { LineCode as OrderCode, OrderReceipt } from '../../../../../shared/schemas/receipts.ts'
import {
  type Counted,
  editOf,
  type Goods,
  type GoodsDocument,
  type GoodsEntry,
  nothing,
  withEntries,
} from '../../../components/scan/goods/state.ts'
import type { Batch } from '../../../components/scan/queue.ts'
import type { DraftBody } from './local-receipt.ts'

/** `ended`: what another page has done with the draft that was scanned into last, until the merchant has read it. */
export type OrderGoods = Goods & { receipt: OrderReceipt | null; ended?: 'posted' | 'deleted' | undefined }

/**
 * The lines of an order that still expect goods, or have some in the draft. Of 10 ordered pieces with a tolerance of 15 %, 4 of
 * them received before, 6 are outstanding and floor(11.5) - 4 = 7 are allowed.
 */
export const documentOf = (
  { lineItems }: PurchaseOrder,
  codes: readonly OrderCode[],
  tolerancePercent: number,
): GoodsDocument => ({
  lines: lineItems.map((line) => {
    const { id, variantId, sku, barcode, title, bin, quantity, outstandingQuantity, costPrice } = line
    const settled = line.receivedQuantity + line.cancelledQuantity + line.creditedQuantity
    const allowed = Math.floor((quantity * (100 + tolerancePercent)) / 100) - settled
    return {
      ...{ lineId: String(id), variantId, sku, barcode, title, bin },
      ...{ outstanding: outstandingQuantity, allowed: Math.max(0, allowed) },
      cost: costPrice === null ? null : costPrice * (1 - line.discountPercent / 100),
    }
  }),
  codes: codes.map(({ code, kind, lineItemId, packSize }) => ({
    ...{ code, kind, lineId: String(lineItemId) },
    pieces: packSize,
  })),
})

/** What a stored draft changes: the counts, and what is outstanding since a colleague has posted another receipt. */
export function goodsOf(receipt: OrderReceipt, { lines, codes }: GoodsDocument): OrderGoods {
  const fresh = new Map(receipt.lines.map((line) => [String(line.lineItemId), line]))
  return {
    receipt,
    counted: countedOf(receipt),
    document: {
      codes,
      lines: lines.map((line) => {
        const outstanding = fresh.get(line.lineId)?.outstanding ?? 0
        const allowed = Math.max(0, line.allowed - line.outstanding + outstanding)
        return { ...line, outstanding, allowed }
      }),
    },
  }
}

const countedOf = ({ lines }: OrderReceipt): ReadonlyMap<string, Counted> =>
  new Map(
    lines.map(({ lineItemId, accepted, rejected, rejectReason, rejectOutcome, unitCost }) => [
      String(lineItemId),
      { accepted, rejected, reason: rejectReason, outcome: rejectOutcome, unitCost },
    ]),
  )

/** The entries that count the pieces of a deleted draft once more, in a new one. */
export const entriesOf = (counted: ReadonlyMap<string, Counted>): GoodsEntry[] =>
  [...counted].flatMap(([lineId, count]) => {
    if (count.accepted === 0 && count.rejected === 0 && count.unitCost == null) return []
    return [{ at: 0, lineId, change: editOf(nothing, count) }]
  })

/** The request that stores a draft with the entries of a batch on top. */
export function bodyOf(receipt: OrderReceipt, batch: Batch<GoodsEntry>): DraftBody {
  const counted = withEntries(
    countedOf(receipt),
    batch.map(([, entry]) => entry),
  )
  const lines = receipt.lines.flatMap(({ lineItemId }) => {
    const line = counted.get(String(lineItemId)) ?? nothing
    const { accepted, rejected, reason, outcome, unitCost = null } = line
    if (accepted === 0 && rejected === 0 && unitCost === null) return []
    const rejectOutcome = rejected > 0 ? (outcome ?? 'replace') : null
    return [{ lineItemId, accepted, rejected, rejectReason: reason, rejectOutcome, unitCost }]
  })
  return { receiptId: receipt.id, version: receipt.version, lines }
}

/** Whether a draft has what a request wanted to store, whose answer was lost. */
export function hasStored({ lines }: OrderReceipt, body: DraftBody): boolean {
  const wanted = new Map(body.lines.map((line) => [line.lineItemId, line]))
  return lines.every(({ lineItemId, accepted, rejected, rejectReason, rejectOutcome, unitCost }) => {
    const line = wanted.get(lineItemId)
    return (
      accepted === (line?.accepted ?? 0) &&
      rejected === (line?.rejected ?? 0) &&
      rejectReason === (line?.rejectReason ?? '') &&
      rejectOutcome === (line?.rejectOutcome ?? null) &&
      unitCost === (line?.unitCost ?? null)
    )
  })
}
