import { useState } from 'react'
import type { PurchaseOrder, PurchaseOrderStatus } from '../../../../../shared/schemas/purchase-orders.ts'
import type { OrderReceipt, PostReceipt, ReceiptDraftInput } from '../../../../../shared/schemas/receipts.ts'
import { useChange } from '../../../api/queries.ts'

type Saved = Pick<OrderReceipt, 'id' | 'version'>

/**
 * Saves what was counted: as the draft of the page, which the first save creates, and then posts it unless it shall stay a draft.
 * A refused posting keeps the draft, and the next save continues it.
 */
export function useReceipt(order: PurchaseOrder, draft: OrderReceipt | null) {
  const [saved, setSaved] = useState<Saved | null>(draft)
  const [isSaved, setDone] = useState(false)
  const onDone = (answer: OrderReceipt) => setSaved(answer)
  const create = useChange('POST /purchase-orders/:id/receipts', { onDone })
  const update = useChange('PUT /purchase-orders/:id/receipts/:receiptId', { onDone })
  const post = useChange('POST /purchase-orders/:id/receipts/:receiptId/post')

  /** The status of the order after posting; null for a draft. Rejects with the error of the API. */
  const save = async (
    body: ReceiptDraftInput,
    posting: PostReceipt | null,
  ): Promise<PurchaseOrderStatus | null> => {
    for (const change of [create, update, post]) change.reset()
    const params = { id: order.id }
    const stored = saved
      ? await update.mutateAsync({
          params: { ...params, receiptId: saved.id },
          body: { ...body, version: saved.version },
        })
      : await create.mutateAsync({ params, body })
    if (posting === null) {
      setDone(true)
      return null
    }
    const { status } = await post.mutateAsync({
      params: { ...params, receiptId: stored.id },
      body: { version: stored.version, ...posting },
    })
    setDone(true)
    return status
  }

  return {
    save,
    isSaved,
    isBusy: create.isPending || update.isPending || post.isPending,
    error: create.error ?? update.error ?? post.error,
    reset: post.reset,
  }
}
