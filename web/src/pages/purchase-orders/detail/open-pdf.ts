import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { requestFile, requestPdf } from '../../../api/request.ts'
import { downloadFile, openFile } from '../../../browser/download.ts'

/**
 * Opens the PDF of an order in a new tab, or downloads it when the browser blocks the tab. With the id of a mail, it is
 * the PDF that was mailed.
 */
export async function openPdf({ id, poNumber }: PurchaseOrder, mailId?: number): Promise<void> {
  const file = await requestPdf(`/purchase-orders/${id}/${mailId === undefined ? '' : `mails/${mailId}/`}pdf`)
  openFile(file, `${poNumber}.pdf`)
}

/** Downloads the lines of an order as the CSV file that e-mails have, or in the platform's template. */
export async function downloadLines(
  { id, poNumber }: PurchaseOrder,
  template: 'mail' | 'platform' = 'mail',
): Promise<void> {
  const path = `/purchase-orders/${id}/csv?template=${template}`
  downloadFile(await requestFile(path, 'text/csv'), `${poNumber}.csv`)
}
