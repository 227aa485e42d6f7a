import { useDeferredValue } from 'react'
import type { SupplierPerformance } from '../../../../../shared/schemas/reports.ts'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { readDays } from '../../../components/pickers/days.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { RowLink } from '../../../components/tables/row-link.tsx'
import { PeriodFilter } from '../period-filter.tsx'
import { report } from '../report.tsx'
import classes from '../reports.module.css'
import { performanceFigures } from './performance-figures.ts'

const stated = { name: 'Stated', meaning: 'Lead time that you entered for the supplier.' }

export const SupplierPerformanceReport = report({
  path: '/reports/supplier-performance',
  title: 'Supplier performance',
  read: readDays,
  meaning: () => <p>How suppliers delivered the orders you sent in this period.</p>,
  filters: ({ filter, setFilter }) => <PeriodFilter value={filter} onChange={setFilter} />,
  columns: (format) => [
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
    ...performanceFigures(format).map(({ name, formatValue }) => ({
      name,
      cell: (performance: SupplierPerformance) => formatValue(performance) ?? '—',
      isNumber: true,
    })),
    {
      name: stated.name,
      cell: ({ statedLeadTimeDays: days }) => (days === null ? '—' : format.days(days)),
      isNumber: true,
    },
  ],
  keyOf: ({ supplierId }) => supplierId,
  empty: ({ isFiltered }) =>
    isFiltered
      ? { title: 'No orders sent in this period', text: 'Choose other dates.' }
      : {
          title: 'No orders sent yet',
          text: 'You’ll see a supplier here once you send it an order.',
          action: <LinkButton to="/purchase-orders/new">Create an order</LinkButton>,
        },
  below: ({ isPending }) => <Terms isPending={isPending} />,
})

function Terms({ isPending }: { isPending: boolean }) {
  const figures = performanceFigures(useFormat())
  // together with the rows of the list, which would push them away
  const isShown = useDeferredValue(!isPending, false)
  if (!isShown) return null
  return (
    <dl className={classes.terms}>
      {[...figures, stated].map(({ name, meaning }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  )
}
