import { Text } from '@mantine/core'
import type { AdjustmentReasons } from '../../../../../shared/schemas/reports.ts'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { type Days, readDays } from '../../../components/pickers/days.ts'
import { useFormat } from '../../../components/shop/format.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { useColumnChoice } from '../../../components/tables/list/column-choice.tsx'
import { ListBar } from '../../../components/tables/list/list-bar.tsx'
import { PagedTable } from '../../../components/tables/paged-table.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { PeriodFilter } from '../period-filter.tsx'
import { daysOr30 } from '../periods.ts'
import { figureReport } from '../report.tsx'
import { ReportViews } from '../report-rows.tsx'

type Row = AdjustmentReasons['byReason'][number]

const columnsOf = ({ count, money }: Format): Column<Row>[] => [
  { name: 'Reason', cell: ({ reason }) => reason || 'No reason' },
  { name: 'Changes', cell: ({ adjustmentCount }) => count(adjustmentCount), isNumber: true },
  { name: 'Pieces added', cell: ({ piecesAdded }) => count(piecesAdded), isNumber: true },
  { name: 'Value added', cell: ({ valueAdded }) => money(valueAdded), isNumber: true },
  { name: 'Pieces removed', cell: ({ piecesRemoved }) => count(piecesRemoved), isNumber: true },
  { name: 'Value removed', cell: ({ valueRemoved }) => money(valueRemoved), isNumber: true },
]

export const AdjustmentReasonReport = figureReport({
  path: '/reports/adjustment-reasons',
  title: 'Reasons for changes',
  read: readDays,
  ask: daysOr30,
  meaning: () => (
    <p>
      Pieces that people added and removed, by the reason they gave. The value is the cost of the pieces when
      they were added or removed.
    </p>
  ),
  filters: ({ asked, setFilter }) => <PeriodFilter value={asked} without="All time" onChange={setFilter} />,
  content: (query, { filter, show }) => (
    <Loaded query={query}>{(reasons) => <Reasons {...{ reasons, filter, show }} />}</Loaded>
  ),
})

type ReasonProps = { reasons: AdjustmentReasons; filter: Days; show: (days: Days) => void }

function Reasons({ reasons: { byReason, uncostedPieces }, filter, show }: ReasonProps) {
  const format = useFormat()
  const columns = useColumnChoice('adjustment-reasons', columnsOf(format))
  return (
    <Card isFlush title="Reasons">
      {uncostedPieces > 0 && (
        <Text size="sm" p="md" pt={0}>
          {format.many(uncostedPieces, 'piece')} without a known cost count no value. Enter the cost of their
          products to include them.
        </Text>
      )}
      <ListBar
        label="Reasons for changes"
        loaded={byReason.length}
        count={undefined}
        hasMore={false}
        isPending={false}
        columns={columns}
        views={<ReportViews list="adjustment-reasons" filter={filter} choice={columns} onShow={show} />}
      />
      {byReason.length === 0 ? (
        <Text c="dimmed" p="md">
          No stock was set, adjusted or counted in this period. Choose other dates.
        </Text>
      ) : (
        <PagedTable
          label="Reasons for changes"
          rows={byReason}
          keyOf={({ reason }) => reason}
          columns={columns.shown}
        />
      )}
    </Card>
  )
}
