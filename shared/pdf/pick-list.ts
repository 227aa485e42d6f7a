import type { Content, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { createFormats } from '../format.ts'
import { oneLine } from '../one-line.ts'
import type { PickListDocument } from '../schemas/pick-list.ts'
import { type Words, wordsOf } from '../words/words.ts'
import { barsWidth, drawBars } from './barcode.ts'
import { cutLines } from './labels.ts'
import { contentWidth, footer, margin, notes, rule, twoColumns } from './sections.ts'
import { createTextSetter, drawLines, type TextSetter, type TextStyle } from './text-lines.ts'

const body: TextStyle = { size: 9 }
const strong: TextStyle = { size: 10, bold: true }
const head: TextStyle = { size: 8, bold: true }
const small: TextStyle = { size: 7 }
const muted: TextStyle = { size: 9, color: '#52606d' }

const padding = 4
const widths = { bin: 74, title: 0, code: 148, quantity: 44, box: 26 }
widths.title = contentWidth - widths.bin - widths.code - widths.quantity - widths.box - 2 * padding * 5
const barHeight = 22
/** 0.25 mm: a laser printer at 300 dpi prints it with three dots. */
const maxModule = 0.71
/** No row is longer than a page. */
const maxTitleLines = 4
const maxBinLines = 3

/** The pick list of a transfer: bin, product, barcode, quantity, and a box to tick. */
export function pickListDefinition(list: PickListDocument): TDocumentDefinitions {
  const setter = createTextSetter()
  const words = wordsOf(list.language)
  const formats = createFormats(list.locale, '', list.timeZone)
  const name = `${words.pickList} #${list.transferId}`
  const half = contentWidth / 2 - 12
  const place = (title: string, text: string): Content => ({
    stack: [setter.set(title, half, muted), setter.set(oneLine(text), half, strong)],
  })
  return {
    pageSize: 'A4',
    pageMargins: [margin, margin, margin, 56],
    defaultStyle: { font: 'latin', fontSize: 9 },
    language: list.language,
    info: { title: name.toWellFormed(), creationDate: new Date(list.asOf) },
    content: [
      twoColumns(
        setter.set(name, half, { size: 17, bold: true }),
        setter.set(`${oneLine(list.shopName)}\n${formats.date(list.createdAt)}`, half, {
          ...muted,
          align: 'right',
        }),
      ),
      rule('#1f2933', 1, [0, 10, 0, 10]),
      twoColumns(place(words.pickFrom, list.sourceName), place(words.pickTo, list.destinationName)),
      table(setter, words, formats.quantity, list),
      ...notes(setter, words, list.notes),
    ],
    footer: (page, pages) => footer(setter, words, name, page, pages),
  }
}

function table(
  setter: TextSetter,
  words: Words,
  count: (value: number) => string,
  { lines }: PickListDocument,
): Content {
  const titles: [string, number, 'left' | 'right'][] = [
    [words.bin, widths.bin, 'left'],
    [words.title, widths.title, 'left'],
    [words.barcode, widths.code, 'left'],
    [words.quantity, widths.quantity, 'right'],
    ['', widths.box, 'left'],
  ]
  const rows = lines.map(({ bin, sku, title, code, quantity }): TableCell[] => [
    drawLines(cutLines(setter, bin || '–', widths.bin, strong, maxBinLines), strong) as TableCell,
    {
      stack: [
        drawLines(cutLines(setter, title, widths.title, body, maxTitleLines), body),
        drawLines(cutLines(setter, sku, widths.title, muted, 1), muted),
      ],
    },
    code ? codeCell(setter, code) : { text: '' },
    setter.set(count(quantity), widths.quantity, { ...strong, align: 'right' }) as TableCell,
    { canvas: [{ type: 'rect', x: 7, y: 2, w: 16, h: 16, lineWidth: 1, lineColor: '#1f2933' }] },
  ])
  return {
    margin: [0, 16, 0, 0],
    table: {
      widths: Object.values({ ...widths }),
      headerRows: 1,
      keepWithHeaderRows: 1,
      dontBreakRows: true,
      body: [
        titles.map(([title, width, align]) => setter.set(title, width, { ...head, align }) as TableCell),
        ...rows,
      ],
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

/** A code too long for the column has its text only. */
function codeCell(setter: TextSetter, { text, bars }: { text: string; bars: string }): TableCell {
  const label = drawLines(cutLines(setter, text, widths.code, small, 1), small)
  // quiet zones of 11 modules; the padding of the cell is part of them
  const module = Math.min(maxModule, (widths.code + 2 * padding) / (barsWidth(bars) + 22))
  const isPrintable = module >= 0.36
  if (!isPrintable) return { stack: [label] }
  return { stack: [{ ...drawBars(bars, module, barHeight), margin: [11 * module, 0, 0, 1] }, label] }
}
