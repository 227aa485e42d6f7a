import { oneLine } from '../one-line.ts'
import type { Label, LabelSheet } from '../schemas/labels.ts'
import type { Code } from './code.ts'
import { labelSizes, mmPerInch } from './sizes.ts'

const maxTitleLines = 2

/**
 * The labels in ZPL II, the language of label printers, in UTF-8. The printer encodes the barcodes. Copies are left to the
 * printer (`^PQ`). Its own font draws the text: scripts that the printer has no font for need the PDF.
 */
export function labelsZpl({ labels, ...look }: LabelSheet): string {
  return labels.map((label) => labelZpl(label, look)).join('')
}

type Symbol = Pick<Code, 'kind' | 'text'>
type Look = Pick<LabelSheet, 'format' | 'dpi'>

function labelZpl(label: Label, look: Look): string {
  const { width, height, padding } = labelSizes[look.format]
  const dots = (mm: number) => Math.round((mm * look.dpi) / mmPerInch)
  const left = dots(padding.x)
  const inner = dots(width) - 2 * left
  const text = dots(height < 29 ? 2.4 : 2.8)
  const pitch = Math.round(text * 1.15)
  const fields: string[] = []
  let y = dots(padding.y)
  const write = (content: string, x = left) => {
    fields.push(`^FO${x},${y}^A0N,${text},${text}${fieldData(content)}`)
  }
  for (const line of wrapped(oneLine(label.title), inner / text, maxTitleLines)) {
    write(line)
    y += pitch
  }
  if (label.variantTitle !== '') {
    write(cut(oneLine(label.variantTitle), inner / text))
    y += pitch
  }
  const price = oneLine(label.price)
  const priceWidth = Math.ceil(emsOf(price) * text)
  write(cut(oneLine(label.sku), (inner - priceWidth) / text - 0.5))
  if (price !== '') write(price, dots(width) - left - priceWidth)
  y += pitch + dots(0.8)

  const { modules, command, data } = symbol(label.code)
  // the interpretation line, below the bars, is about as high as the other lines
  const barHeight = dots(height) - y - dots(padding.y) - pitch
  const x = Math.round((dots(width) - modules * label.code.dots) / 2)
  fields.push(`^FO${x},${y}^BY${label.code.dots},3,${barHeight}${command}${fieldData(data)}`)
  return [
    '^XA',
    '^CI28',
    `^PW${dots(width)}`,
    `^LL${dots(height)}`,
    '^LH0,0',
    ...fields,
    `^PQ${label.copies},0,1,N`,
    '^XZ',
    '',
  ].join('\n')
}

/**
 * The command of the code, its data and its width. `>` begins a control code of Code 128, so it is `>0`; `>:` starts with
 * letters (subset B, one symbol each), `>;` with pairs of digits (subset C). Each symbol has 11 modules, the last 13; start
 * and check add two. Example: `SKU-1` has (5 + 2) × 11 + 13 = 90 modules.
 */
function symbol({ kind, text }: Symbol): { modules: number; command: string; data: string } {
  // the printer adds the check digit
  if (kind === 'ean13') return { modules: 95, command: '^BEN,,Y,N', data: text.slice(0, 12) }
  const isPairs = text.length >= 4 && /^(\d\d)+$/.test(text)
  const symbols = isPairs ? text.length / 2 : text.length
  const data = isPairs ? `>;${text}` : `>:${text.replaceAll('>', '>0')}`
  return { modules: (symbols + 2) * 11 + 13, command: '^BCN,,Y,N,N,N', data }
}

/** The width of a code as the printer encodes it, in modules. */
export const zplModules = (code: Symbol): number => symbol(code).modules

/** `^FH` allows any byte as `_` and two hexadecimal digits. `^` and `~` would begin a command. */
function fieldData(text: string): string {
  const escaped = text
    .toWellFormed()
    .replace(/[\p{Cc}]/gu, ' ')
    .replace(/[\^~_\\]/g, (sign) => `_${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return `^FH_^FD${escaped}^FS`
}

/** Lines no wider than `width` ems, broken at spaces; the last one is cut. */
function wrapped(text: string, width: number, maxLines: number): string[] {
  const lines: string[] = []
  let rest = text
  while (rest !== '' && lines.length < maxLines - 1 && emsOf(rest) > width) {
    const fitting = maxHead(rest, width)
    const at = fitting.lastIndexOf(' ')
    const head = at > 0 && rest[fitting.length] !== ' ' ? fitting.slice(0, at) : fitting
    lines.push(head.trim())
    rest = rest.slice(head.length).trim()
  }
  return rest === '' ? lines : [...lines, cut(rest, width)]
}

const cut = (text: string, width: number): string =>
  emsOf(text) <= width ? text : `${maxHead(text, width - emsOf('...')).trim()}...`

function maxHead(text: string, width: number): string {
  let head = ''
  let used = 0
  for (const { segment } of graphemes.segment(text)) {
    used += emsOf(segment)
    if (used > width) break
    head += segment
  }
  return head
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** An upper estimate of the width in heights of the font: the printer's own metrics are not known here. */
function emsOf(text: string): number {
  let ems = 0
  for (const character of text) ems += widthOf(character)
  return ems
}

function widthOf(character: string): number {
  if (
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]/u.test(
      character,
    )
  )
    return 1
  if (/[ijlIt.,:;'|! ]/.test(character)) return 0.32
  if (/[MWmw@%&]/.test(character)) return 0.85
  if (/\p{Mark}/u.test(character)) return 0
  return /[\p{Lu}\p{Nd}]/u.test(character) ? 0.62 : 0.56
}
