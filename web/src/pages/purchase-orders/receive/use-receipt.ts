import { useRef, useState } from 'react'
import type { PurchaseOrder, PurchaseOrderStatus } from '../../../../../shared/schemas/purchase-orders.ts'
import type { OrderReceipt, PostReceipt, ReceiptDraftInput } from '../../../../../shared/schemas/receipts.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useChange } from '../../../api/queries.ts'
import { readDraft } from '../read-draft.ts'

const asSaved = (body: ReceiptDraftInput, base: OrderReceipt | null) => JSON.stringify([body, base?.version])

const isSameVersion = (one: OrderReceipt | null, other: OrderReceipt | null) =>
  one?.id === other?.id && one?.version === other?.version

/**
 * Saves what was counted: as the draft of the page, which the first save creates, and then posts it unless it shall stay a draft.
 * A refused posting keeps the draft, and the next save continues it. While a save runs, another one changes nothing: of two
 * clicks at once, the second would create a second draft.
 */
export function useReceipt(order: PurchaseOrder, onStored: (draft: OrderReceipt) => void) {
  /** What this page saved last, with the version that the API gave it. */
  const [saved, setSaved] = useState<string | null>(null)
  /** The version that this page made last. */
  const [own, setOwn] = useState<OrderReceipt | null>(null)
  const [isSaved, setDone] = useState(false)
  const create = useChange('POST /purchase-orders/:id/receipts', { isForm: true })
  const update = useChange('PUT /purchase-orders/:id/receipts/:receiptId')
  const post = useChange('POST /purchase-orders/:id/receipts/:receiptId/post')
  const remove = useChange('DELETE /purchase-orders/:id/receipts/:receiptId')

  const changes = [create, update, post, remove]
  const isRunning = useRef(false)

  /**
   * What was saved over `base`, the draft of the page: the status of the order after posting, `draft`, or null while another save
   * runs. Rejects with the error of the API.
   */
  const save = async (
    body: ReceiptDraftInput,
    posting: PostReceipt | null,
    base: OrderReceipt | null,
  ): Promise<PurchaseOrderStatus | null> => {
    if (isRunning.current) return null
    isRunning.current = true
    try {
      return await store(body, posting, base)
    } finally {
      isRunning.current = false
    }
  }

  const store = async (body: ReceiptDraftInput, posting: PostReceipt | null, base: OrderReceipt | null) => {
    for (const change of changes) change.reset()
    const params = { id: order.id }
    // after a posting whose answer was lost the API refuses to change the receipt, but answers the posting again
    const isSame = posting !== null && saved === asSaved(body, base)
    const stored = base && isSame ? base : await storeDraft(body, base)
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

  const storeDraft = async (body: ReceiptDraftInput, base: OrderReceipt | null) => {
    const stored =
      (base && (await overwrite(body, base))) ??
      (await create.mutateAsync({ params: { id: order.id }, body }))
    setSaved(asSaved(body, stored))
    // a save over another page's version may have counts of that page; one that changes nothing keeps that version
    const isOver = base !== null && base.id === stored.id && !isSameVersion(base, own)
    if (!isSameVersion(stored, base)) setOwn(isOver ? null : stored)
    onStored(stored)
    return stored
  }

  /** Null when another page has deleted the draft: a new one takes what was typed. */
  const overwrite = async (body: ReceiptDraftInput, { id, version }: OrderReceipt) => {
    try {
      return await update.mutateAsync({
        params: { id: order.id, receiptId: id },
        body: { ...body, version },
      })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error
      update.reset()
      return null
    }
  }

  /**
   * Forgets what was typed, and deletes `created`, a draft that only a refused posting has made. The answer is true when that draft was
   * posted in the meantime, so that it stays. Rejects with the error of the API, such as stale_version when another page has changed
   * it since.
   */
  const discard = async (created: OrderReceipt | null): Promise<boolean> => {
    for (const change of changes) change.reset()
    const isPosted = created !== null && (await removeDraft(created)) === 'posted'
    create.discard()
    setSaved(null)
    setOwn(null)
    return isPosted
  }

  const removeDraft = async (draft: OrderReceipt): Promise<'gone' | 'posted'> => {
    const { id, version } = draft
    try {
      await remove.mutateAsync({ params: { id: order.id, receiptId: id }, query: { version } })
      return 'gone'
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const isPosted = error.code === 'conflict' && (await readDraft(draft)).state === 'posted'
      if (!isPosted && error.status !== 404) throw error
      remove.reset()
      return isPosted ? 'posted' : 'gone'
    }
  }

  return {
    save,
    discard,
    /** Whether this page made the version: another one may have counts of another device. */
    isOwn: (draft: OrderReceipt | null) => draft !== null && isSameVersion(draft, own),
    isSaved,
    isBusy: changes.some(({ isPending }) => isPending),
    error: changes.find(({ error }) => error)?.error ?? null,
    reset: post.reset,
  }
}
