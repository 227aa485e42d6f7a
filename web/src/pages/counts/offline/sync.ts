import type { StockCount, StockCountItemInput } from '../../../../../shared/schemas/stock-counts.ts'
import { ApiError } from '../../../api/api-error.ts'
import { retry } from '../../../api/retry.ts'
import { serverTime } from '../../../api/server-clock.ts'
import { maxAtOnce } from '../counting/read-stocked.ts'
import type { Board } from './queue.ts'
import type { Entry } from './state.ts'

const quietMs = 600
const maxWaitMs = 3_000

/** Saves numbers, and answers the count as it is then. */
export type Save = (items: StockCountItemInput[]) => Promise<StockCount>

/** Saves what has changed when the counting pauses, one request at a time, until the API has it. */
export function createSaver(board: Board, save: Save) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let unsavedSince = 0
  let isSaving = false
  let stopped = new AbortController()
  let seen = board.state().entries
  board.subscribe(() => {
    const { entries } = board.state()
    if (entries === seen) return
    seen = entries
    soon()
  })

  function soon(): void {
    if (isSaving || stopped.signal.aborted || board.state().entries.size === 0) return
    unsavedSince ||= Date.now()
    clearTimeout(timer)
    timer = setTimeout(now, Math.max(0, Math.min(quietMs, unsavedSince + maxWaitMs - Date.now())))
  }

  async function now(): Promise<void> {
    clearTimeout(timer)
    if (isSaving || board.state().entries.size === 0) return
    isSaving = true
    unsavedSince = 0
    const batch = [...board.state().entries].slice(0, maxAtOnce)
    const items = batch.map(([variantId, { counted, at }]) => ({
      variantId,
      countedQuantity: counted,
      countedAt: serverTime(at),
    }))
    try {
      // the same words until there is an answer, so that what was told first cannot arrive last
      const count = await retry(() => save(items), {
        onTrouble: () => board.update({ trouble: 'retrying' }),
        signal: stopped.signal,
      })
      board.update({ count, trouble: 'none', refusal: null })
      board.clear(batch)
    } catch (error) {
      refuse(batch, error)
    }
    isSaving = false
    if (board.state().trouble !== 'refused') soon()
  }

  /** Numbers of which the API says what is wrong stand aside, so that they do not hold up the others. */
  function refuse(batch: readonly [string, Entry][], error: unknown): void {
    const faults = itemFaults(error)
    if (faults.size === 0) {
      board.update({ trouble: 'refused', refusal: error })
      return
    }
    for (const [at, message] of faults) {
      const entry = batch[at]?.[1]
      if (!entry) continue
      const found = [{ ...entry.product, isTracked: true }]
      const code = entry.product.variantId
      board.putScan({ code, times: entry.counted ?? 0, fault: 'refused', found, message })
    }
    board.clear(batch.filter((_, at) => faults.has(at)))
  }

  return {
    now,
    /** Puts products into the count by their ids alone, not counted yet. Throws what the API refuses. */
    addMany: async (variantIds: readonly string[]): Promise<void> => {
      // in turn with the numbers: of two answers the older one must not come last
      while (isSaving) await board.nextChange()
      isSaving = true
      try {
        board.update({
          count: await save(variantIds.map((variantId) => ({ variantId, countedQuantity: null }))),
        })
      } finally {
        isSaving = false
        soon()
      }
    },
    start: () => {
      stopped = new AbortController()
      soon()
    },
    /** After a last try. */
    stop: () => {
      stopped.abort()
      void now()
    },
  }
}

/** What is wrong with items of a request, by their index. */
function itemFaults(error: unknown): Map<number, string> {
  const details = error instanceof ApiError ? error.details : []
  const found = details.flatMap(({ path, message }) => {
    const at = /^\/items\/(\d+)/.exec(path)?.[1]
    return at === undefined ? [] : [[Number(at), message] as const]
  })
  return new Map(found)
}
