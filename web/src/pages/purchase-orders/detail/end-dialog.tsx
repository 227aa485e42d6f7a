import type { RefObject } from 'react'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { optimisticUpdate, readQuery, useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { notifyDone, notifyRefused } from '../../../components/feedback/notify.ts'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { useFormat } from '../../../components/shop/format.ts'

export type Ending = 'close' | 'cancel' | 'delete'

type Props = {
  order: PurchaseOrder
  ending: Ending | null
  onClose: () => void
  returnTo: RefObject<HTMLElement | null>
}

/** Asks for confirmation before an order is closed, cancelled or deleted. */
export function EndDialog({
  order: { id, poNumber, status, supplierName, lineItems },
  ending,
  onClose,
  returnTo,
}: Props) {
  const navigate = usePageNavigate()
  const { many } = useFormat()
  const outstanding = lineItems.reduce((sum, { outstandingQuantity }) => sum + outstandingQuantity, 0)
  const show = (change: Partial<PurchaseOrder>) =>
    optimisticUpdate(readQuery('GET /purchase-orders/:id', { params: { id } }), (now) => ({
      ...now,
      ...change,
    }))
  const close = useChange('POST /purchase-orders/:id/close', {
    optimistic: () =>
      show(status === 'partial' ? { status: 'received', isClosedShort: true } : { status: 'cancelled' }),
    onRefused: notifyRefused,
  })
  const cancel = useChange('POST /purchase-orders/:id/cancel', {
    optimistic: () => show({ status: 'cancelled' }),
    onRefused: notifyRefused,
  })
  const remove = useChange('DELETE /purchase-orders/:id', {
    onDone: async () => {
      await navigate({ to: '/purchase-orders', replace: true })
      notifyDone(`${poNumber} deleted`)
    },
    onRefused: notifyRefused,
  })
  const dialogs = {
    close: {
      title: `Close ${poNumber}?`,
      text: `The ${many(outstanding, 'item')} still outstanding will be cancelled. Received items stay in stock.`,
      confirm: 'Close order',
      dismiss: undefined,
      mutation: close,
    },
    cancel: {
      title: `Cancel ${poNumber}?`,
      text:
        status === 'sent'
          ? `We won’t notify ${supplierName}. An e-mail already sent can’t be recalled.`
          : 'The draft stays in the list with the status Cancelled.',
      confirm: 'Cancel order',
      dismiss: 'Keep order',
      mutation: cancel,
    },
    delete: {
      title: `Delete ${poNumber}?`,
      text: 'This permanently deletes the order and its lines. Its number won’t be reused.',
      confirm: 'Delete',
      dismiss: undefined,
      mutation: remove,
    },
  }
  const { title, text, confirm, dismiss, mutation } = dialogs[ending ?? 'close']
  return (
    <Confirm
      isOpen={ending !== null}
      title={title}
      confirm={confirm}
      dismiss={dismiss}
      isDestructive={ending !== 'close'}
      onConfirm={() => {
        mutation.mutate({ params: { id } })
        onClose()
      }}
      onCancel={onClose}
      returnTo={returnTo}
    >
      {text}
    </Confirm>
  )
}
