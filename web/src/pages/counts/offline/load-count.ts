import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import { ApiError } from '../../../api/api-error.ts'
import { request } from '../../../api/request.ts'
import { personId } from '../../../browser/host.ts'
import { openLocalStore } from '../../../browser/local-store.ts'
import type { LoadedCount } from './local-count.ts'

/** Local storage holds about 5 MB, and the unsaved numbers need room. */
const maxKeptItems = 2_000

const openSnapshot = (person: string) => openLocalStore<StockCount>(`counting ${person} snapshot`)

/**
 * Keeps a count that takes numbers as the API answered it last, for a visit without a network: the count of the last visit,
 * one for each person. The API sends no expected quantities of a blind count, so the device keeps none. It is kept after each save:
 * a scan without a network adds to the number that is kept.
 */
export function keepCount(person: string, count: StockCount): void {
  const snapshot = openSnapshot(person)
  const takesNumbers = count.phase === 'counting' || count.phase === 'recounting'
  const isKept = takesNumbers && count.items.length <= maxKeptItems
  // before the put: when local storage is full, an older state must not stay
  for (const [name] of snapshot.all()) {
    if (isKept || name === String(count.id)) snapshot.remove(name)
  }
  if (isKept) snapshot.put(String(count.id), count)
}

/**
 * Reads a count and the person that counts. With `orKept`, and without an answer of the API, uses what this device kept of the person's
 * last visit.
 */
export async function loadCount(
  id: number,
  { orKept, signal }: { orKept: boolean; signal: AbortSignal },
): Promise<LoadedCount> {
  const person = await personId()
  try {
    const count = await request('GET /stock-counts/:id', { params: { id } }, signal)
    if (orKept) keepCount(person, count)
    return { person, count }
  } catch (error) {
    const isAway = error instanceof ApiError && error.isTransient
    const kept = openSnapshot(person)
      .all()
      .find(([name]) => name === String(id))
    if (!orKept || !isAway || !kept) throw error
    return { person, count: kept[1], isKept: true }
  }
}
