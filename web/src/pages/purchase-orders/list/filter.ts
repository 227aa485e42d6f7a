import type {
  PurchaseOrderStage,
  PurchaseOrderStatus,
} from '../../../../../shared/schemas/purchase-orders.ts'

export const statuses: readonly PurchaseOrderStatus[] = ['draft', 'sent', 'partial', 'received', 'cancelled']

/** Several statuses at once, which links from elsewhere lead to. */
export const stageNames: Record<PurchaseOrderStage, string> = {
  open: 'Open',
  incoming: 'To receive',
  due: 'Due today or earlier',
  overdue: 'Overdue',
}

/** What the list is limited to. It stands in the address, so that a link and the back button know it. */
type OrderFilter = { status?: PurchaseOrderStatus; stage?: PurchaseOrderStage; supplierId?: number }

export function readOrderFilter(search: Record<string, unknown>): OrderFilter {
  const status = statuses.find((known) => known === search.status)
  const stage = (Object.keys(stageNames) as PurchaseOrderStage[]).find((known) => known === search.stage)
  return { ...(status ? { status } : stage && { stage }), ...readSupplier(search) }
}

export function readSupplier(search: Record<string, unknown>): { supplierId?: number } {
  const supplierId = Number(search.supplierId)
  return Number.isSafeInteger(supplierId) && supplierId > 0 ? { supplierId } : {}
}
