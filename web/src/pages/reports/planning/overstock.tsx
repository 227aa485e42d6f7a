import { Text } from '@mantine/core'
import type { Overstock } from '../../../../../shared/schemas/planning.ts'
import { Choices } from '../../../components/forms/choices.tsx'
import { TextLink } from '../../../components/layout/link-button.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { variantParams } from '../../../components/tables/variant-link.tsx'
import { coverDays, readOverstockFilter } from '../filter.ts'
import { report } from '../report.tsx'
import { productColumn } from '../report-rows.tsx'

/** Stock that lasts longer than the chosen number of days. */
export const OverstockReport = report({
  path: '/reports/overstock',
  title: 'Overstock',
  read: readOverstockFilter,
  fill: (chosen) => ({
    ...chosen,
    days: coverDays.find((known) => Number(known) === chosen.days) ?? '90',
  }),
  isOfProducts: true,
  hasCount: true,
  meaning: ({ filter, format }) => (
    <p>
      Pieces above what the forecast expects to sell in {format.days(Number(filter.days))}, highest value
      first, as of the last night. A product without a forecast is expected to sell nothing. The value is at
      the average cost.
    </p>
  ),
  filters: ({ filter, format, setFilter }) => (
    <Choices
      label="Lasts longer than"
      options={coverDays.map((value) => ({ name: format.days(Number(value)), value }))}
      value={filter.days}
      onChange={(days) => setFilter({ days: Number(days) })}
    />
  ),
  columns: (format) => [
    productColumn,
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
  ],
  keyOf: ({ variantId }) => variantId,
  empty: ({ filter, format }) => ({
    title: 'No overstock',
    text: `No product lasts longer than ${format.days(Number(filter.days))}. The report is updated every night.`,
  }),
})

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
