import { OrderLink } from '../../../components/tables/row-link.tsx'
import { readPriceFilter } from '../filter.ts'
import { PeriodFilter } from '../period-filter.tsx'
import { daysOf } from '../periods.ts'
import { report } from '../report.tsx'
import { productColumn } from '../report-rows.tsx'
import { SupplierFilter } from '../supplier-filter.tsx'

/** What was paid for received goods, newest first. */
export const PriceHistoryReport = report({
  path: '/reports/price-history',
  title: 'Price history',
  read: readPriceFilter,
  isOfProducts: true,
  meaning: () => (
    <p>
      Each received line with its price in the currency of the order, and what a piece cost with discounts and
      charges in your currency.
    </p>
  ),
  filters: ({ filter, setFilter }) => (
    <>
      <PeriodFilter value={daysOf(filter)} onChange={setFilter} />
      <SupplierFilter value={filter.supplierId} onChange={setFilter} />
    </>
  ),
  columns: (format) => [
    productColumn,
    { name: 'Received', cell: ({ receivedAt }) => format.day(receivedAt) },
    {
      name: 'Order',
      cell: ({ purchaseOrderId, poNumber }) => <OrderLink id={purchaseOrderId} poNumber={poNumber} />,
    },
    { name: 'Supplier', cell: ({ supplierName }) => supplierName },
    { name: 'Pieces', cell: ({ quantity }) => format.count(quantity), isNumber: true },
    { name: 'Price', cell: ({ unitPrice, currency }) => format.costIn(unitPrice, currency), isNumber: true },
    {
      name: 'Discount',
      cell: ({ discountPercent }) => (discountPercent === 0 ? '—' : format.percent(discountPercent / 100)),
      isNumber: true,
    },
    {
      name: 'Landed cost',
      cell: ({ landedUnitCost }) => (landedUnitCost === null ? '—' : format.cost(landedUnitCost)),
      isNumber: true,
    },
  ],
  keyOf: ({ receiptId, lineItemId }) => `${receiptId} ${lineItemId}`,
  empty: () => ({ title: 'Nothing was received', text: 'Choose other dates, or receive an order.' }),
})
