import type { Content } from 'pdfmake/interfaces.js'
import { createFormats, type Formats } from '../format.ts'
import { oneLine } from '../one-line.ts'
import type { SupplierReturnDocument } from '../schemas/return-document.ts'
import { type Words, wordsOf } from '../words/words.ts'
import type { TableColumn } from './line-columns.ts'
import { drawTable } from './line-item-table.ts'
import { createPage, documentOn, type Page, type Picture } from './page.ts'
import { pageHead } from './page-head.ts'
import type { DocumentDefinition } from './pdf-file.ts'
import { factRows, footer, labelled, supplierBlock, twoColumns } from './sections.ts'

/** The return note: what goes back to a supplier, and why. Texts are only ever the `text` of a run, as on orders. */
export function supplierReturnDefinition(
  document: SupplierReturnDocument,
  logo?: Picture,
): DocumentDefinition {
  const page = createPage(document.paper)
  const { language, asOf, shop, supplier } = document
  const words = wordsOf(language)
  // no amounts are on the document
  const formats = createFormats(document.locale, 'USD', document.timeZone)
  const number = oneLine(document.number)
  const title = `${words.returnNote} ${number}`
  const mark = markOf(document, words)
  return documentOn(page, {
    ...{ title, author: oneLine(shop.name), language, asOf, mark, logo },
    content: [
      ...pageHead(page, shop, { title, mark, taxId: labelled(words.taxId, shop.taxId) }, logo),
      twoColumns(page, supplierBlock(page, words, supplier), facts(page, words, formats, document)),
      lineTable(page, words, formats, document),
      pieces(page, words, formats, document),
    ],
    footer: (at, pages) => footer(page, words, number, at, pages),
  })
}

function markOf({ state }: SupplierReturnDocument, words: Words): string | undefined {
  if (state === 'draft') return words.draft
  return state === 'cancelled' ? words.cancelled : undefined
}

function facts(
  page: Page,
  words: Words,
  formats: Formats,
  { returnedAt, poNumber, supplierReference, supplier }: SupplierReturnDocument,
): Content {
  return factRows(page, [
    [words.returnDate, formats.date(returnedAt)],
    [words.purchaseOrder, poNumber ?? ''],
    [words.supplierReference, supplierReference],
    [words.accountNumber, supplier.accountNumber],
  ])
}

function lineTable(page: Page, words: Words, formats: Formats, { lines }: SupplierReturnDocument): Content {
  const hasSupplierSku = lines.some(({ supplierSku }) => supplierSku !== '')
  const hasBin = lines.some(({ bin }) => bin !== '')
  const columns: TableColumn[] = [
    { title: words.line, align: 'right', maxWidth: 24 },
    ...(hasBin ? [{ title: words.bin, align: 'left', maxWidth: 74 } as const] : []),
    ...(hasSupplierSku ? [{ title: words.supplierSku, align: 'left', maxWidth: 80 } as const] : []),
    { title: words.sku, align: 'left', maxWidth: 90 },
    { title: words.title, align: 'auto' },
    { title: words.quantity, align: 'right', maxWidth: 60 },
    { title: words.reason, align: 'left', maxWidth: 130 },
  ]
  const texts = lines.map(({ bin, supplierSku, sku, title, quantity, reason }, at) => [
    formats.quantity(at + 1),
    ...(hasBin ? [oneLine(bin)] : []),
    ...(hasSupplierSku ? [oneLine(supplierSku)] : []),
    oneLine(sku),
    oneLine(title),
    formats.quantity(quantity),
    oneLine(reason),
  ])
  return drawTable(page, columns, texts, page.contentWidth)
}

function pieces(page: Page, words: Words, formats: Formats, { lines }: SupplierReturnDocument): Content {
  const sum = lines.reduce((total, { quantity }) => total + quantity, 0)
  const text = `${words.pieces}: ${formats.quantity(sum)}`
  return {
    stack: [page.set(text, page.contentWidth, { size: 9, bold: true, align: 'right' })],
    margin: [0, 10, 4, 0],
  }
}
