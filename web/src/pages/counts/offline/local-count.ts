import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import { openLocalStore } from '../../../browser/local-store.ts'
import { openQueue } from '../../../components/scan/queue.ts'
import type { CountFault, Entry, FoundProduct, Scan } from './state.ts'
import type { CountSending } from './sync.ts'

/** Local storage of a count: its unsaved numbers, its unresolved scans and the request under way. */
export const openCountStores = (id: number) => ({
  entries: openLocalStore<Entry>(`count ${id} number`),
  scans: openLocalStore<Scan>(`count ${id} scan`),
  sending: openLocalStore<CountSending>(`count ${id} sending`),
})

export type CountStores = ReturnType<typeof openCountStores>

export const openCountQueue = (count: StockCount, stores: CountStores) =>
  openQueue<Entry, FoundProduct, CountFault, { count: StockCount }>({ count }, stores)

export type CountQueue = ReturnType<typeof openCountQueue>

const blindCounts = openLocalStore<true>('blind count')

export const isCountBlind = (id: number) => blindCounts.all().some(([name]) => name === String(id))
export const setCountBlind = (id: number, isBlind: boolean) =>
  isBlind ? blindCounts.put(String(id), true) : blindCounts.remove(String(id))

/** Removes everything that this device stores of a count, once the count has ended. */
export function clearLocalCount(id: number): void {
  for (const store of Object.values(openCountStores(id))) {
    for (const [name] of store.all()) store.remove(name)
  }
  setCountBlind(id, false)
}
