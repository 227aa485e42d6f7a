import type { PurchaseOrderStatus } from '../../../../shared/schemas/purchase-orders.ts'

/** The label and colour of a badge. */
export type Look = [name: string, tone: 'quiet' | 'info' | 'waiting' | 'good' | 'bad']

export const orderLooks: Record<PurchaseOrderStatus, Look> = {
  draft: ['Draft', 'quiet'],
  sent: ['Sent', 'info'],
  partial: ['Partly received', 'waiting'],
  received: ['Received', 'good'],
  cancelled: ['Cancelled', 'quiet'],
}

export const orderStatusName = (status: PurchaseOrderStatus) => orderLooks[status][0]
