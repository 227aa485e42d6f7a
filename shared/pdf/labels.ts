import type { Content } from 'pdfmake/interfaces.js'
import { labelSizes, mmPerInch } from '../labels/sizes.ts'
import { oneLine } from '../one-line.ts'
import type { Label, LabelSheet } from '../schemas/labels.ts'
import { barsWidth, drawBars } from './barcode.ts'
import { accessible } from './page.ts'
import type { DocumentDefinition } from './pdf-file.ts'
import type { Tag } from './structure.ts'
import { createTextSetter, drawLines, type TextLine, type TextSetter, type TextStyle } from './text-lines.ts'

const pointsPerInch = 72
const points = (mm: number) => (mm * pointsPerInch) / mmPerInch
const black = '#000000'
const maxTitleLines = 2
/** A longer title is cut anyway. */
const maxTitleLength = 300
/** The line height of the fonts is larger than their letters, so lines are placed one by one. */
const pitchOf = ({ size }: TextStyle) => size * 1.2

type Place = { x: number; y: number }

/** One page per label of a roll, or sheets of A4. Text is only ever the `text` of a run. */
export function labelsDefinition({ asOf, format, dpi, startAt, labels }: LabelSheet): DocumentDefinition {
  const { width, height, columns, rows } = labelSizes[format]
  const setter = createTextSetter()
  const drawn = labels.flatMap((label) => {
    const draw = labelAt(setter, label, { format, dpi })
    return Array.from({ length: label.copies }, () => draw)
  })
  const perPage = columns * rows
  const first = perPage === 1 ? 0 : startAt - 1
  const pages: Content[][] = []
  for (const [at, draw] of drawn.entries()) {
    const cell = first + at
    const inPage = cell % perPage
    const page = Math.floor(cell / perPage)
    const place = { x: points(width) * (inPage % columns), y: points(height) * Math.floor(inPage / columns) }
    pages[page] = [...(pages[page] ?? []), ...draw(place)]
  }
  return {
    pageSize:
      perPage === 1
        ? { width: points(width), height: points(height) }
        : { width: points(210), height: points(297) },
    ...accessible,
    language: 'en',
    pageMargins: 0,
    defaultStyle: { font: 'latin', fontSize: 7 },
    info: { title: 'Labels', creationDate: new Date(asOf) },
    content: pages.map((page, at) => ({ stack: page, ...(at > 0 && { pageBreak: 'before' as const }) })),
  }
}

/** Lays out a label once, and returns what draws it at a place. */
function labelAt(
  setter: TextSetter,
  label: Label,
  { format, dpi }: Pick<LabelSheet, 'format' | 'dpi'>,
): (place: Place) => Content[] {
  const { width, height, padding } = labelSizes[format]
  const [left, top, inner] = [points(padding.x), points(padding.y), points(width - 2 * padding.x)]
  const size = height < 29 ? 6.5 : 7.5
  const title: TextStyle = { size, bold: true, color: black, align: 'auto' }
  const small: TextStyle = { size: size - 0.5, color: black, align: 'auto' }
  const price: TextStyle = { ...small, bold: true, align: 'right' }
  const parts: { line: TextLine; style: TextStyle; y: number }[] = []
  let y = top
  const write = (lines: TextLine[], style: TextStyle) => {
    for (const line of lines) {
      parts.push({ line, style, y })
      y += pitchOf(style)
    }
  }
  write(cutLines(setter, label.title, inner, title, maxTitleLines), title)
  write(cutLines(setter, label.variantTitle, inner, small, 1), small)
  const priceText = oneLine(label.price)
  const priceWidth = priceText === '' ? 0 : setter.width(priceText, price) + 4
  if (priceText !== '') parts.push({ line: firstLine(setter, priceText, inner, price), style: price, y })
  write(cutLines(setter, label.sku, inner - priceWidth, small, 1), { ...small, align: 'left' })
  if (label.sku.trim() === '' && priceText !== '') y += pitchOf(small)

  const code: TextStyle = { size: 7, color: black, align: 'left' }
  const codeY = points(height) - top - pitchOf(code)
  const codeText = oneLine(label.code.text)
  const codeX = (points(width) - setter.width(codeText, code)) / 2
  const codeLine = firstLine(setter, codeText, points(width), code)
  // bars begin and end on whole dots, so that the printer need not round their widths
  const dot = pointsPerInch / dpi
  const module = label.code.dots * dot
  const barsX = Math.round((points(width) - barsWidth(label.code.bars) * module) / 2 / dot) * dot
  const barsY = y + 3
  return (place) => {
    // the text of a label is one paragraph
    const tag = setter.tag('P')
    return [
      ...parts.map(({ line, style, y: lineY }) =>
        lineAt(line, style, inner, { x: place.x + left, y: place.y + lineY }, tag),
      ),
      {
        ...drawBars(label.code.bars, module, codeY - barsY - 0.5),
        absolutePosition: { x: place.x + barsX, y: place.y + barsY },
      },
      lineAt(codeLine, code, points(width), { x: place.x + codeX, y: place.y + codeY }, tag),
    ]
  }
}

const lineAt = (line: TextLine, style: TextStyle, width: number, { x, y }: Place, tag: Tag): Content => ({
  columns: [{ width, stack: [drawLines([line], style, tag)] }],
  absolutePosition: { x, y: y - riseOf(line) * style.size },
})

/** The space above the letters of a line, which differs by font, in ems. */
const riseOf = ({ runs }: TextLine) => (runs.some(({ font }) => font === 'arabic') ? 0.55 : 0.2)

const firstLine = (setter: TextSetter, text: string, width: number, style: TextStyle): TextLine =>
  setter.wrap(text, width, style)[0] ?? { runs: [], rtl: false }

/** The text on at most this many lines; a longer one ends with an ellipsis after a whole character. */
export function cutLines(
  setter: TextSetter,
  text: string,
  width: number,
  style: TextStyle,
  maxLines: number,
): TextLine[] {
  const whole = oneLine(text.slice(0, maxTitleLength)).toWellFormed()
  if (whole === '') return []
  const lines = setter.wrap(whole, width, style)
  if (lines.length <= maxLines && text.length <= maxTitleLength) return lines
  const characters = [...graphemes.segment(whole)].map(({ segment }) => segment)
  const headOf = (length: number) =>
    setter.wrap(`${characters.slice(0, length).join('').trim()}…`, width, style)
  let fits = 0
  let tooMany = characters.length + 1
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2)
    if (headOf(middle).length <= maxLines) fits = middle
    else tooMany = middle
  }
  return headOf(fits)
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
