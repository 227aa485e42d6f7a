import type { ExportedList } from './list.ts'
import { catalogueLists } from './lists/catalogue.ts'
import { countLists } from './lists/counts.ts'
import { planningLists } from './lists/planning.ts'
import { purchaseOrderLists } from './lists/purchase-orders.ts'
import { receiptLists } from './lists/receipts.ts'
import { shopLists } from './lists/shop.ts'
import { stockLists } from './lists/stock.ts'
import { supplierLists } from './lists/suppliers.ts'
import { transferLists } from './lists/transfers.ts'

/**
 * Every list of a shop, in the order of the ZIP file. A new list is an entry of the file of its noun in `lists/`; a table that
 * is no list for people is named in `notExported` (`not-exported.ts`). A test finds a table that is in neither.
 */
export const exportedLists: readonly ExportedList[] = [
  ...shopLists,
  ...catalogueLists,
  ...supplierLists,
  ...purchaseOrderLists,
  ...receiptLists,
  ...stockLists,
  ...transferLists,
  ...countLists,
  ...planningLists,
]
