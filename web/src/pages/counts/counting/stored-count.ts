import { openLocalStore } from '../../../browser/local-store.ts'
import type { Entry, Scan } from '../offline/state.ts'

/** What this device keeps of a count: numbers and scans that are not saved, and whether it is counted blind here. */
export const keptOf = (id: number) => ({
  entries: openLocalStore<Entry>(`count ${id} number`),
  scans: openLocalStore<Scan>(`count ${id} scan`),
})

const blind = openLocalStore<true>('blind count')

export const isBlind = (id: number) => blind.all().some(([name]) => name === String(id))
export const setBlind = (id: number, isHidden: boolean) =>
  isHidden ? blind.put(String(id), true) : blind.remove(String(id))

/** A count that is over needs nothing of it any more. */
export function forgetCount(id: number): void {
  const { entries, scans } = keptOf(id)
  for (const [name] of entries.all()) entries.remove(name)
  for (const [code] of scans.all()) scans.remove(code)
  setBlind(id, false)
}
