import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import type { StockMovement } from '../../../../../shared/schemas/stock-movements.ts'
import { listQuery } from '../../../api/queries.ts'
import { Attachments } from '../../../components/attachments/attachments.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { DetailColumns, Notes } from '../../../components/layout/detail.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { DataList } from '../../../components/tables/data-list.tsx'
import { PagedTable } from '../../../components/tables/paged-table.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { CountStatusBadge } from '../list/count-status.tsx'
import type { LoadedCount } from '../offline/local-count.ts'
import { CountTimeline } from './count-timeline.tsx'
import { Difference } from './difference.tsx'
import { itemColumns } from './item-columns.tsx'
import { LateEntries } from './late-entries.tsx'
import { SummaryFacts } from './summary-facts.tsx'

/** A submitted or cancelled count. */
export function CountResult({ loaded }: { loaded: LoadedCount }) {
  const { count } = loaded
  const format = useFormat()
  const { id, phase, locationName, items, notes, reason, submittedAt } = count
  return (
    <PageBody>
      <PageHeader
        title={`Count #${id}: ${locationName}`}
        mark={<CountStatusBadge phase={phase} />}
        back={{ to: '/counts', name: 'Counts' }}
      />
      <LateEntries loaded={loaded} />
      {count.staleItemCount > 0 && (
        <Notice tone="waiting" title="Some numbers were not compared with your shop">
          <Text c="#1c2024">
            {format.many(count.staleItemCount, 'number')} {count.staleItemCount === 1 ? 'was' : 'were'}{' '}
            submitted while your shop did not answer, against the last known stock. Count these products again
            if their stock looks wrong.
          </Text>
        </Notice>
      )}
      <DetailColumns
        side={
          <>
            <Card title="Summary">
              <SummaryFacts count={count} />
            </Card>
            {reason && (
              <Card title="Reason">
                <Notes text={reason} />
              </Card>
            )}
            {notes && (
              <Card title="Notes">
                <Notes text={notes} />
              </Card>
            )}
            <CountTimeline count={count} />
          </>
        }
      >
        <Card
          title="Counted products"
          isFlush
          action={
            <CsvButton
              path="/stock-counts/:id"
              params={{ id: count.id }}
              name={`count-${count.id}`}
              isSmall
            />
          }
        >
          {items.length === 0 ? (
            <Text c="dimmed" p="md" pt={0}>
              No products were counted.
            </Text>
          ) : (
            <PagedTable
              label="Counted products"
              rows={items}
              keyOf={({ variantId }) => variantId}
              columns={itemColumns(format, count)}
            />
          )}
        </Card>
        {submittedAt && <StockChanges count={count} submittedAt={submittedAt} />}
        <Attachments subject="stock_count" subjectId={id} />
      </DetailColumns>
    </PageBody>
  )
}

const maxSubmitMs = 10 * 60_000

/** The movements of this count, in the minutes after the submit: no index finds them by their reference alone. */
function StockChanges({
  count: { id, locationId },
  submittedAt,
}: {
  count: StockCount
  submittedAt: string
}) {
  const format = useFormat()
  const endDate = new Date(Date.parse(submittedAt) + maxSubmitMs).toISOString()
  const query = useInfiniteQuery(
    listQuery('GET /stock-movements', {
      query: { kind: 'count', reference: `stock_count/${id}`, locationId, startDate: submittedAt, endDate },
    }),
  )
  return (
    <DataList
      title="Stock changes"
      label="Stock changes"
      query={query}
      columns={movementColumns(format)}
      keyOf={(movement) => movement.id}
      empty={{ title: 'No stock changes', text: 'All counted numbers match the expected stock.' }}
    />
  )
}

const movementColumns = ({ count }: Format): Column<StockMovement>[] => [
  { name: 'Product', cell: (movement) => <ProductName {...movement} /> },
  { name: 'Stock before', cell: ({ previousQuantity }) => count(previousQuantity), isNumber: true },
  { name: 'Stock after', cell: ({ newQuantity }) => count(newQuantity), isNumber: true },
  { name: 'Change', cell: ({ delta }) => <Difference value={delta} />, isNumber: true },
]
