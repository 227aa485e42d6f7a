import type { StockTransferSort, StockTransferStatus } from '../../../../../shared/schemas/stock-transfers.ts'
import { readGid, readPositive, readSearch, readSort } from '../../../components/tables/address.ts'

export const statuses: readonly StockTransferStatus[] = [
  'pending',
  'in_transit',
  'partial',
  'completed',
  'cancelled',
]

export type TransferFilter = {
  status?: StockTransferStatus
  sourceLocationId?: string
  destinationLocationId?: string
  search?: string
  sort?: StockTransferSort
}

export function readTransferFilter(search: Record<string, unknown>): TransferFilter {
  const status = statuses.find((known) => known === search.status)
  return {
    ...(status && { status }),
    ...readGid('sourceLocationId', 'Location', search.sourceLocationId),
    ...readGid('destinationLocationId', 'Location', search.destinationLocationId),
    ...readSearch(search),
    ...readSort(search, ['source', 'destination', 'status']),
  }
}

/** What a new transfer begins with: locations by platform id, and the number that ends the id of a product variant. */
export type TransferStart = { from?: string; to?: string; variantId?: string; quantity?: number }

export function readTransferStart(search: Record<string, unknown>): TransferStart {
  const { from, to } = search
  // a number of the address may have lost digits
  const variantId = Number.isSafeInteger(search.variantId) ? String(search.variantId) : search.variantId
  return {
    ...(typeof from === 'string' && { from }),
    ...(typeof to === 'string' && { to }),
    ...(typeof variantId === 'string' && /^[1-9]\d{0,19}$/.test(variantId) && { variantId }),
    ...readPositive('quantity', search.quantity),
  }
}

/** The locations of suggested transfers, by platform id. */
export type SuggestionFilter = { from?: string; to?: string }

export const readSuggestionFilter = (search: Record<string, unknown>): SuggestionFilter => ({
  ...readGid('from', 'Location', search.from),
  ...readGid('to', 'Location', search.to),
})
