import { createFormats } from '../format.ts'
import { oneLine } from '../one-line.ts'
import type { PurchaseOrderDocument } from '../schemas/order-document.ts'
import { type Words, wordsOf } from '../words/words.ts'
import { lineItemTable } from './line-item-table.ts'
import { createPage, documentOn, type Picture } from './page.ts'
import { pageHead } from './page-head.ts'
import type { DocumentDefinition } from './pdf-file.ts'
import { delivery, details, footer, notes, supplierBlock, totals, twoColumns } from './sections.ts'

function markOf({ status }: PurchaseOrderDocument, words: Words): string | undefined {
  if (status === 'draft') return words.draft
  return status === 'cancelled' ? words.cancelled : undefined
}

/** Text of the order is only ever the `text` of a run, so it cannot become an image, a link or a style. */
export function purchaseOrderDefinition(order: PurchaseOrderDocument, logo?: Picture): DocumentDefinition {
  const page = createPage(order.paper)
  const words = wordsOf(order.language)
  const formats = createFormats(order.locale, order.currency, order.timeZone)
  const number = oneLine(order.poNumber)
  const title = `${words.purchaseOrder} ${number}`
  const mark = markOf(order, words)
  const { revision = 0, barcode } = order
  const second = revision > 0 ? `${words.revision} ${revision}` : undefined
  return documentOn(page, {
    ...{ title, author: oneLine(order.shop.name), language: order.language, asOf: order.asOf, mark, logo },
    content: [
      ...pageHead(page, order.shop, { title, second, mark, barcode }, logo),
      twoColumns(page, supplierBlock(page, words, order.supplier), details(page, words, formats, order)),
      delivery(page, words, order),
      lineItemTable(page, words, formats, order, page.contentWidth),
      totals(page, words, formats, order),
      ...notes(page, words, order.supplierNotes),
    ],
    footer: (at, pages) => footer(page, words, number, at, pages),
  })
}
