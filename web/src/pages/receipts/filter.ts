import type { ReceiptListItem, ReceiptSort } from '../../../../shared/schemas/receipts.ts'
import { readSearch } from '../../components/tables/search-text.ts'

type State = ReceiptListItem['state']

export const states: readonly State[] = ['draft', 'posted', 'reversed']

export type ReceiptFilter = { state?: State; supplierId?: number; search?: string; sort?: ReceiptSort }

export function readReceiptFilter(search: Record<string, unknown>): ReceiptFilter {
  const state = states.find((known) => known === search.state)
  const supplierId = Number(search.supplierId)
  const sort =
    /^(oldest|-?(order|supplier|location|state))$/.test(String(search.sort)) && (search.sort as ReceiptSort)
  return {
    ...(state && { state }),
    ...(Number.isSafeInteger(supplierId) && supplierId > 0 && { supplierId }),
    ...readSearch(search),
    ...(sort && { sort }),
  }
}
