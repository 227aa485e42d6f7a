import type { StockMovementKind } from '../../../schemas/stock-movements.ts'
import type { PlatformReason } from './reasons.ts'

export type StockChange = {
  kind: Exclude<StockMovementKind, 'platform' | 'discard' | 'repair'>
  /** The document that caused the change, for example `purchase_order/42`; empty without a document. */
  reference: string
  actor: string
  /** `adjust` sends the platform a delta, `set` sends it an absolute quantity. */
  form: 'adjust' | 'set'
  /** The reason sent to the platform; without it, `platformReasonOf` derives one from each line's reason. */
  platformReason?: PlatformReason
  allowNegative?: boolean
}

/** `Id` is a row's id, or the platform's id (gid) where Postgres looks up the row. */
export type StockLine<Id = number> = {
  variantId: Id
  locationId: Id
  /** Pieces to add; negative to remove. */
  delta: number
  reason?: string
  /** The line's path in the request, for faults; undefined when the line is not part of the request. */
  path?: string
}

/** The change of one level; no other change of the request has the same level. */
export type LevelChange<Id = number> = {
  variantId: Id
  locationId: Id
  /** Pieces to add, or the quantity to set. */
  amount: number
  reason: string
  paths: string[]
}

const maxReasonLength = 500

export const levelKey = <Id extends number | string>(level: { variantId: Id; locationId: Id }) =>
  `${level.variantId}/${level.locationId}`

/** One change per level, with the sum of its lines. */
export function sumLines<Id extends number | string>(lines: readonly StockLine<Id>[]): LevelChange<Id>[] {
  return [...Map.groupBy(lines, levelKey).values()].flatMap((ofLevel) => {
    const [first] = ofLevel
    const amount = ofLevel.reduce((sum, line) => sum + line.delta, 0)
    if (!first) return []
    const reasons = new Set(ofLevel.map(({ reason }) => reason).filter(Boolean))
    return [
      {
        variantId: first.variantId,
        locationId: first.locationId,
        amount,
        reason: shortened([...reasons].join('; ')),
        paths: ofLevel.flatMap(({ path }) => path ?? []),
      },
    ]
  })
}

const shortened = (text: string) => Array.from(text).slice(0, maxReasonLength).join('')
