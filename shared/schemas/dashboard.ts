import { type Static, Type } from '@sinclair/typebox'
import { Alert } from './alerts.ts'
import { PurchaseOrder, PurchaseOrderListItem } from './purchase-orders.ts'

/** The numbers and lists of the admin's first page (specification, GET /api/dashboard). */
export const Dashboard = Type.Object({
  stats: Type.Object({
    totalProducts: Type.Integer({ description: 'Products that the platform reported and did not delete' }),
    lowStockItems: Type.Integer({ description: 'Reorder rules with stock at or below the reorder point' }),
    openPurchaseOrders: Type.Integer({ description: 'Draft, sent and partial' }),
    pendingReceives: Type.Integer({ description: 'Sent and partial' }),
  }),
  attention: Type.Object({
    overdueOrders: Type.Integer(),
    dueOrders: Type.Integer({ description: 'Expected today or earlier, overdue ones included' }),
    stockGaps: Type.Integer({
      description: 'Products that run out before the next order or transfer arrives, as of the night',
    }),
    failedMails: Type.Integer({ description: 'Open alerts about e-mails of orders' }),
    failedPushes: Type.Integer({ description: 'Stock changes that the platform refused or did not confirm' }),
    failedDeliveries: Type.Integer({ description: 'Platform updates that failed' }),
  }),
  setup: Type.Object(
    {
      hasSupplier: Type.Boolean(),
      hasSentOrder: Type.Boolean(),
      hasReorderRule: Type.Boolean(),
      vendorCount: Type.Integer({
        description: 'Vendors of the products, while the shop has no supplier; else 0',
      }),
    },
    { description: 'Setup steps that the shop has done at least once' },
  ),
  recentPOs: Type.Array(
    Type.Object({
      ...Type.Pick(PurchaseOrder, ['id', 'poNumber']).properties,
      supplier: Type.String(),
      ...Type.Pick(PurchaseOrder, ['status', 'total', 'createdAt', 'currency']).properties,
      ...Type.Pick(PurchaseOrder, ['isClosedShort', 'receivedValue', 'unknownCosts', 'emailStatus'])
        .properties,
      ...Type.Pick(PurchaseOrderListItem, ['orderedQuantity', 'receivedQuantity']).properties,
    }),
    { description: 'The 5 newest' },
  ),
  alerts: Type.Array(Type.Pick(Alert, ['id', 'type', 'message', 'productId', 'createdAt']), {
    description: 'The 10 newest that are open and unread',
  }),
})
export type Dashboard = Static<typeof Dashboard>
