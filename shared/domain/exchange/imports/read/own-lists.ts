import type { SheetKind } from './columns.ts'

type OwnList = { kind: SheetKind; fields: Readonly<Record<string, string>> }

const item = {
  SKU: 'sku',
  'Variant ID': 'variantId',
} as const

/*
 * The lists of our own export that can be imported, with the fields of their columns. Not imported: sums that follow from other
 * columns, and history such as movements, which describes stock of the past.
 */
const ownLists: Readonly<Record<string, OwnList>> = {
  suppliers: {
    kind: 'suppliers',
    fields: {
      Supplier: 'name',
      'E-mail': 'email',
      Phone: 'phone',
      'Account number': 'accountNumber',
      Currency: 'currency',
      'Address 1': 'addressLine1',
      'Address 2': 'addressLine2',
      City: 'city',
      Region: 'region',
      'Postal code': 'postalCode',
      'Country code': 'countryCode',
      'Address of earlier releases': 'address',
      'Tax ID': 'taxId',
      'Lead time (days)': 'leadTimeDays',
      'Payment terms': 'paymentTerms',
      'Minimum order value': 'minimumOrderValue',
      'Minimum order quantity': 'minimumOrderQuantity',
      'Free freight from': 'freeFreightValue',
      'Order cycle (days)': 'orderCycleDays',
      'Tax rate (%)': 'defaultTaxRate',
      Language: 'language',
      'External reference': 'externalRef',
      Notes: 'notes',
      Archived: 'isHidden',
    },
  },
  'supplier-contacts': {
    kind: 'suppliers',
    fields: {
      Supplier: 'name',
      Contact: 'contactName',
      'E-mail': 'contactEmail',
      Phone: 'contactPhone',
      Role: 'contactRole',
    },
  },
  'supplier-aliases': { kind: 'suppliers', fields: { Supplier: 'name', Alias: 'alias' } },
  'supplier-products': {
    kind: 'supplier_products',
    fields: {
      ...item,
      Supplier: 'supplier',
      'Supplier SKU': 'supplierSku',
      "Supplier's title": 'supplierTitle',
      'Pack size': 'packSize',
      'Pack barcode': 'packBarcode',
      'Minimum quantity': 'minimumQuantity',
      'Quantity multiple': 'quantityMultiple',
      'Lead time (days)': 'leadTimeDays',
      Rank: 'rank',
      Active: 'isActive',
    },
  },
  'supplier-prices': {
    kind: 'supplier_products',
    fields: {
      ...item,
      Supplier: 'supplier',
      'Supplier SKU': 'supplierSku',
      'From quantity': 'fromQuantity',
      Price: 'price',
      Currency: 'currency',
      'Valid from': 'validFrom',
      'Valid to': 'validTo',
      Source: 'source',
    },
  },
  'purchase-orders': {
    kind: 'purchase_orders',
    fields: {
      Order: 'number',
      'Earlier number': 'sourceNumber',
      Supplier: 'supplier',
      Status: 'status',
      Destination: 'location',
      Discount: 'discountAmount',
      Tax: 'taxAmount',
      'Typed tax': 'isOwnTax',
      Total: 'total',
      Currency: 'currency',
      'Exchange rate': 'rate',
      Reference: 'ownReference',
      "Supplier's reference": 'supplierReference',
      'Copies to': 'copies',
      Notes: 'notes',
      'Notes to the supplier': 'supplierNotes',
      Revision: 'revision',
      Created: 'createdAt',
      Ordered: 'orderedAt',
      Sent: 'sentAt',
      Expected: 'expectedAt',
      Received: 'arrivedAt',
      Closed: 'closedAt',
      'Closed by': 'closedBy',
      Cancelled: 'cancelledAt',
      'Cancelled by': 'cancelledBy',
      Invoice: 'invoiceNumber',
      'Invoice date': 'invoiceDate',
      'Payment due': 'paymentDueOn',
      Paid: 'paidAt',
      'Arrival known': 'isArrivalKnown',
    },
  },
  'purchase-order-lines': {
    kind: 'purchase_orders',
    fields: {
      ...item,
      Title: 'lineTitle',
      Barcode: 'barcode',
      Order: 'number',
      Line: 'line',
      Supplier: 'supplier',
      'Supplier SKU': 'supplierSku',
      'Pack size': 'packSize',
      Ordered: 'quantity',
      'Rounded up by': 'roundedUpBy',
      Accepted: 'received',
      Cancelled: 'cancelled',
      Credited: 'credited',
      Cost: 'cost',
      'Discount (%)': 'discountPercent',
      'Tax rate (%)': 'taxRate',
    },
  },
  'purchase-order-charges': {
    kind: 'purchase_orders',
    fields: {
      Order: 'number',
      Kind: 'chargeKind',
      Amount: 'chargeAmount',
      Currency: 'currency',
      'Exchange rate': 'rate',
      'Tax rate (%)': 'taxRate',
      'Shared by': 'chargeBasis',
      Lines: 'chargeLines',
      Shares: 'chargeShares',
      Estimate: 'isEstimate',
    },
  },
  receipts: {
    kind: 'purchase_orders',
    fields: {
      Receipt: 'receipt',
      Order: 'number',
      Supplier: 'supplier',
      Location: 'location',
      State: 'receiptState',
      'Delivery note': 'deliveryNote',
      Notes: 'notes',
      Created: 'createdAt',
      Posted: 'receivedAt',
      Reversed: 'reversedAt',
    },
  },
  'receipt-lines': {
    kind: 'purchase_orders',
    fields: {
      ...item,
      Receipt: 'receipt',
      Order: 'number',
      Line: 'line',
      Accepted: 'accepted',
      Rejected: 'rejected',
      'Reason of rejection': 'rejectReason',
      'Rejected pieces are': 'rejectOutcome',
      'Corrected unit cost': 'cost',
    },
  },
  'direct-receipt-lines': {
    kind: 'purchase_orders',
    fields: {
      ...item,
      Title: 'lineTitle',
      Receipt: 'receipt',
      Line: 'line',
      Quantity: 'accepted',
      'Unit cost': 'cost',
    },
  },
  'reorder-rules': {
    kind: 'reorder_rules',
    fields: {
      ...item,
      Location: 'location',
      Supplier: 'supplier',
      Mode: 'mode',
      'Reorder point': 'reorderPoint',
      'Reorder quantity': 'reorderQuantity',
      'Service level (%)': 'serviceLevel',
      'Review (days)': 'reviewDays',
      'Maximum level': 'maxLevel',
    },
  },
  adjustments: {
    kind: 'adjustments',
    fields: {
      ...item,
      Location: 'location',
      Time: 'adjustedAt',
      Quantity: 'quantity',
      Before: 'previousQuantity',
      After: 'newQuantity',
      Reason: 'reason',
      Notes: 'notes',
    },
  },
}

const dated = /^(?:.*\/)?([a-z-]+)-\d{4}-\d{2}-\d{2}\.csv$/

const nameOf = (fileName: string) => dated.exec(fileName)?.[1] ?? ''

/** Whether a file of our own export has a list that can be imported. */
export const isOwnList = (fileName: string): boolean => nameOf(fileName) in ownLists

/** The list of our own export that a table is: by its file name and its first columns, which must all be ours. */
export function ownListOf(fileName: string, columns: readonly string[]): OwnList | null {
  const list = ownLists[nameOf(fileName)]
  const known = Object.keys(list?.fields ?? {})
  return list && known.filter((column) => columns.includes(column)).length > known.length / 2 ? list : null
}

/** Whether the files of a ZIP are an export of ours. */
export const isOwnExport = (fileNames: readonly string[]): boolean =>
  fileNames.includes('manifest.json') && fileNames.some((name) => nameOf(name) === 'purchase-orders')
