import { Select, Text } from '@mantine/core'
import type { ProcurementSpend } from '../../../../../shared/schemas/reports.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { Empty } from '../../../components/tables/data-list.tsx'
import { readSpendFilter } from '../filter.ts'
import { PeriodFilter } from '../period-filter.tsx'
import { daysOf } from '../periods.ts'
import { figureReport } from '../report.tsx'
import classes from '../reports.module.css'
import { SupplierFilter } from '../supplier-filter.tsx'
import { SpendByMonth, SpendBySupplier } from './spend-parts.tsx'

export const ProcurementSpendReport = figureReport({
  path: '/reports/procurement-spend',
  title: 'Procurement spend',
  read: readSpendFilter,
  meaning: ({ filter }) => (
    <p>
      {filter.basis === 'received'
        ? 'What arrived in this period, at the costs of its receipts with the order’s tax and discount, on the day of the receipt.'
        : 'Totals, including tax, of the orders sent in this period, by the month they were sent. Cancelled orders are not included. What a receipt changed counts when it was posted: costs that you corrected, and rejected pieces that the supplier credits.'}{' '}
      Receipts without an order count when you enter them. Credits of returns lower the spend of the month in
      which you entered them.
    </p>
  ),
  filters: ({ filter, setFilter }) => (
    <>
      <PeriodFilter value={daysOf(filter)} onChange={setFilter} />
      <Select
        label="Count"
        data={[
          { value: 'sent', label: 'Orders sent' },
          { value: 'received', label: 'Goods received' },
        ]}
        value={filter.basis ?? 'sent'}
        onChange={(chosen) => setFilter({ basis: chosen === 'received' ? chosen : undefined })}
        allowDeselect={false}
        checkIconPosition="right"
      />
      <SupplierFilter value={filter.supplierId} onChange={setFilter} />
    </>
  ),
  content: ({ data, error, refetch }, { isFiltered }) => {
    if (data?.byMonth.length === 0) return <NoSpend isFiltered={isFiltered} />
    if (error) return !data && <ErrorNotice error={error} onRetry={refetch} />
    return (
      <>
        <Totals spend={data} />
        <div className={classes.halves}>
          <SpendByMonth months={data?.byMonth} />
          <SpendBySupplier suppliers={data?.bySupplier} />
        </div>
      </>
    )
  },
})

function Totals({ spend }: { spend: ProcurementSpend | undefined }) {
  const format = useFormat()
  return (
    <Card>
      <dl className={classes.totals}>
        <div>
          <dt>Spend</dt>
          <dd>{spend ? format.money(spend.totalSpend) : '…'}</dd>
        </div>
        <div>
          <dt>Orders</dt>
          <dd>{spend ? format.count(spend.orderCount) : '…'}</dd>
        </div>
        {spend &&
          partsOf(spend).map(([name, amount]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{format.money(amount)}</dd>
            </div>
          ))}
      </dl>
      {spend?.withoutRate.map(({ currency, total, orderCount }) => (
        <Text key={currency} size="sm">
          Without {format.moneyIn(total, currency)} of {format.many(orderCount, 'order')}: enter their
          exchange rate to include them.
        </Text>
      ))}
      {spend && spend.unknownCosts > 0 && (
        <Text size="sm">+ {format.many(spend.unknownCosts, 'line')} without cost</Text>
      )}
    </Card>
  )
}

/** Parts of the spend that most shops do not have. */
const partsOf = ({ corrections, withoutOrder, withoutSupplier, credits }: ProcurementSpend) =>
  (
    [
      ['Corrected at receipt', corrections],
      ['Without an order', withoutOrder],
      ['Without a supplier', withoutSupplier],
      ['Credits of returns', credits],
    ] as const
  ).filter(([, amount]) => amount !== 0)

const NoSpend = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="No orders match these filters" text="Choose other dates or another supplier." />
  ) : (
    <Empty
      title="No orders sent yet"
      text="Orders are included once they are sent to the supplier."
      action={<LinkButton to="/purchase-orders/new">Create an order</LinkButton>}
    />
  )
