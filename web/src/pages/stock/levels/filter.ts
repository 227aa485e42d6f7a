import { movementKindWords as kindNames } from '../../../../../shared/schemas/kind-words.ts'
import type { StockLevelSort, StockState } from '../../../../../shared/schemas/stock-levels.ts'
import type { StockMovementKind } from '../../../../../shared/schemas/stock-movements.ts'
import { type Days, readDays } from '../../../components/pickers/days.ts'
import { type ProductFilter, readProductFilter } from '../../../components/pickers/product-filter.ts'
import { readGid, readSearch } from '../../../components/tables/address.ts'

export type LevelFilter = {
  search?: string
  variantId?: string
  locationId?: string
  stock?: StockState
  sort?: StockLevelSort
} & ProductFilter
export type MovementFilter = {
  search?: string
  variantId?: string
  locationId?: string
  kind?: StockMovementKind
  sort?: 'oldest'
} & Days

export const stockNames: Record<StockState, string> = {
  out: 'Out of stock',
  low: 'At or below the reorder point',
}

const firstSort = 'newest'
export const sorts: readonly { value: StockLevelSort | typeof firstSort; label: string }[] = [
  { value: firstSort, label: 'Newest products' },
  { value: 'title', label: 'Product, A to Z' },
  { value: '-title', label: 'Product, Z to A' },
  { value: 'sku', label: 'SKU, A to Z' },
  { value: '-sku', label: 'SKU, Z to A' },
  { value: 'available', label: 'Available, lowest first' },
  { value: '-available', label: 'Available, highest first' },
  { value: 'bin', label: 'Bin' },
]

export const kinds = Object.keys(kindNames) as StockMovementKind[]

export function readLevelFilter(params: Record<string, unknown>): LevelFilter {
  const { locationId } = params
  const stock = (Object.keys(stockNames) as StockState[]).find((known) => known === params.stock)
  const sort = sorts.find(({ value }) => value === params.sort && value !== firstSort)?.value as
    | StockLevelSort
    | undefined
  return {
    ...readSearch(params),
    ...readGid('variantId', 'ProductVariant', params.variantId),
    ...readGid('locationId', 'Location', locationId),
    ...(stock && { stock }),
    ...(sort && { sort }),
    ...readProductFilter(params),
  }
}

export function readMovementFilter(search: Record<string, unknown>): MovementFilter {
  const kind = kinds.find((known) => known === search.kind)
  return {
    ...readSearch(search),
    ...readGid('variantId', 'ProductVariant', search.variantId),
    ...readGid('locationId', 'Location', search.locationId),
    ...(kind && { kind }),
    ...(search.sort === 'oldest' && { sort: 'oldest' }),
    ...readDays(search),
  }
}

export type PastFilter = { search?: string; sort?: 'oldest' } & Days

export const readPastFilter = (search: Record<string, unknown>): PastFilter => ({
  ...readSearch(search),
  ...(search.sort === 'oldest' && { sort: 'oldest' }),
  ...readDays(search),
})
