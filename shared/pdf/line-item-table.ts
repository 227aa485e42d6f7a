import type { Content, TableCell } from 'pdfmake/interfaces.js'
import type { Formats } from '../format.ts'
import type { PurchaseOrderDocument } from '../schemas/order-document.ts'
import { oneLine } from './text.ts'
import { drawLines, type TextLine, type TextSetter, type TextStyle } from './text-lines.ts'

const padding = 4
// pdfmake does not break a row across pages, so a longer text continues in another row.
const maxLinesInRow = 24

const cell: TextStyle = { size: 9, align: 'auto' }
const amount: TextStyle = { size: 9, align: 'right' }
const head: TextStyle = { size: 8, bold: true }

type Row = { cells: TableCell[]; continues: boolean }

/** A table of the order's lines, exactly `width` pt wide, with its header on every page. */
export function lineItemTable(
  setter: TextSetter,
  formats: Formats,
  order: PurchaseOrderDocument,
  width: number,
): Content {
  const texts = order.lines.map((line) => [
    oneLine(line.sku),
    oneLine(line.title),
    formats.quantity(line.quantity),
    formats.cost(line.costPrice),
    formats.money(line.lineTotal),
  ])
  const widths = columnWidths(setter, texts, width)
  const rows = texts.flatMap((row) =>
    splitRow(row.map((text, i) => setter.wrap(text, widths[i] ?? 0, styleOf(i)))),
  )
  const header = titles.map((title, i) =>
    setter.set(title, widths[i] ?? 0, { ...head, align: styleOf(i).align ?? 'left' }),
  )
  return {
    margin: [0, 18, 0, 0],
    table: {
      widths,
      headerRows: 1,
      keepWithHeaderRows: 1,
      dontBreakRows: true,
      body: [header as TableCell[], ...rows.map((row) => row.cells)],
    },
    layout: {
      hLineWidth: (i) => (i > 1 && rows[i - 2]?.continues ? 0 : i <= 1 ? 0.8 : 0.4),
      vLineWidth: () => 0,
      hLineColor: (i) => (i <= 1 ? '#52606d' : '#cbd2d9'),
      fillColor: (i) => (i === 0 ? '#f0f3f6' : null),
      paddingLeft: () => padding,
      paddingRight: () => padding,
      paddingTop: () => 4,
      paddingBottom: () => 4,
    },
  }
}

const titles = ['SKU', 'Title', 'Quantity', 'Unit cost', 'Line total']

function styleOf(column: number): TextStyle {
  return column < 2 ? { ...cell, align: column === 0 ? 'left' : 'auto' } : amount
}

/** Each column is as wide as its widest text, up to a maximum. The title column gets the remaining width. */
function columnWidths(setter: TextSetter, rows: string[][], width: number): number[] {
  const maxWidths = [120, 0, 60, 90, 95]
  const widths = maxWidths.map((maxWidth, i) => {
    const needed = rows.map((row) => (maxWidth === 0 ? 0 : setter.width((row[i] ?? '').slice(0, 100), cell)))
    const title = setter.width(titles[i] ?? '', head)
    return Math.min(maxWidth, Math.ceil(Math.max(title, ...needed)) + 1)
  })
  const free = width - 2 * padding * titles.length - widths.reduce((sum, each) => sum + each, 0)
  return widths.map((each, i) => (i === 1 ? free : each))
}

function splitRow(columns: TextLine[][]): Row[] {
  const height = Math.max(...columns.map((lines) => lines.length))
  const rows: Row[] = []
  for (let from = 0; from < height; from += maxLinesInRow) {
    const to = from + maxLinesInRow
    const cells = columns.map((lines, i) => drawLines(lines.slice(from, to), styleOf(i)) as TableCell)
    rows.push({ cells, continues: to < height })
  }
  return rows
}
