import type { StockCount, StockCountItem } from '../../../../../shared/schemas/stock-counts.ts'
import { codeOf, hasCode } from '../../../components/scan/codes.ts'
import type {
  FoundProduct,
  LastScan,
  Product,
  QueueState,
  UnresolvedScan,
} from '../../../components/scan/state.ts'
import { thisDevice } from './device.ts'

/** An unsaved number; null is "not counted". Local storage holds this shape. */
export type Entry = { product: Product; counted: number | null; at: number }

/**
 * Why a scan is not counted:
 *   unknown    no product has the code
 *   several    more than one product has it: the merchant chooses from `found`
 *   untracked  the platform does not track the stock of the product
 *   refused    the API refused the number, with `message`; in a recount also:
 *   same_person, not_in_recount
 */
export type CountFault = 'unknown' | 'several' | 'untracked' | Refusal
export type Refusal = 'refused' | 'same_person' | 'not_in_recount'

export const isRefusal = (fault: CountFault | null): fault is Refusal =>
  fault === 'refused' || fault === 'same_person' || fault === 'not_in_recount'

export type Scan = UnresolvedScan<FoundProduct, CountFault>

/** A product from the picker whose stock is not tracked. It has no code to look up again. */
export const isPicked = ({ fault, times }: Scan) => fault === 'untracked' && times === 0

export type LastEntry = LastScan<FoundProduct>

export type CountDraftState = QueueState<Entry, FoundProduct, CountFault> & { count: StockCount }

export type Row = Product & {
  /** Empty: no bin, or not known yet. */
  bin: string
  /** What this person counted with this device. */
  counted: number | null
  /** What others counted, and this person with other devices; null: nothing. */
  others: number | null
  /** What is expected on hand; null until the shop was asked for it after the number was saved, and in a blind count. */
  expected: number | null
}

/** The sum of all counters; null: none has counted the product. */
export const totalOf = ({ counted, others }: Pick<Row, 'counted' | 'others'>): number | null =>
  counted === null && others === null ? null : (counted ?? 0) + (others ?? 0)

/** The products to count with their unsaved numbers, in a recount those of its list; products added here come last. */
export function rowsOf({ count, entries }: Pick<CountDraftState, 'count' | 'entries'>): Row[] {
  const stored = new Set(count.items.map(({ variantId }) => variantId))
  const rows = count.items.filter(isToCount(count)).map((item): Row => {
    const { variantId, sku, barcode, title, bin } = item
    const entry = entries.get(variantId)
    const { own, others } = numbersOf(item)
    const counted = entry ? entry.counted : own
    const isSaved = counted === own && (item.countedQuantity === null || item.readAt !== null)
    const expected = isSaved || totalOf({ counted, others }) === null ? item.expectedQuantity : null
    return { variantId, sku, barcode, title, bin, counted, others, expected }
  })
  const added = [...entries.values()]
    .filter(({ product }) => !stored.has(product.variantId))
    .map(({ product, counted }) => ({ ...product, bin: '', counted, others: null, expected: null }))
  return [...rows, ...added]
}

const isToCount =
  ({ phase }: StockCount) =>
  ({ isRecount }: StockCountItem) =>
    phase !== 'recounting' || isRecount

/** The number of this person with this device, and the sum of the others. A number of an earlier release has no entry. */
function numbersOf({
  entries,
  countedQuantity,
}: StockCountItem): Pick<Row, 'others'> & { own: number | null } {
  if (entries.length === 0) return { own: countedQuantity, others: null }
  const device = thisDevice()
  const own = entries.find((entry) => entry.isOwn && entry.device === device)
  const others = entries.filter((entry) => entry !== own).map((entry) => entry.countedQuantity)
  return {
    own: own?.countedQuantity ?? null,
    others: others.length === 0 ? null : others.reduce((sum, number) => sum + number, 0),
  }
}

export function numberOf({ count, entries }: CountDraftState, variantId: string): number | null {
  const entry = entries.get(variantId)
  if (entry) return entry.counted
  const item = count.items.find((known) => known.variantId === variantId)
  return item ? numbersOf(item).own : null
}

export function othersOf({ count }: CountDraftState, variantId: string): number | null {
  const item = count.items.find((known) => known.variantId === variantId)
  return item ? numbersOf(item).others : null
}

export const productsWithCode = (state: CountDraftState, code: string): Product[] =>
  rowsOf(state).filter((row) => hasCode(row, codeOf(code)))

/** The saved numbers that the worker is still comparing with the stock in the shop. */
export const unreadItems = ({ items }: Pick<StockCount, 'items'>): StockCount['items'] =>
  items.filter(({ countedQuantity, readAt }) => countedQuantity !== null && readAt === null)
