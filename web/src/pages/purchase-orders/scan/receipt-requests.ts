import { requestWithKey } from '../../../api/request.ts'
import { readDraft } from '../read-draft.ts'
import { findLine } from './find-line.ts'
import type { ReceiptPorts } from './receipt-draft.ts'

/** The requests of a draft receipt of an order. */
export const receiptRequests = (id: number): ReceiptPorts => ({
  create: (locationId, key) =>
    requestWithKey(
      'POST /purchase-orders/:id/receipts',
      { params: { id }, body: locationId === undefined ? {} : { locationId } },
      key,
    ),
  save: ({ receiptId, ...body }, key) =>
    requestWithKey('PUT /purchase-orders/:id/receipts/:receiptId', { params: { id, receiptId }, body }, key),
  read: (receiptId) => readDraft({ id: receiptId, purchaseOrderId: id }),
  find: (document, text) => findLine(id, document, text),
})
