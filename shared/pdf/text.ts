import bidiFactory from 'bidi-js'
import { type FontName, fontFace } from './fonts.ts'

/** One user-perceived character, the font that draws it ('' draws nothing) and its bidi embedding level. */
export type Cluster = { text: string; font: FontName | ''; level: number; start: number }
type Glyphs = Pick<Cluster, 'text' | 'font'>
export type Paragraph = { text: string; clusters: Cluster[]; rtl: boolean }

export const bidi = bidiFactory()

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
// Latin comes first, so that digits and brackets, which other fonts contain too, look the same everywhere.
const preference: FontName[] = ['latin', 'hebrew', 'arabic', 'thai', 'cjk']
const koreanPreference: FontName[] = ['latin', 'korean']
// Joiners (U+200C, U+200D) change the shape of these scripts only.
const joining = /[\p{Script=Arabic}\p{Script=Devanagari}]/u
// Characters that order or break a line and draw nothing. Embeddings and overrides (U+202A..U+202E) are removed
// instead, because they can make a SKU look like another one.
const invisibleControl = /^[\u200b\u200e\u200f\u061c\u2066-\u2069]$/
// More marks than any language uses. The limit is needed because fontkit's time grows with the pairs of marks.
const maxClusterLength = 16
// A cache for all documents: choosing the font of a character is the slowest step of a line's layout.
const chosen = { regular: new Map<string, Glyphs | null>(), bold: new Map<string, Glyphs | null>() }
const maxChosen = 4_000

/**
 * Converts untrusted text to paragraphs, one per line. Every cluster gets a font that contains all its glyphs. A
 * cluster that no font contains becomes one "?"; a mark that is missing in the font of its base is left out.
 */
export function readParagraphs(text: string, bold: boolean): Paragraph[] {
  return printable(text)
    .split('\n')
    .map((line) => readParagraph(line, bold))
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
  const glyphs: Glyphs[] = []
  for (const { segment } of graphemes.segment(line)) {
    const cluster = glyphsOf(segment, bold)
    if (cluster) glyphs.push(cluster)
  }
  const text = glyphs.map((cluster) => cluster.text).join('')
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, 'auto')
  let start = 0
  const clusters = glyphs.map((cluster) => {
    const placed = { ...cluster, start, level: levels[start] ?? 0 }
    start += cluster.text.length
    return placed
  })
  return { text, clusters, rtl: (paragraphs[0]?.level ?? 0) % 2 === 1 }
}

function glyphsOf(segment: string, bold: boolean): Glyphs | null {
  const cache = bold ? chosen.bold : chosen.regular
  const cached = cache.get(segment)
  if (cached !== undefined) return cached
  const glyphs = chooseFont(segment, bold)
  if (cache.size >= maxChosen) cache.clear()
  if (segment.length <= maxClusterLength) cache.set(segment, glyphs)
  return glyphs
}

function chooseFont(segment: string, bold: boolean): Glyphs | null {
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
    const { font, layout } = fontFace(name, bold)
    return [...text].every((char) => font.hasGlyphForCodePoint(char.codePointAt(0) ?? 0)) && layout(text)
  })
}
