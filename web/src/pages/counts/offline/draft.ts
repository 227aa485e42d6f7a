import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import { createLookup, type Resolution } from '../../../components/scan/lookup.ts'
import { type FoundProduct, isSynced, type Product } from '../../../components/scan/state.ts'
import { type CountStores, isCountBlind, openCountQueue } from './local-count.ts'
import { type CountFault, isPicked, numberOf, othersOf, productsWithCode, rowsOf } from './state.ts'
import { type CountPorts, createSync } from './sync.ts'

type Ports = Omit<CountPorts, 'sending'> & { find: (code: string, text: string) => Promise<FoundProduct[]> }

/**
 * The count as this device shows it, which works without a connection:
 * 1. A scan or a typed number shows immediately, and local storage keeps it across page loads.
 * 2. The lookup asks the API for each code that is not in the count.
 * 3. The sync sends the queued numbers until the API stores them (`sync.ts`).
 */
export function openCountDraft(count: StockCount, stores: CountStores, { find, ...ports }: Ports) {
  const queue = openCountQueue(count, stores)
  const sync = createSync(queue, { ...ports, sending: stores.sending })
  const numberNow = (variantId: string) => numberOf(queue.state(), variantId)

  /** The packs that were scanned, by code, so that their next scans need no answer of the API. */
  const packs = new Map<string, FoundProduct>()

  const enter = ({ variantId, sku, barcode, title }: Product, counted: number | null) =>
    queue.put(variantId, { product: { variantId, sku, barcode, title }, counted, at: queue.nextInstant() })

  /** The previous release listed a product of the picker by its SKU or title instead of its id. */
  function dropPicked(variantId: string): void {
    for (const scan of queue.state().scans) {
      if (isPicked(scan) && scan.found[0]?.variantId === variantId) queue.dropScan(scan.code)
    }
  }

  /** Always false in a blind count, since the sound would reveal the expected quantity. */
  function isMoreThanExpected(variantId: string, counted: number): boolean {
    const item = queue.state().count.items.find((item) => item.variantId === variantId)
    const expected = item?.expectedQuantity ?? null
    const total = counted + (othersOf(queue.state(), variantId) ?? 0)
    return expected !== null && total > expected && !isCountBlind(count.id)
  }

  const lookup = createLookup(queue, {
    resolveHere: (code) => {
      const inCount = productsWithCode(queue.state(), code).map((row) => ({ ...row, isTracked: true }))
      const pack = packs.get(code)
      return inCount.length > 0 ? resolutionOf(inCount) : pack ? resolutionOf([pack]) : null
    },
    find: async (code, text) => resolutionOf(await find(code, text)),
    unknown: 'unknown',
    add: (product, pieces, code) => {
      if (product.pieces !== undefined && product.pieces > 1) packs.set(code, product)
      const before = numberNow(product.variantId)
      // the previous release kept products of the picker as scans of no piece
      const counted = pieces === 0 ? before : (before ?? 0) + pieces
      enter(product, counted)
      const tone = counted !== null && isMoreThanExpected(product.variantId, counted) ? 'over' : 'right'
      queue.highlight({ product, how: 'scanned', counted, before }, tone)
    },
  })
  /**
   * Adds a product as not counted, or lists it when its stock is not tracked. For a product that is in the count already, only
   * highlights its row.
   */
  function add(product: FoundProduct): void {
    dropPicked(product.variantId)
    if (!product.isTracked) {
      const code = `untracked ${product.variantId}`
      queue.putScan({ code, times: 0, fault: 'untracked', found: [product] })
      return
    }
    const isInCount = rowsOf(queue.state()).some(({ variantId }) => variantId === product.variantId)
    if (!isInCount) enter(product, null)
    const counted = numberNow(product.variantId)
    queue.highlight({ product, how: 'added', counted, before: counted })
  }

  /**
   * Adds the products that the merchant has chosen: several in one request, without those that are not tracked. Returns how many the
   * request added; null: there was none. Throws the error of the API.
   */
  async function addChosen(chosen: readonly FoundProduct[]): Promise<number | null> {
    const untracked = chosen.filter(({ isTracked }) => !isTracked)
    for (const { variantId, sku, barcode, title, isTracked } of chosen.length === 1 ? chosen : untracked) {
      add({ variantId, sku, barcode, title, isTracked })
    }
    if (chosen.length === 1 || untracked.length === chosen.length) return null
    const inCount = new Set(rowsOf(queue.state()).map(({ variantId }) => variantId))
    const added = chosen
      .filter(({ variantId, isTracked }) => isTracked && !inCount.has(variantId))
      .map(({ variantId }) => variantId)
    if (added.length > 0) await sync.addMany(added)
    for (const variantId of added) dropPicked(variantId)
    return added.length
  }

  return {
    state: queue.state,
    subscribe: queue.subscribe,
    scan: lookup.scan,
    chooseProduct: (code: string, product: FoundProduct) => lookup.resolve(code, resolutionOf([product])),
    lookUpAgain: lookup.lookUpAgain,
    dropScan: queue.dropScan,
    addChosen,
    addAll: sync.addAll,
    set: (product: Product, counted: number | null): void => {
      if (numberNow(product.variantId) !== counted) enter(product, counted)
    },
    /** Undoes the last scan, unless the number has changed since. */
    undoScan: (): void => {
      const { last } = queue.state()
      if (last && numberNow(last.product.variantId) === last.counted) enter(last.product, last.before)
      queue.update({ last: null })
    },
    /** Sends immediately, and resolves to whether the API has stored everything. */
    syncNow: () => sync.sendAll(() => isSynced(queue.state())),
    discard: (): void => {
      queue.update({ syncFailure: 'none', syncError: null })
      queue.clear([...queue.state().entries])
    },
    start: () => {
      sync.start()
      lookup.start()
    },
    stop: () => {
      lookup.stop()
      sync.stop()
    },
  }
}

export type CountDraft = ReturnType<typeof openCountDraft>

function resolutionOf(found: readonly FoundProduct[]): Resolution<FoundProduct, CountFault> {
  const [only, ...others] = found
  if (only?.isTracked && others.length === 0) return { product: only, pieces: only.pieces ?? 1 }
  return { found, fault: only === undefined ? 'unknown' : others.length > 0 ? 'several' : 'untracked' }
}
