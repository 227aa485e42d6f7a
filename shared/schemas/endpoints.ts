import type { Static, TSchema } from '@sinclair/typebox'
import {
  Alert,
  AlertConfiguration,
  AlertConfigurationPatch,
  AlertFilter,
  ReadAlert,
  ReadAlerts,
  ReadAllAlerts,
} from './alerts.ts'
import {
  Attachment,
  AttachmentFilter,
  AttachmentInput,
  attachmentTypes,
  maxAttachmentBody,
} from './attachments.ts'
import { BinImport, BinsInput, ImportedBins, SavedBins } from './bins.ts'
import {
  BudgetPlan,
  BudgetPlanFilter,
  BuyingBudget,
  BuyingBudgetFilter,
  BuyingBudgetInput,
  BuyingBudgetPatch,
} from './buying-budgets.ts'
import { ChargeDeletion, ChargeId, ChargeInput, ChargeParams, ChargePatch, LandedCost } from './charges.ts'
import { IdParam, List, Message, PageQuery } from './common.ts'
import { CostMovement, DecidedCostPush, VariantCosts } from './costs.ts'
import { CountPlan, CountPlanFilter, CountPlanInput, CountPlanPatch } from './count-plans.ts'
import type { CsvColumn } from './csv-columns.ts'
import { csvLists } from './csv-lists.ts'
import { Dashboard } from './dashboard.ts'
import { DemandEventFilter, DemandEventInput, DemandEventPatch, DemandEventRecord } from './demand-events.ts'
import { DigestPreview, DigestSettings, DigestSettingsPatch, DigestTest, LastDigestTest } from './digest.ts'
import { ExchangeRate } from './exchange-rates.ts'
import { Export } from './exports.ts'
import {
  ForecastAccuracy,
  ForecastAccuracyFilter,
  ForecastAccuracyTotal,
  ForecastAccuracyTotalFilter,
  ForecastEntry,
  VariantForecast,
} from './forecasts.ts'
import {
  Import,
  ImportInput,
  ImportListItem,
  ImportPart,
  ImportPartParams,
  ImportPatch,
  ImportRow,
  ImportRowFilter,
  ImportRun,
  ImportSampleParams,
  SupplierTwin,
} from './imports.ts'
import { LabelCount, LabelQuery } from './labels.ts'
import { ListView, ListViewFilter, ListViewInput, ListViewPatch } from './list-views.ts'
import { Location } from './locations.ts'
import {
  MailTemplate,
  MailTemplateInput,
  MailTemplateParams,
  MailTemplateSample,
  MailTemplateText,
} from './mail-templates.ts'
import { PastAdjustment, PastAdjustmentFilter } from './past-adjustments.ts'
import {
  ArrivalFilter,
  ExpectedArrival,
  LostSale,
  LostSaleFilter,
  OpenToBuy,
  OpenToBuyFilter,
  Overstock,
  OverstockFilter,
  StockGap,
  StockGapFilter,
} from './planning.ts'
import { ProductFacets, ProductFilter, ProductListItem } from './products.ts'
import {
  CancelledPurchaseOrder,
  ClosedPurchaseOrder,
  CreatedPurchaseOrder,
  MailedWords,
  PurchaseOrder,
  PurchaseOrderBulkInput,
  PurchaseOrderBulkOutcome,
  PurchaseOrderCsvQuery,
  PurchaseOrderFilter,
  PurchaseOrderInput,
  PurchaseOrderListItem,
  PurchaseOrderMailParams,
  PurchaseOrderPatch,
  PurchaseOrderRevision,
  PurchaseOrderRevisionInput,
  ReceivedPurchaseOrder,
  SendPreview,
  SendPreviewQuery,
  SendPurchaseOrder,
  SentPurchaseOrder,
  SupplierTerms,
  SupplierTermsFilter,
  ToppedUpPurchaseOrder,
  TopUpPurchaseOrder,
} from './purchase-orders.ts'
import {
  DirectReceiptInput,
  LineCodes,
  OrderReceipt,
  OrderReceiptFilter,
  PostedReceipt,
  PostReceipt,
  Receipt,
  ReceiptDetail,
  ReceiptDraftDeletion,
  ReceiptDraftInput,
  ReceiptDraftPatch,
  ReceiptFilter,
  ReceiptInput,
  ReceiptListItem,
  ReceiptParams,
  ReceiptReversal,
  ReversedAnyReceipt,
  ReversedReceipt,
  ScannedLine,
  ScanQuery,
} from './receipts.ts'
import {
  CreatedReorderRule,
  DeletedReorderRules,
  ImportedReorderRules,
  ReorderImport,
  ReorderRule,
  ReorderRuleFilter,
  ReorderRuleInput,
  ReorderRulePatch,
  ReorderRulesDeletion,
  ReorderRulesInput,
  SavedReorderRules,
} from './reorder-rules.ts'
import {
  ReorderDrafts,
  ReorderDraftsInput,
  ReorderSuggestion,
  ReorderSuggestionFilter,
} from './reorder-suggestions.ts'
import {
  OrderSuggestionInput,
  ReplenishmentFilter,
  ReplenishmentOrders,
  ReplenishmentOrdersInput,
  ReplenishmentRow,
  SuggestedOrder,
} from './replenishment.ts'
import {
  AbcFilter,
  AbcVariant,
  Adjustment,
  AdjustmentFilter,
  AdjustmentReasonFilter,
  AdjustmentReasons,
  CommitmentFilter,
  Commitments,
  CountAccuracy,
  CountAccuracyFilter,
  DeadStock,
  DeadStockFilter,
  InventoryValue,
  InventoryValueFilter,
  Margin,
  MarginFilter,
  PaidPrice,
  PriceHistoryFilter,
  ProcurementSpend,
  ProcurementSpendFilter,
  SalesVelocity,
  SalesVelocityFilter,
  SupplierPerformance,
  SupplierPerformanceFilter,
} from './reports.ts'
import { Logo, LogoInput, maxLogoBody, Settings, SettingsPatch } from './settings.ts'
import { AdjustedStock, StockAdjustment, StockSetting } from './stock-adjustments.ts'
import {
  CancelledStockCounts,
  CountApproval,
  CountSheet,
  CreatedStockCount,
  FilledStockCount,
  RecountInput,
  StockCount,
  StockCountFilter,
  StockCountInput,
  StockCountListItem,
  StockCountPatch,
  StockCountSelection,
  UpdatedStockCount,
} from './stock-counts.ts'
import {
  RevertedStockImport,
  StockImport,
  StockImportFilter,
  StockImportInput,
  StockImportOutcome,
  StockImportRevert,
} from './stock-imports.ts'
import { StockLevel, StockLevelFilter } from './stock-levels.ts'
import { StockMovement, StockMovementFilter } from './stock-movements.ts'
import { DecidedStockPush, StockPush, StockPushFilter } from './stock-pushes.ts'
import {
  CancelledStockTransfers,
  CreatedStockTransfer,
  ReversedTransferEvent,
  StockTransfer,
  StockTransferFilter,
  StockTransferInput,
  StockTransferListItem,
  StockTransferPatch,
  StockTransferSelection,
  TransferClosing,
  TransferCodes,
  TransferEvent,
  TransferEventParams,
  TransferReceipt,
  TransferReversal,
  TransferShipment,
  TransferStep,
  UpdatedStockTransfer,
} from './stock-transfers.ts'
import { ImportedPrices, PriceImport } from './supplier-prices.ts'
import {
  SavedSupplierProducts,
  SupplierProduct,
  SupplierProductFilter,
  SupplierProductInput,
  SupplierProductParams,
  SupplierProductPatch,
  SupplierProductRows,
} from './supplier-products.ts'
import {
  ChangedSupplierReturn,
  CreatedSupplierReturn,
  ReturnableReceipt,
  SupplierReturn,
  SupplierReturnCredit,
  SupplierReturnFilter,
  SupplierReturnInput,
  SupplierReturnListItem,
  SupplierReturnPatch,
  SupplierReturnShipment,
} from './supplier-returns.ts'
import {
  ArchivedSuppliers,
  CreatedSupplier,
  MergedSupplier,
  RestoredSuppliers,
  Supplier,
  SupplierContact,
  SupplierContactInput,
  SupplierContactParams,
  SupplierContactPatch,
  SupplierFilter,
  SupplierInput,
  SupplierListItem,
  SupplierMerge,
  SupplierPatch,
  SupplierSelection,
  UpdatedSupplier,
  VendorSuppliers,
  VendorSuppliersInput,
} from './suppliers.ts'
import { Delivery, DeliveryFilter, ReplayedDeliveries, ReplayedDelivery, Sync } from './sync.ts'
import {
  TransferDrafts,
  TransferDraftsInput,
  TransferSuggestion,
  TransferSuggestionFilter,
} from './transfer-suggestions.ts'
import {
  UpdatedVariant,
  Variant,
  VariantCodes,
  VariantFilter,
  VariantListItem,
  VariantMatches,
  VariantParams,
  VariantPatch,
} from './variants.ts'

