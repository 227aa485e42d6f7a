import type { ReceiptListItem } from '../../../../shared/schemas/receipts.ts'
import { readSearch } from '../../components/tables/search-text.ts'

type State = ReceiptListItem['state']

export const states: readonly State[] = ['draft', 'posted', 'reversed']

type ReceiptFilter = { state?: State; supplierId?: number; search?: string }

export function readReceiptFilter(search: Record<string, unknown>): ReceiptFilter {
  const state = states.find((known) => known === search.state)
  const supplierId = Number(search.supplierId)
  return {
    ...(state && { state }),
    ...(Number.isSafeInteger(supplierId) && supplierId > 0 && { supplierId }),
    ...readSearch(search),
  }
}
