import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { requestPdf } from '../../../api/request.ts'
import { download } from '../../../browser/download.ts'

/** Shows the order as its supplier gets it, in a tab of its own; where none may open, it is downloaded. */
export async function openPdf({ id, poNumber }: PurchaseOrder): Promise<void> {
  const file = await requestPdf(`/purchase-orders/${id}/pdf`)
  const address = URL.createObjectURL(file)
  // the tab reads it for as long as it is open
  setTimeout(() => URL.revokeObjectURL(address), 600_000)
  if (!window.open(address, '_blank')) download(address, `${poNumber}.pdf`)
}
