import { readDays } from '../../../web/src/components/pickers/days.ts'
import { readProductSearch } from '../../../web/src/components/pickers/product-filter.ts'
import { ageSorts } from '../../../web/src/components/tables/list/age-sorts.ts'
import { readAlertFilter } from '../../../web/src/pages/alerts/filter.ts'
import { readCountFilter } from '../../../web/src/pages/counts/list/filter.ts'
import { sorts as countSorts } from '../../../web/src/pages/counts/list/sorts.ts'
import { sorts as orderSorts, readOrderFilter } from '../../../web/src/pages/purchase-orders/list/filter.ts'
import { readReceiptFilter } from '../../../web/src/pages/receipts/filter.ts'
import { sorts as receiptSorts } from '../../../web/src/pages/receipts/sorts.ts'
import { readRuleFilter } from '../../../web/src/pages/reorder/rules/rule-filter.ts'
import { sorts as ruleSorts } from '../../../web/src/pages/reorder/rules/sorts.ts'
import * as reports from '../../../web/src/pages/reports/filter.ts'
import { readReturnFilter } from '../../../web/src/pages/returns/filter.ts'
import { sorts as returnSorts } from '../../../web/src/pages/returns/sorts.ts'
import {
  sorts as levelSorts,
  readLevelFilter,
  readMovementFilter,
  readPastFilter,
} from '../../../web/src/pages/stock/levels/filter.ts'
import { readSupplierFilter } from '../../../web/src/pages/suppliers/filter.ts'
import { sorts as supplierSorts } from '../../../web/src/pages/suppliers/sorts.ts'
import { readTransferFilter } from '../../../web/src/pages/transfers/list/filter.ts'
import { sorts as transferSorts } from '../../../web/src/pages/transfers/list/sorts.ts'

type Filter = Record<string, string | number | true>

/** A list of the admin with a value for each of its filters. */
export type ListCase = {
  /** The name of its columns and saved views. */
  list: string
  page: string
  /** The endpoint that it reads. */
  path: string
  /** Reads the filter from the address. */
  read: (params: Record<string, unknown>) => object
  filter: Filter
  /** The chips of this filter in a shop with the supplier "Northgate". */
  chips: readonly string[]
  /** What it says when no record matches. */
  empty: string
  sorts?: readonly { value: string; label: string }[]
  /** The file with its columns, below `web/src/pages`. */
  columns?: string
}

const unknownLocation = 'gid://platform/Location/999999'
const search = 'none of these'
const days = { startDate: '2026-03-02', endDate: '2026-03-09' }
const product = { search, vendor: 'Loom', productType: 'Mug', tag: 'linen' }
const searched = `Search: ${search}`
const productChips = [searched, 'Vendor: Loom', 'Product type: Mug', 'Tag: linen']
const dayChips = ['From: 2 Mar 2026', 'Until: 9 Mar 2026']
const noResults = `No results for “${search}”`

const documents: readonly ListCase[] = [
  {
    ...{ list: 'purchase-orders', page: '/purchase-orders', path: '/purchase-orders', read: readOrderFilter },
    filter: {
      ...{ status: 'draft', payment: 'unpaid', search, supplierId: 1, locationId: unknownLocation },
      ...{ expectedFrom: '2026-03-02', expectedTo: '2026-03-09' },
    },
    chips: [
      ...[
        'Status: Draft',
        'Payment: Unpaid',
        searched,
        'Supplier: Northgate',
        'Deliver to: Unknown location',
      ],
      ...['Expected from: 2 Mar 2026', 'Expected until: 9 Mar 2026'],
    ],
    ...{ empty: 'No matching orders', sorts: orderSorts, columns: 'purchase-orders/list/order-columns.tsx' },
  },
  {
    ...{ list: 'receipts', page: '/receipts', path: '/receipts', read: readReceiptFilter },
    ...{ filter: { state: 'draft', search, supplierId: 1 }, chips: [searched, 'Supplier: Northgate'] },
    ...{ empty: 'No receipts match', sorts: receiptSorts, columns: 'receipts/receipt-list.tsx' },
  },
  {
    ...{ list: 'returns', page: '/returns', path: '/supplier-returns', read: readReturnFilter },
    ...{ filter: { state: 'shipped', search, supplierId: 1 }, chips: [searched, 'Supplier: Northgate'] },
    ...{ empty: 'No matching returns', sorts: returnSorts, columns: 'returns/return-columns.tsx' },
  },
  {
    ...{ list: 'transfers', page: '/transfers', path: '/stock-transfers', read: readTransferFilter },
    filter: {
      ...{ status: 'pending', search },
      ...{ sourceLocationId: unknownLocation, destinationLocationId: unknownLocation },
    },
    chips: [searched, 'From: Unknown location', 'To: Unknown location'],
    ...{ empty: noResults, sorts: transferSorts, columns: 'transfers/list/transfer-list.tsx' },
  },
  {
    ...{ list: 'counts', page: '/counts', path: '/stock-counts', read: readCountFilter },
    filter: { status: 'draft', search, locationId: unknownLocation },
    chips: [searched, 'Location: Unknown location'],
    ...{ empty: noResults, sorts: countSorts, columns: 'counts/list/count-list.tsx' },
  },
  {
    ...{ list: 'suppliers', page: '/suppliers', path: '/suppliers', read: readSupplierFilter },
    ...{ filter: { search, archived: true }, chips: [searched] },
    ...{ empty: 'No matching suppliers', sorts: supplierSorts },
  },
  {
    ...{ list: 'alerts', page: '/alerts', path: '/alerts', read: readAlertFilter },
    filter: { search, type: 'low_stock', state: 'resolved' },
    chips: [searched, 'Type: Low stock'],
    ...{ empty: noResults, sorts: ageSorts, columns: 'alerts/alert-columns.tsx' },
  },
]

