import type {
  PurchaseOrderStage,
  PurchaseOrderStatus,
} from '../../../../../shared/schemas/purchase-orders.ts'
import { readSearch } from '../../../components/tables/search-text.ts'

export const statuses: readonly PurchaseOrderStatus[] = ['draft', 'sent', 'partial', 'received', 'cancelled']

/** Groups of statuses that other pages link to. */
export const stageNames: Record<PurchaseOrderStage, string> = {
  open: 'Open',
  incoming: 'To receive',
  due: 'Due today or earlier',
  overdue: 'Overdue',
}

/** The filter in the URL. */
type OrderFilter = {
  status?: PurchaseOrderStatus
  stage?: PurchaseOrderStage
  supplierId?: number
  search?: string
}

export function readOrderFilter(search: Record<string, unknown>): OrderFilter {
  const status = statuses.find((known) => known === search.status)
  const stage = (Object.keys(stageNames) as PurchaseOrderStage[]).find((known) => known === search.stage)
  return { ...(status ? { status } : stage && { stage }), ...readSupplier(search), ...readSearch(search) }
}

export function readSupplier(search: Record<string, unknown>): { supplierId?: number } {
  const supplierId = Number(search.supplierId)
  return Number.isSafeInteger(supplierId) && supplierId > 0 ? { supplierId } : {}
}
