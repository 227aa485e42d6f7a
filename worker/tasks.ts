import type { TaskDefinition } from './queue/task.ts'
import { startDueSync } from './tasks/catalogue/start-due-sync.ts'
import { syncCatalog } from './tasks/catalogue/sync-catalog.ts'
import { syncProduct } from './tasks/catalogue/sync-product.ts'
import { pushCosts } from './tasks/costs/push-costs.ts'
import { verifyCosts } from './tasks/costs/verify-costs.ts'
import { rollUpDemand } from './tasks/demand/roll-up-demand.ts'
import { makeDigest } from './tasks/digest/make-digest.ts'
import { sendDigest } from './tasks/digest/send-digest.ts'
import { exportShop } from './tasks/exports/export-shop.ts'
import { recomputeForecasts } from './tasks/forecasts/recompute-forecasts.ts'
import { workOnImport } from './tasks/imports/work-on-import.ts'
import { recomputeMargins } from './tasks/margins/recompute-margins.ts'
import { projectDeliveries } from './tasks/operations/project-deliveries.ts'
import { prune } from './tasks/operations/prune.ts'
import { recomputePlanning } from './tasks/planning/recompute-planning.ts'
import { checkOverduePurchaseOrders } from './tasks/purchase-orders/check-overdue-purchase-orders.ts'
import { sendPurchaseOrder } from './tasks/purchase-orders/send-purchase-order.ts'
import { checkLowStock } from './tasks/reorder/check-low-stock.ts'
import { recomputeReorderPoints } from './tasks/reorder/recompute-reorder-points.ts'
import { snapshotInventoryValue } from './tasks/reports/snapshot-inventory-value.ts'
import { readOrders } from './tasks/sales/read-orders.ts'
import { recomputeSalesVelocity } from './tasks/sales/recompute-sales-velocity.ts'
import { removeShopData } from './tasks/shops/remove-shop-data.ts'
import { repairWebhookSubscriptions } from './tasks/shops/repair-webhook-subscriptions.ts'
import { pushStock } from './tasks/stock/push-stock.ts'
import { readLevels } from './tasks/stock/read-levels.ts'
import { reconcileStock } from './tasks/stock/reconcile-stock.ts'
import { verifyStock } from './tasks/stock/verify-stock.ts'
import { makePlannedCounts } from './tasks/stock-counts/make-planned-counts.ts'
import { applyInventoryItems } from './tasks/webhooks/apply-inventory-items.ts'
import { applyInventoryLevels } from './tasks/webhooks/apply-inventory-levels.ts'
import { applyLocationDeletions } from './tasks/webhooks/apply-location-deletions.ts'
import { applyLocations } from './tasks/webhooks/apply-locations.ts'
import { applyOrderDeletions } from './tasks/webhooks/apply-order-deletions.ts'
import { applyOrders } from './tasks/webhooks/apply-orders.ts'
import { applyProductDeletions } from './tasks/webhooks/apply-product-deletions.ts'
import { applyProducts } from './tasks/webhooks/apply-products.ts'
import { fetchInventoryItems } from './tasks/webhooks/fetch-inventory-items.ts'
import { recordDataRequests } from './tasks/webhooks/record-data-requests.ts'
import { redactCustomers } from './tasks/webhooks/redact-customers.ts'
import { uninstallShop } from './tasks/webhooks/uninstall-shop.ts'

export const tasks: readonly TaskDefinition[] = [
  sendPurchaseOrder,
  applyOrders,
  applyOrderDeletions,
  readOrders,
  applyProducts,
  applyProductDeletions,
  applyInventoryItems,
  applyLocations,
  applyLocationDeletions,
  applyInventoryLevels,
  fetchInventoryItems,
  uninstallShop,
  recordDataRequests,
  redactCustomers,
  removeShopData,
  startDueSync,
  syncCatalog,
  syncProduct,
  pushStock,
  reconcileStock,
  readLevels,
  pushCosts,
  verifyCosts,
  verifyStock,
  recomputeSalesVelocity,
  recomputeMargins,
  rollUpDemand,
  recomputeForecasts,
  recomputePlanning,
  snapshotInventoryValue,
  recomputeReorderPoints,
  checkLowStock,
  makePlannedCounts,
  checkOverduePurchaseOrders,
  makeDigest,
  sendDigest,
  repairWebhookSubscriptions,
  exportShop,
  workOnImport,
  prune,
  projectDeliveries,
]
