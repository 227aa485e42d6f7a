import pdfmake from 'pdfmake'
import { move } from 'piscina'
import { fontTable, fontTickets } from './fonts.ts'
import { type PurchaseOrderDocument, purchaseOrderDefinition } from './purchase-order.ts'

// The in-memory file system of pdfmake, which its types leave out.
type VirtualFiles = {
  virtualfs: { writeFileSync(name: string, file: Buffer): void }
}

/** What a thread of the renderer does. The result's memory is handed over, not copied. */
export async function renderPurchaseOrder(order: PurchaseOrderDocument): Promise<unknown> {
  return move(await renderDefinition(order))
}

/** The PDF of an order, made in this thread. pdfmake may reach no file and no address: it is handed its fonts. */
export async function renderDefinition(order: PurchaseOrderDocument): Promise<Uint8Array<ArrayBuffer>> {
  const { virtualfs } = pdfmake as typeof pdfmake & VirtualFiles
  for (const [name, ticket] of fontTickets()) virtualfs.writeFileSync(name, ticket)
  pdfmake.setFonts(fontTable())
  pdfmake.setLocalAccessPolicy(() => false)
  pdfmake.setUrlAccessPolicy(() => false)
  const pdf = await pdfmake.createPdf(purchaseOrderDefinition(order)).getBuffer()
  // A small buffer is a window into memory that others use; only one of its own can be handed over.
  return pdf.byteLength === pdf.buffer.byteLength
    ? new Uint8Array(pdf.buffer as ArrayBuffer)
    : new Uint8Array(pdf)
}