type Address = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`

/** One endpoint of the API. Requests with fields that its schemas do not name are refused. */
export type Endpoint = {
  summary: string
  params?: TSchema
  query?: TSchema
  body?: TSchema
  /** The `data` of a successful response; left out when the response is not JSON. */
  answer?: TSchema
  /** The status of a successful response: 200 by default; the handler chooses when there are several. */
  status?: 201 | readonly [200, 201]
  /** Also available as CSV with these columns. */
  csv?: readonly CsvColumn[]
  /** The field of `answer` that holds the rows of the CSV, when `answer` is not a list. */
  csvRows?: string
  /** The media type of a response that is not JSON, or the possible ones. */
  produces?: string | readonly string[]
  /** The largest body, and what the caller of a larger one reads; 1 MiB without it. */
  maxBody?: { bytes: number; message: string }
  /** The time for the whole response, when it is a long stream; 10 s without it. */
  timeoutMs?: number
}

/**
 * The contract of the API: every endpoint below `/api`. The routes are registered from this table, `/openapi.json`
 * describes it, and the types of the admin's client follow from it.
 */
export const endpoints = {
  'GET /dashboard': { summary: 'Get key figures, unread alerts and recent orders', answer: Dashboard },

  'GET /suppliers': {
    summary: 'List suppliers, newest first',
    query: SupplierFilter,
    answer: List(SupplierListItem),
    csv: csvLists.suppliers,
  },
  'POST /suppliers': {
    summary: 'Create a supplier',
    body: SupplierInput,
    answer: CreatedSupplier,
    status: 201,
  },
  'GET /suppliers/:id': {
    summary: 'Get a supplier with its contacts, also an archived one',
    params: IdParam,
    answer: Supplier,
  },
  'PUT /suppliers/:id': {
    summary: 'Update the given fields of a supplier',
    params: IdParam,
    body: SupplierPatch,
    answer: UpdatedSupplier,
  },
  'DELETE /suppliers/:id': {
    summary: 'Delete a supplier, or archive it if it has orders',
    params: IdParam,
    answer: Message,
  },
  'GET /suppliers/:id/terms': {
    summary:
      'Get what a new order of a supplier begins with: currency, rate, minimum, and the terms of variants',
    params: IdParam,
    query: SupplierTermsFilter,
    answer: SupplierTerms,
  },
  'POST /suppliers/archive': {
    summary: 'Archive suppliers, all or none; their reorder rules lose the supplier',
    body: SupplierSelection,
    answer: ArchivedSuppliers,
  },
  'POST /suppliers/restore': {
    summary: 'Restore archived suppliers, all or none',
    body: SupplierSelection,
    answer: RestoredSuppliers,
  },
  'POST /suppliers/:id/restore': {
    summary: 'Restore an archived supplier',
    params: IdParam,
    answer: UpdatedSupplier,
  },
  'POST /suppliers/:id/merge': {
    summary: 'Move the orders, rules, products and contacts of a supplier to another one, and delete it',
    params: IdParam,
    body: SupplierMerge,
    answer: MergedSupplier,
  },
  'POST /suppliers/from-vendors': {
    summary:
      'Create suppliers and their products from the vendors of the products, or report what is missing',
    body: VendorSuppliersInput,
    answer: VendorSuppliers,
  },
  'GET /suppliers/:id/products': {
    summary: 'List what a supplier sells, newest first',
    params: IdParam,
    query: SupplierProductFilter,
    answer: List(SupplierProduct),
    csv: csvLists.supplierProducts,
  },
  'POST /suppliers/:id/products': {
    summary: 'Add a product to a supplier, with its prices',
    params: IdParam,
    body: SupplierProductInput,
    answer: SupplierProduct,
    status: 201,
  },
  'POST /suppliers/:id/products/bulk': {
    summary: 'Add products to a supplier, or update those of the same variants and supplier SKUs',
    params: IdParam,
    body: SupplierProductRows,
    answer: SavedSupplierProducts,
  },
  'PUT /suppliers/:id/products/:supplierProductId': {
    summary: 'Update the given fields of a product of a supplier',
    params: SupplierProductParams,
    body: SupplierProductPatch,
    answer: SupplierProduct,
  },
  'DELETE /suppliers/:id/products/:supplierProductId': {
    summary: 'Remove a product and its prices from a supplier',
    params: SupplierProductParams,
    answer: Message,
  },
  'POST /supplier-prices/import': {
    summary: 'Create or update products and prices of suppliers from a price list, or check the list only',
    body: PriceImport,
    answer: ImportedPrices,
  },
  'POST /suppliers/:id/contacts': {
    summary: 'Add a contact to a supplier',
    params: IdParam,
    body: SupplierContactInput,
    answer: SupplierContact,
    status: 201,
  },
  'PUT /suppliers/:id/contacts/:contactId': {
    summary: 'Update the given fields of a contact',
    params: SupplierContactParams,
    body: SupplierContactPatch,
    answer: SupplierContact,
  },
  'DELETE /suppliers/:id/contacts/:contactId': {
    summary: 'Delete a contact',
    params: SupplierContactParams,
    answer: Message,
  },

  'GET /purchase-orders': {
    summary: 'List purchase orders, newest first or by another sort',
    query: PurchaseOrderFilter,
    answer: List(PurchaseOrderListItem),
    csv: csvLists.purchaseOrders,
  },
  'POST /purchase-orders': {
    summary: 'Create a draft purchase order',
    body: PurchaseOrderInput,
    answer: CreatedPurchaseOrder,
    status: 201,
  },
  'POST /purchase-orders/bulk': {
    summary:
      'Send, cancel or delete several orders; the answer names each that was not changed, with the reason',
    body: PurchaseOrderBulkInput,
    answer: PurchaseOrderBulkOutcome,
  },
  'GET /purchase-orders/:id': {
    summary: 'Get a purchase order with its lines and e-mail status',
    params: IdParam,
    answer: PurchaseOrder,
    csv: csvLists.purchaseOrder,
    csvRows: 'lineItems',
  },
  'PUT /purchase-orders/:id': {
    summary: 'Update a draft, or the notes and expected date of a sent order',
    params: IdParam,
    body: PurchaseOrderPatch,
    answer: PurchaseOrder,
  },
  'DELETE /purchase-orders/:id': {
    summary: 'Delete a draft or a cancelled order',
    params: IdParam,
    answer: Message,
  },
  'POST /purchase-orders/:id/send': {
    summary: 'E-mail a draft to its supplier, or resend a sent order',
    params: IdParam,
    body: SendPurchaseOrder,
    answer: SentPurchaseOrder,
  },
  'GET /purchase-orders/:id/send-preview': {
    summary: 'Get the e-mail that sending the order would send now',
    params: IdParam,
    query: SendPreviewQuery,
    answer: SendPreview,
  },
  'GET /purchase-orders/:id/csv': {
    summary: "Get the lines of the order as CSV, as it is attached to e-mails, or in the platform's template",
    params: IdParam,
    query: PurchaseOrderCsvQuery,
    produces: 'text/csv',
  },
  'GET /purchase-orders/:id/pdf': {
    summary: 'Get the PDF of the order as it is now',
    params: IdParam,
    produces: 'application/pdf',
  },
  'GET /purchase-orders/:id/mails/:mailId': {
    summary: 'Get an e-mail of the order with its subject and text',
    params: PurchaseOrderMailParams,
    answer: MailedWords,
  },
  'GET /purchase-orders/:id/mails/:mailId/pdf': {
    summary: 'Get the PDF of the order as it was e-mailed',
    params: PurchaseOrderMailParams,
    produces: 'application/pdf',
  },
  'POST /purchase-orders/:id/receive': {
    summary: 'Receive goods against an order',
    params: IdParam,
    body: ReceiptInput,
    answer: ReceivedPurchaseOrder,
  },
  'GET /purchase-orders/:id/receipts': {
    summary: 'List the receipts of an order, newest first',
    params: IdParam,
    query: OrderReceiptFilter,
    answer: List(Receipt),
  },
  'POST /purchase-orders/:id/receipts': {
    summary: 'Create a draft of a receipt: goods that are still being counted',
    params: IdParam,
    body: ReceiptDraftInput,
    answer: OrderReceipt,
    status: 201,
  },
  'GET /purchase-orders/:id/receipts/:receiptId': {
    summary: 'Get a receipt with every line of its order and what was counted',
    params: ReceiptParams,
    answer: OrderReceipt,
  },
  'PUT /purchase-orders/:id/receipts/:receiptId': {
    summary: 'Update the given fields of a draft receipt; `lines` replaces all counts',
    params: ReceiptParams,
    body: ReceiptDraftPatch,
    answer: OrderReceipt,
  },
  'DELETE /purchase-orders/:id/receipts/:receiptId': {
    summary: 'Delete a draft receipt',
    params: ReceiptParams,
    query: ReceiptDraftDeletion,
    answer: Message,
  },
  'POST /purchase-orders/:id/receipts/:receiptId/post': {
    summary: 'Post a draft receipt: its accepted pieces go into stock',
    params: ReceiptParams,
    body: PostReceipt,
    answer: PostedReceipt,
  },
  'GET /purchase-orders/:id/codes': {
    summary: 'List every code by which a scan names a line of an order',
    params: IdParam,
    answer: LineCodes,
  },
  'GET /purchase-orders/:id/scan': {
    summary: 'Find the line of an order that a scanned code names',
    params: IdParam,
    query: ScanQuery,
    answer: ScannedLine,
  },
  'POST /purchase-orders/:id/receipts/:receiptId/reverse': {
    summary: 'Reverse a receipt and its stock movements',
    params: ReceiptParams,
    body: ReceiptReversal,
    answer: ReversedReceipt,
  },
  'POST /purchase-orders/:id/charges': {
    summary: 'Add a charge, such as freight, to the cost of an order',
    params: IdParam,
    body: ChargeInput,
    answer: ChargeId,
    status: 201,
  },
  'PUT /purchase-orders/:id/charges/:chargeId': {
    summary: 'Update the given fields of a charge; received goods are revalued',
    params: ChargeParams,
    body: ChargePatch,
    answer: ChargeId,
  },
  'DELETE /purchase-orders/:id/charges/:chargeId': {
    summary: 'Delete a charge; received goods are revalued',
    params: ChargeParams,
    query: ChargeDeletion,
    answer: Message,
  },
  'GET /purchase-orders/:id/landed-cost': {
    summary: "Get what an order's goods cost with its charges, in the shop's currency",
    params: IdParam,
    answer: LandedCost,
    csv: csvLists.landedCost,
    csvRows: 'lines',
  },
  'POST /purchase-orders/:id/cancel': {
    summary: 'Cancel a draft or a sent order',
    params: IdParam,
    answer: CancelledPurchaseOrder,
  },
  'POST /purchase-orders/:id/close': {
    summary: 'Close an order and cancel its outstanding quantities',
    params: IdParam,
    answer: ClosedPurchaseOrder,
  },
  'POST /purchase-orders/:id/duplicate': {
    summary: "Create a draft with the lines of an order and today's prices",
    params: IdParam,
    answer: CreatedPurchaseOrder,
    status: 201,
  },
  'POST /purchase-orders/:id/top-up': {
    summary: "Fill the gap of a draft to the supplier's minimum",
    params: IdParam,
    body: TopUpPurchaseOrder,
    answer: ToppedUpPurchaseOrder,
  },
  'POST /purchase-orders/:id/suggest': {
    summary: 'Fill a draft with what its supplier should deliver',
    params: IdParam,
    body: OrderSuggestionInput,
    answer: SuggestedOrder,
  },
  'POST /purchase-orders/:id/revise': {
    summary: 'Change the lines of a sent order and e-mail the difference',
    params: IdParam,
    body: PurchaseOrderRevisionInput,
    answer: PurchaseOrder,
  },
  'GET /purchase-orders/:id/revisions': {
    summary: 'List the revisions of an order, newest first',
    params: IdParam,
    query: PageQuery,
    answer: List(PurchaseOrderRevision),
  },

  'GET /supplier-returns': {
    summary: 'List returns to suppliers, by one of several sorts',
    query: SupplierReturnFilter,
    answer: List(SupplierReturnListItem),
    csv: csvLists.supplierReturns,
  },
  'POST /supplier-returns': {
    summary: 'Create a draft of a return to a supplier, which moves no stock yet',
    body: SupplierReturnInput,
    answer: CreatedSupplierReturn,
    status: 201,
  },
  'GET /receipts/:id/returnable': {
    summary: 'Get the pieces of a receipt that can still be returned to the supplier',
    params: IdParam,
    answer: ReturnableReceipt,
  },
  'GET /supplier-returns/:id': {
    summary: 'Get a return to a supplier with its lines',
    params: IdParam,
    answer: SupplierReturn,
    csv: csvLists.supplierReturn,
    csvRows: 'lines',
  },
  'PUT /supplier-returns/:id': {
    summary: 'Update the given fields of a draft of a return',
    params: IdParam,
    body: SupplierReturnPatch,
    answer: SupplierReturn,
  },
  'POST /supplier-returns/:id/ship': {
    summary: 'Ship a return: its pieces leave the stock',
    params: IdParam,
    body: SupplierReturnShipment,
    answer: ChangedSupplierReturn,
  },
  'POST /supplier-returns/:id/credit': {
    summary: "Enter or correct the supplier's credit of a shipped return",
    params: IdParam,
    body: SupplierReturnCredit,
    answer: ChangedSupplierReturn,
  },
  'POST /supplier-returns/:id/cancel': {
    summary: 'Cancel a draft of a return',
    params: IdParam,
    answer: ChangedSupplierReturn,
  },
  'POST /supplier-returns/:id/undo': {
    summary: 'Cancel a shipped return whose goods came back: its pieces are stock again',
    params: IdParam,
    answer: ChangedSupplierReturn,
  },
  'GET /supplier-returns/:id/pdf': {
    summary: 'Get the return note for the supplier as PDF',
    params: IdParam,
    produces: 'application/pdf',
  },

  'GET /attachments': {
    summary: 'List the files of documents, newest first',
    query: AttachmentFilter,
    answer: List(Attachment),
  },
  'POST /attachments': {
    summary: 'Attach an image or a PDF of at most 2 MiB to a document',
    body: AttachmentInput,
    answer: Attachment,
    status: 201,
    maxBody: {
      bytes: maxAttachmentBody,
      message: 'A file can have at most 2 MiB. Make it smaller, or split it.',
    },
  },
  'GET /attachments/:id/file': {
    summary: 'Get an attached file',
    params: IdParam,
    produces: Object.keys(attachmentTypes),
  },
  'DELETE /attachments/:id': {
    summary: 'Delete an attached file',
    params: IdParam,
    answer: Message,
  },

  'GET /reorder/rules': {
    summary: 'List reorder rules',
    query: ReorderRuleFilter,
    answer: List(ReorderRule),
    csv: csvLists.reorderRules,
  },
  'POST /reorder/rules': {
    summary: 'Create a reorder rule',
    body: ReorderRuleInput,
    answer: CreatedReorderRule,
    status: 201,
  },
  'POST /reorder/rules/bulk': {
    summary: 'Create reorder rules, or update those of the same variants and locations',
    body: ReorderRulesInput,
    answer: SavedReorderRules,
  },
  'POST /reorder/rules/delete': {
    summary: 'Delete reorder rules, all or none',
    body: ReorderRulesDeletion,
    answer: DeletedReorderRules,
  },
  'POST /reorder/rules/import': {
    summary: 'Create or update reorder rules from a CSV file, or check the file only',
    body: ReorderImport,
    answer: ImportedReorderRules,
  },
  'GET /reorder/rules/:id': {
    summary: 'Get a reorder rule',
    params: IdParam,
    answer: ReorderRule,
  },
  'PUT /reorder/rules/:id': {
    summary: 'Update the given fields of a reorder rule',
    params: IdParam,
    body: ReorderRulePatch,
    answer: ReorderRule,
  },
  'DELETE /reorder/rules/:id': {
    summary: 'Delete a reorder rule',
    params: IdParam,
    answer: Message,
  },
  'GET /reorder/suggestions': {
    summary: 'List variants to reorder, the most urgent first',
    query: ReorderSuggestionFilter,
    answer: List(ReorderSuggestion),
    csv: csvLists.reorderSuggestions,
  },
  'POST /reorder/purchase-orders': {
    summary: 'Create draft orders from suggestions, one per supplier',
    body: ReorderDraftsInput,
    answer: ReorderDrafts,
    status: 201,
  },

  'GET /list-views': {
    summary: 'List the saved views of a list by name',
    query: ListViewFilter,
    answer: List(ListView),
  },
  'POST /list-views': {
    summary: 'Save filters, sort and columns of a list under a name',
    body: ListViewInput,
    answer: ListView,
    status: 201,
  },
  'PUT /list-views/:id': {
    summary: 'Rename a saved view, or replace what it shows',
    params: IdParam,
    body: ListViewPatch,
    answer: ListView,
  },
  'DELETE /list-views/:id': {
    summary: 'Delete a saved view',
    params: IdParam,
    answer: Message,
  },

  'GET /replenishment': {
    summary: 'List what to order so that the stock lasts a number of days',
    query: ReplenishmentFilter,
    answer: List(ReplenishmentRow),
    csv: csvLists.replenishment,
  },
  'POST /replenishment/orders': {
    summary: 'Create draft orders from chosen products, one per supplier and destination',
    body: ReplenishmentOrdersInput,
    answer: ReplenishmentOrders,
    status: 201,
  },

  'GET /stock-levels': {
    summary: 'List stock levels by variant and location',
    query: StockLevelFilter,
    answer: List(StockLevel),
    csv: csvLists.stockLevels,
  },
  'PUT /stock-levels/bulk': {
    summary: 'Set stock levels to new quantities',
    body: StockSetting,
    answer: AdjustedStock,
  },
  'POST /stock-levels/adjust': {
    summary: 'Change stock levels by positive or negative quantities',
    body: StockAdjustment,
    answer: AdjustedStock,
  },
  'GET /stock-imports': {
    summary: 'List the files that set or adjusted stock, newest first',
    query: StockImportFilter,
    answer: List(StockImport),
  },
  'POST /stock-imports': {
    summary: 'Set or adjust the stock of all rows of a CSV file, or check the file by a dry run',
    body: StockImportInput,
    answer: StockImportOutcome,
  },
  'POST /stock-imports/:id/revert': {
    summary: 'Revert a stock import; later changes of the same levels stay',
    params: IdParam,
    body: StockImportRevert,
    answer: RevertedStockImport,
  },

  'GET /stock-movements': {
    summary: 'List stock movements, newest first',
    query: StockMovementFilter,
    answer: List(StockMovement),
    csv: csvLists.stockMovements,
  },
  'GET /stock-pushes': {
    summary: 'List stock changes that the platform has not confirmed, newest first',
    query: StockPushFilter,
    answer: List(StockPush),
  },
  'POST /stock-pushes/:id/retry': {
    summary: 'Send a failed stock change to the platform again',
    params: IdParam,
    answer: DecidedStockPush,
  },
  'POST /stock-pushes/:id/discard': {
    summary: "Discard a failed stock change and keep the platform's quantity",
    params: IdParam,
    answer: DecidedStockPush,
  },

  'GET /stock-transfers': {
    summary: 'List transfers, sorted by number, location or status',
    query: StockTransferFilter,
    answer: List(StockTransferListItem),
    csv: csvLists.stockTransfers,
  },
  'POST /stock-transfers': {
    summary: 'Create a pending transfer, which moves no stock yet',
    body: StockTransferInput,
    answer: CreatedStockTransfer,
    status: 201,
  },
  'POST /stock-transfers/cancel': {
    summary: 'Cancel pending transfers, all or none',
    body: StockTransferSelection,
    answer: CancelledStockTransfers,
  },
  'GET /stock-transfers/suggestions': {
    summary: 'List what locations below their reorder point could get from others',
    query: TransferSuggestionFilter,
    answer: List(TransferSuggestion),
    csv: csvLists.transferSuggestions,
  },
  'POST /stock-transfers/suggestions': {
    summary: 'Create pending transfers from suggestions, one per pair of locations',
    body: TransferDraftsInput,
    answer: TransferDrafts,
    status: 201,
  },
  'GET /stock-transfers/:id': {
    summary: 'Get a transfer with its items',
    params: IdParam,
    answer: StockTransfer,
    csv: csvLists.stockTransfer,
    csvRows: 'items',
  },
  'PUT /stock-transfers/:id': {
    summary: 'Ship, complete or cancel a transfer, or update its notes and, while it is pending, its items',
    params: IdParam,
    body: StockTransferPatch,
    answer: UpdatedStockTransfer,
  },
  'POST /stock-transfers/:id/ship': {
    summary: 'Ship all or some of the goods of a transfer',
    params: IdParam,
    body: TransferShipment,
    answer: TransferStep,
  },
  'POST /stock-transfers/:id/receive': {
    summary: 'Record what arrived of a transfer, what was lost and what is damaged',
    params: IdParam,
    body: TransferReceipt,
    answer: TransferStep,
  },
  'POST /stock-transfers/:id/close': {
    summary: 'End a transfer: what is in transit goes back to the source or is lost',
    params: IdParam,
    body: TransferClosing,
    answer: TransferStep,
  },
  'GET /stock-transfers/:id/codes': {
    summary: 'List every code by which a scan names a product of a transfer',
    params: IdParam,
    answer: TransferCodes,
  },
  'GET /stock-transfers/:id/events': {
    summary: 'List what was done with a transfer, newest first',
    params: IdParam,
    query: PageQuery,
    answer: List(TransferEvent),
  },
  'POST /stock-transfers/:id/events/:eventId/reverse': {
    summary: 'Reverse an event: stock, costs and quantities in transit become what they were',
    params: TransferEventParams,
    body: TransferReversal,
    answer: ReversedTransferEvent,
  },

  'GET /stock-transfers/:id/pick-list.pdf': {
    summary: 'Get the pick list of a transfer as a PDF',
    params: IdParam,
    produces: 'application/pdf',
  },

  'PUT /bins': {
    summary: 'Set or remove the bins of products at locations',
    body: BinsInput,
    answer: SavedBins,
  },
  'POST /bins/import': {
    summary: 'Set or remove bins from a CSV file, or check the file only',
    body: BinImport,
    answer: ImportedBins,
  },
  'GET /labels': {
    summary: 'Count the labels of a receipt, an order or products, which may need several files, as a PDF',
    query: LabelQuery,
    answer: LabelCount,
  },
  'GET /labels.pdf': {
    summary: 'Get labels with barcodes of a receipt, an order or products, as a PDF',
    query: LabelQuery,
    produces: 'application/pdf',
  },
  'GET /labels.zpl': {
    summary: 'Get labels as ZPL, for label printers',
    query: LabelQuery,
    produces: 'text/plain',
  },

  'GET /stock-counts': {
    summary: 'List stock counts, sorted by number, location or status',
    query: StockCountFilter,
    answer: List(StockCountListItem),
    csv: csvLists.stockCounts,
  },
  'POST /stock-counts': {
    summary: 'Start a stock count at a location',
    body: StockCountInput,
    answer: CreatedStockCount,
    status: 201,
  },
  'POST /stock-counts/cancel': {
    summary: 'Cancel open stock counts, all or none',
    body: StockCountSelection,
    answer: CancelledStockCounts,
  },
  'GET /stock-counts/:id': {
    summary: 'Get a stock count with its items; the CSV lists the items',
    params: IdParam,
    answer: StockCount,
    csv: csvLists.stockCount,
    csvRows: 'items',
  },
  'PUT /stock-counts/:id': {
    summary: 'Save counted quantities, and submit or cancel the stock count',
    params: IdParam,
    body: StockCountPatch,
    answer: UpdatedStockCount,
  },
  'POST /stock-counts/:id/add-products': {
    summary: 'Add the stocked products that match a filter as not counted; an empty filter adds all',
    params: IdParam,
    body: CountSheet,
    answer: FilledStockCount,
  },
  'POST /stock-counts/:id/finish': {
    summary: 'Finish counting, so that the stock count can be reviewed',
    params: IdParam,
    answer: StockCount,
  },
  'POST /stock-counts/:id/recount': {
    summary: 'Start a recount of the products with a variance above a value or a percentage',
    params: IdParam,
    body: RecountInput,
    answer: StockCount,
  },
  'POST /stock-counts/:id/approve': {
    summary: 'Approve the numbers of a stock count above the limit of the settings',
    params: IdParam,
    body: CountApproval,
    answer: StockCount,
  },

  'GET /count-plans': {
    summary: 'List count plans, newest first',
    query: CountPlanFilter,
    answer: List(CountPlan),
  },
  'POST /count-plans': {
    summary: 'Create a count plan: the worker makes its counts at night',
    body: CountPlanInput,
    answer: CountPlan,
    status: 201,
  },
  'GET /count-plans/:id': { summary: 'Get a count plan', params: IdParam, answer: CountPlan },
  'PUT /count-plans/:id': {
    summary: 'Update a count plan',
    params: IdParam,
    body: CountPlanPatch,
    answer: CountPlan,
  },
  'DELETE /count-plans/:id': {
    summary: 'Delete a count plan; its counts stay',
    params: IdParam,
    answer: Message,
  },

  'GET /demand-events': {
    summary: 'List events and growth that change the forecasts, newest first',
    query: DemandEventFilter,
    answer: List(DemandEventRecord),
  },
  'POST /demand-events': {
    summary: 'Create an event or growth: the worker computes the affected forecasts again',
    body: DemandEventInput,
    answer: DemandEventRecord,
    status: 201,
  },
  'GET /demand-events/:id': {
    summary: 'Get an event or growth',
    params: IdParam,
    answer: DemandEventRecord,
  },
  'PUT /demand-events/:id': {
    summary: 'Update an event or growth',
    params: IdParam,
    body: DemandEventPatch,
    answer: DemandEventRecord,
  },
  'DELETE /demand-events/:id': {
    summary: 'Delete an event or growth',
    params: IdParam,
    answer: Message,
  },

  'GET /buying-budgets': {
    summary: 'List budgets with what is spent, newest first',
    query: BuyingBudgetFilter,
    answer: List(BuyingBudget),
  },
  'POST /buying-budgets': {
    summary: 'Create a budget of a month or of dates',
    body: BuyingBudgetInput,
    answer: BuyingBudget,
    status: 201,
  },
  'GET /buying-budgets/:id': { summary: 'Get a budget', params: IdParam, answer: BuyingBudget },
  'PUT /buying-budgets/:id': {
    summary: 'Update a budget',
    params: IdParam,
    body: BuyingBudgetPatch,
    answer: BuyingBudget,
  },
  'DELETE /buying-budgets/:id': { summary: 'Delete a budget', params: IdParam, answer: Message },
  'GET /buying-budgets/:id/suggestions': {
    summary:
      'List what to order with the rest of a budget, which pays with tax, the highest margin by money spent first',
    params: IdParam,
    query: BudgetPlanFilter,
    answer: BudgetPlan,
    csv: csvLists.budget,
    csvRows: 'rows',
  },

  'GET /reports/forecast-accuracy': {
    summary: 'List the forecast errors of the last four complete weeks by variant, largest first',
    query: ForecastAccuracyFilter,
    answer: List(ForecastAccuracy),
    csv: csvLists.forecastAccuracy,
  },
  'GET /reports/forecast-accuracy/total': {
    summary: 'Get the total forecast error of the last four complete weeks',
    query: ForecastAccuracyTotalFilter,
    answer: ForecastAccuracyTotal,
  },
  'GET /reports/stock-gaps': {
    summary: 'List products that run out before goods arrive, with the cheapest cure, the largest loss first',
    query: StockGapFilter,
    answer: List(StockGap),
    csv: csvLists.stockGaps,
  },
  'GET /reports/lost-sales': {
    summary: 'List what was not sold for lack of stock, the largest loss first',
    query: LostSaleFilter,
    answer: List(LostSale),
    csv: csvLists.lostSales,
  },
  'GET /reports/overstock': {
    summary:
      'List overstock above the demand of a number of days, highest value first, with what to do about it',
    query: OverstockFilter,
    answer: List(Overstock),
    csv: csvLists.overstock,
  },
  'GET /reports/arrivals': {
    summary: 'List open orders and transfers by the day on which they are expected, overdue ones first',
    query: ArrivalFilter,
    answer: List(ExpectedArrival),
    csv: csvLists.arrivals,
  },
  'GET /reports/open-to-buy': {
    summary: 'Get what was ordered and received by month, what still arrives, and the forecast need at cost',
    query: OpenToBuyFilter,
    answer: OpenToBuy,
    csv: csvLists.openToBuy,
    csvRows: 'months',
  },
  'GET /reports/procurement-spend': {
    summary: 'Get the value of sent orders by supplier and by month; the CSV lists suppliers',
    query: ProcurementSpendFilter,
    answer: ProcurementSpend,
    csv: csvLists.procurementSpend,
    csvRows: 'bySupplier',
  },
  'GET /reports/sales-velocity': {
    summary: 'List sales velocity by variant, best sellers first',
    query: SalesVelocityFilter,
    answer: List(SalesVelocity),
    csv: csvLists.salesVelocity,
  },
  'GET /reports/adjustments': {
    summary: 'List stock adjustments and counts, newest first',
    query: AdjustmentFilter,
    answer: List(Adjustment),
    csv: csvLists.adjustments,
  },
  'GET /reports/adjustment-reasons': {
    summary:
      'Get the pieces added and removed by reason, by default of the last 30 days; the CSV lists reasons',
    query: AdjustmentReasonFilter,
    answer: AdjustmentReasons,
    csv: csvLists.adjustmentReasons,
    csvRows: 'byReason',
  },
  'GET /reports/count-accuracy': {
    summary: 'List the accuracy of submitted stock counts by month and location, newest first',
    query: CountAccuracyFilter,
    answer: List(CountAccuracy),
    csv: csvLists.countAccuracy,
  },
  'GET /reports/inventory-value': {
    summary: 'List the inventory value by day and location, newest first',
    query: InventoryValueFilter,
    answer: List(InventoryValue),
    csv: csvLists.inventoryValue,
  },
  'GET /reports/abc': {
    summary: 'List variants by their revenue of the last 90 days, with their ABC class',
    query: AbcFilter,
    answer: List(AbcVariant),
    csv: csvLists.abc,
  },
  'GET /reports/dead-stock': {
    summary: 'List variants in stock that do not sell, longest without a sale first',
    query: DeadStockFilter,
    answer: List(DeadStock),
    csv: csvLists.deadStock,
  },
  'GET /reports/margin': {
    summary: 'List revenue, cost and margin by variant or product, highest margin first',
    query: MarginFilter,
    answer: List(Margin),
    csv: csvLists.margin,
  },
  'GET /reports/price-history': {
    summary: 'List what was paid for received goods, newest first',
    query: PriceHistoryFilter,
    answer: List(PaidPrice),
    csv: csvLists.priceHistory,
  },
  'GET /reports/commitments': {
    summary: 'Get the value of goods on order by month of arrival; the CSV lists months and suppliers',
    query: CommitmentFilter,
    answer: Commitments,
    csv: csvLists.commitments,
    csvRows: 'bySupplier',
  },
  'GET /reports/supplier-performance': {
    summary: 'List lead times, punctuality and fill rates by supplier, newest suppliers first',
    query: SupplierPerformanceFilter,
    answer: List(SupplierPerformance),
    csv: csvLists.supplierPerformance,
  },

  'GET /export': {
    summary: 'Get the running export of every list, or one of the last hour, or start one',
    answer: Export,
  },
  'GET /exports': { summary: 'List exports, newest first', query: PageQuery, answer: List(Export) },
  'POST /exports': {
    summary: 'Start an export of every list, unless one is running',
    answer: Export,
    status: [200, 201],
  },
  'GET /exports/:id': { summary: 'Get an export with its progress', params: IdParam, answer: Export },
  'GET /exports/:id/file': {
    summary: 'Get the ZIP file of a finished export',
    params: IdParam,
    produces: 'application/zip',
    timeoutMs: 30 * 60_000,
  },

  'GET /alerts': {
    summary: 'List alerts, newest or oldest first; open ones by default',
    query: AlertFilter,
    answer: List(Alert),
    csv: csvLists.alerts,
  },
  'POST /alerts/:id/read': {
    summary: 'Mark an alert as read',
    params: IdParam,
    answer: ReadAlert,
  },
  'POST /alerts/read-all': {
    summary: 'Mark all open alerts, those of one type or some of them as read',
    body: ReadAllAlerts,
    answer: ReadAlerts,
  },
  'GET /alerts/configure': {
    summary: 'Get the alert configuration',
    answer: AlertConfiguration,
  },
  'POST /alerts/configure': {
    summary: 'Update the given fields of the alert configuration',
    body: AlertConfigurationPatch,
    answer: Message,
  },

  'GET /products': {
    summary: 'List products with their variants, newest first',
    query: ProductFilter,
    answer: List(ProductListItem),
  },
  'GET /products/facets': {
    summary: 'List the vendors, product types and tags of the products, for filters',
    answer: ProductFacets,
  },
  'GET /variants': {
    summary:
      'List product variants with stock, sales and suggested quantity, those of the newest product first',
    query: VariantFilter,
    answer: List(VariantListItem),
  },
  'POST /variants/find': {
    summary: 'Find product variants by SKU, else by barcode; the whole code counts, not a part of it',
    body: VariantCodes,
    answer: VariantMatches,
  },
  'GET /variants/:id': {
    summary: 'Get a product variant with its stock, orders, sales, reorder rules, suppliers and cost',
    params: VariantParams,
    answer: Variant,
  },
  'PUT /variants/:id': {
    summary: 'Set the unit cost of a product variant, or reset it to the cost of the platform',
    params: VariantParams,
    body: VariantPatch,
    answer: UpdatedVariant,
  },
  'GET /variants/:id/forecast': {
    summary:
      'Get the sales of a product variant by week, its forecast, what arrives, and how long its stock lasts',
    params: VariantParams,
    answer: VariantForecast,
  },
  'PUT /variants/:id/forecast': {
    summary: 'Enter the weekly sales of a product variant by hand, or return to the computed forecast',
    params: VariantParams,
    body: ForecastEntry,
    answer: VariantForecast,
  },
  'GET /variants/:id/suppliers': {
    summary: 'List the suppliers of a product variant with their prices, the preferred one first',
    params: VariantParams,
    answer: List(SupplierProduct),
  },
  'GET /variants/:id/costs': {
    summary: 'Get the average and last cost of a product variant, with the newest movements of its cost',
    params: VariantParams,
    query: PageQuery,
    answer: VariantCosts,
  },
  'GET /variants/:id/cost-movements': {
    summary: 'List the movements of the cost of a product variant, newest first',
    params: VariantParams,
    query: PageQuery,
    answer: List(CostMovement),
    csv: csvLists.costMovements,
  },
  'POST /variants/:id/cost-push/retry': {
    summary: 'Send a cost that the platform has refused again',
    params: VariantParams,
    answer: DecidedCostPush,
  },
  'POST /variants/:id/cost-push/discard': {
    summary: "Discard a cost that the platform has refused; the variant's next cost is sent",
    params: VariantParams,
    answer: DecidedCostPush,
  },
  'GET /locations': {
    summary: 'List the locations of the shop',
    answer: List(Location),
  },

  'GET /mail-templates': {
    summary: "List the templates of e-mails to suppliers: the shop's own, or the standard text",
    answer: List(MailTemplate),
  },
  'PUT /mail-templates/:kind': {
    summary: "Set the shop's own template of a kind of e-mail",
    params: MailTemplateParams,
    body: MailTemplateInput,
    answer: MailTemplate,
  },
  'DELETE /mail-templates/:kind': {
    summary: 'Restore the standard text of a kind of e-mail',
    params: MailTemplateParams,
    answer: Message,
  },
  'POST /mail-templates/:kind/preview': {
    summary: 'Get what a template says about an example order, without storing it',
    params: MailTemplateParams,
    body: MailTemplateText,
    answer: MailTemplateSample,
  },
  'GET /imports': {
    summary: 'List imports of files, newest first',
    query: PageQuery,
    answer: List(ImportListItem),
  },
  'POST /imports': {
    summary: 'Start an import; the parts of its file follow',
    body: ImportInput,
    answer: Import,
    status: 201,
  },
  'GET /imports/:id': {
    summary: 'Get an import: what was understood, the mapping, the result',
    params: IdParam,
    answer: Import,
  },
  'PUT /imports/:id': {
    summary: 'Change the kinds of sheets, the mapping and the defaults of an import',
    params: IdParam,
    body: ImportPatch,
    answer: Import,
  },
  'PUT /imports/:id/parts/:n': {
    summary: 'Store part n of the file, from 0 on, at most 512 kB',
    params: ImportPartParams,
    body: ImportPart,
    answer: Message,
  },
  'POST /imports/:id/read': {
    summary: 'Start reading the file, after all its parts are stored',
    params: IdParam,
    answer: Import,
  },
  'GET /imports/:id/rows': {
    summary: 'List the rows of an import and what became of them, in the order of the file',
    params: IdParam,
    query: ImportRowFilter,
    answer: List(ImportRow),
    csv: csvLists.importRows,
  },
  'GET /imports/:id/faults': {
    summary:
      'Get the rows that did not import, with their columns and the reason: as CSV, or a ZIP of several lists',
    params: IdParam,
    produces: ['text/csv', 'application/zip'],
  },
  'GET /imports/:id/twins': {
    summary: 'List suppliers that the import added and that may be the same as another one',
    params: IdParam,
    answer: List(SupplierTwin),
  },
  'GET /imports/samples/:kind': {
    summary: 'Get a sample file of a kind of import, with its columns and a few rows, as CSV',
    params: ImportSampleParams,
    produces: 'text/csv',
  },
  'GET /past-adjustments': {
    summary: 'List adjustments of another system that were imported, newest or oldest first',
    query: PastAdjustmentFilter,
    answer: List(PastAdjustment),
    csv: csvLists.pastAdjustments,
  },
  'POST /imports/:id/run': {
    summary: 'Start the import, or a dry run that only checks the file',
    params: IdParam,
    body: ImportRun,
    answer: Import,
  },
  'POST /imports/:id/revert': {
    summary: 'Revert an import: the worker deletes its records, except those used since',
    params: IdParam,
    answer: Import,
  },
  'GET /exchange-rates': {
    summary: 'List the last exchange rate of each currency',
    answer: List(ExchangeRate),
  },

  'GET /receipts': {
    summary: 'List receipts of all orders, and of goods without an order, by one of several sorts',
    query: ReceiptFilter,
    answer: List(ReceiptListItem),
    csv: csvLists.receipts,
  },
  'POST /receipts': {
    summary: 'Receive goods without an order',
    body: DirectReceiptInput,
    answer: ReceiptDetail,
    status: 201,
  },
  'GET /receipts/:id': {
    summary: 'Get a receipt with what was counted',
    params: IdParam,
    answer: ReceiptDetail,
    csv: csvLists.receipt,
    csvRows: 'lines',
  },
  'POST /receipts/:id/reverse': {
    summary: 'Reverse a receipt, with or without an order, and its stock movements',
    params: IdParam,
    body: ReceiptReversal,
    answer: ReversedAnyReceipt,
  },

  'GET /digest': {
    summary: 'Get the settings of the daily digest by e-mail, and what became of the newest one',
    answer: DigestSettings,
  },
  'PUT /digest': {
    summary: 'Update the given settings of the daily digest',
    body: DigestSettingsPatch,
    answer: DigestSettings,
  },
  'GET /digest/preview': {
    summary: 'Preview the digest as it would be sent now',
    answer: DigestPreview,
  },
  'GET /digest/test': {
    summary: 'Get what became of the newest test of the digest',
    answer: LastDigestTest,
  },
  'POST /digest/test': {
    summary: 'Send the current digest to the saved recipients as a test',
    answer: DigestTest,
  },

  'GET /settings': {
    summary: 'Get the company details on documents, and the currency, time zone and locale',
    answer: Settings,
  },
  'PUT /settings': {
    summary: 'Update the given settings; the platform sets the currency',
    body: SettingsPatch,
    answer: Settings,
  },
  'POST /settings/logo': {
    summary:
      'Set the logo of documents: a PNG, JPEG or WebP picture of at most 1 MiB and 2 000 × 2 000 pixels',
    body: LogoInput,
    answer: Logo,
    maxBody: { bytes: maxLogoBody, message: 'A logo can have at most 1 MiB. Choose a smaller file.' },
  },
  'DELETE /settings/logo': {
    summary: 'Remove the logo of documents',
    answer: Message,
  },
  'GET /settings/logo/file': {
    summary: 'Get the logo of documents, as it is printed',
    produces: 'image/png',
  },
  'GET /settings/sample-order.pdf': {
    summary: 'Get the PDF of an example order with the stored settings',
    produces: 'application/pdf',
  },

  'GET /sync': {
    summary: 'Get the state of the synchronization with the platform',
    answer: Sync,
  },
  'POST /sync': {
    summary: 'Start a full synchronization, unless one is running',
    answer: Sync,
    status: [200, 201],
  },
  'GET /sync/deliveries': {
    summary: 'List webhook deliveries by state, newest first; failed ones by default',
    query: DeliveryFilter,
    answer: List(Delivery),
  },
  'POST /sync/deliveries/:id/replay': {
    summary: 'Apply a failed delivery again',
    params: IdParam,
    answer: ReplayedDelivery,
  },
  'POST /sync/deliveries/replay-failed': {
    summary: 'Apply all failed deliveries again',
    answer: ReplayedDeliveries,
  },
} satisfies Record<Address, Endpoint>

export type EndpointKey = keyof typeof endpoints

/** The type of one part of an endpoint; `undefined` when the endpoint does not have it. */
export type Part<Key extends EndpointKey, Name extends 'params' | 'query' | 'body' | 'answer'> =
  (typeof endpoints)[Key] extends Record<Name, infer Schema extends TSchema> ? Static<Schema> : undefined
