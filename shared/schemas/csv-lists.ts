import { Alert } from './alerts.ts'
import { BudgetRow } from './buying-budgets.ts'
import { LandedCost } from './charges.ts'
import { CostMovement } from './costs.ts'
import { csvColumns } from './csv-columns.ts'
import { ForecastAccuracy } from './forecasts.ts'
import { ImportRow } from './imports.ts'
import { alertTypeWords, movementKindWords } from './kind-words.ts'
import { PastAdjustment } from './past-adjustments.ts'
import { ExpectedArrival, LostSale, OpenToBuy, Overstock, StockGap } from './planning.ts'
import {
  type EmailStatus,
  PurchaseOrder,
  PurchaseOrderLineItem,
  PurchaseOrderListItem,
  type PurchaseOrderStatus,
} from './purchase-orders.ts'
import { ReceiptDetail, ReceiptListItem } from './receipts.ts'
import { ReorderRule } from './reorder-rules.ts'
import { ReorderSuggestion } from './reorder-suggestions.ts'
import { ReplenishmentRow } from './replenishment.ts'
import {
  AbcVariant,
  Adjustment,
  AdjustmentReasons,
  Commitments,
  CountAccuracy,
  DeadStock,
  InventoryValue,
  Margin,
  PaidPrice,
  ProcurementSpend,
  SalesVelocity,
  SupplierPerformance,
} from './reports.ts'
import { StockCount, StockCountItem, StockCountListItem } from './stock-counts.ts'
import { StockLevel } from './stock-levels.ts'
import { StockMovement } from './stock-movements.ts'
import { StockTransfer, StockTransferListItem } from './stock-transfers.ts'
import { SupplierProduct } from './supplier-products.ts'
import { SupplierReturn, SupplierReturnListItem } from './supplier-returns.ts'
import { SupplierListItem } from './suppliers.ts'
import { TransferSuggestion } from './transfer-suggestions.ts'

const orderStatus: Partial<Record<PurchaseOrderStatus, string>> = { partial: 'Partly received' }
const emailWords: Record<EmailStatus, string> = {
  none: 'Not e-mailed',
  no_recipient: 'No address',
  queued: 'Sending',
  sent: 'E-mailed',
  failed: 'Not delivered',
  unknown: 'Not confirmed',
}
const replenishment = {
  first: {
    suggestedQuantity: 'Suggested quantity',
    packs: true,
    unitCost: true,
    lineTotal: 'Total',
    currency: true,
    onHand: 'Available',
    inTimePosition: true,
    lateOnOrder: true,
  },
} as const
const spendOfSupplier = ProcurementSpend.properties.bySupplier.items
const orderLine = {
  of: PurchaseOrder,
  fields: { poNumber: true, supplierName: true, currency: true },
} as const

