import type {
  StockTransfer,
  StockTransferInput,
  StockTransferPatch,
} from '../../../../shared/schemas/stock-transfers.ts'
import type { PickedVariant } from '../../components/pickers/variant-picker.tsx'

/** A line as it is being written; an empty quantity is `''`. */
export type DraftLine = {
  key: number
  variantId: string
  sku: string
  title: string
  quantity: number | ''
}

/** A transfer as it is being written. */
export type Draft = {
  sourceLocationId: string | null
  destinationLocationId: string | null
  notes: string
  lines: readonly DraftLine[]
}

let lastKey = 0
const nextKey = () => ++lastKey

export const emptyDraft: Draft = {
  sourceLocationId: null,
  destinationLocationId: null,
  notes: '',
  lines: [],
}

export const draftOf = ({ sourceLocationId, destinationLocationId, notes, items }: StockTransfer): Draft => ({
  sourceLocationId,
  destinationLocationId,
  notes,
  lines: items.map((item) => ({ key: nextKey(), ...item })),
})

/** One more piece of a product: one that is on the transfer already stays one line. */
export function withAdded(
  lines: readonly DraftLine[],
  { variantId, sku, title }: PickedVariant,
): readonly DraftLine[] {
  if (!lines.some((line) => line.variantId === variantId)) {
    return [...lines, { key: nextKey(), variantId, sku, title, quantity: 1 }]
  }
  const first = lines.find((line) => line.variantId === variantId)
  return lines.map((line) => (line === first ? { ...line, quantity: Number(line.quantity) + 1 } : line))
}

/** An empty quantity is left out, so that the API says at which field it is missing. */
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

/** What to store over `stored`. Of goods that are on their way only the notes may change. */
export const patchOf = (draft: Draft, { status, version }: StockTransfer): StockTransferPatch => ({
  notes: draft.notes,
  ...(status === 'pending' && { items: itemsOf(draft) }),
  version,
})

const withoutKeys = ({ lines, ...draft }: Draft) => ({
  ...draft,
  lines: lines.map(({ variantId, quantity }) => [variantId, quantity]),
})

export const isSame = (one: Draft, other: Draft) =>
  JSON.stringify(withoutKeys(one)) === JSON.stringify(withoutKeys(other))
