import type { SupplierReturnState } from '../../../../shared/schemas/supplier-returns.ts'
import type { Look } from '../../components/tables/looks.ts'

export const returnLooks: Record<SupplierReturnState, Look> = {
  draft: ['Draft', 'quiet'],
  shipped: ['Shipped', 'waiting'],
  credited: ['Credited', 'good'],
  cancelled: ['Cancelled', 'quiet'],
}

export const returnStateName = (state: SupplierReturnState) => returnLooks[state][0]
