import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { requestCsv, requestFile, requestPdf } from '../../../api/request.ts'
import { downloadFile, openFile } from '../../../browser/download.ts'

/**
 * Opens the PDF of an order in a new tab, or downloads it when the browser blocks the tab. With the id of a mail, it is
 * the PDF that was mailed.
 */
export async function openPdf({ id, poNumber }: PurchaseOrder, mailId?: number): Promise<void> {
  const file = await requestPdf(`/purchase-orders/${id}/${mailId === undefined ? '' : `mails/${mailId}/`}pdf`)
  openFile(file, `${poNumber}.pdf`)
}

export type LinesFile = 'plain' | 'mail' | 'platform'

/**
 * Downloads the lines of an order as CSV: for people, as the file that e-mails have, or in the platform's template. The name has
 * the day, `today`.
 */
export async function downloadLines(
  { id, poNumber }: PurchaseOrder,
  template: LinesFile,
  today: string,
): Promise<void> {
  if (template === 'plain') {
    return downloadFile(
      await requestCsv('/purchase-orders/:id', { params: { id } }),
      `${poNumber}-lines-${today}.csv`,
    )
  }
  const path = `/purchase-orders/${id}/csv?template=${template}`
  downloadFile(await requestFile(path, 'text/csv'), `${poNumber}-${today}.csv`)
}
