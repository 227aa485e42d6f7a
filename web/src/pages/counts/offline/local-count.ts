import { openLocalStore } from '../../../browser/local-store.ts'
import type { Entry, Scan } from './state.ts'

/** Local storage of a count: its unsaved numbers and its unresolved scans. */
export const openCountStores = (id: number) => ({
  entries: openLocalStore<Entry>(`count ${id} number`),
  scans: openLocalStore<Scan>(`count ${id} scan`),
})

const blindCounts = openLocalStore<true>('blind count')

export const isCountBlind = (id: number) => blindCounts.all().some(([name]) => name === String(id))
export const setCountBlind = (id: number, isBlind: boolean) =>
  isBlind ? blindCounts.put(String(id), true) : blindCounts.remove(String(id))

/** Removes everything that this device stores of a count, once the count has ended. */
export function clearLocalCount(id: number): void {
  const { entries, scans } = openCountStores(id)
  for (const [name] of entries.all()) entries.remove(name)
  for (const [code] of scans.all()) scans.remove(code)
  setCountBlind(id, false)
}
