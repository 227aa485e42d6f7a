import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import { codeOf, hasCode } from '../../../components/scan/codes.ts'
import type { LastScan, Product, QueueState, UnresolvedScan } from '../../../components/scan/state.ts'

/** `isTracked` is false for a product whose stock the platform does not track. */
export type FoundProduct = Product & { isTracked: boolean }

/** An unsaved number; null is "not counted". Local storage holds this shape. */
export type Entry = { product: Product; counted: number | null; at: number }

/**
 * Why a scan is not counted:
 *   unknown    no product has the code
 *   several    more than one product has it: the merchant chooses from `found`
 *   untracked  the platform does not track the stock of the product
 *   refused    the API refused the number, with `message`
 */
export type CountFault = 'unknown' | 'several' | 'untracked' | 'refused'
export type Scan = UnresolvedScan<FoundProduct, CountFault>
export type LastEntry = LastScan<FoundProduct>

export type CountDraftState = QueueState<Entry, FoundProduct, CountFault> & { count: StockCount }

export type Row = Product & {
  /** Empty: no bin, or not known yet. */
  bin: string
  counted: number | null
  /** What is expected on hand; null until the shop was asked for it after the number was saved. */
  expected: number | null
}

/** The products of the count with their unsaved numbers; products added here come last. */
export function rowsOf({ count, entries }: Pick<CountDraftState, 'count' | 'entries'>): Row[] {
  const stored = new Set(count.items.map(({ variantId }) => variantId))
  const rows = count.items.map(({ variantId, sku, barcode, title, bin, countedQuantity, ...item }) => {
    const entry = entries.get(variantId)
    const counted = entry ? entry.counted : countedQuantity
    const isKnown = counted === null || (counted === countedQuantity && item.readAt !== null)
    return { variantId, sku, barcode, title, bin, counted, expected: isKnown ? item.expectedQuantity : null }
  })
  const added = [...entries.values()]
    .filter(({ product }) => !stored.has(product.variantId))
    .map(({ product, counted }) => ({ ...product, bin: '', counted, expected: null }))
  return [...rows, ...added]
}

export function numberOf({ count, entries }: CountDraftState, variantId: string): number | null {
  const entry = entries.get(variantId)
  if (entry) return entry.counted
  return count.items.find((item) => item.variantId === variantId)?.countedQuantity ?? null
}

export const productsWithCode = (state: CountDraftState, code: string): Product[] =>
  rowsOf(state).filter((row) => hasCode(row, codeOf(code)))

/** The saved numbers that the worker is still comparing with the stock in the shop. */
export const unreadItems = ({ items }: Pick<StockCount, 'items'>): StockCount['items'] =>
  items.filter(({ countedQuantity, readAt }) => countedQuantity !== null && readAt === null)
