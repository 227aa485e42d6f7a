import type { TaskDefinition } from './task.ts'
import { applyInventoryLevels } from './tasks/apply-inventory-levels.ts'
import { applyOrders } from './tasks/apply-orders.ts'
import { applyProducts } from './tasks/apply-products.ts'
import { checkLowStock } from './tasks/check-low-stock.ts'
import { checkOverduePurchaseOrders } from './tasks/check-overdue-purchase-orders.ts'
import { fetchInventoryItems } from './tasks/fetch-inventory-items.ts'
import { prune } from './tasks/prune.ts'
import { pushStock } from './tasks/push-stock.ts'
import { recomputeReorderPoints } from './tasks/recompute-reorder-points.ts'
import { recomputeSalesVelocity } from './tasks/recompute-sales-velocity.ts'
import { reconcileStock } from './tasks/reconcile-stock.ts'
import { removeShopData } from './tasks/remove-shop-data.ts'
import { repairWebhookSubscriptions } from './tasks/repair-webhook-subscriptions.ts'
import { sendPurchaseOrder } from './tasks/send-purchase-order.ts'
import { snapshotInventoryValue } from './tasks/snapshot-inventory-value.ts'
import { syncCatalog } from './tasks/sync-catalog.ts'
import { syncProduct } from './tasks/sync-product.ts'
import { tallyShop } from './tasks/tally-shop.ts'
import { uninstallShop } from './tasks/uninstall-shop.ts'
import { verifyStock } from './tasks/verify-stock.ts'

/** Every task there is: one for each job of `shared/jobs.ts`. */
export const tasks: readonly TaskDefinition[] = [
  sendPurchaseOrder,
  applyOrders,
  applyProducts,
  applyInventoryLevels,
  fetchInventoryItems,
  uninstallShop,
  removeShopData,
  syncCatalog,
  syncProduct,
  pushStock,
  reconcileStock,
  verifyStock,
  recomputeSalesVelocity,
  snapshotInventoryValue,
  recomputeReorderPoints,
  tallyShop,
  checkLowStock,
  checkOverduePurchaseOrders,
  repairWebhookSubscriptions,
  prune,
]
