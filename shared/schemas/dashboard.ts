import { type Static, Type } from '@sinclair/typebox'
import { Alert } from './alerts.ts'
import { PurchaseOrder } from './purchase-orders.ts'

/** What a merchant sees first (specification, GET /api/dashboard). */
export const Dashboard = Type.Object({
  stats: Type.Object({
    totalProducts: Type.Integer({ description: 'That the platform has told and not deleted' }),
    lowStockItems: Type.Integer({ description: 'Reorder rules whose stock is at or below their point' }),
    openPurchaseOrders: Type.Integer({ description: 'Draft, sent and partial' }),
    pendingReceives: Type.Integer({ description: 'Sent and partial' }),
  }),
  attention: Type.Object({
    overdueOrders: Type.Integer(),
    dueOrders: Type.Integer({ description: 'Expected today or earlier, overdue ones included' }),
    failedMails: Type.Integer({ description: 'Open alerts about e-mails of orders' }),
    failedPushes: Type.Integer({ description: 'Changes of stock that the platform did not take' }),
    failedDeliveries: Type.Integer({ description: 'News of the platform that could not be applied' }),
  }),
  setup: Type.Object(
    { hasSupplier: Type.Boolean(), hasSentOrder: Type.Boolean(), hasReorderRule: Type.Boolean() },
    { description: 'What has been done once' },
  ),
  recentPOs: Type.Array(
    Type.Object({
      ...Type.Pick(PurchaseOrder, ['id', 'poNumber']).properties,
      supplier: Type.String(),
      ...Type.Pick(PurchaseOrder, ['status', 'total', 'createdAt']).properties,
    }),
    { description: 'The 5 newest' },
  ),
  alerts: Type.Array(Type.Pick(Alert, ['id', 'type', 'message', 'productId', 'createdAt']), {
    description: 'The 10 newest that are open and not read',
  }),
})
export type Dashboard = Static<typeof Dashboard>
