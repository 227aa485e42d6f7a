import { ApiError } from '../../../api/api-error.ts'
import { request, requestAll } from '../../../api/request.ts'
import { personId } from '../../../browser/host.ts'
import { readDraft } from '../read-draft.ts'
import { forgetDraft, openReceiptStores, type ReceiptStores, storedDraft } from './local-receipt.ts'
import type { LoadedReceipt } from './receipt-draft.ts'
import { documentOf } from './receipt-goods.ts'

/**
 * Reads an order with all codes of its lines, and the draft that this device scans into; without one, the drafts of this person
 * are offered. Without an answer of the API, what this device kept of the last visit is used.
 */
export async function loadReceipt(orderId: number, tolerancePercent: number): Promise<LoadedReceipt> {
  const person = await personId()
  const stores = openReceiptStores(person, orderId)
  try {
    const params = { id: orderId }
    const [order, { codes }, drafts] = await Promise.all([
      request('GET /purchase-orders/:id', { params }),
      request('GET /purchase-orders/:id/codes', { params }),
      findDrafts(orderId, person, stores),
    ])
    const { poNumber, currency, status } = order
    const document = documentOf(order, codes, tolerancePercent)
    stores.snapshot.put('order', { poNumber, currency, status, document })
    return { orderId, poNumber, currency, status, document, ...drafts, stores }
  } catch (error) {
    const kept = stores.snapshot.all()[0]?.[1]
    if (!kept || !(error instanceof ApiError) || !error.isTransient) throw error
    // an earlier release kept no status
    return { orderId, status: 'sent', ...kept, receipt: storedDraft(stores), offered: [], stores }
  }
}

/**
 * The draft that this device scans into. While a request of an earlier page is not answered, the draft as it was before that
 * request: its entries are still in the queue. Any other draft of this person is only offered: it may be from the form that
 * receives the order, or from another device.
 */
async function findDrafts(
  id: number,
  person: string,
  stores: ReceiptStores,
): Promise<Pick<LoadedReceipt, 'receipt' | 'offered'>> {
  const kept = storedDraft(stores)
  if (stores.sending.all().length > 0) return { receipt: kept, offered: [] }
  const { records } = await requestAll('GET /purchase-orders/:id/receipts', {
    params: { id },
    query: { state: 'draft', limit: 100 },
  })
  if (kept && records.some((draft) => draft.id === kept.id)) {
    return { receipt: await readDraft(kept), offered: [] }
  }
  if (kept) forgetDraft(stores)
  const isCreating = stores.creating.all().some(([name]) => name === 'key')
  return {
    receipt: null,
    // the draft whose creation was not answered is this device's own: the next scan asks for it again
    offered: isCreating ? [] : records.filter(({ createdBy }) => createdBy === person),
  }
}
