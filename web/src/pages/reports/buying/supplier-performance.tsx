import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import type { SupplierPerformance } from '../../../../../shared/schemas/reports.ts'
import { listQuery } from '../../../api/queries.ts'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { readDays } from '../../../components/pickers/days.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { RowLink } from '../../../components/tables/row-link.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { PeriodFilter } from '../period-filter.tsx'
import { useReportAddress } from '../report-address.ts'
import { ReportPage } from '../report-page.tsx'
import { ReportRows } from '../report-rows.tsx'
import classes from '../reports.module.css'
import { performanceFigures } from './performance-figures.ts'

const route = getRouteApi('/reports/supplier-performance')

const stated = { name: 'Stated', meaning: 'Lead time that you entered for the supplier.' }

export function SupplierPerformanceReport() {
  const { filter: days, isFiltered, setFilter, show } = useReportAddress(route, readDays)
  const query = useInfiniteQuery(listQuery('GET /reports/supplier-performance', { query: days }))
  const format = useFormat()
  const figures = performanceFigures(format)
  const columns: Column<SupplierPerformance>[] = [
    {
      name: 'Supplier',
      cell: ({ supplierId, supplierName }) => (
        <RowLink to="/suppliers/$id" params={{ id: supplierId }}>
          {supplierName}
        </RowLink>
      ),
    },
    { name: 'Orders', cell: ({ ordersSent }) => format.count(ordersSent), isNumber: true },
    { name: 'Received', cell: ({ ordersReceived }) => format.count(ordersReceived), isNumber: true },
    ...figures.map(({ name, formatValue }) => ({
      name,
      cell: (performance: SupplierPerformance) => formatValue(performance) ?? '—',
      isNumber: true,
    })),
    {
      name: stated.name,
      cell: ({ statedLeadTimeDays: days }) => (days === null ? '—' : format.days(days)),
      isNumber: true,
    },
  ]
  // together with the rows of the list, which would push them away
  const areTermsShown = useDeferredValue(!query.isPending, false)
  return (
    <ReportPage
      title="Supplier performance"
      meaning={<p>How suppliers delivered the orders you sent in this period.</p>}
      actions={<CsvButton path="/reports/supplier-performance" query={days} name="supplier-performance" />}
      filters={<PeriodFilter value={days} onChange={setFilter} />}
      isStale={query.isPlaceholderData}
    >
      <ReportRows
        list="supplier-performance"
        label="Supplier performance"
        query={query}
        columns={columns}
        keyOf={({ supplierId }) => supplierId}
        filter={days}
        onShow={show}
        empty={
          isFiltered
            ? { title: 'No orders sent in this period', text: 'Choose other dates.' }
            : {
                title: 'No orders sent yet',
                text: 'You’ll see a supplier here once you send it an order.',
                action: <LinkButton to="/purchase-orders/new">Create an order</LinkButton>,
              }
        }
      />
      {areTermsShown && (
        <dl className={classes.terms}>
          {[...figures, stated].map(({ name, meaning }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      )}
    </ReportPage>
  )
}
