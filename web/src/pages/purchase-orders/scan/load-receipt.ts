import type { OrderReceipt } from '../../../../../shared/schemas/receipts.ts'
import { ApiError } from '../../../api/api-error.ts'
import { request, requestAll } from '../../../api/request.ts'
import { personId } from '../../../browser/host.ts'
import { openReceiptStores, type ReceiptStores, storedDraft } from './local-receipt.ts'
import type { LoadedReceipt } from './receipt-draft.ts'
import { documentOf } from './receipt-goods.ts'

/**
 * Reads an order with all codes of its lines, and the draft of this person, which may be from another device. Without an answer
 * of the API, what this device kept of the last visit is used.
 */
export async function loadReceipt(orderId: number, tolerancePercent: number): Promise<LoadedReceipt> {
  const person = await personId()
  const stores = openReceiptStores(person, orderId)
  try {
    const params = { id: orderId }
    const [order, { codes }, receipt] = await Promise.all([
      request('GET /purchase-orders/:id', { params }),
      request('GET /purchase-orders/:id/codes', { params }),
      findDraft(orderId, person, stores),
    ])
    const { poNumber, currency } = order
    const document = documentOf(order, codes, tolerancePercent)
    stores.snapshot.put('order', { poNumber, currency, document })
    return { orderId, poNumber, currency, document, receipt, stores }
  } catch (error) {
    const kept = stores.snapshot.all()[0]?.[1]
    if (!kept || !(error instanceof ApiError) || !error.isTransient) throw error
    return { orderId, ...kept, receipt: storedDraft(stores), stores }
  }
}

/**
 * The draft that this person is scanning. While a request of an earlier page is not answered, the draft as it was before that
 * request: its entries are still in the queue.
 */
async function findDraft(id: number, person: string, stores: ReceiptStores): Promise<OrderReceipt | null> {
  const kept = storedDraft(stores)
  if (stores.sending.all().length > 0) return kept
  const { records } = await requestAll('GET /purchase-orders/:id/receipts', {
    params: { id },
    query: { state: 'draft', limit: 100 },
  })
  const own =
    records.find((draft) => draft.id === kept?.id) ?? records.find((draft) => draft.createdBy === person)
  if (!own) {
    stores.draft.remove('stored')
    return null
  }
  return request('GET /purchase-orders/:id/receipts/:receiptId', { params: { id, receiptId: own.id } })
}
