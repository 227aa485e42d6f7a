import type { Content, TableCell } from 'pdfmake/interfaces.js'
import type { Formats } from '../format.ts'
import type { PurchaseOrderDocument } from '../schemas/order-document.ts'
import type { Words } from '../words/words.ts'
import { lineColumns, type TableColumn } from './line-columns.ts'
import type { Tag } from './structure.ts'
import { drawLines, type TextLine, type TextSetter, type TextStyle } from './text-lines.ts'

const padding = 4
// pdfmake does not break a row across pages, so a longer text continues in another row.
const maxLinesInRow = 24

// The product's title keeps at least this width; the columns of codes give theirs up for it.
const minTitleWidth = 90
const minCodeWidth = 36
/** A table with more columns has smaller text. */
const maxLargeColumns = 7

type Row = { cells: TableCell[]; continues: boolean }

/** A table of the order's lines, exactly `width` pt wide, with its header on every page. */
export function lineItemTable(
  setter: TextSetter,
  words: Words,
  formats: Formats,
  order: PurchaseOrderDocument,
  width: number,
): Content {
  const columns = lineColumns(words, formats, order)
  const texts = order.lines.map((line, index) => columns.map((column) => column.text(line, index)))
  return drawTable(setter, columns, texts, width)
}

/** A table of texts, one for each column of each row. */
export function drawTable(
  setter: TextSetter,
  columns: readonly TableColumn[],
  texts: string[][],
  width: number,
): Content {
  const size = columns.length > maxLargeColumns ? 8 : 9
  const styles = columns.map(({ align }): TextStyle => ({ size, align }))
  const head: TextStyle = { size: size - 1, bold: true }
  const widths = columnWidths(setter, columns, texts, { styles, head, width })
  const table = setter.tag('Table')
  const headRow = setter.tag('TR', table)
  const header = columns.map(({ title, align }, i) =>
    setter.set(
      title,
      widths[i] ?? 0,
      { ...head, align: align === 'right' ? 'right' : 'left' },
      setter.tag('TH', headRow, { scope: 'Column' }),
    ),
  )
  const rows = texts.flatMap((row) => {
    const tag = setter.tag('TR', table)
    return splitRow(
      row.map((text, i) => setter.wrap(text, widths[i] ?? 0, styles[i] ?? head)),
      styles,
      row.map(() => setter.tag('TD', tag)),
    )
  })
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

type Measures = { styles: readonly TextStyle[]; head: TextStyle; width: number }

/**
 * Each column is as wide as its widest text and its header, up to a maximum; the title gets the rest. With many columns a
 * header may wrap between words. If the rest is less than `minTitleWidth`, the columns of codes get narrower and their texts wrap.
 */
function columnWidths(
  setter: TextSetter,
  columns: readonly TableColumn[],
  rows: string[][],
  { styles, head, width }: Measures,
): number[] {
  const widths = columns.map(({ title, maxWidth }, i) => {
    if (maxWidth === undefined) return 0
    const needed = rows.map((row) => setter.width((row[i] ?? '').slice(0, 100), styles[i] ?? head))
    const parts = columns.length > maxLargeColumns ? title.split(' ') : [title]
    const words = parts.map((part) => setter.width(part, head))
    return Math.min(Math.max(maxWidth, ...words), Math.ceil(Math.max(...words, ...needed)) + 1)
  })
  const sum = () => widths.reduce((total, each) => total + each, 0)
  const available = width - 2 * padding * columns.length
  const codes = columns.flatMap(({ align, maxWidth }, i) =>
    align === 'left' && maxWidth !== undefined ? [i] : [],
  )
  for (const [done, i] of codes.entries()) {
    const missing = minTitleWidth - (available - sum())
    const share = Math.ceil(Math.max(missing, 0) / (codes.length - done))
    const own = widths[i] ?? 0
    widths[i] = Math.min(own, Math.max(minCodeWidth, own - share))
  }
  const free = available - sum()
  return columns.map(({ maxWidth }, i) => (maxWidth === undefined ? free : (widths[i] ?? 0)))
}

function splitRow(columns: TextLine[][], styles: readonly TextStyle[], tags: readonly Tag[]): Row[] {
  const height = Math.max(...columns.map((lines) => lines.length))
  const rows: Row[] = []
  for (let from = 0; from < height; from += maxLinesInRow) {
    const to = from + maxLinesInRow
    const cells = columns.map(
      (lines, i) => drawLines(lines.slice(from, to), styles[i] ?? { size: 8 }, tags[i]) as TableCell,
    )
    rows.push({ cells, continues: to < height })
  }
  return rows
}
