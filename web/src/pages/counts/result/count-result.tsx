import { Button, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import type { StockMovement } from '../../../../../shared/schemas/stock-movements.ts'
import { listing } from '../../../api/queries.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { DetailColumns, Notes, Timeline } from '../../../components/layout/detail.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { DataList } from '../../../components/tables/data-list.tsx'
import { PagedTable } from '../../../components/tables/paged-table.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { forgetCount, keptOf } from '../counting/stored-count.ts'
import { CountStatusBadge } from '../list/count-status.tsx'
import { Difference } from './difference.tsx'
import { summaryOf } from './differences.ts'
import { itemColumns } from './item-columns.tsx'
import { SummaryFacts } from './summary-facts.tsx'

/** A count that is over: what moved, and what was counted. */
export function CountResult({ count }: { count: StockCount }) {
  const format = useFormat()
  const { id, locationName, status, items, notes, createdAt, submittedAt, cancelledAt } = count
  const summary = summaryOf(items)
  return (
    <PageBody>
      <PageHeader
        title={`Count #${id}: ${locationName}`}
        mark={<CountStatusBadge status={status} />}
        back={{ to: '/counts', name: 'Counts' }}
      />
      <Unsaved id={id} />
      <DetailColumns
        side={
          <>
            <Card title="Summary">
              <SummaryFacts place={locationName} summary={summary} />
            </Card>
            {notes && (
              <Card title="Notes">
                <Notes text={notes} />
              </Card>
            )}
            <Timeline
              steps={[
                { at: createdAt, what: 'Started' },
                ...(submittedAt
                  ? [{ at: submittedAt, what: 'Submitted: stock became what was counted' }]
                  : []),
                ...(cancelledAt ? [{ at: cancelledAt, what: 'Cancelled' }] : []),
              ]}
            />
          </>
        }
      >
        {submittedAt && <Moved count={count} submittedAt={submittedAt} />}
        <Card title="What was counted" isFlush>
          {items.length === 0 ? (
            <Text c="dimmed" p="md" pt={0}>
              Nothing.
            </Text>
          ) : (
            <PagedTable
              label="What was counted"
              rows={items}
              keyOf={({ variantId }) => variantId}
              columns={itemColumns(format)}
            />
          )}
        </Card>
      </DetailColumns>
    </PageBody>
  )
}

const submissionMs = 10 * 60_000

/** The movements of this count. They are written within moments of the submit, so only those are looked through. */
function Moved({ count: { id, locationId }, submittedAt }: { count: StockCount; submittedAt: string }) {
  const format = useFormat()
  const endDate = new Date(Date.parse(submittedAt) + submissionMs).toISOString()
  const query = useInfiniteQuery({
    ...listing('GET /stock-movements', {
      query: { kind: 'count', locationId, startDate: submittedAt, endDate },
    }),
    select: ({ pages, pageParams }) => ({
      pageParams,
      pages: pages.map(({ records, next }) => ({
        next,
        records: records.filter(({ reference }) => reference === `stock_count/${id}`),
      })),
    }),
  })
  return (
    <DataList
      title="What moved"
      label="What moved"
      query={query}
      columns={movementColumns(format)}
      keyOf={(movement) => movement.id}
      empty={{ title: 'Nothing moved', text: 'All that was counted was as many as there should be.' }}
    />
  )
}

const movementColumns = ({ count }: ReturnType<typeof useFormat>): Column<StockMovement>[] => [
  { name: 'Product', cell: (movement) => <ProductName {...movement} /> },
  { name: 'Stock before', cell: ({ previousQuantity }) => count(previousQuantity), isNumber: true },
  { name: 'Stock after', cell: ({ newQuantity }) => count(newQuantity), isNumber: true },
  { name: 'Moved', cell: ({ delta }) => <Difference value={delta} />, isNumber: true },
]

/** The count has ended elsewhere before what was entered here was saved: nobody may think that it counted. */
function Unsaved({ id }: { id: number }) {
  const { count } = useFormat()
  const [entries, setEntries] = useState(() => keptOf(id).entries.all())
  if (entries.length === 0) return null
  const forget = () => {
    forgetCount(id)
    setEntries([])
  }
  return (
    <Notice tone="bad" title="Numbers of this device came too late">
      <Text c="#1c2024" mb="sm">
        The count had ended before they were saved, so they changed nothing. Start a new count for:{' '}
        {entries
          .map(([, { product, counted }]) => `${product.title} (${counted === null ? '—' : count(counted)})`)
          .join(', ')}
        .
      </Text>
      <Button size="xs" variant="default" onClick={forget}>
        I have seen it
      </Button>
    </Notice>
  )
}
