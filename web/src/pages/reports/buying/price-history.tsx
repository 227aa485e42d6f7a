import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { PaidPrice } from '../../../../../shared/schemas/reports.ts'
import { listQuery } from '../../../api/queries.ts'
import { SupplierPicker } from '../../../components/pickers/supplier-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import { OrderLink } from '../../../components/tables/row-link.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { useVariantTitle } from '../../../components/tables/variant-title.ts'
import { readPriceFilter } from '../filter.ts'
import { PeriodFilter } from '../period-filter.tsx'
import { useReportAddress } from '../report-address.ts'
import { ReportList, ReportSearch } from '../report-list.tsx'
import { ReportPage } from '../report-page.tsx'
import classes from '../reports.module.css'

const route = getRouteApi('/reports/price-history')

const columnsOf = (format: Format): Column<PaidPrice>[] => [
  {
    name: 'Product',
    cell: ({ title, sku, variantId }) => <ProductName title={title} sku={sku} variantId={variantId} />,
  },
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
]

/** What was paid for received goods, newest first. */
export function PriceHistoryReport() {
  const { filter, setFilter, show } = useReportAddress(route, readPriceFilter)
  const { startDate, endDate, supplierId, variantId } = filter
  const query = useInfiniteQuery(listQuery('GET /reports/price-history', { query: filter }))
  const product = useVariantTitle(variantId)
  return (
    <ReportPage
      title="Price history"
      meaning={
        <p>
          Each received line with its price in the currency of the order, and what a piece cost with discounts
          and charges in your currency.
        </p>
      }
      actions={<CsvButton path="/reports/price-history" query={filter} name="price-history" />}
      filters={
        <>
          <PeriodFilter value={{ startDate, endDate }} onChange={setFilter} />
          <div className={classes.search}>
            <SupplierPicker
              label="Supplier"
              placeholder="All suppliers"
              value={supplierId ?? null}
              onChange={(id) => setFilter({ supplierId: id ?? undefined })}
              isClearable
            />
          </div>
          <ReportSearch value={filter} onChange={setFilter} />
        </>
      }
      isStale={query.isPlaceholderData}
    >
      <ReportList
        list="price-history"
        label="Price history"
        query={query}
        columns={columnsOf(useFormat())}
        keyOf={({ receiptId, lineItemId }) => `${receiptId} ${lineItemId}`}
        filter={filter}
        product={product}
        onChange={setFilter}
        onShow={show}
        empty={{ title: 'Nothing was received', text: 'Choose other dates, or receive an order.' }}
      />
    </ReportPage>
  )
}
