import LineBreaker from 'linebreak'
import type { Content } from 'pdfmake/interfaces.js'
import { createTags, type MakeTag, type Tag } from './structure.ts'
import { type Cluster, type Paragraph, readParagraphs } from './text.ts'
import { createMeasure, type Measure, type Run, runsWidth, visualRuns } from './text-runs.ts'

export type TextStyle = { size: number; bold?: boolean; color?: string; align?: 'left' | 'right' | 'auto' }
export type TextLine = { runs: Run[]; rtl: boolean }

/** Lays out the text of one document: wraps it to a width in pt and returns finished lines for pdfmake. */
export type TextSetter = {
  /** Width of the text on one line, in pt. */
  width(text: string, style: TextStyle): number
  /** Returns lines no wider than `width`. A line breaks where its language allows, else after any character. */
  wrap(text: string, width: number, style: TextStyle): TextLine[]
  /**
   * {@link wrap} as pdfmake content. The alignment `auto` puts right-to-left paragraphs on the right. Without a tag it is a
   * paragraph of the document, in the order of the calls.
   */
  set(text: string, width: number, style: TextStyle, tag?: Tag): Content
  tag: MakeTag
}

type Face = { bold: boolean; measure: Measure; scale: number }
type Range = { from: number; to: number }

// The Arabic font reserves room for stacked marks, which would put too much space between wrapped lines.
const arabicLineHeight = 0.82
const thaiWords = new Intl.Segmenter('th', { granularity: 'word' })
const thaiText = /[\u0e00-\u0e7f]+/g
// Repetition and abbreviation marks belong to the word before them.
const thaiTrailer = /[\u0e2f\u0e46]/

/** Use one setter per document: it caches the width of every word. */
export function createTextSetter(): TextSetter {
  const regular = createMeasure(false)
  const bold = createMeasure(true)
  const tag = createTags()
  const faceOf = (style: TextStyle): Face =>
    style.bold
      ? { bold: true, measure: bold, scale: style.size / 1000 }
      : { bold: false, measure: regular, scale: style.size / 1000 }

  const wrap: TextSetter['wrap'] = (text, width, style) => {
    const face = faceOf(style)
    return readParagraphs(text, face.bold).flatMap((paragraph) =>
      wrapParagraph(paragraph, width / face.scale, face).map((line) => ({
        runs: visualRuns(line, face.measure),
        rtl: paragraph.rtl,
      })),
    )
  }
  return {
    wrap,
    width(text, style) {
      const face = faceOf(style)
      const widths = readParagraphs(text, face.bold).map(
        (paragraph) => runsWidth(paragraph.clusters, face.measure) * face.scale,
      )
      return Math.max(...widths)
    },
    set: (text, width, style, given = tag('P')) => drawLines(wrap(text, width, style), style, given),
    tag,
  }
}

/**
 * Returns lines as content that pdfmake neither wraps nor trims. Text is only ever the value of `text`. Without a tag it is
 * decoration, which screen readers skip.
 */
export function drawLines(lines: TextLine[], style: TextStyle, tag?: Tag): Content {
  return {
    stack: lines.map(({ runs, rtl }) => ({
      text: (runs.length > 0 ? runs : [emptyRun]).map((run) => toContent(run, tag)),
      fontSize: style.size,
      bold: style.bold ?? false,
      color: style.color ?? '#1f2933',
      alignment: style.align === 'auto' ? (rtl ? 'right' : 'left') : (style.align ?? 'left'),
      noWrap: true,
      preserveLeadingSpaces: true,
      preserveTrailingSpaces: true,
    })),
  }
}

const emptyRun: Run = { text: ' ', font: 'latin' }

function toContent({ text, font }: Run, tag: Tag | undefined) {
  return { text, font, ...(font === 'arabic' && { lineHeight: arabicLineHeight }), ...(tag && { tag }) }
}

/** Each line reads its own clusters only, so that the time grows with the length of the paragraph, even of one long word. */
export function wrapParagraph({ text, clusters }: Paragraph, width: number, face: Face): Cluster[][] {
  // No character is narrower than a tenth of the font size, so a longer range need not be measured.
  const maxClusters = Math.ceil(width / 100)
  const measure = (range: Range) => {
    const { from, to } = withoutSpaces(clusters, range)
    return to - from > maxClusters
      ? Number.POSITIVE_INFINITY
      : runsWidth(clusters.slice(from, to), face.measure)
  }
  const lines: Range[] = []
  let line: Range | undefined
  let used = 0
  for (const piece of pieces(text, clusters)) {
    let word = withoutSpaces(clusters, piece)
    if (line && used + measure(word) <= width) {
      line.to = piece.to
    } else {
      if (line) lines.push(line)
      used = 0
      line = piece
      while (measure(word) > width) {
        const head = maxFitting(word, maxClusters, width, measure)
        lines.push(head)
        word = { from: head.to, to: word.to }
        line = { from: head.to, to: piece.to }
      }
    }
    used += runsWidth(clusters.slice(Math.max(piece.from, line.from), piece.to), face.measure)
  }
  if (line) lines.push(line)
  if (lines.length === 0) return [[]]
  return lines.map((range) => withoutSpaces(clusters, range)).map(({ from, to }) => clusters.slice(from, to))
}

/** The parts between which a line may break. Each includes its trailing spaces. */
function pieces(text: string, clusters: Cluster[]): Range[] {
  const breaks = new Set<number>()
  const breaker = new LineBreaker(text)
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) breaks.add(next.position)
  // Thai has no spaces between words, and the line breaking algorithm requires a dictionary for it.
  for (const match of text.matchAll(thaiText)) {
    for (const { index, segment } of thaiWords.segment(match[0])) {
      if (index > 0 && !thaiTrailer.test(segment)) breaks.add(match.index + index)
    }
  }
  const ranges: Range[] = []
  let from = 0
  for (let to = 1; to <= clusters.length; to++) {
    if (to < clusters.length && !breaks.has(clusters[to]?.start ?? 0)) continue
    ranges.push({ from, to })
    from = to
  }
  return ranges
}

/** The longest head of the range that fits, by binary search. It has at least one character, so that wrapping ends. */
function maxFitting(
  range: Range,
  maxClusters: number,
  width: number,
  measure: (range: Range) => number,
): Range {
  let fits = range.from + 1
  let tooFar = Math.min(range.to, range.from + maxClusters) + 1
  while (tooFar - fits > 1) {
    const middle = Math.floor((fits + tooFar) / 2)
    if (measure({ from: range.from, to: middle }) <= width) fits = middle
    else tooFar = middle
  }
  return { from: range.from, to: fits }
}

/** The range without the spaces at its end. */
function withoutSpaces(clusters: Cluster[], { from, to }: Range): Range {
  let end = to
  while (end > from && clusters[end - 1]?.text === ' ') end--
  return { from, to: end }
}
