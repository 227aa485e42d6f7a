import { ApiError } from '../../api/api-error.ts'
import { retry } from '../../api/retry.ts'
import { codeOf } from './codes.ts'
import type { Queue } from './queue.ts'
import type { Product, Tone, UnresolvedScan } from './state.ts'

/** What a code stands for: a product and the pieces of one scan, or the reason why it does not count. */
export type Resolution<P, F extends string> = { product: P; pieces: number } | Unresolved<P, F>

type Unresolved<P, F extends string> = Pick<UnresolvedScan<P, F>, 'found' | 'message' | 'elsewhere'> & {
  fault: F
  tone?: Tone
}

type Port<P, F extends string> = {
  /** Resolves a code without the network; null when only the API can. */
  resolveHere: (code: string) => Resolution<P, F> | null
  /** Asks the API, with the code as it was scanned. An error that is not transient means that no product has the code. */
  find: (code: string, text: string) => Promise<Resolution<P, F>>
  unknown: NoInfer<F>
  add: (product: P, pieces: number, code: string) => void
}

/** Turns scans into entries: immediately for a code that the device knows, otherwise when the API has named the product. */
export function createLookup<E extends { at: number }, P extends Product, F extends string>(
  queue: Queue<E, P, F>,
  { resolveHere, find, unknown, add }: Port<P, F>,
) {
  let isRunning = false
  /** The code whose scan was answered as wrong, since the API does not answer. */
  let unanswered = ''
  let stopped = new AbortController()

  const known = (code: string) => queue.state().scans.find((scan) => scan.code === code)

  function scan(text: string): void {
    const code = codeOf(text)
    if (code === '') return
    const here = resolveHere(code)
    if (here && 'product' in here) {
      add(here.product, here.pieces, code)
      return
    }
    const pending: UnresolvedScan<P, F> = {
      code,
      times: (known(code)?.times ?? 0) + 1,
      fault: null,
      found: [],
      text: text.trim(),
    }
    put(pending, here)
    void lookUpAll()
  }

  async function lookUpAll(): Promise<void> {
    if (isRunning) return
    isRunning = true
    const next = () => queue.state().scans.find(({ fault }) => fault === null)
    for (let pending = next(); pending && !stopped.signal.aborted; pending = next()) {
      const { code, text = code } = pending
      try {
        const found = await retry(() => find(code, text), {
          onFailure: (error) => {
            if (unanswered !== code) queue.answer('wrong')
            unanswered = code
            queue.update({ lookupFailure: failureOf(error) })
          },
          signal: stopped.signal,
        })
        end(code, found)
      } catch {
        // the API refuses to search for text that no product can have as a code
        if (!stopped.signal.aborted) end(code, { fault: unknown, found: [] })
      }
    }
    isRunning = false
  }

  function end(code: string, resolution: Resolution<P, F>): void {
    queue.update({ lookupFailure: 'none' })
    resolve(code, resolution)
  }

  function resolve(code: string, resolution: Resolution<P, F>): void {
    // read again here, since the code may have been scanned more often during the lookup
    const pending = known(code)
    if (!pending) return
    if ('product' in resolution) {
      queue.dropScan(code)
      add(resolution.product, resolution.pieces * pending.times, code)
      return
    }
    put(pending, resolution)
  }

  function put(scan: UnresolvedScan<P, F>, resolution: Resolution<P, F> | null): void {
    const { tone, ...reason }: Partial<Unresolved<P, F>> =
      resolution === null || 'product' in resolution ? {} : resolution
    queue.putScan({ ...scan, ...reason }, tone)
  }

  return {
    scan,
    resolve,
    /** Repeats the lookup, for when the merchant has added the barcode to the product. */
    lookUpAgain: (code: string) => {
      const again = known(code)
      if (again) queue.putScan({ ...again, fault: null, found: [] })
      void lookUpAll()
    },
    start: () => {
      stopped = new AbortController()
      void lookUpAll()
    },
    stop: () => stopped.abort(),
  }
}

/** How a transient error of a request shows in the state of the queue. */
export const failureOf = (error: unknown): 'retrying' | 'session' =>
  error instanceof ApiError && (error.status === 401 || error.code === 'no_session') ? 'session' : 'retrying'