const stock: readonly ListCase[] = [
  {
    ...{ list: 'reorder-rules', page: '/reorder/rules', path: '/reorder/rules', read: readRuleFilter },
    filter: { ...product, supplierId: 1 },
    chips: [searched, 'Supplier: Northgate', ...productChips.slice(1)],
    ...{ empty: 'No rules match these filters', sorts: ruleSorts },
  },
  {
    ...{ list: 'stock', page: '/stock', path: '/stock-levels', read: readLevelFilter },
    filter: { ...product, locationId: unknownLocation, stock: 'low' },
    chips: [
      ...[searched, 'Location: Unknown location', 'Availability: At or below the reorder point'],
      ...productChips.slice(1),
    ],
    ...{ empty: noResults, sorts: levelSorts, columns: 'stock/levels/level-columns.tsx' },
  },
  {
    ...{ list: 'stock-history', page: '/stock/history', path: '/stock-movements', read: readMovementFilter },
    filter: { search, kind: 'delta', locationId: unknownLocation, ...days },
    chips: [searched, 'Location: Unknown location', 'Change type: Adjusted', ...dayChips],
    ...{ empty: 'No stock changes match these filters', sorts: ageSorts },
  },
  {
    ...{ list: 'past-adjustments', page: '/stock/past-adjustments', path: '/past-adjustments' },
    ...{ read: readPastFilter, filter: { search, ...days }, chips: [searched, ...dayChips] },
    ...{ empty: 'No past adjustments match', sorts: ageSorts },
    columns: 'stock/past-adjustments/past-adjustment-list.tsx',
  },
]

const report = (
  list: string,
  read: ListCase['read'],
  filter: Filter,
  { chips = productChips, empty = noResults }: Partial<Pick<ListCase, 'chips' | 'empty'>> = {},
): ListCase => ({ list, page: `/reports/${list}`, path: `/reports/${list}`, read, filter, chips, empty })

const ofProducts: readonly ListCase[] = [
  report('stock-gaps', readProductSearch, product),
  report('forecast-accuracy', readProductSearch, product),
  report('sales-velocity', reports.readSalesFilter, { ...product, period: '7d' }),
  report('abc', reports.readAbcFilter, { ...product, class: 'A' }),
  report('dead-stock', reports.readDeadStockFilter, { ...product, days: 180 }),
  report('overstock', reports.readOverstockFilter, { ...product, days: 180 }),
  report('lost-sales', reports.readLostSaleFilter, { ...product, period: '30d' }),
  report('margin', reports.readMarginFilter, { ...product, ...days, groupBy: 'product' }),
  report('price-history', reports.readPriceFilter, { ...product, ...days, supplierId: 1 }),
  report('adjustments', reports.readAdjustmentFilter, { ...product, ...days }),
]

const ofDays: readonly ListCase[] = [
  report('supplier-performance', readDays, days, { chips: [], empty: 'No orders sent in this period' }),
  report('count-accuracy', readDays, days, { chips: [], empty: 'No counts in this period' }),
  report('inventory-value', reports.readValueFilter, days, {
    chips: [],
    empty: 'No values recorded for these dates',
  }),
  report('adjustment-reasons', readDays, days, { chips: [], empty: 'No stock was set, adjusted or counted' }),
]

export const lists: readonly ListCase[] = [...documents, ...stock, ...ofProducts, ...ofDays]
