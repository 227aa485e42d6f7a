import type {
  Alert,
  AlertConfiguration,
  AlertConfigurationPatch,
  AlertFilter,
  ReadAlert,
  ReadAlerts,
  ReadAllAlerts,
} from '../../../shared/schemas/alerts.ts'
import type { Message, PageQuery } from '../../../shared/schemas/common.ts'
import type { Dashboard } from '../../../shared/schemas/dashboard.ts'
import type { Location } from '../../../shared/schemas/locations.ts'
import type { ProductFilter, ProductListItem } from '../../../shared/schemas/products.ts'
import type {
  CancelledPurchaseOrder,
  ClosedPurchaseOrder,
  CreatedPurchaseOrder,
  PurchaseOrder,
  PurchaseOrderFilter,
  PurchaseOrderInput,
  PurchaseOrderListItem,
  PurchaseOrderPatch,
  ReceivedPurchaseOrder,
  SendPurchaseOrder,
  SentPurchaseOrder,
} from '../../../shared/schemas/purchase-orders.ts'
import type {
  Receipt,
  ReceiptInput,
  ReceiptReversal,
  ReversedReceipt,
} from '../../../shared/schemas/receipts.ts'
import type {
  CreatedReorderRule,
  ImportedReorderRules,
  ReorderImport,
  ReorderRule,
  ReorderRuleFilter,
  ReorderRuleInput,
  ReorderRulePatch,
} from '../../../shared/schemas/reorder-rules.ts'
import type {
  ReorderDrafts,
  ReorderDraftsInput,
  ReorderSuggestion,
} from '../../../shared/schemas/reorder-suggestions.ts'
import type {
  AbcFilter,
  AbcVariant,
  Adjustment,
  AdjustmentFilter,
  DeadStock,
  DeadStockFilter,
  InventoryValue,
  InventoryValueFilter,
  ProcurementSpend,
  ProcurementSpendFilter,
  SalesVelocity,
  SalesVelocityFilter,
  SupplierPerformance,
  SupplierPerformanceFilter,
} from '../../../shared/schemas/reports.ts'
import type { Settings, SettingsPatch } from '../../../shared/schemas/settings.ts'
import type {
  AdjustedStock,
  StockAdjustment,
  StockSetting,
} from '../../../shared/schemas/stock-adjustments.ts'
import type {
  CreatedStockCount,
  StockCount,
  StockCountFilter,
  StockCountInput,
  StockCountListItem,
  StockCountPatch,
  UpdatedStockCount,
} from '../../../shared/schemas/stock-counts.ts'
import type { StockLevel, StockLevelFilter } from '../../../shared/schemas/stock-levels.ts'
import type { StockMovement, StockMovementFilter } from '../../../shared/schemas/stock-movements.ts'
import type { DecidedStockPush, StockPush, StockPushFilter } from '../../../shared/schemas/stock-pushes.ts'
import type {
  CreatedStockTransfer,
  StockTransfer,
  StockTransferFilter,
  StockTransferInput,
  StockTransferListItem,
  StockTransferPatch,
  UpdatedStockTransfer,
} from '../../../shared/schemas/stock-transfers.ts'
import type {
  CreatedSupplier,
  Supplier,
  SupplierContact,
  SupplierContactInput,
  SupplierContactPatch,
  SupplierInput,
  SupplierListItem,
  SupplierPatch,
  UpdatedSupplier,
} from '../../../shared/schemas/suppliers.ts'
import type {
  Delivery,
  DeliveryFilter,
  ReplayedDeliveries,
  ReplayedDelivery,
  Sync,
} from '../../../shared/schemas/sync.ts'

/** One record, by its address. */
type Read<Answer> = { answer: Answer }
/** One thing that is worked out of what is asked for. */
type Reads<Query, Answer> = { query: Query; answer: Answer }
/** A list, page by page. */
type Lists<Item, Query = PageQuery> = { query: Query; item: Item }
type Does<Body, Answer> = { body: Body; answer: Answer }

/**
 * What the admin asks of the API. All shapes are the server's own, so that one that changes there does not compile here;
 * that the addresses exist is tested (`test/web/endpoints.test.ts`).
 */
