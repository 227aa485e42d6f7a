import type { Content } from 'pdfmake/interfaces.js'
import { oneLine } from '../one-line.ts'
import type { Party } from '../schemas/order-document.ts'
import { barsWidth, drawBars } from './barcode.ts'
import type { Page, Picture } from './page.ts'
import { party, rule, twoColumns } from './sections.ts'
import type { TextStyle } from './text-lines.ts'

/** The logo is not larger, in pt. */
const logoBox = { width: 160, height: 56 }
/** A picture with few pixels is not stretched over the box: 96 pixels are at least an inch, in pt for each pixel. */
const maxPixel = 72 / 96
/** 0.25 mm: a laser printer at 300 dpi prints it with three dots. */
const barcodeModule = 0.71
const barcodeHeight = 18

type Title = {
  /** The name of the document. */
  title: string
  second?: string | undefined
  /** In red, what the document is not, such as a draft. */
  mark?: string | undefined
  /** The bars of the document's number. */
  barcode?: string | undefined
  /** Below the shop, where the document has no billing address. */
  taxId?: string
}

/** The head of a document for suppliers: logo and name of the shop, and the name of the document. */
export function pageHead(page: Page, shop: Party, title: Title, logo: Picture | undefined): Content[] {
  // a screen reader begins with the name of the document
  const right = titleLines(page, title)
  const left = {
    stack: [...(logo ? [logoOf(page, shop, logo)] : []), party(page, shop, { last: title.taxId ?? '' })],
  }
  return [twoColumns(page, left, right), rule(page, '#1f2933', 1, [0, 14, 0, 14])]
}

function titleLines(page: Page, { title, second, mark, barcode }: Title): Content {
  const large: TextStyle = { size: 17, bold: true, align: 'right' }
  const small: TextStyle = { size: 12, bold: true, align: 'right' }
  const lines = [page.set(title, page.columnWidth, large, page.tag('H1'))]
  if (second) lines.push(page.set(second, page.columnWidth, small))
  if (mark) lines.push(page.set(mark, page.columnWidth, { ...small, color: '#b42318' }))
  if (barcode) lines.push(...barcodeOf(page, barcode))
  return { stack: lines }
}

/** Decoration, since the number is in the title. A number too long for the column has no code. */
function barcodeOf(page: Page, bars: string): Content[] {
  const width = barsWidth(bars) * barcodeModule
  if (width > page.columnWidth) return []
  return [{ ...drawBars(bars, barcodeModule, barcodeHeight), margin: [page.columnWidth - width, 8, 0, 0] }]
}

function logoOf(page: Page, shop: Party, { width, height }: Picture): Content {
  const scale = Math.min(maxPixel, logoBox.width / width, logoBox.height / height)
  const picture = {
    ...{
      image: 'logo',
      width: width * scale,
      height: height * scale,
      margin: [0, 0, 0, 8] as [number, number, number, number],
    },
    tag: page.tag('Figure', null, { alt: oneLine(shop.name).toWellFormed() }),
  }
  return picture
}
