import type { Content, TableCell } from 'pdfmake/interfaces.js'
import { createFormats } from '../format.ts'
import { oneLine } from '../one-line.ts'
import type { PickListDocument } from '../schemas/pick-list.ts'
import { type Words, wordsOf } from '../words/words.ts'
import { barsWidth, drawBars } from './barcode.ts'
import { cutLines } from './labels.ts'
import { createPage, documentOn, type Page } from './page.ts'
import type { DocumentDefinition } from './pdf-file.ts'
import { footer, notes, rule, twoColumns } from './sections.ts'
import type { Tag } from './structure.ts'
import { drawLines, type TextStyle } from './text-lines.ts'

const body: TextStyle = { size: 9 }
const strong: TextStyle = { size: 10, bold: true }
const head: TextStyle = { size: 8, bold: true }
const small: TextStyle = { size: 7 }
const muted: TextStyle = { size: 9, color: '#52606d' }

const padding = 4
const fixed = { bin: 74, code: 148, quantity: 44, box: 26 }
const barHeight = 22
/** 0.25 mm: a laser printer at 300 dpi prints it with three dots. */
const maxModule = 0.71
/** No row is longer than a page. */
const maxTitleLines = 4
const maxBinLines = 3

/** The pick list of a transfer: bin, product, barcode, quantity, and a box to tick. */
export function pickListDefinition(list: PickListDocument): DocumentDefinition {
  const page = createPage(list.paper)
  const words = wordsOf(list.language)
  const formats = createFormats(list.locale, '', list.timeZone)
  const name = `${words.pickList} #${list.transferId}`
  const half = page.columnWidth
  const place = (title: string, text: string): Content => {
    const tag = page.tag('P')
    return { stack: [page.set(title, half, muted, tag), page.set(oneLine(text), half, strong, tag)] }
  }
  return documentOn(page, {
    ...{ title: name, author: oneLine(list.shopName), language: list.language, asOf: list.asOf },
    content: [
      twoColumns(
        page,
        page.set(name, half, { size: 17, bold: true }, page.tag('H1')),
        page.set(`${oneLine(list.shopName)}\n${formats.date(list.createdAt)}`, half, {
          ...muted,
          align: 'right',
        }),
      ),
      rule(page, '#1f2933', 1, [0, 10, 0, 10]),
      twoColumns(page, place(words.pickFrom, list.sourceName), place(words.pickTo, list.destinationName)),
      table(page, words, formats.quantity, list),
      ...notes(page, words, list.notes),
    ],
    footer: (at, pages) => footer(page, words, name, at, pages),
  })
}

function table(
  page: Page,
  words: Words,
  count: (value: number) => string,
  { lines }: PickListDocument,
): Content {
  const widths = widthsOn(page)
  const tag = page.tag('Table')
  const headRow = page.tag('TR', tag)
  const titles: [string, number, 'left' | 'right'][] = [
    [words.bin, widths.bin, 'left'],
    [words.title, widths.title, 'left'],
    [words.barcode, widths.code, 'left'],
    [words.quantity, widths.quantity, 'right'],
  ]
  const header = titles.map(
    ([title, width, align]) =>
      page.set(title, width, { ...head, align }, page.tag('TH', headRow, { scope: 'Column' })) as TableCell,
  )
  const rows = lines.map(({ bin, sku, title, code, quantity }): TableCell[] => {
    const row = page.tag('TR', tag)
    const [binTag, titleTag, codeTag, quantityTag] = [cell(), cell(), cell(), cell()]
    function cell() {
      return page.tag('TD', row)
    }
    return [
      drawLines(cutLines(page, bin || '–', widths.bin, strong, maxBinLines), strong, binTag) as TableCell,
      {
        stack: [
          drawLines(cutLines(page, title, widths.title, body, maxTitleLines), body, titleTag),
          drawLines(cutLines(page, sku, widths.title, muted, 1), muted, titleTag),
        ],
      },
      code
        ? codeCell(page, code, widths.code, codeTag)
        : (page.set('', widths.code, small, codeTag) as TableCell),
      page.set(count(quantity), widths.quantity, { ...strong, align: 'right' }, quantityTag) as TableCell,
      { canvas: [{ type: 'rect', x: 7, y: 2, w: 16, h: 16, lineWidth: 1, lineColor: '#1f2933' }] },
    ]
  })
  return {
    margin: [0, 16, 0, 0],
    table: {
      widths: Object.values(widths),
      headerRows: 1,
      keepWithHeaderRows: 1,
      dontBreakRows: true,
      // the box to tick is decoration, and its column has no header
      body: [[...header, { text: '' }], ...rows],
    },
    layout: {
      hLineWidth: (i) => (i <= 1 ? 0.8 : 0.4),
      vLineWidth: () => 0,
      hLineColor: (i) => (i <= 1 ? '#52606d' : '#cbd2d9'),
      fillColor: (i) => (i === 0 ? '#f0f3f6' : null),
      paddingLeft: () => padding,
      paddingRight: () => padding,
      paddingTop: () => 5,
      paddingBottom: () => 5,
    },
  }
}

/** The title gets what the other columns leave. */
function widthsOn(page: Page) {
  const { bin, code, quantity, box } = fixed
  const title = page.contentWidth - bin - code - quantity - box - 2 * padding * 5
  return { bin, title, code, quantity, box }
}

/** A code too long for the column has its text only. */
function codeCell(
  page: Page,
  { text, bars }: { text: string; bars: string },
  width: number,
  tag: Tag,
): TableCell {
  const label = drawLines(cutLines(page, text, width, small, 1), small, tag)
  // quiet zones of 11 modules; the padding of the cell is part of them
  const module = Math.min(maxModule, (width + 2 * padding) / (barsWidth(bars) + 22))
  const isPrintable = module >= 0.36
  if (!isPrintable) return { stack: [label] }
  return { stack: [{ ...drawBars(bars, module, barHeight), margin: [11 * module, 0, 0, 1] }, label] }
}
