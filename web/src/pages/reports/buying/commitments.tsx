import { Text } from '@mantine/core'
import type { Commitments } from '../../../../../shared/schemas/reports.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { Empty } from '../../../components/tables/data-list.tsx'
import { OrderLink } from '../../../components/tables/row-link.tsx'
import { type Column, RowTable } from '../../../components/tables/row-table.tsx'
import { readCommitmentFilter } from '../filter.ts'
import { figureReport } from '../report.tsx'
import { SupplierFilter } from '../supplier-filter.tsx'

/** What sent orders will still cost, by the month of their arrival. */
export const CommitmentsReport = figureReport({
  path: '/reports/commitments',
  title: 'Open commitments',
  csvName: () => 'open-commitments',
  read: readCommitmentFilter,
  meaning: () => (
    <p>
      Goods that suppliers still have to deliver on sent orders, after discounts and without tax, by the month
      of their expected arrival. Orders without an exchange rate are listed apart.
    </p>
  ),
  filters: ({ filter, setFilter }) => <SupplierFilter value={filter.supplierId} onChange={setFilter} />,
  content: ({ data, error, refetch }) =>
    data ? <Tables commitments={data} /> : error && <ErrorNotice error={error} onRetry={refetch} />,
})

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
