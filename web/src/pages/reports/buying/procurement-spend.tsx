import { Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ProcurementSpend } from '../../../../../shared/schemas/reports.ts'
import { readQuery } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { SupplierPicker } from '../../../components/pickers/supplier-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { Empty } from '../../../components/tables/data-list.tsx'
import { PeriodFilter } from '../period-filter.tsx'
import { ReportPage } from '../report-page.tsx'
import classes from '../reports.module.css'
import { SpendByMonth, SpendBySupplier } from './spend-parts.tsx'

const route = getRouteApi('/reports/procurement-spend')

export function ProcurementSpendReport() {
  const { startDate, endDate, supplierId } = route.useSearch()
  const filter = { startDate, endDate, supplierId }
  const navigate = route.useNavigate()
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...readQuery('GET /reports/procurement-spend', { query: filter }),
    placeholderData: keepPreviousData,
  })
  const isEmpty = data?.bySupplier.length === 0
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return (
    <ReportPage
      title="Procurement spend"
      meaning={
        <p>
          Totals, including tax, of the orders sent in this period, by the month they were sent. Cancelled
          orders are not included. Credits of returns lower the spend of the month in which you entered them.
        </p>
      }
      actions={<CsvButton path="/reports/procurement-spend" query={filter} name="procurement-spend" />}
      filters={
        <>
          <PeriodFilter
            value={{ startDate, endDate }}
            onChange={(chosen) => navigate({ search: (now) => ({ ...now, ...chosen }), resetScroll: false })}
          />
          <div className={classes.search}>
            <SupplierPicker
              label="Supplier"
              placeholder="All suppliers"
              value={supplierId ?? null}
              onChange={(id) =>
                navigate({ search: (now) => ({ ...now, supplierId: id ?? undefined }), resetScroll: false })
              }
              isClearable
            />
          </div>
        </>
      }
      isStale={isPlaceholderData}
    >
      {error && !data && <ErrorNotice error={error} onRetry={refetch} />}
      {isEmpty && <NoSpend isFiltered={isFiltered} />}
      {!error && !isEmpty && (
        <>
          <Totals spend={data} />
          <div className={classes.halves}>
            <SpendByMonth months={data?.byMonth} />
            <SpendBySupplier suppliers={data?.bySupplier} />
          </div>
        </>
      )}
    </ReportPage>
  )
}

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
        {spend && spend.credits !== 0 && (
          <div>
            <dt>Credits of returns</dt>
            <dd>{format.money(spend.credits)}</dd>
          </div>
        )}
      </dl>
      {spend?.withoutRate.map(({ currency, total, orderCount }) => (
        <Text key={currency} size="sm">
          Without {format.moneyIn(total, currency)} of {format.many(orderCount, 'order')}: enter their
          exchange rate to include them.
        </Text>
      ))}
    </Card>
  )
}

const NoSpend = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="No orders match these filters" text="Choose other dates or another supplier." />
  ) : (
    <Empty
      title="No orders sent yet"
      text="Orders are included once they are sent to the supplier."
      action={<LinkButton to="/purchase-orders/new">Create order</LinkButton>}
    />
  )
