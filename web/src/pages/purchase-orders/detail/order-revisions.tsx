import { List, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { PurchaseOrder, RevisionChange } from '../../../../../shared/schemas/purchase-orders.ts'
import { listQuery } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { describe } from '../form/order-differences.ts'

/** What each revision of a sent order changed, newest first. */
export function OrderRevisions({ order }: { order: PurchaseOrder }) {
  const format = useFormat(order.currency)
  const query = useInfiniteQuery(
    listQuery('GET /purchase-orders/:id/revisions', { params: { id: order.id }, query: {} }),
  )
  const revisions = query.data?.pages.flatMap(({ records }) => records) ?? []
  const figures = (line: RevisionChange['before']) => (line ? describe(line, order.currency, format) : 'none')
  return (
    <Card title="Revisions">
      <Stack>
        {query.error && !query.data && <ErrorNotice error={query.error} onRetry={query.refetch} />}
        {revisions.map(({ id, createdAt, reason, changes }) => (
          <div key={id}>
            <Text size="sm" fw={550}>
              Revision {id}, {format.dateTime(createdAt)}
            </Text>
            {reason && <Text size="sm">{reason}</Text>}
            <List size="sm">
              {changes.map(({ lineItemId, title, before, after }) => (
                <List.Item key={lineItemId}>
                  {title}: {figures(before)} → {figures(after)}
                </List.Item>
              ))}
            </List>
          </div>
        ))}
      </Stack>
    </Card>
  )
}
