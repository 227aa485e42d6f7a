import pdfmake from 'pdfmake'
import type { TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { move } from 'piscina'
import type { LabelSheet } from '../schemas/labels.ts'
import type { PurchaseOrderDocument } from '../schemas/order-document.ts'
import type { PickListDocument } from '../schemas/pick-list.ts'
import type { SupplierReturnDocument } from '../schemas/return-document.ts'
import { fontPlaceholders, fontTable } from './fonts.ts'
import { labelsDefinition } from './labels.ts'
import { pickListDefinition } from './pick-list.ts'
import { purchaseOrderDefinition } from './purchase-order.ts'
import { supplierReturnDefinition } from './supplier-return.ts'

// The in-memory file system of pdfmake, which its types lack.
type VirtualFiles = {
  virtualfs: { writeFileSync(name: string, file: Buffer): void }
}

/** The functions that the renderer's threads run. The memory of the result is transferred, not copied. */
export async function renderPurchaseOrder(order: PurchaseOrderDocument): Promise<unknown> {
  return move(await renderDefinition(order))
}

/** As {@link renderPurchaseOrder}. */
export async function renderLabels(sheet: LabelSheet): Promise<unknown> {
  return move(await renderContent(labelsDefinition(sheet)))
}

/** As {@link renderPurchaseOrder}. */
export async function renderPickList(list: PickListDocument): Promise<unknown> {
  return move(await renderContent(pickListDefinition(list)))
}

/** As {@link renderPurchaseOrder}. */
export async function renderSupplierReturn(document: SupplierReturnDocument): Promise<unknown> {
  return move(await renderContent(supplierReturnDefinition(document)))
}

/** Renders the PDF of an order in this thread. */
export const renderDefinition = (order: PurchaseOrderDocument) =>
  renderContent(purchaseOrderDefinition(order))

/** Renders in this thread. pdfmake gets its fonts from memory and may access no file and no URL. */
async function renderContent(definition: TDocumentDefinitions): Promise<Uint8Array<ArrayBuffer>> {
  const { virtualfs } = pdfmake as typeof pdfmake & VirtualFiles
  for (const [name, placeholder] of fontPlaceholders()) virtualfs.writeFileSync(name, placeholder)
  pdfmake.setFonts(fontTable())
  pdfmake.setLocalAccessPolicy(() => false)
  pdfmake.setUrlAccessPolicy(() => false)
  const pdf = await pdfmake.createPdf(definition).getBuffer()
  // A small buffer is a view of Node's shared memory pool, which cannot be transferred, so it is copied.
  return pdf.byteLength === pdf.buffer.byteLength
    ? new Uint8Array(pdf.buffer as ArrayBuffer)
    : new Uint8Array(pdf)
}
