import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { reading, showing, useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { notifyDone, notifyRefused } from '../../../components/feedback/notify.ts'

export type Ending = 'close' | 'cancel' | 'delete'

type Props = {
  order: PurchaseOrder
  ending: Ending | null
  onClose: () => void
  returnTo: RefObject<HTMLElement | null>
}

/** Asks once before an order ends, and says what that means. */
export function EndDialog({
  order: { id, poNumber, status, supplierName },
  ending,
  onClose,
  returnTo,
}: Props) {
  const navigate = useNavigate()
  const showEnd = (end: PurchaseOrder['status']) =>
    showing(reading('GET /purchase-orders/:id', { params: { id } }), (now) => ({ ...now, status: end }))
  const close = useChange('POST /purchase-orders/:id/close', {
    shows: () => showEnd(status === 'partial' ? 'received' : 'cancelled'),
    onRefused: notifyRefused,
  })
  const cancel = useChange('POST /purchase-orders/:id/cancel', {
    shows: () => showEnd('cancelled'),
    onRefused: notifyRefused,
  })
  const remove = useChange('DELETE /purchase-orders/:id', {
    onDone: async () => {
      await navigate({ to: '/purchase-orders', replace: true })
      notifyDone(`${poNumber} is deleted.`)
    },
    onRefused: notifyRefused,
  })
  const ways = {
    close: {
      title: `Close ${poNumber}?`,
      text: 'Nothing more is expected: what has not arrived is cancelled. What has arrived stays.',
      confirm: 'Close the order',
      act: close,
    },
    cancel: {
      title: `Cancel ${poNumber}?`,
      text:
        status === 'sent'
          ? `${supplierName} is not told by Quartermaster: an e-mail that has left cannot be called back.`
          : 'The draft stays in the list, as cancelled.',
      confirm: 'Cancel the order',
      act: cancel,
    },
    delete: {
      title: `Delete ${poNumber}?`,
      text: 'The order and its lines are gone then, and its number is not given again.',
      confirm: 'Delete',
      act: remove,
    },
  }
  const { title, text, confirm, act } = ways[ending ?? 'close']
  return (
    <Confirm
      isOpen={ending !== null}
      title={title}
      confirm={confirm}
      isDestructive={ending !== 'close'}
      onConfirm={() => {
        act.mutate({ params: { id } })
        onClose()
      }}
      onCancel={onClose}
      returnTo={returnTo}
    >
      {text}
    </Confirm>
  )
}
