import type {
  ReturnableReceipt,
  SupplierReturn,
  SupplierReturnInput,
} from '../../../../shared/schemas/supplier-returns.ts'
import type { ChosenVariant } from '../../components/pickers/browse/chosen.ts'

/** A line in the form. A line of a receipt without a quantity is not part of the return. */
export type DraftLine = {
  key: number
  variantId: string
  sku: string
  title: string
  quantity: number | ''
  reason: string
  /** What of the receipt may still go back; null without a receipt. */
  returnable: number | null
}

export type Draft = {
  supplierId: number | null
  locationId: string | null
  supplierReference: string
  notes: string
  lines: readonly DraftLine[]
}

// React keys, since a product may be on more than one line
let lastKey = 0
const nextKey = () => ++lastKey

export const emptyDraft = (supplierId: number | null): Draft => ({
  supplierId,
  locationId: null,
  supplierReference: '',
  notes: '',
  lines: [],
})

/** Every product of the receipt that may go back, without a quantity yet. */
export const draftOfReceipt = ({ supplierId, locationId, lines }: ReturnableReceipt): Draft => ({
  ...emptyDraft(supplierId),
  locationId,
  lines: lines
    .filter(({ returnable }) => returnable > 0)
    .map(({ variantId, sku, title, returnable }) => ({
      key: nextKey(),
      ...{ variantId, sku, title, returnable },
      quantity: '',
      reason: '',
    })),
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
  const lines = stored.lines.map(({ variantId, sku, title, quantity, reason }) => ({
    key: nextKey(),
    ...{ variantId, sku, title, quantity, reason },
    returnable: leftOf(variantId),
  }))
  const others = receipt ? draftOfReceipt(receipt).lines : []
  return {
    ...{ supplierId, locationId, supplierReference, notes },
    lines: [...lines, ...others.filter(({ variantId }) => own(variantId) === 0)],
  }
}

export const withAdded = (
  lines: readonly DraftLine[],
  { variantId, sku, title, quantity }: ChosenVariant,
): readonly DraftLine[] => [
  ...lines,
  {
    key: nextKey(),
    variantId,
    sku,
    title,
    quantity,
    reason: lines.at(-1)?.reason ?? '',
    returnable: null,
  },
]

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
