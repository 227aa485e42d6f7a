import type { OrderReceipt, Receipt } from '../../../../shared/schemas/receipts.ts'
import { request } from '../../api/request.ts'

/** Reads a receipt of an order as it is now, with every line of the order. */
export const readDraft = ({
  id: receiptId,
  purchaseOrderId: id,
}: Pick<Receipt, 'id' | 'purchaseOrderId'>): Promise<OrderReceipt> =>
  request('GET /purchase-orders/:id/receipts/:receiptId', { params: { id, receiptId } })