export type Endpoints = {
  'GET /settings': Read<Settings>
  'PUT /settings': Does<SettingsPatch, Settings>
  'GET /locations': Read<readonly Location[]>
  'GET /products': Lists<ProductListItem, ProductFilter>

  'GET /suppliers': Lists<SupplierListItem>
  'POST /suppliers': Does<SupplierInput, CreatedSupplier>
  'GET /suppliers/:id': Read<Supplier>
  'PUT /suppliers/:id': Does<SupplierPatch, UpdatedSupplier>
  'DELETE /suppliers/:id': Read<Message>
  'POST /suppliers/:id/contacts': Does<SupplierContactInput, SupplierContact>
  'PUT /suppliers/:id/contacts/:contactId': Does<SupplierContactPatch, SupplierContact>
  'DELETE /suppliers/:id/contacts/:contactId': Read<Message>

  'GET /purchase-orders': Lists<PurchaseOrderListItem, PurchaseOrderFilter>
  'POST /purchase-orders': Does<PurchaseOrderInput, CreatedPurchaseOrder>
  'GET /purchase-orders/:id': Read<PurchaseOrder>
  'PUT /purchase-orders/:id': Does<PurchaseOrderPatch, PurchaseOrder>
  'DELETE /purchase-orders/:id': Read<Message>
  'POST /purchase-orders/:id/send': Does<SendPurchaseOrder, SentPurchaseOrder>
  'POST /purchase-orders/:id/cancel': Read<CancelledPurchaseOrder>
  'POST /purchase-orders/:id/close': Read<ClosedPurchaseOrder>
  'POST /purchase-orders/:id/receive': Does<ReceiptInput, ReceivedPurchaseOrder>
  'GET /purchase-orders/:id/receipts': Lists<Receipt>
  'POST /purchase-orders/:id/receipts/:receiptId/reverse': Does<ReceiptReversal, ReversedReceipt>

  'GET /reorder/suggestions': Lists<ReorderSuggestion>
  'POST /reorder/purchase-orders': Does<ReorderDraftsInput, ReorderDrafts>
  'GET /reorder/rules': Lists<ReorderRule, ReorderRuleFilter>
  'POST /reorder/rules': Does<ReorderRuleInput, CreatedReorderRule>
  'POST /reorder/rules/import': Does<ReorderImport, ImportedReorderRules>
  'PUT /reorder/rules/:id': Does<ReorderRulePatch, ReorderRule>
  'DELETE /reorder/rules/:id': Read<Message>

  'GET /stock-levels': Lists<StockLevel, StockLevelFilter>
  'PUT /stock-levels/bulk': Does<StockSetting, AdjustedStock>
  'POST /stock-levels/adjust': Does<StockAdjustment, AdjustedStock>
  'GET /stock-movements': Lists<StockMovement, StockMovementFilter>
  'GET /stock-pushes': Lists<StockPush, StockPushFilter>
  'POST /stock-pushes/:id/retry': Read<DecidedStockPush>
  'POST /stock-pushes/:id/discard': Read<DecidedStockPush>

  'GET /stock-transfers': Lists<StockTransferListItem, StockTransferFilter>
  'POST /stock-transfers': Does<StockTransferInput, CreatedStockTransfer>
  'GET /stock-transfers/:id': Read<StockTransfer>
  'PUT /stock-transfers/:id': Does<StockTransferPatch, UpdatedStockTransfer>

  'GET /stock-counts': Lists<StockCountListItem, StockCountFilter>
  'POST /stock-counts': Does<StockCountInput, CreatedStockCount>
  'GET /stock-counts/:id': Read<StockCount>
  'PUT /stock-counts/:id': Does<StockCountPatch, UpdatedStockCount>

  'GET /reports/adjustments': Lists<Adjustment, AdjustmentFilter>
  'GET /reports/procurement-spend': Reads<ProcurementSpendFilter, ProcurementSpend>
  'GET /reports/sales-velocity': Lists<SalesVelocity, SalesVelocityFilter>
  'GET /reports/inventory-value': Lists<InventoryValue, InventoryValueFilter>
  'GET /reports/abc': Lists<AbcVariant, AbcFilter>
  'GET /reports/dead-stock': Lists<DeadStock, DeadStockFilter>
  'GET /reports/supplier-performance': Lists<SupplierPerformance, SupplierPerformanceFilter>

  'GET /dashboard': Read<Dashboard>
  'GET /alerts': Lists<Alert, AlertFilter>
  'POST /alerts/:id/read': Read<ReadAlert>
  'POST /alerts/read-all': Does<ReadAllAlerts, ReadAlerts>
  'GET /alerts/configure': Read<AlertConfiguration>
  'POST /alerts/configure': Does<AlertConfigurationPatch, Message>
  'GET /sync': Read<Sync>
  'POST /sync': Read<Sync>
  'GET /sync/deliveries': Lists<Delivery, DeliveryFilter>
  'POST /sync/deliveries/:id/replay': Read<ReplayedDelivery>
  'POST /sync/deliveries/replay-failed': Read<ReplayedDeliveries>
}

export type Endpoint = keyof Endpoints
export type ListEndpoint = { [E in Endpoint]: Endpoints[E] extends { item: unknown } ? E : never }[Endpoint]

/** The names in an address, as in `:id`. */
type NamesIn<E> = E extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : E extends `${string}:${infer Name}`
    ? Name
    : never

type Params<E extends Endpoint> = [NamesIn<E>] extends [never]
  ? { params?: undefined }
  : { params: Record<NamesIn<E>, number> }

type Body<E extends Endpoint> = Endpoints[E] extends { body: infer B } ? { body: B } : { body?: undefined }
type Asked<E extends Endpoint> = Endpoints[E] extends { query: infer Q extends object }
  ? { query: Q }
  : { query?: undefined }

/** What an endpoint has to be told: the ids in its address, what stands behind it, and what is sent. */
export type Options<E extends Endpoint> = Params<E> & Asked<E> & Body<E>
export type Answer<E extends Endpoint> = Endpoints[E] extends { answer: infer A } ? A : never
export type Item<E extends ListEndpoint> = Endpoints[E] extends { item: infer I } ? I : never
