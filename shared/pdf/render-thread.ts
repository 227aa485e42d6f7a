import { move } from 'piscina'
import type { LabelSheet } from '../schemas/labels.ts'
import type { PurchaseOrderDocument } from '../schemas/order-document.ts'
import type { PickListDocument } from '../schemas/pick-list.ts'
import type { SupplierReturnDocument } from '../schemas/return-document.ts'
import { labelsDefinition } from './labels.ts'
import type { Picture } from './page.ts'
import { createPdfFile, type DocumentDefinition } from './pdf-file.ts'
import { pickListDefinition } from './pick-list.ts'
import { purchaseOrderDefinition } from './purchase-order.ts'
import { supplierReturnDefinition } from './supplier-return.ts'

/** The input of a thread: a document and its logo. */
export type ToRender<Document> = { document: Document; logo?: Picture | undefined }

/** The functions that the renderer's threads run. The memory of the result is transferred, not copied. */
export async function renderPurchaseOrder({
  document,
  logo,
}: ToRender<PurchaseOrderDocument>): Promise<unknown> {
  return move(await renderDefinition(document, logo))
}

/** As {@link renderPurchaseOrder}. */
export async function renderLabels({ document }: ToRender<LabelSheet>): Promise<unknown> {
  return move(await renderContent(labelsDefinition(document)))
}

/** As {@link renderPurchaseOrder}. */
export async function renderPickList({ document }: ToRender<PickListDocument>): Promise<unknown> {
  return move(await renderContent(pickListDefinition(document)))
}

/** As {@link renderPurchaseOrder}. */
export async function renderSupplierReturn({
  document,
  logo,
}: ToRender<SupplierReturnDocument>): Promise<unknown> {
  return move(await renderContent(supplierReturnDefinition(document, logo)))
}

/** Renders the PDF of an order in this thread. */
export const renderDefinition = (order: PurchaseOrderDocument, logo?: Picture) =>
  renderContent(purchaseOrderDefinition(order, logo))

async function renderContent(definition: DocumentDefinition): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = await createPdfFile(definition)
  // A small buffer is a view of Node's shared memory pool, which cannot be transferred, so it is copied.
  return pdf.byteLength === pdf.buffer.byteLength
    ? new Uint8Array(pdf.buffer as ArrayBuffer)
    : new Uint8Array(pdf)
}
