import { type FontName, fontFace } from './fonts.ts'
import { bidi, type Cluster } from './text.ts'

/** Text that pdfmake draws as one piece, left to right. */
export type Run = { text: string; font: FontName }
type LevelRun = { clusters: Cluster[]; font: FontName; level: number }

/** `width` is in thousandths of the font size; `reversed` means that fontkit draws the text from right to left. */
type Extent = { width: number; reversed: boolean }
export type Measure = (text: string, font: FontName) => Extent | null

/** Creates a measure with a cache. Use one per document and face, so that the cache stays small. */
export function createMeasure(bold: boolean): Measure {
  const known = new Map<string, Extent | null>()
  return (text, font) => {
    const key = font + text
    const extent = known.get(key)
    if (extent !== undefined) return extent
    const face = fontFace(font, bold)
    const run = face.layout(text)
    const measured = run && {
      width: (run.advanceWidth / face.font.unitsPerEm) * 1000,
      reversed: run.direction === 'rtl',
    }
    known.set(key, measured)
    return measured
  }
}

/** The runs of one line in visual order (Unicode bidi algorithm, rules L2 and L4). */
export function visualRuns(clusters: Cluster[], measure: Measure): Run[] {
  return reorder(levelRuns(clusters)).map((run) => drawRun(run, measure))
}

export function runsWidth(clusters: Cluster[], measure: Measure): number {
  let width = 0
  for (const run of levelRuns(clusters)) {
    const { text, font } = drawRun(run, measure)
    width += measure(text, font)?.width ?? 0
  }
  return width
}

function levelRuns(clusters: Cluster[]): LevelRun[] {
  const runs: LevelRun[] = []
  let last: LevelRun | undefined
  let lastIsSpace = false
  for (const cluster of clusters) {
    if (cluster.font === '') continue
    const isSpace = cluster.text === ' '
    // pdfkit draws the parts between spaces from left to right, so each right-to-left word is a separate run.
    const isWordEdge = cluster.level % 2 === 1 && isSpace !== lastIsSpace
    if (last && last.font === cluster.font && last.level === cluster.level && !isWordEdge) {
      last.clusters.push(cluster)
    } else {
      last = { clusters: [cluster], font: cluster.font, level: cluster.level }
      runs.push(last)
    }
    lastIsSpace = isSpace
  }
  return runs
}

function reorder(runs: LevelRun[]): LevelRun[] {
  const ordered = [...runs]
  const highest = Math.max(0, ...new Set(runs.map((run) => run.level)))
  for (let level = highest; level > 0; level--) {
    for (let from = 0; from < ordered.length; from++) {
      let to = from
      while ((ordered[to]?.level ?? -1) >= level) to++
      if (to > from) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse())
      from = to
    }
  }
  return ordered
}

function drawRun({ clusters, font, level }: LevelRun, measure: Measure): Run {
  const rtl = level % 2 === 1
  const chars = rtl
    ? clusters.map(({ text }) => bidi.getMirroredCharacter(text) ?? text)
    : clusters.map((c) => c.text)
  // fontkit draws a tone mark below the ring of SARA AM, so SARA AM is split and its ring put first.
  const logical = chars.join('').replace(/([\u0e48-\u0e4b])\u0e33/g, '\u0e4d$1\u0e32')
  const extent = measure(logical, font)
  if (!extent) return { text: '?'.repeat(chars.length), font: 'latin' }
  // fontkit reverses Hebrew and Arabic runs, digits included; other right-to-left runs are reversed here.
  return { text: rtl === extent.reversed ? logical : chars.reverse().join(''), font }
}
