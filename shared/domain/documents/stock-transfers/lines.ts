import { refuseFaults } from '../../../errors.ts'
import type { StockTransferStatus } from '../../../schemas/stock-transfers.ts'

const countNames = ['shipped', 'received', 'lost', 'damaged', 'returned'] as const
type CountName = (typeof countNames)[number]

/** Pieces of a line: shipped = received + lost + damaged + returned + in transit. */
export type Counts = Record<CountName, number>

/** `variantId` is the row id, `variantGid` the platform's. */
export type TransferLine = Counts & {
  position: number
  variantId: number
  variantGid: string
  quantity: number
  inTransit: number
}

/** Pieces that an event adds to a line; negative in its reversal. */
export type LineChange = Counts & { position: number; variantId: number }

/** An entry of a request: pieces of a variant, with the fields of the request that name them. */
export type Entry = {
  variantId: string
  pieces: readonly { name: CountName; field: string; count: number }[]
}

type Room = {
  /** How many pieces of a line the request may name. */
  of: (line: TransferLine) => number
  code: string
  message: string
  /** The fault of a field. */
  fault: (room: number) => string
}

export const toShip: Room = {
  of: ({ quantity, shipped }) => quantity - shipped,
  code: 'over_shipment',
  message: 'The quantity is more than what is left to ship. Correct it.',
  fault: (room) => `only ${room} left to ship`,
}

export const inTransit: Room = {
  of: (line) => line.inTransit,
  code: 'over_transit',
  message: 'The quantity is more than what is in transit. Correct it.',
  fault: (room) => `only ${room} in transit`,
}

/**
 * The changes of the lines. The pieces of a variant fill its lines in their order, each up to its room.
 * Example: lines of 4 and 6 in transit, 7 received and 2 lost: 4 received of the first line, 3 received and 2 lost of
 * the second. Throws with every faulty entry: unknown_line, and the code of `room` when the pieces exceed it.
 */
export function spreadPieces(
  lines: readonly TransferLine[],
  entries: readonly Entry[],
  room: Room,
): LineChange[] {
  const known = new Set(lines.map(({ variantGid }) => variantGid))
  refuseFaults(
    'unknown_line',
    'Some products are not on this transfer. Remove them.',
    entries.flatMap(({ variantId }, at) =>
      known.has(variantId) ? [] : [{ path: `/items/${at}/variantId`, message: 'is not on this transfer' }],
    ),
  )
  const left = sumByVariant(entries)
  const changes = lines.flatMap((line): LineChange[] => {
    const counts = left.get(line.variantGid)
    if (!counts) return []
    const { position, variantId } = line
    const change = { position, variantId, ...noCounts }
    let space = room.of(line)
    for (const name of countNames) {
      const pieces = Math.min(counts[name], space)
      change[name] = pieces
      counts[name] -= pieces
      space -= pieces
    }
    return countNames.some((name) => change[name] > 0) ? [change] : []
  })
  const isOver = ({ variantId }: Entry) => countNames.some((name) => (left.get(variantId)?.[name] ?? 0) > 0)
  const roomOf = ({ variantId }: Entry) =>
    lines.reduce((sum, line) => sum + (line.variantGid === variantId ? room.of(line) : 0), 0)
  refuseFaults(
    room.code,
    room.message,
    entries.flatMap((entry, at) =>
      entry.pieces
        .filter(({ count }) => count > 0 && isOver(entry))
        .map(({ field }) => ({
          path: `/items/${at}/${field}`,
          message: room.fault(roomOf(entry)),
        })),
    ),
  )
  return changes
}

/** The path of the first entry of a line's variant, for faults of its stock. */
export function pathsOf(lines: readonly TransferLine[], entries: readonly Entry[], field: string) {
  const gids = new Map(lines.map(({ variantId, variantGid }) => [variantId, variantGid]))
  return ({ variantId }: LineChange) =>
    `/items/${entries.findIndex((entry) => entry.variantId === gids.get(variantId))}/${field}`
}

/** A change of each line that has pieces of a kind: `pieces` says how many. */
export function changesOf(
  lines: readonly TransferLine[],
  pieces: (line: TransferLine) => Partial<Counts>,
): LineChange[] {
  return lines
    .map((line) => ({
      position: line.position,
      variantId: line.variantId,
      ...noCounts,
      ...pieces(line),
    }))
    .filter((change) => countNames.some((name) => change[name] !== 0))
}

export function withChanges(
  lines: readonly TransferLine[],
  changes: readonly LineChange[],
): readonly TransferLine[] {
  const changeOf = new Map(changes.map((change) => [change.position, change]))
  return lines.map((line) => {
    const change = changeOf.get(line.position)
    if (!change) return line
    const counts = addCounts(line, change)
    const { shipped, received, lost, damaged, returned } = counts
    return { ...line, ...counts, inTransit: shipped - received - lost - damaged - returned }
  })
}

/**
 * The status of a transfer after an event, from its lines. `isEnding`: pieces that were not shipped stay at the source, since this event
 * or one before it ends the plan (`plan-end.ts`).
 *
 *   shipped  in transit  arrived, lost, damaged or returned   left to ship    status
 *   0        0           0                                    any             pending; cancelled if ending
 *   above 0  above 0     0                                    any             in_transit
 *   above 0  above 0     above 0                              any             partial
 *   above 0  0           above 0                              above 0         partial, unless ending
 *   above 0  0           all returned                         0, or ending    cancelled
 *   above 0  0           other                                0, or ending    completed
 */
export function statusOf(lines: readonly TransferLine[], isEnding: boolean): StockTransferStatus {
  const sum = (read: (line: TransferLine) => number) => lines.reduce((total, line) => total + read(line), 0)
  const shipped = sum((line) => line.shipped)
  const moving = sum((line) => line.inTransit)
  if (shipped === 0) return isEnding ? 'cancelled' : 'pending'
  if (moving > 0) return moving === shipped ? 'in_transit' : 'partial'
  if (!isEnding && shipped < sum(({ quantity }) => quantity)) return 'partial'
  return sum(({ returned }) => returned) === shipped ? 'cancelled' : 'completed'
}

export const noCounts: Counts = { shipped: 0, received: 0, lost: 0, damaged: 0, returned: 0 }

const addCounts = (a: Counts, b: Counts): Counts => ({
  shipped: a.shipped + b.shipped,
  received: a.received + b.received,
  lost: a.lost + b.lost,
  damaged: a.damaged + b.damaged,
  returned: a.returned + b.returned,
})

function sumByVariant(entries: readonly Entry[]): Map<string, Counts> {
  const sums = new Map<string, Counts>()
  for (const { variantId, pieces } of entries) {
    const sum = sums.get(variantId) ?? { ...noCounts }
    for (const { name, count } of pieces) sum[name] += count
    sums.set(variantId, sum)
  }
  return sums
}
