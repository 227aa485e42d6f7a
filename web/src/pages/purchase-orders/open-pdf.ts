import type { PurchaseOrder } from '../../../../shared/schemas/purchase-orders.ts'
import { requestFile } from '../../api/request.ts'

/** Shows the order as its supplier gets it, in a tab of its own; where none may open, it is downloaded. */
export async function openPdf({ id, poNumber }: PurchaseOrder): Promise<void> {
  const file = await requestFile(`/purchase-orders/${id}/pdf`, 'application/pdf')
  const address = URL.createObjectURL(file)
  // the tab reads it for as long as it is open
  setTimeout(() => URL.revokeObjectURL(address), 600_000)
  if (window.open(address, '_blank')) return
  const link = document.createElement('a')
  link.href = address
  link.download = `${poNumber}.pdf`
  link.click()
}
