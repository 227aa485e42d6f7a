import { retry } from '../../../api/retry.ts'
import { codeOf } from '../counting/codes.ts'
import type { Board } from './queue.ts'
import { type Found, inCount } from './state.ts'

/** The products that carry a code. */
export type Find = (code: string) => Promise<Found[]>

/** Makes numbers of scans: at once for what is in the count, else when the API has said which product it is. */
export function createSeeker(board: Board, find: Find) {
  let isSeeking = false
  let stopped = new AbortController()

  function scan(text: string): void {
    const code = codeOf(text)
    if (code === '') return
    const here = inCount(board.state(), code)
    if (here.length === 1 && here[0]) {
      board.addPieces(here[0], 1)
      return
    }
    const times = (board.state().scans.find((one) => one.code === code)?.times ?? 0) + 1
    const found = here.map((product) => ({ ...product, isTracked: true }))
    board.putScan({ code, times, fault: found.length > 1 ? 'several' : null, found })
    void seek()
  }

  async function seek(): Promise<void> {
    if (isSeeking) return
    isSeeking = true
    const next = () => board.state().scans.find(({ fault }) => fault === null)
    for (let wanted = next(); wanted && !stopped.signal.aborted; wanted = next()) {
      const { code } = wanted
      try {
        const found = await retry(() => find(code), {
          onTrouble: () => board.update({ trouble: 'retrying' }),
          signal: stopped.signal,
        })
        if (board.state().trouble === 'retrying') board.update({ trouble: 'none' })
        place(code, found)
      } catch {
        // what the API will not even look for is nothing that a product carries
        if (!stopped.signal.aborted) place(code, [])
      }
    }
    isSeeking = false
  }

  /** It may have been scanned more often while it was looked for. */
  function place(code: string, found: readonly Found[]): void {
    const waiting = board.state().scans.find((one) => one.code === code)
    if (!waiting) return
    const [only, ...others] = found
    if (only?.isTracked && others.length === 0) {
      board.dropScan(code)
      board.addPieces(only, waiting.times)
      return
    }
    const fault = only === undefined ? 'unknown' : others.length > 0 ? 'several' : 'untracked'
    board.putScan({ ...waiting, found, fault })
  }

  return {
    scan,
    /** Decides which product a code means. */
    choose: (code: string, product: Found) => place(code, [product]),
    /** Looks for it again: somebody may have put the barcode into the product meanwhile. */
    again: (code: string) => {
      const known = board.state().scans.find((one) => one.code === code)
      if (known) board.putScan({ ...known, fault: null, found: [] })
      void seek()
    },
    start: () => {
      stopped = new AbortController()
      void seek()
    },
    stop: () => stopped.abort(),
  }
}
