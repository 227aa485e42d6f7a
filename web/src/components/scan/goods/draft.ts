import type { LocalStore } from '../../../browser/local-store.ts'
import { createLookup, type Resolution } from '../lookup.ts'
import { openQueue, type Queue } from '../queue.ts'
import {
  type Counted,
  editOf,
  type Goods,
  type GoodsEntry,
  type GoodsFault,
  type GoodsRow,
  type GoodsScan,
  type GoodsState,
  goodsRows,
  settledOf,
  type Target,
  targetsOf,
} from './state.ts'

export type GoodsStores = { entries: LocalStore<GoodsEntry>; scans: LocalStore<GoodsScan> }

export const openGoodsQueue = <X extends Goods>(initial: X, stores: GoodsStores) =>
  openQueue<GoodsEntry, Target, GoodsFault, X>(initial, stores)

export type GoodsQueue = Omit<Queue<GoodsEntry, Target, GoodsFault>, 'state'> & { state: () => GoodsState }

export type GoodsResolution = Resolution<Target, GoodsFault>

type Port = {
  /** Asks the API about a code that is on no line. */
  find: (code: string, text: string) => Promise<GoodsResolution>
  /** Whether the merchant may count more than is allowed. */
  canExceed: boolean
}

/** The goods of a document as they are scanned: every scan is an entry of the queue, so its order is kept. */
export function openGoodsDraft(queue: GoodsQueue, { find, canExceed }: Port) {
  const rowOf = (lineId: string): GoodsRow | undefined =>
    goodsRows(queue.state()).find((row) => row.lineId === lineId)

  const enter = (lineId: string, change: GoodsEntry['change']) =>
    queue.put(crypto.randomUUID(), { at: queue.nextInstant(), lineId, change })

  /** Asks for a confirmation once, where one is possible: later scans of a confirmed line are counted without asking. */
  function decide(target: Target, times = 1): GoodsResolution {
    const row = rowOf(target.lineId)
    const settled = row ? settledOf(row) : 0
    const isConfirmed = canExceed && row !== undefined && settled > row.allowed
    if (row && !isConfirmed && settled + target.pieces * times > row.allowed) {
      return { fault: 'complete', found: [target], tone: 'over' }
    }
    return { product: target, pieces: target.pieces }
  }

  function resolve(targets: readonly Target[]): GoodsResolution | null {
    const [only, ...others] = targets
    if (!only) return null
    return others.length > 0 ? { fault: 'several', found: targets } : decide(only)
  }

  const lookup = createLookup(queue, {
    resolveHere: (code) => resolve(targetsOf(queue.state(), code)),
    find,
    unknown: 'unknown',
    add: (target, pieces) => {
      const before = rowOf(target.lineId)?.accepted ?? 0
      enter(target.lineId, { add: pieces })
      const row = rowOf(target.lineId)
      const isOver = row !== undefined && settledOf(row) > row.outstanding
      queue.highlight(
        { product: target, how: 'scanned', counted: before + pieces, before },
        isOver ? 'over' : 'right',
      )
    },
  })
  return {
    state: queue.state,
    subscribe: queue.subscribe,
    scan: lookup.scan,
    lookUpAgain: lookup.lookUpAgain,
    dropScan: queue.dropScan,
    /** Resolves a scan of several products to the chosen one. */
    choose: ({ code, times }: GoodsScan, target: Target) => lookup.resolve(code, decide(target, times)),
    /** Counts a scan of the list although it is more than is allowed. */
    countOn: (code: string, target: Target) =>
      lookup.resolve(code, { product: target, pieces: target.pieces }),
    /** Undoes the last scan, unless its line has changed since. */
    undoScan: (): void => {
      const { last } = queue.state()
      if (last && last.before !== null && rowOf(last.product.lineId)?.accepted === last.counted) {
        enter(last.product.lineId, { add: last.before - last.counted })
      }
      queue.update({ last: null, signal: null })
    },
    /** Changes a row from what the merchant saw of it to what they entered. */
    set: (shown: GoodsRow, counted: Counted): void => {
      enter(shown.lineId, editOf(shown, counted))
      queue.update({ last: null, signal: null })
    },
    discard: (): void => {
      queue.update({ syncFailure: 'none', syncError: null, last: null })
      queue.clear([...queue.state().entries])
    },
    start: lookup.start,
    stop: lookup.stop,
  }
}

export type GoodsDraft = ReturnType<typeof openGoodsDraft>
