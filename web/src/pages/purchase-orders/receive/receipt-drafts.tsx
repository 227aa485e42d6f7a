import { Button, Group, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import type { OrderReceipt, Receipt } from '../../../../../shared/schemas/receipts.ts'
import { listQuery, useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Differences } from '../../../components/forms/version-conflict.tsx'
import { isStale } from '../../../components/forms/versions.ts'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { byUser } from '../../../components/shop/by-user.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { readDraft } from '../read-draft.ts'
import { differencesOf } from './receipt-differences.ts'
import classes from './receipts.module.css'

/** The drafts of receipts of an order: to continue, or to delete. */
export function ReceiptDrafts({ order }: { order: PurchaseOrder }) {
  const { dateTime, count } = useFormat()
  const [deleting, setDeleting] = useState<Receipt | null>(null)
  const { data, error, refetch } = useInfiniteQuery(
    listQuery('GET /purchase-orders/:id/receipts', { params: { id: order.id }, query: { state: 'draft' } }),
  )
  const drafts = data?.pages.flatMap(({ records }) => records) ?? []
  const isOpen = order.status === 'sent' || order.status === 'partial'
  return (
    <div>
      {error && !data && (
        <ErrorNotice title="The drafts could not be loaded" error={error} onRetry={refetch} />
      )}
      {drafts.map((draft) => (
        <div key={draft.id} className={classes.receipt}>
          <Group justify="space-between" gap="xs">
            <Text size="sm">
              Draft of {dateTime(draft.createdAt)}
              {byUser(draft.createdBy)} at {draft.locationName}: {count(piecesOf(draft.lineItems))} counted
            </Text>
            <Group gap="xs">
              <Button
                variant="default"
                size="xs"
                aria-label={`Delete the draft of ${dateTime(draft.createdAt)}, number ${draft.id}`}
                onClick={() => setDeleting(draft)}
              >
                Delete
              </Button>
              {isOpen && (
                <LinkButton
                  size="xs"
                  to="/purchase-orders/$id/receive"
                  params={{ id: order.id }}
                  search={{ draft: draft.id }}
                  aria-label={`Continue the draft of ${dateTime(draft.createdAt)}, number ${draft.id}`}
                >
                  Continue
                </LinkButton>
              )}
            </Group>
          </Group>
          {draft.deliveryNote && <Text size="sm">Delivery note {draft.deliveryNote}</Text>}
        </div>
      ))}
      {deleting && <DeleteDialog order={order} draft={deleting} onClose={() => setDeleting(null)} />}
    </div>
  )
}

export const piecesOf = (lines: readonly Pick<Receipt['lineItems'][number], 'accepted' | 'rejected'>[]) =>
  lines.reduce((sum, { accepted, rejected }) => sum + accepted + rejected, 0)

/** Of a draft that another page has changed, it shows what is different before it deletes that with the next press. */
function DeleteDialog({
  order,
  draft,
  onClose,
}: {
  order: PurchaseOrder
  draft: Receipt
  onClose: () => void
}) {
  const format = useFormat(order.currency)
  const pieces = (lines: Parameters<typeof piecesOf>[0]) => format.many(piecesOf(lines), 'piece')
  const [changed, setChanged] = useState<OrderReceipt | null>(null)
  const remove = useChange('DELETE /purchase-orders/:id/receipts/:receiptId', {
    onDone: onClose,
    onRefused: (error) => {
      // without an answer the version stays, and the next press is refused again
      if (isStale(error)) readDraft(draft).then(setChanged, () => undefined)
    },
  })
  return (
    <Confirm
      isOpen
      title="Delete this draft?"
      confirm="Delete draft"
      isDestructive
      isBusy={remove.isPending}
      error={changed && isStale(remove.error) ? null : remove.error}
      onConfirm={() =>
        remove.mutate({
          params: { id: order.id, receiptId: draft.id },
          query: { version: (changed ?? draft).version },
        })
      }
      onCancel={onClose}
    >
      What was counted in it{byUser(draft.createdBy)} at {draft.locationName} is lost, unless a page still
      scans into it: that page creates it again. Stock does not change.
      <div role="status">
        {changed && (
          <>
            It has changed in the meantime: {pieces(draft.lineItems)} before, {pieces(changed.lines)} now.
            <Differences of={differencesOf({ ...draft, lines: draft.lineItems }, changed, format)} max={10} />
          </>
        )}
      </div>
    </Confirm>
  )
}
