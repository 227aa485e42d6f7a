import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { createFormats, type Formats } from '../format.ts'
import { oneLine } from '../one-line.ts'
import type { SupplierReturnDocument } from '../schemas/return-document.ts'
import { type Words, wordsOf } from '../words/words.ts'
import type { TableColumn } from './line-columns.ts'
import { drawTable } from './line-item-table.ts'
import {
  contentWidth,
  factRows,
  footer,
  margin,
  party,
  rule,
  supplierBlock,
  titleLines,
  twoColumns,
} from './sections.ts'
import { createTextSetter, type TextSetter } from './text-lines.ts'

/** The return note: what goes back to a supplier, and why. Texts are only ever the `text` of a run, as on orders. */
export function supplierReturnDefinition(document: SupplierReturnDocument): TDocumentDefinitions {
  const setter = createTextSetter()
  const words = wordsOf(document.language)
  // no amounts are on the document
  const formats = createFormats(document.locale, 'USD', document.timeZone)
  const number = oneLine(document.number)
  const mark = markOf(document, words)
  return {
    pageSize: 'A4',
    pageMargins: [margin, margin, margin, 56],
    defaultStyle: { font: 'latin', fontSize: 9 },
    language: document.language,
    info: {
      title: `${words.returnNote} ${number}`.toWellFormed(),
      author: oneLine(document.shop.name).toWellFormed(),
      creationDate: new Date(document.asOf),
    },
    ...(mark
      ? { watermark: { text: mark, color: '#b42318', opacity: 0.07, fontSize: 110, bold: true } }
      : {}),
    content: [
      twoColumns(party(setter, document.shop), titleLines(setter, `${words.returnNote} ${number}`, { mark })),
      rule('#1f2933', 1, [0, 14, 0, 14]),
      twoColumns(supplierBlock(setter, words, document.supplier), facts(setter, words, formats, document)),
      lineTable(setter, words, formats, document),
      pieces(setter, words, formats, document),
    ],
    footer: (page, pages) => footer(setter, words, number, page, pages),
  }
}

function markOf({ state }: SupplierReturnDocument, words: Words): string | undefined {
  if (state === 'draft') return words.draft
  return state === 'cancelled' ? words.cancelled : undefined
}

function facts(
  setter: TextSetter,
  words: Words,
  formats: Formats,
  { returnedAt, poNumber, supplierReference, supplier }: SupplierReturnDocument,
): Content {
  return factRows(setter, [
    [words.returnDate, formats.date(returnedAt)],
    [words.purchaseOrder, poNumber ?? ''],
    [words.supplierReference, supplierReference],
    [words.accountNumber, supplier.accountNumber],
  ])
}

function lineTable(
  setter: TextSetter,
  words: Words,
  formats: Formats,
  { lines }: SupplierReturnDocument,
): Content {
  const hasSupplierSku = lines.some(({ supplierSku }) => supplierSku !== '')
  const columns: TableColumn[] = [
    { title: words.line, align: 'right', maxWidth: 24 },
    ...(hasSupplierSku ? [{ title: words.supplierSku, align: 'left', maxWidth: 80 } as const] : []),
    { title: words.sku, align: 'left', maxWidth: 90 },
    { title: words.title, align: 'auto' },
    { title: words.quantity, align: 'right', maxWidth: 60 },
    { title: words.reason, align: 'left', maxWidth: 130 },
  ]
  const texts = lines.map(({ supplierSku, sku, title, quantity, reason }, at) => [
    formats.quantity(at + 1),
    ...(hasSupplierSku ? [oneLine(supplierSku)] : []),
    oneLine(sku),
    oneLine(title),
    formats.quantity(quantity),
    oneLine(reason),
  ])
  return drawTable(setter, columns, texts, contentWidth)
}

function pieces(
  setter: TextSetter,
  words: Words,
  formats: Formats,
  { lines }: SupplierReturnDocument,
): Content {
  const sum = lines.reduce((total, { quantity }) => total + quantity, 0)
  const text = `${words.pieces}: ${formats.quantity(sum)}`
  return {
    stack: [setter.set(text, contentWidth, { size: 9, bold: true, align: 'right' })],
    margin: [0, 10, 4, 0],
  }
}
