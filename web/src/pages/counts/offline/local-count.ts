import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import { openLocalStore } from '../../../browser/local-store.ts'
import { openQueue } from '../../../components/scan/queue.ts'
import type { FoundProduct } from '../../../components/scan/state.ts'
import type { CountFault, Entry, Scan } from './state.ts'
import type { CountSending } from './sync.ts'

/** A count as one person sees it on this device. `isKept`: the API did not answer, so it is the count of an earlier visit. */
export type LoadedCount = { person: string; count: StockCount; isKept?: boolean }

const storesAt = (label: string) => ({
  entries: openLocalStore<Entry>(`${label} number`),
  scans: openLocalStore<Scan>(`${label} scan`),
  sending: openLocalStore<CountSending>(`${label} sending`),
})

export type CountStores = ReturnType<typeof storesAt>

/** 1, and one more with each recount: an unsaved number of the first count is no second number. */
export const roundOf = ({ recount }: Pick<StockCount, 'recount'>): number => recount?.round ?? 1

const storesOf = (person: string, id: number, round: number) =>
  storesAt(`count ${person} ${id} round ${round}`)

/** Local storage of a person's count: the unsaved numbers of the running round, its unresolved scans, the request under way. */
export const openCountStores = ({ person, count }: LoadedCount): CountStores =>
  storesOf(person, count.id, roundOf(count))

/** The same of the rounds that take no more numbers. The previous release stored numbers without a person and a round. */
export function openLateStores({ person, count }: LoadedCount): CountStores[] {
  const isOpen = count.phase === 'counting' || count.phase === 'recounting'
  const ended = roundOf(count) - (isOpen ? 1 : 0)
  const rounds = Array.from({ length: ended }, (_, at) => storesOf(person, count.id, at + 1))
  return [storesAt(`count ${count.id}`), ...rounds]
}

export function clearStores(stores: readonly CountStores[]): void {
  for (const store of stores.flatMap((of) => Object.values(of))) {
    for (const [name] of store.all()) store.remove(name)
  }
}

export const openCountQueue = (count: StockCount, stores: CountStores) =>
  openQueue<Entry, FoundProduct, CountFault, { count: StockCount }>({ count }, stores)

export type CountQueue = ReturnType<typeof openCountQueue>

const blindCounts = openLocalStore<true>('blind count')

export const isCountBlind = (id: number) => blindCounts.all().some(([name]) => name === String(id))
export const setCountBlind = (id: number, isBlind: boolean) =>
  isBlind ? blindCounts.put(String(id), true) : blindCounts.remove(String(id))

/** Removes what this device stores of a person's count, once the count has ended. The numbers of other persons wait for them. */
export function clearLocalCount(loaded: LoadedCount): void {
  const { id } = loaded.count
  clearStores([...openLateStores(loaded), openCountStores(loaded)])
  setCountBlind(id, false)
}
