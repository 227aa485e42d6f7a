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
import { PrintLabels } from '../../../components/labels/print-labels.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { meaningOfUndo } from '../../receipts/undo.ts'
import { ReceiptDrafts } from './receipt-drafts.tsx'
import classes from './receipts.module.css'

type Props = { order: PurchaseOrder; query: UseInfiniteQueryResult<{ pages: Page<Receipt>[] }> }

/** The receipts of an order, each with a button to reverse it. */
export function Receipts({ order, query }: Props) {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  const [undoing, setUndoing] = useState<Receipt | null>(null)
  const receipts = data?.pages.flatMap(({ records }) => records) ?? []
  return (
    <Card title="Received">
      <ReceiptDrafts order={order} />
      {isPending && <Skeleton height={40} />}
      {error && !data && <ErrorNotice error={error} onRetry={refetch} />}
      {data && receipts.length === 0 && <Text c="dimmed">Nothing received yet.</Text>}
      <div>
        {receipts.map((receipt) => (
          <ReceiptEntry key={receipt.id} order={order} receipt={receipt} onUndo={() => setUndoing(receipt)} />
        ))}
      </div>
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Load more
        </Button>
      )}
      {undoing && <UndoDialog order={order} receipt={undoing} onClose={() => setUndoing(null)} />}
    </Card>
  )
}

type EntryProps = { order: PurchaseOrder; receipt: Receipt; onUndo: () => void }

function ReceiptEntry({ order, receipt, onUndo }: EntryProps) {
  const { dateTime, count, cost } = useFormat(order.currency)
  const { locationName, notes, deliveryNote, reversedAt, lineItems } = receipt
  const postedAt = receipt.postedAt ?? receipt.createdAt
  // two receipts of one minute have the same time
  const name = `the receipt of ${dateTime(postedAt)}, number ${receipt.id}`
  return (
    <div className={classes.receipt} data-reversed={reversedAt !== null || undefined}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {dateTime(postedAt)} at {locationName}
        </Text>
        {reversedAt === null ? (
          <Group gap="xs">
            <PrintLabels size="xs" source={{ receiptId: receipt.id }} label={`Print labels of ${name}`} />
            <LinkButton
              variant="default"
              size="xs"
              to="/returns/new"
              search={{ receiptId: receipt.id }}
              aria-label={`Return goods of ${name}`}
            >
              Return goods
            </LinkButton>
            <Button variant="default" size="xs" onClick={onUndo} aria-label={`Undo ${name}`}>
              Undo
            </Button>
          </Group>
        ) : (
          <Text size="sm" c="dimmed">
            Reversed {dateTime(reversedAt)}
          </Text>
        )}
      </Group>
      <ul>
        {lineItems.map((line) => (
          <li key={line.lineItemId}>
            {count(line.quantity)} × {line.title}
            {line.unitCost !== null && ` at ${cost(line.unitCost)}`}
            {line.rejected > 0 && <Rejected line={line} />}
          </li>
        ))}
      </ul>
      {deliveryNote && <Text size="sm">Delivery note {deliveryNote}</Text>}
      {notes && <Text size="sm">{notes}</Text>}
    </div>
  )
}

function Rejected({ line }: { line: Receipt['lineItems'][number] }) {
  const { count } = useFormat()
  const reason = line.rejectReason && ` (${line.rejectReason})`
  const outcome = line.rejectOutcome === 'credit' ? 'credited' : 'to be replaced'
  return <div>{`${count(line.rejected)} rejected${reason}, ${outcome}`}</div>
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
      title={isShort ? 'Allow negative stock?' : 'Undo this receipt?'}
      confirm={isShort ? 'Undo anyway' : 'Undo receipt'}
      isDestructive
      isBusy={reverse.isPending}
      error={isShort ? undefined : error}
      onConfirm={() => reverse.mutate({ params, body: isShort ? { allowNegative: true } : {} })}
      onCancel={onClose}
    >
      {isShort
        ? `Not enough stock at ${receipt.locationName}: some of these items have left since. If you undo the receipt anyway, stock will go negative until you count it.`
        : meaningOfUndo({ ...receipt, purchaseOrderId: order.id })}
    </Confirm>
  )
}
