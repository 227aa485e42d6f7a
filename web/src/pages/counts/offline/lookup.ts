import { retry } from '../../../api/retry.ts'
import { codeOf } from './codes.ts'
import type { EntryQueue } from './queue.ts'
import { type FoundProduct, productsWithCode } from './state.ts'

export type FindByCode = (code: string) => Promise<FoundProduct[]>

/** Turns scans into numbers: immediately for a product in the count, otherwise when the API has named the product. */
export function createCodeLookup(queue: EntryQueue, find: FindByCode) {
  let isRunning = false
  let stopped = new AbortController()

  function scan(text: string): void {
    const code = codeOf(text)
    if (code === '') return
    const inCount = productsWithCode(queue.state(), code)
    if (inCount.length === 1 && inCount[0]) {
      queue.addPieces(inCount[0], 1)
      return
    }
    const times = (queue.state().scans.find((known) => known.code === code)?.times ?? 0) + 1
    const found = inCount.map((product) => ({ ...product, isTracked: true }))
    queue.putScan({ code, times, fault: found.length > 1 ? 'several' : null, found })
    void lookUpAll()
  }

  async function lookUpAll(): Promise<void> {
    if (isRunning) return
    isRunning = true
    const next = () => queue.state().scans.find(({ fault }) => fault === null)
    for (let pending = next(); pending && !stopped.signal.aborted; pending = next()) {
      const { code } = pending
      try {
        const found = await retry(() => find(code), {
          onFailure: () => queue.update({ syncFailure: 'retrying' }),
          signal: stopped.signal,
        })
        if (queue.state().syncFailure === 'retrying') queue.update({ syncFailure: 'none' })
        resolve(code, found)
      } catch {
        // the API refuses to search for text that no product can have as a code
        if (!stopped.signal.aborted) resolve(code, [])
      }
    }
    isRunning = false
  }

  function resolve(code: string, found: readonly FoundProduct[]): void {
    // read again here, since the code may have been scanned more often during the lookup
    const pending = queue.state().scans.find((known) => known.code === code)
    if (!pending) return
    const [only, ...others] = found
    if (only?.isTracked && others.length === 0) {
      queue.dropScan(code)
      queue.addPieces(only, pending.times)
      return
    }
    const fault = only === undefined ? 'unknown' : others.length > 0 ? 'several' : 'untracked'
    queue.putScan({ ...pending, found, fault })
  }

  return {
    scan,
    chooseProduct: (code: string, product: FoundProduct) => resolve(code, [product]),
    /** Repeats the lookup, for when the merchant has added the barcode to the product. */
    lookUpAgain: (code: string) => {
      const known = queue.state().scans.find((scan) => scan.code === code)
      if (known) queue.putScan({ ...known, fault: null, found: [] })
      void lookUpAll()
    },
    start: () => {
      stopped = new AbortController()
      void lookUpAll()
    },
    stop: () => stopped.abort(),
  }
}
