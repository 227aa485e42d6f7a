import { Button, Group, Skeleton, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StockTransfer, TransferEvent } from '../../../../../shared/schemas/stock-transfers.ts'
import { ApiError } from '../../../api/api-error.ts'
import { listQuery, useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { Card } from '../../../components/layout/card.tsx'
import { byUser } from '../../../components/shop/by-user.ts'
import { useFormat } from '../../../components/shop/format.ts'
import classes from '../transfers.module.css'

const names: Record<TransferEvent['kind'], string> = {
  ship: 'Shipped',
  receive: 'Received',
  close: 'Closed',
  complete: 'Completed',
  cancel: 'Cancelled',
}

/**
 * What was done with a transfer, newest first, and its creation; what moved goods can be undone. Of a transfer that an earlier release
 * shipped or ended, which wrote no events, it shows the times.
 */
export function TransferHistory({ transfer }: { transfer: StockTransfer }) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useInfiniteQuery(listQuery('GET /stock-transfers/:id/events', { params: { id: transfer.id }, query: {} }))
  const [undoing, setUndoing] = useState<TransferEvent | null>(null)
  const { dateTime } = useFormat()
  const events = data?.pages.flatMap(({ records }) => records) ?? []
  return (
    <Card title="History">
      {isPending && <Skeleton height={40} />}
      {error && !data && <ErrorNotice error={error} onRetry={refetch} />}
      {transfer.status === 'pending' && events.length === 0 && data && (
        <Text c="dimmed">Ship the transfer when the goods leave.</Text>
      )}
      <div>
        {events.map((event) => (
          <Entry key={event.id} event={event} onUndo={() => setUndoing(event)} />
        ))}
        {data &&
          events.length === 0 &&
          timesOf(transfer).map(([name, at]) => (
            <Text key={name} size="sm" className={classes.event}>
              {name} {dateTime(at)}
            </Text>
          ))}
        {data && !hasNextPage && (
          <Text size="sm" className={classes.event}>
            Created {dateTime(transfer.createdAt)}
            {byUser(transfer.createdBy)}
          </Text>
        )}
      </div>
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Load more
        </Button>
      )}
      {undoing && <UndoDialog transfer={transfer} event={undoing} onClose={() => setUndoing(null)} />}
    </Card>
  )
}

const timesOf = ({ cancelledAt, completedAt, shippedAt }: StockTransfer) =>
  (
    [
      ['Cancelled', cancelledAt],
      ['Completed', completedAt],
      ['Shipped', shippedAt],
    ] as const
  ).filter(([, at]) => at !== null)

function Entry({ event, onUndo }: { event: TransferEvent; onUndo: () => void }) {
  const { dateTime, count, money } = useFormat()
  const { id, kind, actor, occurredAt, reversedAt, reversedBy, lossValue, items } = event
  return (
    <div className={classes.event} data-reversed={reversedAt !== null || undefined}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {names[kind]} {dateTime(occurredAt)} by user {actor}
        </Text>
        {reversedAt !== null ? (
          <Text size="sm" c="dimmed">
            Undone {dateTime(reversedAt)} by user {reversedBy}
          </Text>
        ) : (
          items.length > 0 && (
            <Button
              variant="default"
              size="xs"
              onClick={onUndo}
              aria-label={`Undo: ${names[kind]} ${dateTime(occurredAt)}, number ${id}`}
            >
              Undo
            </Button>
          )
        )}
      </Group>
      <ul>
        {items.map(({ title, variantId, shipped, received, lost, damaged, returned }, at) => (
          // a product may be on several lines, which never change
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={`${variantId} ${at}`}>
            {title}:{' '}
            {(
              [
                [shipped, 'shipped'],
                [received, 'received'],
                [lost, 'lost'],
                [damaged, 'damaged'],
                [returned, 'returned'],
              ] as const
            )
              .filter(([pieces]) => pieces > 0)
              .map(([pieces, name]) => `${count(pieces)} ${name}`)
              .join(', ')}
          </li>
        ))}
      </ul>
      {lossValue === null && <Text size="sm">The cost of the lost goods is not known.</Text>}
      {lossValue !== null && lossValue > 0 && <Text size="sm">Loss: {money(lossValue)}</Text>}
    </div>
  )
}

type DialogProps = { transfer: StockTransfer; event: TransferEvent; onClose: () => void }

function UndoDialog({ transfer, event, onClose }: DialogProps) {
  const reverse = useChange('POST /stock-transfers/:id/events/:eventId/reverse', {
    onDone: () => {
      onClose()
      notifyDone('Undone')
    },
  })
  const { error } = reverse
  const isShort = error instanceof ApiError && error.code === 'insufficient_stock'
  return (
    <Confirm
      isOpen
      title={isShort ? 'Allow negative stock?' : `Undo: ${names[event.kind].toLowerCase()}?`}
      confirm={isShort ? 'Undo anyway' : 'Undo'}
      isDestructive
      isBusy={reverse.isPending}
      error={isShort ? undefined : error}
      onConfirm={() =>
        reverse.mutate({
          params: { id: transfer.id, eventId: event.id },
          body: isShort ? { allowNegative: true } : {},
        })
      }
      onCancel={onClose}
    >
      {isShort
        ? 'Some of these goods have left their location since. If you undo it anyway, stock will go negative until you count it.'
        : 'The goods are where they were before, in stock and in transit, and so is the value of your stock. The transfer may be open again.'}
    </Confirm>
  )
}
