import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import type { LocalStore } from '../../../browser/local-store.ts'
import {
  type CountDraftState,
  type Entry,
  type LastEntry,
  numberOf,
  type Product,
  type Scan,
} from './state.ts'

export type LocalStores = { entries: LocalStore<Entry>; scans: LocalStore<Scan> }

/** The entries waiting to be sent. Each change goes to the screen and to local storage immediately. */
export function openEntryQueue(count: StockCount, stores: LocalStores) {
  let state: CountDraftState = {
    count,
    entries: new Map(stores.entries.all()),
    scans: stores.scans.all().map(([, scan]) => scan),
    syncFailure: 'none',
    syncError: null,
    last: null,
    unresolvedCode: null,
  }
  const listeners = new Set<() => void>()

  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }

  function update(change: Partial<CountDraftState>): void {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  function enter(product: Product, counted: number | null): void {
    const { variantId } = product
    const entry = { product, counted, at: Date.now() }
    stores.entries.put(variantId, entry)
    update({ entries: new Map(state.entries).set(variantId, entry) })
  }

  function highlight(product: Product, how: LastEntry['how'], before: number | null): void {
    const counted = numberOf(state, product.variantId)
    const turn = (state.last?.turn ?? 0) + 1
    update({ last: { product, how, counted, before, turn }, unresolvedCode: null })
  }

  return {
    state: () => state,
    subscribe,
    update,
    enter,
    highlight,
    nextChange: (): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>()
      return promise.finally(subscribe(resolve))
    },
    addPieces: (product: Product, pieces: number): void => {
      const before = numberOf(state, product.variantId)
      enter(product, (before ?? 0) + pieces)
      highlight(product, 'scanned', before)
    },
    /** Removes entries, except those that changed after the batch was read. */
    clear: (batch: readonly (readonly [variantId: string, entry: Entry])[]): void => {
      const entries = new Map(state.entries)
      for (const [variantId, { counted, at }] of batch) {
        const isUnchanged = (entry: Entry | undefined) => entry?.counted === counted && entry.at === at
        if (isUnchanged(entries.get(variantId))) entries.delete(variantId)
        stores.entries.remove(variantId, isUnchanged)
      }
      update({ entries })
    },
    putScan: (scan: Scan): void => {
      stores.scans.put(scan.code, scan)
      const scans = [...state.scans.filter(({ code }) => code !== scan.code), scan]
      update({ scans, unresolvedCode: scan.fault === null ? null : scan.code })
    },
    dropScan: (code: string): void => {
      stores.scans.remove(code)
      const scans = state.scans.filter((scan) => scan.code !== code)
      update({ scans, unresolvedCode: state.unresolvedCode === code ? null : state.unresolvedCode })
    },
  }
}

export type EntryQueue = ReturnType<typeof openEntryQueue>