/** The columns of every list that has a CSV form. Headings and order of the fields that are not named here: `csv-columns.ts`. */
export const csvLists = {
  suppliers: csvColumns(SupplierListItem, {
    first: { name: 'Supplier' },
    headings: { id: 'Supplier ID', email: 'E-mail' },
  }),
  // `POST /supplier-prices/import` reads these columns
  supplierProducts: csvColumns(SupplierProduct, {
    first: {
      supplierSku: true,
      supplierTitle: true,
      price: true,
      currency: true,
      priceMinQuantity: 'From quantity',
      packSize: true,
      minimumQuantity: true,
      quantityMultiple: true,
      leadTimeDays: true,
      rank: true,
      packBarcode: true,
    },
    without: ['id', 'supplierId', 'isActive', 'prices', 'lastCost', 'lastCostAt', 'version'],
  }),
  purchaseOrders: csvColumns(PurchaseOrderListItem, {
    first: {
      status: true,
      isClosedShort: true,
      isOverdue: true,
      createdAt: true,
      sentAt: true,
      dueAt: 'Expected',
      locationName: true,
      lineItemCount: true,
      orderedQuantity: 'Ordered',
      receivedQuantity: 'Received',
      currency: true,
      unknownCosts: 'Lines without cost',
    },
    headings: { id: 'Purchase order ID', paymentDueOn: 'Payment due' },
    words: { status: orderStatus, emailStatus: emailWords },
  }),
  purchaseOrder: csvColumns(PurchaseOrderLineItem, {
    first: {
      supplierSku: true,
      barcode: true,
      quantity: 'Ordered',
      receivedQuantity: 'Received',
      outstandingQuantity: 'Outstanding',
      cancelledQuantity: 'Cancelled',
      rejectedQuantity: 'Rejected',
      creditedQuantity: 'Credited',
      costPrice: true,
      discountPercent: true,
      taxRate: 'Tax (%)',
      lineTotal: 'Total',
      status: true,
    },
    headings: { id: 'Line item ID' },
    without: ['roundedUpBy', 'minimumQuantity', 'quantityMultiple'],
    words: { status: orderStatus },
    answer: orderLine,
  }),
  landedCost: csvColumns(LandedCost.properties.lines.items),
  supplierReturns: csvColumns(SupplierReturnListItem, {
    first: { number: 'Return', poNumber: true, supplierName: true },
    headings: { id: 'Return ID' },
  }),
  supplierReturn: csvColumns(SupplierReturn.properties.lines.items, {
    headings: { id: 'Line ID' },
    answer: { of: SupplierReturn, fields: { number: 'Return', supplierName: true, currency: true } },
  }),
  receipts: csvColumns(ReceiptListItem, {
    first: { id: 'Receipt', poNumber: true, supplierName: true, deliveryNote: true, locationName: true },
  }),
  receipt: csvColumns(ReceiptDetail.properties.lines.items, {
    first: {
      accepted: true,
      rejected: true,
      rejectReason: 'Reason of rejection',
      rejectOutcome: 'Rejected pieces are',
    },
    answer: {
      of: ReceiptDetail,
      fields: {
        id: 'Receipt',
        poNumber: true,
        supplierName: true,
        locationName: true,
        postedAt: true,
        currency: true,
      },
    },
  }),
  // `POST /reorder/rules/import` reads these columns
  reorderRules: csvColumns(ReorderRule, {
    first: {
      reorderPoint: true,
      reorderQuantity: true,
      supplierName: true,
      locationName: true,
      mode: true,
      serviceLevel: 'Service level (%)',
      reviewDays: 'Review days',
      maxLevel: 'Max level',
    },
    without: [
      'id',
      'productId',
      'supplierId',
      'locationId',
      'abcClass',
      'classServiceLevel',
      'currentStock',
      'inputs',
      'computedAt',
      'isComputing',
    ],
  }),
  reorderSuggestions: csvColumns(ReorderSuggestion, {
    first: {
      suggestedQuantity: 'Suggested quantity',
      currentStock: true,
      onOrder: true,
      inTransit: true,
      position: 'Available and incoming',
      reorderPoint: true,
      reorderQuantity: true,
      supplierName: true,
      locationName: true,
    },
    headings: { gapOn: 'First day without enough stock' },
  }),
  replenishment: csvColumns(ReplenishmentRow, replenishment),
  budget: csvColumns(BudgetRow, {
    ...replenishment,
    first: { budgetQuantity: 'Quantity within the budget', ...replenishment.first },
    inShopCurrency: ['cost', 'margin'],
  }),
  stockLevels: csvColumns(StockLevel, {
    first: {
      barcode: true,
      locationName: true,
      bin: true,
      onHand: true,
      committed: true,
      unavailable: true,
      currentStock: true,
      onTheWay: true,
      pendingQuantity: true,
    },
  }),
  stockMovements: csvColumns(StockMovement, {
    first: {
      locationName: true,
      occurredAt: 'Time',
      kind: true,
      previousQuantity: true,
      delta: true,
      newQuantity: true,
      reason: true,
      referenceName: true,
      isOpening: 'Opening stock',
    },
    last: ['reference'],
    headings: { id: 'Movement ID', reference: 'Document ID' },
    words: { kind: movementKindWords },
  }),
  stockTransfers: csvColumns(StockTransferListItem, {
    first: { id: 'Transfer', sourceLocationName: true, destinationLocationName: true, status: true },
    words: { status: { partial: 'Partly received' } },
  }),
  stockTransfer: csvColumns(StockTransfer.properties.items.items, {
    first: { barcode: true, quantity: 'Planned', shipped: true, inTransit: true },
    answer: {
      of: StockTransfer,
      fields: {
        id: 'Transfer',
        sourceLocationName: true,
        destinationLocationName: true,
        status: 'Status of the transfer',
      },
    },
  }),
  transferSuggestions: csvColumns(TransferSuggestion, {
    first: {
      quantity: 'To move',
      sourceLocationName: true,
      destinationLocationName: true,
      sourceStock: 'Available at the source',
      sourceReorderPoint: 'Reorder point of the source',
      sourceLastsDays: 'Source lasts (days)',
      currentStock: 'Available at the destination',
      incoming: 'Incoming at the destination',
      reorderPoint: 'Reorder point of the destination',
    },
  }),
  stockCounts: csvColumns(StockCountListItem, { first: { id: 'Count', locationName: true } }),
  stockCount: csvColumns(StockCountItem, {
    first: {
      barcode: true,
      bin: true,
      expectedQuantity: 'Expected',
      countedQuantity: 'Counted',
      variance: true,
    },
    headings: { countedAt: 'Counted at', readAt: 'Stock read at' },
    answer: { of: StockCount, fields: { id: 'Count', locationName: true } },
  }),
  forecastAccuracy: csvColumns(ForecastAccuracy, { first: { week: 'First day' } }),
  stockGaps: csvColumns(StockGap, { first: { locationName: true } }),
  lostSales: csvColumns(LostSale, {
    first: { daysWithoutStock: 'Days without stock', daysKnown: 'Days of known sales' },
  }),
  overstock: csvColumns(Overstock, { first: { pieces: 'Overstock' } }),
  arrivals: csvColumns(ExpectedArrival, {
    headings: { id: 'Order or transfer ID' },
    first: {
      name: 'Document',
      kind: true,
      expectedOn: true,
      promisedOn: true,
      isOverdue: true,
      fromName: 'From',
      toName: 'To',
    },
  }),
  openToBuy: csvColumns(OpenToBuy.properties.months.items, {
    first: { month: true, orderedValue: 'Ordered' },
  }),
  procurementSpend: csvColumns(spendOfSupplier),
  salesVelocity: csvColumns(SalesVelocity, { headings: { knownSince: 'Sales known since' } }),
  adjustments: csvColumns(Adjustment, {
    first: {
      locationName: true,
      createdAt: 'Time',
      kind: true,
      previousQuantity: true,
      adjustment: 'Change',
      newQuantity: true,
      reason: true,
    },
    headings: { id: 'Movement ID' },
    words: { kind: movementKindWords },
  }),
  adjustmentReasons: csvColumns(AdjustmentReasons.properties.byReason.items),
  countAccuracy: csvColumns(CountAccuracy),
  inventoryValue: csvColumns(InventoryValue),
  abc: csvColumns(AbcVariant),
  deadStock: csvColumns(DeadStock, {
    headings: {
      lastSoldAt: 'Last sold',
      daysSinceSold: 'Days since the last sale',
      knownSince: 'Sales known since',
    },
  }),
  margin: csvColumns(Margin),
  priceHistory: csvColumns(PaidPrice, {
    first: { receivedAt: true },
    inShopCurrency: ['landedUnitCost'],
  }),
  commitments: csvColumns(Commitments.properties.bySupplier.items, {
    first: { month: true, supplierName: true },
  }),
  supplierPerformance: csvColumns(SupplierPerformance),
  alerts: csvColumns(Alert, {
    first: { message: true, productTitle: 'Product', type: true },
    headings: { id: 'Alert ID' },
    words: { type: alertTypeWords },
  }),
  costMovements: csvColumns(CostMovement, {
    first: { occurredAt: 'Time' },
    amounts: ['variance'],
    headings: { id: 'Movement ID' },
  }),
  importRows: csvColumns(ImportRow, {
    first: { row: true, sheet: true },
    headings: { raw: 'Cells', id: 'Row ID' },
  }),
  pastAdjustments: csvColumns(PastAdjustment, {
    headings: { id: 'Adjustment ID' },
    first: {
      locationName: true,
      adjustedAt: 'Time',
      previousQuantity: true,
      quantity: 'Change',
      newQuantity: true,
    },
  }),
} as const
