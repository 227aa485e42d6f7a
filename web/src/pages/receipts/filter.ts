import type { ReceiptListItem, ReceiptSort } from '../../../../shared/schemas/receipts.ts'
import { readPositive, readSearch, readSort } from '../../components/tables/address.ts'

type State = ReceiptListItem['state']

export const states: readonly State[] = ['draft', 'posted', 'reversed']

export type ReceiptFilter = { state?: State; supplierId?: number; search?: string; sort?: ReceiptSort }

export function readReceiptFilter(search: Record<string, unknown>): ReceiptFilter {
  const state = states.find((known) => known === search.state)
  return {
    ...(state && { state }),
    ...readPositive('supplierId', search.supplierId),
    ...readSearch(search),
    ...readSort(search, ['order', 'supplier', 'location', 'state']),
  }
}
