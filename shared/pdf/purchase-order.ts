import type { TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { createFormats } from '../format.ts'
import type { PurchaseOrderDocument } from '../schemas/order-document.ts'
import { lineItemTable } from './line-item-table.ts'
import {
  contentWidth,
  delivery,
  details,
  footer,
  margin,
  notes,
  party,
  rule,
  supplierBlock,
  titleBlock,
  totals,
  twoColumns,
} from './sections.ts'
import { oneLine } from './text.ts'
import { createTextSetter } from './text-lines.ts'

const marks: Partial<Record<PurchaseOrderDocument['status'], string>> = {
  draft: 'DRAFT',
  cancelled: 'CANCELLED',
}

/** Text of the order is only ever the `text` of a run, so it cannot become an image, a link or a style. */
export function purchaseOrderDefinition(order: PurchaseOrderDocument): TDocumentDefinitions {
  const setter = createTextSetter()
  const formats = createFormats(order.locale, order.currency, order.timeZone)
  const number = oneLine(order.poNumber)
  const mark = marks[order.status]
  return {
    pageSize: 'A4',
    pageMargins: [margin, margin, margin, 56],
    defaultStyle: { font: 'latin', fontSize: 9 },
    language: 'en',
    info: {
      title: `Purchase order ${number}`.toWellFormed(),
      author: oneLine(order.shop.name).toWellFormed(),
      // pdfkit derives the id of the file from these values: one document gives one file
      creationDate: new Date(order.asOf),
    },
    ...(mark
      ? { watermark: { text: mark, color: '#b42318', opacity: 0.07, fontSize: 110, bold: true } }
      : {}),
    content: [
      twoColumns(party(setter, order.shop), titleBlock(setter, number, mark)),
      rule('#1f2933', 1, [0, 14, 0, 14]),
      twoColumns(supplierBlock(setter, order.supplier), details(setter, formats, order)),
      delivery(setter, order),
      lineItemTable(setter, formats, order, contentWidth),
      totals(setter, formats, order),
      ...notes(setter, order.supplierNotes),
    ],
    footer: (page, pages) => footer(setter, number, page, pages),
  }
}
