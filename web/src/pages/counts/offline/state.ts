import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import { carries, codeOf } from '../counting/codes.ts'

export type Product = { variantId: string; sku: string; barcode: string; title: string }
/** A product that a scan leads to. Of some the platform counts no stock. */
export type Found = Product & { isTracked: boolean }

/** A number that was entered here and is not saved yet; null is "not counted". */
export type Entry = { product: Product; counted: number | null; at: number }

/**
 * A scan that is not a number yet, and why: null while it is being looked for. `refused` is a number that the API does
 * not take.
 */
export type Scan = {
  code: string
  times: number
  fault: 'unknown' | 'several' | 'untracked' | 'refused' | null
  /** Among which to choose, where there are several. */
  found: readonly Found[]
  message?: string
}

/**
 * What was scanned last, or added to have its number typed. `turn` tells the same product scanned again; `before` is
 * what its number was.
 */
export type Last = {
  product: Product
  how: 'scanned' | 'added'
  counted: number | null
  before: number | null
  turn: number
}

export type TallyState = {
  /** As it was last read, or saved from here. */
  count: StockCount
  entries: ReadonlyMap<string, Entry>
  scans: readonly Scan[]
  /** Why something is not saved: no answer, or one that says no. */
  trouble: 'none' | 'retrying' | 'refused'
  refusal: unknown
  last: Last | null
  /** The code that was scanned after that, and is in no product that can be counted. */
  unplaced: string | null
}

/** A product of the count, as it stands on this screen. */
export type Row = Product & {
  counted: number | null
  /** Null until the API has said it, for a product that was just added. */
  expected: number | null
}

/** The products of the count, those that were added here last. */
export function rowsOf({ count, entries }: Pick<TallyState, 'count' | 'entries'>): Row[] {
  const stored = new Set(count.items.map(({ variantId }) => variantId))
  const rows = count.items.map(({ variantId, sku, barcode, title, countedQuantity, expectedQuantity }) => {
    const entry = entries.get(variantId)
    const counted = entry ? entry.counted : countedQuantity
    return { variantId, sku, barcode, title, counted, expected: expectedQuantity }
  })
  const added = [...entries.values()]
    .filter(({ product }) => !stored.has(product.variantId))
    .map(({ product, counted }) => ({ ...product, counted, expected: null }))
  return [...rows, ...added]
}

export function numberOf({ count, entries }: TallyState, variantId: string): number | null {
  const entry = entries.get(variantId)
  if (entry) return entry.counted
  return count.items.find((item) => item.variantId === variantId)?.countedQuantity ?? null
}

/** The products of the count that carry a code. */
export const inCount = (state: TallyState, code: string): Product[] =>
  rowsOf(state).filter((row) => carries(row, codeOf(code)))

/** Whether everything that was entered here is saved. What nobody knows does not wait for anything. */
export const isSettled = ({ entries, scans }: Pick<TallyState, 'entries' | 'scans'>): boolean =>
  entries.size === 0 && scans.every(({ fault }) => fault !== null)
