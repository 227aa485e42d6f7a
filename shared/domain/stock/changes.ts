import type { StockMovementKind } from '../../schemas/stock-movements.ts'
import type { PlatformReason } from './reasons.ts'

/** A change of ours: why stock moves, and how the platform is told. */
export type StockChange = {
  kind: Exclude<StockMovementKind, 'platform' | 'discard' | 'repair'>
  /** The document behind it, as in `purchase_order/42`; empty where there is none. */
  reference: string
  actor: string
  /** Whether the platform is told how many more or fewer there are, or how many there are. */
  form: 'adjust' | 'set'
  /** The reason that the platform is told (`stock-reasons.ts`); without it, that of each line's words. */
  platformReason?: PlatformReason
  /** Lets levels fall below zero. */
  allowNegative?: boolean
}

/** One line of a change of stock. */
export type StockLine = {
  variantId: number
  locationId: number
  /** Pieces: more when positive, fewer when negative. */
  delta: number
  /** The merchant's words. */
  reason?: string
  /** Where in the request the line stands, for faults; none where the request does not name it. */
  path?: string
  /** ISO instant: when the number behind it was seen on the shelf. */
  countedAt?: string
}

/** All lines of one level. */
export type SummedLine = {
  variantId: number
  locationId: number
  delta: number
  reason: string
  paths: string[]
  countedAt: string | null
}

const maxReason = 500

export const levelKey = ({ variantId, locationId }: { variantId: number; locationId: number }) =>
  `${variantId}/${locationId}`

/**
 * Lines that repeat a level are one change of it. Levels that do not change are left out, unless they were counted:
 * then the platform is to have this number, too, whatever it has not told us yet.
 */
export function sumLines(lines: readonly StockLine[]): SummedLine[] {
  return [...Map.groupBy(lines, levelKey).values()].flatMap((ofLevel) => {
    const [first] = ofLevel
    const delta = ofLevel.reduce((sum, line) => sum + line.delta, 0)
    if (!first || (delta === 0 && first.countedAt === undefined)) return []
    const reasons = new Set(ofLevel.map(({ reason }) => reason).filter(Boolean))
    return [
      {
        variantId: first.variantId,
        locationId: first.locationId,
        delta,
        reason: shortened([...reasons].join('; ')),
        paths: ofLevel.flatMap(({ path }) => path ?? []),
        countedAt: first.countedAt ?? null,
      },
    ]
  })
}

/** Many lines of one level may give many reasons: the first characters say enough. */
const shortened = (words: string) => Array.from(words).slice(0, maxReason).join('')
