import { ApiError } from '../../api/api-error.ts'
import { retry } from '../../api/retry.ts'
import type { LocalStore } from '../../browser/local-store.ts'
import { failureOf } from './lookup.ts'
import type { Batch, Queue } from './queue.ts'
import type { Product } from './state.ts'

const debounceMs = 600
const maxWaitMs = 3_000

/** The request under way. Local storage keeps it until it is answered, so that a page opened later repeats it as it was. */
export type Sending<E, B> = { key: string; body: B; batch: Batch<E> }

type Port<E, B> = {
  /** One value: the request under way. */
  store: LocalStore<Sending<E, B>>
  maxEntries: number
  /** Makes the request of a batch; it may ask the API first. */
  prepare: (batch: Batch<E>) => B | Promise<B>
  /** Sends the request and returns what the answer changes in the state. */
  send: (body: B, key: string) => Promise<object>
  onStored?: () => void
  /** Sends nothing by itself: the merchant decides. A request of an earlier page is still repeated. */
  isManual?: boolean
  /** Returns true when it has dealt with the refusal, and the rest can be sent. */
  onRefused: (sending: Sending<E, B>, error: unknown) => boolean | Promise<boolean>
}

const sendingName = 'request'

/**
 * Sends when scanning pauses for 600 ms, or 3 s after the first entry; one request at a time, in the order of the
 * entries. A request is repeated with the same body and idempotency key until the API answers, so it counts once, and a
 * request that arrives late cannot overwrite newer numbers. Entries stay on the device until they are acknowledged.
 */
export function createSender<E extends { at: number }, P extends Product, F extends string, B>(
  queue: Queue<E, P, F>,
  { store, maxEntries, prepare, send, onStored, onRefused, isManual = false }: Port<E, B>,
) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let unsentSince = 0
  let isBusy = false
  let stopped = new AbortController()
  let lastEntries = queue.state().entries
  queue.subscribe(() => {
    const { entries } = queue.state()
    if (entries === lastEntries) return
    lastEntries = entries
    schedule()
  })

  function schedule(): void {
    if (isBusy || stopped.signal.aborted || queue.state().entries.size === 0) return
    if (isManual && !unanswered()) return
    unsentSince ||= Date.now()
    clearTimeout(timer)
    timer = setTimeout(sendNow, Math.max(0, Math.min(debounceMs, unsentSince + maxWaitMs - Date.now())))
  }

  const forget = ({ key }: Sending<E, B>) => store.remove(sendingName, (now) => now.key === key)

  /** The request that an earlier page did not see answered, unless its entries are acknowledged or replaced since. */
  function unanswered(): Sending<E, B> | undefined {
    const sending = store.all().find(([name]) => name === sendingName)?.[1]
    if (sending === undefined) return undefined
    const { entries } = queue.state()
    if (sending.batch.some(([name, { at }]) => entries.get(name)?.at === at)) return sending
    forget(sending)
    return undefined
  }

  const repeat = <T>(work: () => Promise<T>) =>
    retry(work, {
      onFailure: (error) => queue.update({ syncFailure: failureOf(error) }),
      signal: stopped.signal,
    })

  async function sendNow(): Promise<void> {
    clearTimeout(timer)
    if (isBusy || queue.state().entries.size === 0) return
    isBusy = true
    unsentSince = 0
    let sending = unanswered()
    try {
      if (sending === undefined) {
        const batch = [...queue.state().entries].slice(0, maxEntries)
        const body = await repeat(async () => prepare(batch))
        sending = { key: crypto.randomUUID(), body, batch }
        store.put(sendingName, sending)
      }
      const { body, key, batch } = sending
      const change = await repeat(() => send(body, key))
      queue.clear(batch, { ...change, syncFailure: 'none', syncError: null })
      // last: as long as entries of the batch are stored, the request is, too
      forget(sending)
      onStored?.()
    } catch (error) {
      await recordRefusal(sending, error)
    }
    isBusy = false
    if (queue.state().syncFailure !== 'refused') schedule()
  }

  async function recordRefusal(sending: Sending<E, B> | undefined, error: unknown): Promise<void> {
    // without an answer the request may have worked: it is repeated when the page is opened again
    const isAnswered = error instanceof ApiError && !error.isTransient && error.status !== 401
    if (sending && isAnswered) {
      forget(sending)
      if (await onRefused(sending, error)) {
        queue.update({ syncFailure: 'none', syncError: null })
        return
      }
    }
    queue.update({ syncFailure: 'refused', syncError: error })
  }

  return {
    send: sendNow,
    /** Runs another request on the document while none is under way, so that the older of two answers cannot come last. */
    exclusively: async <T>(work: () => Promise<T>): Promise<T> => {
      while (isBusy) await queue.nextChange()
      isBusy = true
      try {
        return await work()
      } finally {
        isBusy = false
        schedule()
      }
    },
    isBusy: () => isBusy,
    /**
     * Sends immediately, and resolves to whether the API has stored everything. A manual sender ends with its request, since
     * later entries wait for the merchant.
     */
    sendAll: async (isDone: () => boolean): Promise<boolean> => {
      queue.update({ syncFailure: 'none', lookupFailure: 'none', syncError: null })
      void sendNow()
      const isEnded = () => {
        const { syncFailure, lookupFailure } = queue.state()
        return isDone() || syncFailure !== 'none' || (isManual ? !isBusy : lookupFailure !== 'none')
      }
      while (!isEnded()) await queue.nextChange()
      return isDone()
    },
    start: () => {
      stopped = new AbortController()
      schedule()
    },
    /** Stops retrying, then tries once more to send. */
    stop: () => {
      stopped.abort()
      clearTimeout(timer)
      if (!isManual) void sendNow()
    },
  }
}
