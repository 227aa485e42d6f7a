import type { PurchaseOrderStatus } from '../../../../shared/schemas/purchase-orders.ts'

export const statuses: readonly PurchaseOrderStatus[] = ['draft', 'sent', 'partial', 'received', 'cancelled']

/** What the list is limited to. It stands in the address, so that a link and the back button know it. */
export type OrderFilter = { status?: PurchaseOrderStatus; supplierId?: number }

export function readOrderFilter(search: Record<string, unknown>): OrderFilter {
  const status = statuses.find((known) => known === search.status)
  return { ...(status && { status }), ...readSupplier(search) }
}

export function readSupplier(search: Record<string, unknown>): { supplierId?: number } {
  const supplierId = Number(search.supplierId)
  return Number.isSafeInteger(supplierId) && supplierId > 0 ? { supplierId } : {}
}
