import type { LocalStore } from '../../browser/local-store.ts'
import type { LastScan, Product, QueueState, Tone, UnresolvedScan } from './state.ts'

type Timed = { at: number }

export type QueueStores<E, P, F extends string> = {
  entries: LocalStore<E>
  scans: LocalStore<UnresolvedScan<P, F>>
}

export type Batch<E> = readonly (readonly [name: string, entry: E])[]

/**
 * The queue of one document on this device: the entries that wait to be sent, oldest first, and the scans that are not
 * resolved. Each change goes to the screen and to local storage immediately. `X` is what the page adds to the state.
 */
export function openQueue<E extends Timed, P extends Product, F extends string, X extends object>(
  initial: X,
  stores: QueueStores<E, P, F>,
) {
  type State = QueueState<E, P, F> & X
  const stored = stores.entries.all().sort(([, a], [, b]) => a.at - b.at)
  let state: State = {
    ...initial,
    entries: new Map(stored),
    scans: stores.scans.all().map(([, scan]) => scan),
    syncFailure: 'none',
    lookupFailure: 'none',
    syncError: null,
    last: null,
    signal: null,
    unresolvedCode: null,
  }
  let newestAt = stored.at(-1)?.[1].at ?? 0
  const listeners = new Set<() => void>()

  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }

  function update(change: Partial<QueueState<E, P, F>> | Partial<X>): void {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  const signalOf = (tone: Tone) => ({ tone, turn: (state.signal?.turn ?? 0) + 1 })

  return {
    state: (): State => state,
    subscribe,
    update,
    /** The instant of a new entry, in ms: later than that of every other entry, so that the order is known. */
    nextInstant: (): number => {
      newestAt = Math.max(Date.now(), newestAt + 1)
      return newestAt
    },
    put: (name: string, entry: E): void => {
      stores.entries.put(name, entry)
      const entries = new Map(state.entries)
      entries.set(name, entry)
      update({ entries })
    },
    /** Puts entries before the ones that wait: what they change was there before. */
    putFirst: (added: readonly E[]): void => {
      const waiting = [...state.entries.values()].map(({ at }) => at)
      const first = Math.min(Date.now(), ...waiting) - added.length
      const batch = added.map(
        (entry, index) => [crypto.randomUUID(), { ...entry, at: first + index }] as const,
      )
      for (const [name, entry] of batch) stores.entries.put(name, entry)
      update({ entries: new Map([...batch, ...state.entries]) })
    },
    /** Shows the product of a scan, and answers the scan with the tone; without one nothing sounds. */
    highlight: (shown: Omit<LastScan<P>, 'turn'>, tone?: Tone): void => {
      const turn = (state.last?.turn ?? 0) + 1
      const signal = tone ? signalOf(tone) : state.signal
      update({ last: { ...shown, turn }, signal, unresolvedCode: null })
    },
    answer: (tone: Tone): void => update({ signal: signalOf(tone) }),
    nextChange: (): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>()
      return promise.finally(subscribe(resolve))
    },
    /** Removes entries, except those that changed after the batch was read; `change` shows at the same moment. */
    clear: (batch: Batch<E>, change: Partial<X> = {}): void => {
      const entries = new Map(state.entries)
      for (const [name, entry] of batch) {
        const isUnchanged = (now: E | undefined) => JSON.stringify(now) === JSON.stringify(entry)
        if (isUnchanged(entries.get(name))) entries.delete(name)
        stores.entries.remove(name, isUnchanged)
      }
      state = { ...state, ...change }
      update({ entries })
    },
    putScan: (scan: UnresolvedScan<P, F>, tone: Tone = 'wrong'): void => {
      stores.scans.put(scan.code, scan)
      const scans = [...state.scans.filter(({ code }) => code !== scan.code), scan]
      if (scan.fault === null) update({ scans, unresolvedCode: null })
      else update({ scans, unresolvedCode: scan.code, signal: signalOf(tone) })
    },
    dropScan: (code: string): void => {
      stores.scans.remove(code)
      const scans = state.scans.filter((scan) => scan.code !== code)
      update({ scans, unresolvedCode: state.unresolvedCode === code ? null : state.unresolvedCode })
    },
  }
}

type Opened<E extends Timed, P extends Product, F extends string> = ReturnType<
  typeof openQueue<E, P, F, object>
>

/** What the lookup and the sender need of a queue, without what the page adds to its state. */
export type Queue<E extends Timed, P extends Product, F extends string> = Omit<
  Opened<E, P, F>,
  'state' | 'update'
> & {
  state: () => QueueState<E, P, F>
  update: (change: Partial<QueueState<E, P, F>>) => void
}
