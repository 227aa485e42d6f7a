import { Button, Group, Skeleton, Text } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import type { Receipt } from '../../../../../shared/schemas/receipts.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useChange } from '../../../api/queries.ts'
import type { Page } from '../../../api/request.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import classes from './receipts.module.css'

type Props = { order: PurchaseOrder; query: UseInfiniteQueryResult<{ pages: Page<Receipt>[] }> }

/** What has arrived, each time; a receipt that was wrong is taken back. */
export function Receipts({ order, query }: Props) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  const [undone, setUndone] = useState<Receipt | null>(null)
  const receipts = data?.pages.flatMap(({ records }) => records) ?? []
  return (
    <Card title="Received">
      {isPending && <Skeleton height={40} />}
      {error && !data && <ErrorNotice error={error} onRetry={refetch} />}
      {data && receipts.length === 0 && <Text c="dimmed">Nothing has arrived yet.</Text>}
      <div>
        {receipts.map((receipt) => (
          <ReceiptEntry key={receipt.id} receipt={receipt} onUndo={() => setUndone(receipt)} />
        ))}
      </div>
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Load more
        </Button>
      )}
      {undone && <UndoDialog order={order} receipt={undone} onClose={() => setUndone(null)} />}
    </Card>
  )
}

function ReceiptEntry({ receipt, onUndo }: { receipt: Receipt; onUndo: () => void }) {
  const { moment, count } = useFormat()
  const { createdAt, locationName, notes, reversedAt, lineItems } = receipt
  return (
    <div className={classes.receipt} data-reversed={reversedAt !== null || undefined}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {moment(createdAt)} at {locationName}
        </Text>
        {reversedAt === null ? (
          <Button
            variant="default"
            size="xs"
            onClick={onUndo}
            aria-label={`Undo the receipt of ${moment(createdAt)}`}
          >
            Undo
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            Taken back {moment(reversedAt)}
          </Text>
        )}
      </Group>
      <ul>
        {lineItems.map(({ lineItemId, title, quantity }) => (
          <li key={lineItemId}>
            {count(quantity)} × {title}
          </li>
        ))}
      </ul>
      {notes && <Text size="sm">{notes}</Text>}
    </div>
  )
}

function UndoDialog({
  order,
  receipt,
  onClose,
}: {
  order: PurchaseOrder
  receipt: Receipt
  onClose: () => void
}) {
  const params = { id: order.id, receiptId: receipt.id }
  const reverse = useChange('POST /purchase-orders/:id/receipts/:receiptId/reverse', {
    onDone: onClose,
  })
  const { error } = reverse
  const isShort = error instanceof ApiError && error.code === 'insufficient_stock'
  return (
    <Confirm
      isOpen
      title={isShort ? 'Let the stock fall below zero?' : 'Undo this receipt?'}
      confirm={isShort ? 'Undo it all the same' : 'Undo the receipt'}
      isDestructive
      isBusy={reverse.isPending}
      error={isShort ? undefined : error}
      onConfirm={() => reverse.mutate({ params, body: isShort ? { allowNegative: true } : {} })}
      onCancel={onClose}
    >
      {isShort
        ? `Some of it has left ${receipt.locationName} since. Undone all the same, the stock there shows less than nothing until it is counted.`
        : `The stock at ${receipt.locationName} goes down by what arrived, and the order expects it again.`}
    </Confirm>
  )
}
