import type {
  StockTransfer,
  StockTransferInput,
  StockTransferPatch,
} from '../../../../../shared/schemas/stock-transfers.ts'
import type { ChosenVariant } from '../../../components/pickers/browse/chosen.ts'
import type { TransferStart } from '../list/filter.ts'

/** A line in the form; an empty quantity is `''`. */
export type DraftLine = {
  key: number
  variantId: string
  sku: string
  title: string
  quantity: number | ''
}

export type Draft = {
  sourceLocationId: string | null
  destinationLocationId: string | null
  notes: string
  lines: readonly DraftLine[]
}

// React keys, since a product may be on more than one line
let lastKey = 0
const nextKey = () => ++lastKey

const emptyDraft: Draft = {
  sourceLocationId: null,
  destinationLocationId: null,
  notes: '',
  lines: [],
}

/** A draft with these locations and `quantity` pieces of a product, if any. */
export function startDraft(
  { from, to, quantity }: Pick<TransferStart, 'from' | 'to' | 'quantity'>,
  variant: Pick<DraftLine, 'variantId' | 'sku' | 'title'> | null,
): Draft {
  return {
    ...emptyDraft,
    sourceLocationId: from ?? null,
    destinationLocationId: to ?? null,
    lines: variant === null ? [] : [{ ...lineOf(variant), quantity: quantity ?? 1 }],
  }
}

const lineOf = ({ variantId, sku, title }: Pick<DraftLine, 'variantId' | 'sku' | 'title'>) => ({
  ...{ key: nextKey(), variantId, sku, title },
})

export const draftOf = ({ sourceLocationId, destinationLocationId, notes, items }: StockTransfer): Draft => ({
  sourceLocationId,
  destinationLocationId,
  notes,
  lines: items.map((item) => ({ key: nextKey(), ...item })),
})

/** Adds pieces of a product: to its line if there is one, otherwise as a new line. */
export function withAdded(
  lines: readonly DraftLine[],
  { variantId, sku, title, quantity }: ChosenVariant,
): readonly DraftLine[] {
  if (!lines.some((line) => line.variantId === variantId)) {
    return [...lines, { ...lineOf({ variantId, sku, title }), quantity }]
  }
  const first = lines.find((line) => line.variantId === variantId)
  return lines.map((line) =>
    line === first ? { ...line, quantity: Number(line.quantity) + quantity } : line,
  )
}

/** Leaves an empty quantity out, so that the API reports the missing field. */
const itemsOf = ({ lines }: Draft) =>
  lines.map(({ variantId, quantity }) => ({
    variantId,
    ...((quantity === '' ? {} : { quantity }) as { quantity: number }),
  }))

export const inputOf = (draft: Draft, source: string, destination: string): StockTransferInput => ({
  sourceLocationId: source,
  destinationLocationId: destination,
  notes: draft.notes,
  items: itemsOf(draft),
})

/** After shipping, only the notes may change. */
export const patchOf = (draft: Draft, { status, version }: StockTransfer): StockTransferPatch => ({
  notes: draft.notes,
  ...(status === 'pending' && { items: itemsOf(draft) }),
  version,
})

const withoutKeys = ({ lines, ...draft }: Draft) => ({
  ...draft,
  lines: lines.map(({ variantId, quantity }) => [variantId, quantity]),
})

/** Compares without the keys, which differ between two drafts of the same transfer. */
export const isSame = (a: Draft, b: Draft) =>
  JSON.stringify(withoutKeys(a)) === JSON.stringify(withoutKeys(b))
