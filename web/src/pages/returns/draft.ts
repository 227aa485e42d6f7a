import type {
  ReturnableReceipt,
  SupplierReturn,
  SupplierReturnInput,
} from '../../../../shared/schemas/supplier-returns.ts'
import { byBin } from '../../components/bins/by-bin.ts'
import type { ChosenVariant } from '../../components/pickers/browse/chosen.ts'

/** A line in the form. A line of a receipt without a quantity is not part of the return. */
export type DraftLine = {
  key: number
  variantId: string
  sku: string
  title: string
  /** At `binLocationId` of the draft; empty: no bin. */
  bin: string
  quantity: number | ''
  reason: string
  /** The pieces of the receipt that can still be returned; null without a receipt. */
  returnable: number | null
}

export type Draft = {
  supplierId: number | null
  locationId: string | null
  /** The location of the bins in the lines. */
  binLocationId: string | null
  supplierReference: string
  notes: string
  lines: readonly DraftLine[]
}

// React keys, since a product may be on more than one line; with the time, as the device keeps drafts of earlier pages
let lastKey = Date.now()
const nextKey = () => ++lastKey

export const emptyDraft = (supplierId: number | null): Draft => ({
  supplierId,
  locationId: null,
  binLocationId: null,
  supplierReference: '',
  notes: '',
  lines: [],
})

/** Every product of the receipt that may go back, without a quantity yet, in the order of bins. */
export const draftOfReceipt = ({ supplierId, locationId, lines }: ReturnableReceipt): Draft => ({
  ...emptyDraft(supplierId),
  locationId,
  binLocationId: locationId,
  lines: byBin(
    lines.filter(({ returnable }) => returnable > 0),
    ({ bin }) => bin,
  ).map(({ variantId, sku, title, bin, returnable }) => ({
    key: nextKey(),
    ...{ variantId, sku, title, bin, returnable },
    quantity: '',
    reason: '',
  })),
})

/** What this device kept of a return of a receipt, with what can go back now. */
export const withKept = (now: Draft, kept: Draft): Draft => ({
  ...now,
  ...{ locationId: kept.locationId, supplierReference: kept.supplierReference, notes: kept.notes },
  supplierId: now.supplierId ?? kept.supplierId,
  lines: now.lines.map((line) => {
    const own = kept.lines.find(({ variantId }) => variantId === line.variantId)
    return own ? { ...line, quantity: own.quantity, reason: own.reason } : line
  }),
})

/** The lines of a stored return, and the other products of its receipt. */
export function draftOf(stored: SupplierReturn, receipt: ReturnableReceipt | null): Draft {
  const { supplierId, locationId, supplierReference, notes } = stored
  const own = (variantId: string) =>
    stored.lines.reduce((sum, line) => sum + (line.variantId === variantId ? line.quantity : 0), 0)
  const leftOf = (variantId: string) => {
    const line = receipt?.lines.find((known) => known.variantId === variantId)
    return line ? line.returnable + own(variantId) : null
  }
  const lines = stored.lines.map(({ variantId, sku, title, bin, quantity, reason }) => ({
    key: nextKey(),
    ...{ variantId, sku, title, bin, quantity, reason },
    returnable: leftOf(variantId),
  }))
  const others = receipt ? draftOfReceipt(receipt).lines : []
  const binOf = ({ bin }: DraftLine) => (receipt?.locationId === locationId ? bin : '')
  return {
    ...{ supplierId, locationId, binLocationId: locationId, supplierReference, notes },
    lines: [
      ...lines,
      ...others
        .filter(({ variantId }) => own(variantId) === 0)
        .map((line) => ({ ...line, bin: binOf(line) })),
    ],
  }
}

/** Adds pieces with the reason of the last line: to the line of the product with this reason, else on a new line. */
export function withAdded(
  lines: readonly DraftLine[],
  { variantId, sku, title, quantity }: ChosenVariant,
): readonly DraftLine[] {
  const reason = lines.at(-1)?.reason ?? ''
  const same = lines.find((line) => line.variantId === variantId && line.reason === reason)
  if (same) return withQuantity(lines, same, (Number(same.quantity) || 0) + quantity)
  const line = { key: nextKey(), variantId, sku, title, bin: '', quantity, reason, returnable: null }
  return [...lines, line]
}

/** The pieces of a product on all lines of the return. */
export const quantityOf = (lines: readonly DraftLine[], variantId: string): number =>
  lines.reduce((sum, line) => sum + (line.variantId === variantId ? Number(line.quantity) || 0 : 0), 0)

/**
 * A scan of a product of the receipt: its pieces go back, up to what can; a pack has several. `reason` is for a line without one.
 * Null when not all of the pieces can go back.
 */
export function withScanned(
  lines: readonly DraftLine[],
  { variantId, pieces }: { variantId: string; pieces: number },
  reason: string,
): { lines: readonly DraftLine[]; line: DraftLine; total: number } | null {
  const line = lines.findLast((one) => one.variantId === variantId)
  const total = quantityOf(lines, variantId) + pieces
  if (!line || total > (line.returnable ?? 0)) return null
  const raised = withQuantity(lines, line, (Number(line.quantity) || 0) + pieces)
  const reasoned = raised.map((one) => (one.key === line.key && one.reason === '' ? { ...one, reason } : one))
  return { lines: reasoned, line, total }
}

const withQuantity = (lines: readonly DraftLine[], { key }: DraftLine, quantity: number) =>
  lines.map((line) => (line.key === key ? { ...line, quantity } : line))

/** The lines that are sent, in their order: by this order the API names the faulty ones. */
export const sentLines = ({ lines }: Draft) =>
  lines.filter(({ quantity, returnable }) => quantity !== '' || returnable === null)

/** Leaves an empty quantity out, so that the API reports the missing field. */
const linesOf = (draft: Draft): SupplierReturnInput['lines'] =>
  sentLines(draft).map(({ variantId, quantity, reason }) => ({
    variantId,
    reason,
    ...((quantity === '' ? {} : { quantity }) as { quantity: number }),
  }))

export const patchOf = (draft: Draft, locationId: string) => ({
  locationId,
  supplierReference: draft.supplierReference,
  notes: draft.notes,
  lines: linesOf(draft),
})

/** Compares without the keys, which differ between two drafts of the same return. */
export const isSame = (a: Draft, b: Draft) => JSON.stringify(plain(a)) === JSON.stringify(plain(b))
const plain = ({ lines, ...draft }: Draft) => ({
  ...draft,
  lines: lines.map(({ variantId, quantity, reason }) => [variantId, quantity, reason]),
})
