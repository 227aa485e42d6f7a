import { Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Commitments } from '../../../../../shared/schemas/reports.ts'
import { readQuery } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { SupplierPicker } from '../../../components/pickers/supplier-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { Empty } from '../../../components/tables/data-list.tsx'
import { OrderLink } from '../../../components/tables/row-link.tsx'
import { type Column, RowTable } from '../../../components/tables/row-table.tsx'
import { readCommitmentFilter } from '../filter.ts'
import { useReportAddress } from '../report-address.ts'
import { ReportPage } from '../report-page.tsx'
import classes from '../reports.module.css'

const route = getRouteApi('/reports/commitments')

/** What sent orders will still cost, by the month of their arrival. */
export function CommitmentsReport() {
  const { filter, setFilter } = useReportAddress(route, readCommitmentFilter)
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...readQuery('GET /reports/commitments', { query: filter }),
    placeholderData: keepPreviousData,
  })
  return (
    <ReportPage
      title="Open commitments"
      meaning={
        <p>
          Goods that suppliers still have to deliver on sent orders, after discounts and without tax, by the
          month of their expected arrival. Orders without an exchange rate are listed apart.
        </p>
      }
      actions={<CsvButton path="/reports/commitments" query={filter} name="open-commitments" />}
      filters={
        <div className={classes.search}>
          <SupplierPicker
            label="Supplier"
            placeholder="All suppliers"
            value={filter.supplierId ?? null}
            onChange={(id) => setFilter({ supplierId: id ?? undefined })}
            isClearable
          />
        </div>
      }
      isStale={isPlaceholderData}
    >
      {error && !data && <ErrorNotice error={error} onRetry={refetch} />}
      {data && <Tables commitments={data} />}
    </ReportPage>
  )
}

function Tables({
  commitments: { total, byMonth, bySupplier, withoutRate, unknownCosts },
}: {
  commitments: Commitments
}) {
  const format = useFormat()
  const monthText = (month: string | null) => (month === null ? 'No date' : format.month(month))
  if (byMonth.length === 0 && withoutRate.length === 0) {
    return <Empty title="Nothing is on order" text="Sent orders show here until their goods arrive." />
  }
  const months: Column<Commitments['byMonth'][number]>[] = [
    { name: 'Month', cell: ({ month }) => monthText(month) },
    { name: 'Orders', cell: ({ orderCount }) => format.count(orderCount), isNumber: true },
    { name: 'Value', cell: ({ value }) => format.money(value), isNumber: true },
  ]
  const suppliers: Column<Commitments['bySupplier'][number]>[] = [
    { name: 'Supplier', cell: ({ supplierName }) => supplierName },
    { name: 'Month', cell: ({ month }) => monthText(month) },
    { name: 'Orders', cell: ({ orderCount }) => format.count(orderCount), isNumber: true },
    { name: 'Value', cell: ({ value }) => format.money(value), isNumber: true },
  ]
  const orders: Column<Commitments['withoutRate'][number]>[] = [
    {
      name: 'Order',
      cell: ({ purchaseOrderId, poNumber }) => <OrderLink id={purchaseOrderId} poNumber={poNumber} />,
    },
    { name: 'Supplier', cell: ({ supplierName }) => supplierName },
    { name: 'Month', cell: ({ month }) => monthText(month) },
    { name: 'Value', cell: ({ value, currency }) => format.moneyIn(value, currency), isNumber: true },
  ]
  return (
    <>
      <Card title="All orders">
        <Text fw={600}>{format.money(total)}</Text>
        {unknownCosts > 0 && <Text size="sm">+ {format.many(unknownCosts, 'line')} without cost</Text>}
      </Card>
      {byMonth.length > 0 && (
        <Card title="By month" isFlush>
          <RowTable label="By month" columns={months} rows={byMonth} keyOf={({ month }) => String(month)} />
        </Card>
      )}
      {bySupplier.length > 0 && (
        <Card title="By supplier" isFlush>
          <RowTable
            label="By supplier"
            columns={suppliers}
            rows={bySupplier}
            keyOf={({ supplierId, month }) => `${supplierId} ${month}`}
          />
        </Card>
      )}
      {withoutRate.length > 0 && (
        <Card title="Without an exchange rate" isFlush>
          <RowTable
            label="Without an exchange rate"
            columns={orders}
            rows={withoutRate}
            keyOf={({ purchaseOrderId }) => purchaseOrderId}
          />
        </Card>
      )}
    </>
  )
}
