import type { PurchaseOrder } from '../../../../shared/schemas/purchase-orders.ts'
import { OrderStatusBadge } from '../../components/tables/status-badge.tsx'

/** The state of an order, beside the title of its page. */
export const OrderMark = ({ order }: { order: PurchaseOrder }) => (
  <OrderStatusBadge
    {...order}
    receivedQuantity={order.lineItems.reduce((sum, line) => sum + line.receivedQuantity, 0)}
    orderedQuantity={order.lineItems.reduce((sum, line) => sum + line.quantity, 0)}
  />
)
