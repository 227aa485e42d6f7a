import type { StockMovementKind } from '../../../../../shared/schemas/stock-movements.ts'
import { type Days, readDays } from '../../../components/pickers/date-range.tsx'

/** What the levels are limited to. */
export type LevelFilter = { search?: string; locationId?: string }
/** What the history is limited to. */
export type MovementFilter = { variantId?: string; locationId?: string; kind?: StockMovementKind } & Days

/** Why a level has moved, in the merchant's words. */
export const kindNames: Record<StockMovementKind, string> = {
  platform: 'Sold or changed in your shop',
  receipt: 'Received',
  reversal: 'Receipt undone',
  transfer: 'Transferred',
  count: 'Counted',
  set: 'Set',
  delta: 'Adjusted',
  discard: 'Discarded',
  repair: 'Repaired',
}

export const kinds = Object.keys(kindNames) as StockMovementKind[]

export function readLevelFilter({ search, locationId }: Record<string, unknown>): LevelFilter {
  // words that are a number come out of the address as one
  const words = typeof search === 'string' || typeof search === 'number' ? String(search).trim() : ''
  return { ...(words && { search: words.slice(0, 200) }), ...readGid('locationId', 'Location', locationId) }
}

export function readMovementFilter(search: Record<string, unknown>): MovementFilter {
  const kind = kinds.find((known) => known === search.kind)
  return {
    ...readGid('variantId', 'ProductVariant', search.variantId),
    ...readGid('locationId', 'Location', search.locationId),
    ...(kind && { kind }),
    ...readDays(search),
  }
}

/** An id of the platform, when it can be one. */
function readGid<Name extends string>(name: Name, type: string, value: unknown): { [N in Name]?: string } {
  const isOne = typeof value === 'string' && new RegExp(`^gid://[a-z]+/${type}/[1-9]\\d{0,19}$`).test(value)
  return isOne ? ({ [name]: value } as { [N in Name]: string }) : {}
}
