import bidiFactory from 'bidi-js'
import { type FontName, fontFace } from './fonts.ts'

/** One user-perceived character, the font that draws it ('' draws nothing) and its bidi embedding level. */
export type Cluster = { text: string; font: FontName | ''; level: number; start: number }
type Drawn = Pick<Cluster, 'text' | 'font'>
export type Paragraph = { text: string; clusters: Cluster[]; rtl: boolean }

export const bidi = bidiFactory()

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
// Latin first: it has the digits and brackets that other fonts repeat, so that these look the same everywhere.
const preference: FontName[] = ['latin', 'hebrew', 'arabic', 'thai', 'cjk']
const koreanPreference: FontName[] = ['latin', 'korean']
// Joiners change how these scripts are written; elsewhere they draw nothing.
const joining = /[\p{Script=Arabic}\p{Script=Devanagari}]/u
// They order or break a line without drawing anything. Embeddings and overrides (U+202A..U+202E) are not here: nobody
// types them, and they can make a SKU read as another one.
const invisibleControl = /^[\u200b\u200e\u200f\u061c\u2066-\u2069]$/
// A base with more marks than any language uses: bounded, because marks are shaped in pairs.
const maxClusterLength = 16
// What draws a character is the same in every document, and finding it takes longer than all the rest of its line.
const chosen = { regular: new Map<string, Drawn | null>(), bold: new Map<string, Drawn | null>() }
const maxChosen = 4_000

/**
 * Makes text from outside printable: every cluster has a font that holds all its glyphs. What no font holds is a
 * "?", one per cluster; a mark that the font of its base lacks is left out. Lines of the text become paragraphs.
 */
export function readParagraphs(text: string, bold: boolean): Paragraph[] {
  return printable(text)
    .split('\n')
    .map((line) => readParagraph(line, bold))
}

/** For fields that are one line by nature: whatever breaks a line becomes a space. */
export function oneLine(text: string): string {
  return text.replace(/[\s\u0085]+/g, (space) => (/^[\u00a0\u202f\u3000]$/.test(space) ? space : ' ')).trim()
}

function printable(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replace(/[^\P{Cc}\n]/gu, '')
    .replaceAll('\ufffd', '?')
}

function readParagraph(line: string, bold: boolean): Paragraph {
  const drawn: Drawn[] = []
  for (const { segment } of graphemes.segment(line)) {
    const cluster = drawnAs(segment, bold)
    if (cluster) drawn.push(cluster)
  }
  const text = drawn.map((cluster) => cluster.text).join('')
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, 'auto')
  let start = 0
  const clusters = drawn.map((cluster) => {
    const placed = { ...cluster, start, level: levels[start] ?? 0 }
    start += cluster.text.length
    return placed
  })
  return { text, clusters, rtl: (paragraphs[0]?.level ?? 0) % 2 === 1 }
}

function drawnAs(segment: string, bold: boolean): Drawn | null {
  const known = bold ? chosen.bold : chosen.regular
  const before = known.get(segment)
  if (before !== undefined) return before
  const drawn = chooseFont(segment, bold)
  if (known.size >= maxChosen) known.clear()
  if (segment.length <= maxClusterLength) known.set(segment, drawn)
  return drawn
}

function chooseFont(segment: string, bold: boolean): Drawn | null {
  if (invisibleControl.test(segment)) return { text: segment, font: '' }
  const visible = segment.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  if (visible === '') return null
  const joined = segment.replace(/[^\P{Default_Ignorable_Code_Point}\u200c\u200d]/gu, '')
  const base = String.fromCodePoint(visible.codePointAt(0) ?? 0)
  for (const text of joining.test(visible) ? [joined, visible, base] : [visible, base]) {
    const bounded = [...text].slice(0, maxClusterLength).join('')
    const font = fontFor(bounded, bold)
    if (font) return { text: bounded, font }
  }
  return { text: /^\p{Zs}/u.test(visible) ? ' ' : '?', font: 'latin' }
}

function fontFor(text: string, bold: boolean): FontName | undefined {
  const names = /\p{Script=Hangul}/u.test(text) ? koreanPreference : preference
  return names.find((name) => {
    const { font, lay } = fontFace(name, bold)
    return [...text].every((char) => font.hasGlyphForCodePoint(char.codePointAt(0) ?? 0)) && lay(text)
  })
}
