import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import type { LocalStore } from '../../../browser/local-store.ts'
import { type Entry, type Last, numberOf, type Product, type Scan, type TallyState } from './state.ts'

/** Where numbers and scans lie until they are saved, by variant and by code. */
export type LocalStores = { entries: LocalStore<Entry>; scans: LocalStore<Scan> }

/** What is being counted here: each change is on the screen and in its drawer at once. */
export function openBoard(count: StockCount, drawers: LocalStores) {
  let state: TallyState = {
    count,
    entries: new Map(drawers.entries.all()),
    scans: drawers.scans.all().map(([, scan]) => scan),
    trouble: 'none',
    refusal: null,
    last: null,
    unplaced: null,
  }
  const listeners = new Set<() => void>()

  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }

  function update(change: Partial<TallyState>): void {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  function enter(product: Product, counted: number | null): void {
    const { variantId } = product
    const entry = { product, counted, at: Date.now() }
    drawers.entries.put(variantId, entry)
    update({ entries: new Map(state.entries).set(variantId, entry) })
  }

  /** What was done last: it is shown large, marked in the list, and said to those who hear the page. */
  function point(product: Product, how: Last['how'], before: number | null): void {
    const counted = numberOf(state, product.variantId)
    update({ last: { product, how, counted, before, turn: (state.last?.turn ?? 0) + 1 }, unplaced: null })
  }

  return {
    state: () => state,
    subscribe,
    update,
    enter,
    point,
    nextChange: (): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>()
      return promise.finally(subscribe(resolve))
    },
    addPieces: (product: Product, pieces: number): void => {
      const before = numberOf(state, product.variantId)
      enter(product, (before ?? 0) + pieces)
      point(product, 'scanned', before)
    },
    /** Takes numbers out that are done with; one that was entered since stays. */
    clear: (batch: readonly (readonly [variantId: string, entry: Entry])[]): void => {
      const entries = new Map(state.entries)
      for (const [variantId, { counted, at }] of batch) {
        const isThat = (one: Entry | undefined) => one?.counted === counted && one.at === at
        if (isThat(entries.get(variantId))) entries.delete(variantId)
        drawers.entries.remove(variantId, isThat)
      }
      update({ entries })
    },
    putScan: (scan: Scan): void => {
      drawers.scans.put(scan.code, scan)
      const scans = [...state.scans.filter(({ code }) => code !== scan.code), scan]
      update({ scans, unplaced: scan.fault === null ? null : scan.code })
    },
    dropScan: (code: string): void => {
      drawers.scans.remove(code)
      const scans = state.scans.filter((scan) => scan.code !== code)
      update({ scans, unplaced: state.unplaced === code ? null : state.unplaced })
    },
  }
}

export type Board = ReturnType<typeof openBoard>
