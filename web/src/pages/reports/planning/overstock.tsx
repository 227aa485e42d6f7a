import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Overstock } from '../../../../../shared/schemas/planning.ts'
import { listQuery } from '../../../api/queries.ts'
import { Choices } from '../../../components/forms/choices.tsx'
import { TextLink } from '../../../components/layout/link-button.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { variantParams } from '../../../components/tables/variant-link.tsx'
import { coverDays, readOverstockFilter } from '../filter.ts'
import { useReportAddress } from '../report-address.ts'
import { ReportList, ReportSearch } from '../report-list.tsx'
import { ReportPage } from '../report-page.tsx'

const route = getRouteApi('/reports/overstock')

const columnsOf = (format: Format): Column<Overstock>[] => [
  {
    name: 'Product',
    cell: ({ title, sku, variantId }) => <ProductName title={title} sku={sku} variantId={variantId} />,
  },
  { name: 'Available', cell: ({ currentStock }) => format.count(currentStock), isNumber: true },
  { name: 'Expected sales', cell: ({ forecastUnits }) => format.count(forecastUnits), isNumber: true },
  { name: 'Too many', cell: ({ pieces }) => format.count(pieces), isNumber: true },
  {
    name: 'Value',
    cell: ({ value, unitCost }) =>
      value === null || unitCost === null ? (
        '—'
      ) : (
        <>
          {format.money(value)}
          <Text size="xs" c="dimmed">
            at {format.cost(unitCost)}
          </Text>
        </>
      ),
    isNumber: true,
  },
  { name: 'What to do', cell: (row) => <Advice row={row} /> },
]

function Advice({ row }: { row: Overstock }) {
  const format = useFormat()
  const pieces = format.many(row.quantity, 'piece')
  if (row.action === 'return' && row.receiptId !== null) {
    return (
      <Text size="sm">
        <TextLink to="/returns/new" search={{ receiptId: row.receiptId }} inherit>
          Return {pieces}
        </TextLink>{' '}
        to {row.supplierName}, received on {format.day(row.receivedAt)}
      </Text>
    )
  }
  if (row.action === 'transfer') {
    return (
      <Text size="sm">
        <TextLink
          to="/transfers/new"
          search={{
            ...(row.sourceLocationId !== null && { from: row.sourceLocationId }),
            ...(row.destinationLocationId !== null && { to: row.destinationLocationId }),
            ...{ variantId: variantParams(row.variantId).id, quantity: row.quantity },
          }}
          inherit
        >
          Transfer {pieces}
        </TextLink>{' '}
        from {row.sourceLocationName} to {row.destinationLocationName}, which is low
      </Text>
    )
  }
  return <Text size="sm">Mark down {pieces}</Text>
}

/** Stock that lasts longer than the chosen number of days. */
export function OverstockReport() {
  const { filter: chosen, setFilter, show } = useReportAddress(route, readOverstockFilter)
  const days = coverDays.find((known) => Number(known) === chosen.days) ?? '90'
  const filter = { ...chosen, days }
  const format = useFormat()
  const query = useInfiniteQuery(listQuery('GET /reports/overstock', { query: { ...filter, count: true } }))
  return (
    <ReportPage
      title="Overstock"
      meaning={
        <p>
          Pieces above what the forecast expects to sell in {format.days(Number(days))}, highest value first,
          as of the last night. A product without a forecast is expected to sell nothing. The value is at the
          average cost.
        </p>
      }
      actions={<CsvButton path="/reports/overstock" query={filter} name="overstock" />}
      filters={
        <>
          <Choices
            label="Lasts longer than"
            options={coverDays.map((value) => ({ name: format.days(Number(value)), value }))}
            value={days}
            onChange={(chosen) => setFilter({ days: Number(chosen) })}
          />
          <ReportSearch value={filter} onChange={setFilter} />
        </>
      }
      isStale={query.isPlaceholderData}
    >
      <ReportList
        list="overstock"
        label="Overstock"
        query={query}
        columns={columnsOf(format)}
        keyOf={({ variantId }) => variantId}
        filter={filter}
        onChange={setFilter}
        onShow={show}
        empty={{
          title: 'No overstock',
          text: `No product lasts longer than ${format.days(Number(days))}. The report is updated every night.`,
        }}
      />
    </ReportPage>
  )
}
