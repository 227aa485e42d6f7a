import type { StockMovementKind } from '../../../../../shared/schemas/stock-movements.ts'
import { type Days, readDays } from '../../../components/pickers/date-range.tsx'
import { type ProductFilter, readProductFilter } from '../../../components/pickers/product-filter.ts'

export type LevelFilter = { search?: string; locationId?: string; sort?: 'bin' } & ProductFilter
export type MovementFilter = { variantId?: string; locationId?: string; kind?: StockMovementKind } & Days

export const kindNames: Record<StockMovementKind, string> = {
  platform: 'Sale or edit in your shop',
  receipt: 'Received',
  reversal: 'Receipt reversed',
  transfer: 'Transferred',
  count: 'Counted',
  set: 'Set',
  delta: 'Adjusted',
  discard: 'Change discarded',
  repair: 'Repaired automatically',
  supplier_return: 'Returned to the supplier',
}

export const kinds = Object.keys(kindNames) as StockMovementKind[]

export function readLevelFilter(params: Record<string, unknown>): LevelFilter {
  const { search, locationId } = params
  // the router parses digits in the URL as a number
  const text = typeof search === 'string' || typeof search === 'number' ? String(search).trim() : ''
  return {
    ...(text && { search: text.slice(0, 200) }),
    ...readGid('locationId', 'Location', locationId),
    ...(params.sort === 'bin' && { sort: 'bin' as const }),
    ...readProductFilter(params),
  }
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

/** The value if it has the form of a platform id, otherwise nothing. */
function readGid<Name extends string>(name: Name, type: string, value: unknown): { [N in Name]?: string } {
  const isGid = typeof value === 'string' && new RegExp(`^gid://[a-z]+/${type}/[1-9]\\d{0,19}$`).test(value)
  return isGid ? ({ [name]: value } as { [N in Name]: string }) : {}
}
