/** A product with the codes by which a scanner may name it. */
export type Product = { variantId: string; sku: string; barcode: string; title: string }

/** `isTracked` is false for a product whose stock the platform does not track. `pieces` of one scan: more than 1 for a pack. */
export type FoundProduct = Product & { isTracked: boolean; pieces?: number }

/**
 * A scan that is not resolved to a product, with the number of times. Local storage holds this shape. `fault` is null
 * while the lookup is pending, else the reason: `F` lists those of the page. `message` is the reason in the API's words,
 * `elsewhere` the document that expects the product, and `text` the code as it was scanned first.
 */
export type UnresolvedScan<P, F extends string> = {
  code: string
  times: number
  fault: F | null
  found: readonly P[]
  message?: string
  elsewhere?: { id: number; name: string }
  text?: string
}

/** The product scanned or added last. `turn` grows with each scan; `before` is its previous number. */
export type LastScan<P> = {
  product: P
  how: 'scanned' | 'added'
  counted: number | null
  before: number | null
  turn: number
}

/**
 * How a scan is answered, by sound, colour, icon and vibration: `right`: counted; `over`: counted or not, more than
 * expected; `wrong`: not counted. `turn` grows with each answer.
 */
export type Tone = 'right' | 'over' | 'wrong'
export type Signal = { tone: Tone; turn: number }

/**
 * What the queue of a document shows:
 * - `entries`: what the API has not stored yet, oldest first. `E` is the shape in local storage.
 * - `syncFailure`: `retrying`: the API does not answer; `session`: it does not accept the session;
 *   `refused`: it answered with `syncError`. `lookupFailure`: the same of the lookup of a code, which is never refused.
 */
export type QueueState<E, P, F extends string> = {
  entries: ReadonlyMap<string, E>
  scans: readonly UnresolvedScan<P, F>[]
  syncFailure: 'none' | 'retrying' | 'session' | 'refused'
  lookupFailure: 'none' | 'retrying' | 'session'
  syncError: unknown
  last: LastScan<P> | null
  signal: Signal | null
  unresolvedCode: string | null
}

type Failures = Pick<QueueState<unknown, unknown, string>, 'syncFailure' | 'lookupFailure'>

/** The failure to show: that of the sender before that of the lookup. */
export const queueFailure = ({ syncFailure, lookupFailure }: Failures): Failures['syncFailure'] =>
  syncFailure === 'none' ? lookupFailure : syncFailure

/** Whether every entry is stored and every lookup has ended. Scans that need a decision do not count. */
export const isSynced = ({
  entries,
  scans,
}: {
  entries: ReadonlyMap<string, unknown>
  scans: readonly { fault: unknown }[]
}): boolean => entries.size === 0 && scans.every(({ fault }) => fault !== null)
