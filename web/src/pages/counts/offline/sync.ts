import type { StockCount, StockCountItemInput } from '../../../../../shared/schemas/stock-counts.ts'
import { ApiError } from '../../../api/api-error.ts'
import { retry } from '../../../api/retry.ts'
import { toServerTime } from '../../../api/server-clock.ts'
import type { EntryQueue } from './queue.ts'
import { type Entry, unreadItems } from './state.ts'

/** The API's limit of items in one request to a count. */
export const maxItemsPerRequest = 5000

const debounceMs = 600
const maxWaitMs = 3_000

/** The worker compares saved numbers with the stock in the shop within seconds. */
const refreshMs = 1_500

export type SendItems = (items: StockCountItemInput[]) => Promise<StockCount>
export type ReadCount = (signal: AbortSignal) => Promise<StockCount>

/**
 * Sends when counting pauses for 600 ms, or 3 s after the first number; one request at a time, with retries. While saved
 * numbers are not compared with the shop's stock yet, reads the count every 1.5 s.
 */
export function createSync(queue: EntryQueue, sendItems: SendItems, readCount: ReadCount) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let refreshTimer: ReturnType<typeof setTimeout> | undefined
  let unsentSince = 0
  let isSending = false
  let stopped = new AbortController()
  let lastEntries = queue.state().entries
  queue.subscribe(() => {
    const { entries } = queue.state()
    if (entries === lastEntries) return
    lastEntries = entries
    schedule()
  })

  function schedule(): void {
    if (isSending || stopped.signal.aborted || queue.state().entries.size === 0) return
    unsentSince ||= Date.now()
    clearTimeout(timer)
    timer = setTimeout(send, Math.max(0, Math.min(debounceMs, unsentSince + maxWaitMs - Date.now())))
  }

  function scheduleRefresh(): void {
    clearTimeout(refreshTimer)
    if (stopped.signal.aborted || unreadItems(queue.state().count).length === 0) return
    refreshTimer = setTimeout(refresh, refreshMs)
  }

  /** Skipped during another request, so that the older of two responses cannot arrive last. */
  async function refresh(): Promise<void> {
    if (!isSending) {
      isSending = true
      try {
        queue.update({ count: await readCount(stopped.signal) })
      } catch {
        // the next turn tries again
      }
      isSending = false
      schedule()
    }
    scheduleRefresh()
  }

  async function send(): Promise<void> {
    clearTimeout(timer)
    if (isSending || queue.state().entries.size === 0) return
    isSending = true
    unsentSince = 0
    const batch = [...queue.state().entries].slice(0, maxItemsPerRequest)
    const items = batch.map(([variantId, { counted, at }]) => ({
      variantId,
      countedQuantity: counted,
      countedAt: toServerTime(at),
    }))
    try {
      // retries repeat the same body, so an old request that arrives late cannot overwrite newer numbers
      const count = await retry(() => sendItems(items), {
        onFailure: () => queue.update({ syncFailure: 'retrying' }),
        signal: stopped.signal,
      })
      queue.update({ count, syncFailure: 'none', syncError: null })
      queue.clear(batch)
    } catch (error) {
      recordRefusal(batch, error)
    }
    isSending = false
    if (queue.state().syncFailure !== 'refused') schedule()
    scheduleRefresh()
  }

  /** Moves each refused number to the scans, so that it does not block the others. */
  function recordRefusal(batch: readonly [string, Entry][], error: unknown): void {
    const faults = itemFaults(error)
    if (faults.size === 0) {
      queue.update({ syncFailure: 'refused', syncError: error })
      return
    }
    for (const [at, message] of faults) {
      const entry = batch[at]?.[1]
      if (!entry) continue
      const found = [{ ...entry.product, isTracked: true }]
      const code = entry.product.variantId
      queue.putScan({ code, times: entry.counted ?? 0, fault: 'refused', found, message })
    }
    queue.clear(batch.filter((_, at) => faults.has(at)))
  }

  return {
    send,
    /** Adds products as not counted, by their ids. Throws the error of the API. */
    addMany: async (variantIds: readonly string[]): Promise<void> => {
      // waits for a running request, so that the older of two responses cannot arrive last
      while (isSending) await queue.nextChange()
      isSending = true
      try {
        queue.update({
          count: await sendItems(variantIds.map((variantId) => ({ variantId, countedQuantity: null }))),
        })
      } finally {
        isSending = false
        schedule()
      }
    },
    start: () => {
      stopped = new AbortController()
      schedule()
      scheduleRefresh()
    },
    /** Stops retrying, then tries once more to send. */
    stop: () => {
      stopped.abort()
      clearTimeout(refreshTimer)
      void send()
    },
  }
}

function itemFaults(error: unknown): Map<number, string> {
  const details = error instanceof ApiError ? error.details : []
  const found = details.flatMap(({ path, message }) => {
    const at = /^\/items\/(\d+)/.exec(path)?.[1]
    return at === undefined ? [] : [[Number(at), message] as const]
  })
  return new Map(found)
}
