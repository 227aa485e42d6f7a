import type { TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { createFormats } from '../format.ts'
import { oneLine } from '../one-line.ts'
import type { PurchaseOrderDocument } from '../schemas/order-document.ts'
import { type Words, wordsOf } from '../words/words.ts'
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
import { createTextSetter } from './text-lines.ts'

function markOf({ status }: PurchaseOrderDocument, words: Words): string | undefined {
  if (status === 'draft') return words.draft
  return status === 'cancelled' ? words.cancelled : undefined
}

/** Text of the order is only ever the `text` of a run, so it cannot become an image, a link or a style. */
export function purchaseOrderDefinition(order: PurchaseOrderDocument): TDocumentDefinitions {
  const setter = createTextSetter()
  const words = wordsOf(order.language)
  const formats = createFormats(order.locale, order.currency, order.timeZone)
  const number = oneLine(order.poNumber)
  const mark = markOf(order, words)
  return {
    pageSize: 'A4',
    pageMargins: [margin, margin, margin, 56],
    defaultStyle: { font: 'latin', fontSize: 9 },
    language: order.language ?? 'en',
    info: {
      title: `${words.purchaseOrder} ${number}`.toWellFormed(),
      author: oneLine(order.shop.name).toWellFormed(),
      // pdfkit derives the id of the file from these values: one document gives one file
      creationDate: new Date(order.asOf),
    },
    ...(mark
      ? { watermark: { text: mark, color: '#b42318', opacity: 0.07, fontSize: 110, bold: true } }
      : {}),
    content: [
      twoColumns(party(setter, order.shop), titleBlock(setter, words, order, mark)),
      rule('#1f2933', 1, [0, 14, 0, 14]),
      twoColumns(supplierBlock(setter, words, order.supplier), details(setter, words, formats, order)),
      delivery(setter, words, order),
      lineItemTable(setter, words, formats, order, contentWidth),
      totals(setter, words, formats, order),
      ...notes(setter, words, order.supplierNotes),
    ],
    footer: (page, pages) => footer(setter, words, number, page, pages),
  }
}
