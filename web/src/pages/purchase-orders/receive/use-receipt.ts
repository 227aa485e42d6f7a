import { useRef, useState } from 'react'
import type { PurchaseOrder, PurchaseOrderStatus } from '../../../../../shared/schemas/purchase-orders.ts'
import type { OrderReceipt, PostReceipt, ReceiptDraftInput } from '../../../../../shared/schemas/receipts.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useChange } from '../../../api/queries.ts'

type Saved = Pick<OrderReceipt, 'id' | 'version'> & {
  /** What this page saved last; null before its first save. */
  body: ReceiptDraftInput | null
}

/**
 * Saves what was counted: as the draft of the page, which the first save creates, and then posts it unless it shall stay a draft.
 * A refused posting keeps the draft, and the next save continues it. While a save runs, another one changes nothing: of two
 * clicks at once, the second would create a second draft.
 */
export function useReceipt(order: PurchaseOrder, draft: OrderReceipt | null) {
  const [saved, setSaved] = useState<Saved | null>(draft && { ...draft, body: null })
  const [isSaved, setDone] = useState(false)
  const create = useChange('POST /purchase-orders/:id/receipts', { isForm: true })
  const update = useChange('PUT /purchase-orders/:id/receipts/:receiptId')
  const post = useChange('POST /purchase-orders/:id/receipts/:receiptId/post')
  const remove = useChange('DELETE /purchase-orders/:id/receipts/:receiptId')

  const changes = [create, update, post, remove]
  const isRunning = useRef(false)

  /** What was saved: the status of the order after posting, `draft`, or null while another save runs. Rejects with the error of the API. */
  const save = async (
    body: ReceiptDraftInput,
    posting: PostReceipt | null,
  ): Promise<PurchaseOrderStatus | null> => {
    if (isRunning.current) return null
    isRunning.current = true
    try {
      return await store(body, posting)
    } finally {
      isRunning.current = false
    }
  }

  const store = async (body: ReceiptDraftInput, posting: PostReceipt | null) => {
    for (const change of changes) change.reset()
    const params = { id: order.id }
    // after a posting whose answer was lost the API refuses to change the receipt, but answers the posting again
    const isSame = posting !== null && JSON.stringify(saved?.body) === JSON.stringify(body)
    const stored = saved && isSame ? saved : await storeDraft(body)
    if (posting === null) {
      setDone(true)
      return 'draft'
    }
    const { status } = await post.mutateAsync({
      params: { ...params, receiptId: stored.id },
      body: { version: stored.version, ...posting },
    })
    setDone(true)
    return status
  }

  const storeDraft = async (body: ReceiptDraftInput) => {
    const params = { id: order.id }
    const { id, version } = saved
      ? await update.mutateAsync({
          params: { ...params, receiptId: saved.id },
          body: { ...body, version: saved.version },
        })
      : await create.mutateAsync({ params, body })
    setSaved({ id, version, body })
    return { id, version }
  }

  /** Deletes the draft that a refused posting of this page has created, and resolves to whether none is left. */
  const discard = async (): Promise<boolean> => {
    for (const change of changes) change.reset()
    create.discard()
    if (draft || !saved) return true
    try {
      await remove.mutateAsync({ params: { id: order.id, receiptId: saved.id } })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) return false
      remove.reset()
    }
    setSaved(null)
    return true
  }

  return {
    save,
    discard,
    isSaved,
    isBusy: changes.some(({ isPending }) => isPending),
    error: changes.find(({ error }) => error)?.error ?? null,
    reset: post.reset,
  }
}
