import t, { type Test } from 'tap'
import { oneLine } from '../../../shared/one-line.ts'
import { type FontName, fontFace } from '../../../shared/pdf/fonts.ts'
import { readParagraphs } from '../../../shared/pdf/text.ts'
import { createTextSetter, type TextLine, wrapParagraph } from '../../../shared/pdf/text-lines.ts'
import { createMeasure } from '../../../shared/pdf/text-runs.ts'

const style = { size: 9 }
const fonts: FontName[] = ['latin', 'hebrew', 'arabic', 'thai', 'korean', 'cjk']

function wrap(text: string, width = 1000): TextLine[] {
  return createTextSetter().wrap(text, width, style)
}

/** The characters from left to right on the page: fontkit reverses a run with Hebrew or Arabic letters. */
function visual({ runs }: TextLine): string {
  return runs
    .map(({ text, font }) => {
      const rtl = fontFace(font, false).layout(text)?.direction === 'rtl'
      return rtl ? [...text].reverse().join('') : text
    })
    .join('')
}

function widthOf({ runs }: TextLine): number {
  const widths = runs.map(({ text, font }) => {
    const { font: file, layout } = fontFace(font, false)
    return ((layout(text)?.advanceWidth ?? Number.NaN) / file.unitsPerEm) * style.size
  })
  return widths.reduce((sum, width) => sum + width, 0)
}

t.test('right-to-left text is in visual order, with numbers and Latin words left to right', (t) => {
  const cases: [string, string][] = [
    ['שלום עולם', 'םלוע םולש'],
    ['חולצה (שחור) XL 42', 'XL 42 (רוחש) הצלוח'],
    ['מחיר 100% כותנה', 'הנתוכ 100% ריחמ'],
    ['Shirt חולצה כחולה L', 'Shirt הלוחכ הצלוח L'],
    ['Size [שחור] (XL)', 'Size [רוחש] (XL)'],
    ['قميص ١٢٣ أسود', 'دوسأ ١٢٣ صيمق'],
    ['Total ٣٤ EGP', 'Total ٣٤ EGP'],
    ['...שלום!', '!םולש...'],
  ]
  for (const [logical, expected] of cases) t.equal(visual(wrap(logical)[0] as TextLine), expected)
  t.end()
})

t.test('the lines of a wrapped right-to-left title are in reading order', (t) => {
  const words = ['ראשון', 'שני', 'שלישי', '(רביעי)', '55', 'ששי', 'שביעי']
  const lines = wrap(words.join(' '), 70)
  t.ok(lines.length > 2)
  t.ok(lines.every((line) => line.rtl))
  const read = lines.map((line) => visual(line).split(' ').reverse())
  t.strictSame(
    read.flat(),
    words.map((word) =>
      /\d/.test(word)
        ? word
        : [...word]
            .reverse()
            .join('')
            .replace(/^\)(.*)\($/, '($1)'),
    ),
  )
  t.end()
})

t.test('directional overrides have no effect, and directional marks are not drawn', (t) => {
  t.equal(visual(wrap('SKU-\u202e1234\u202c')[0] as TextLine), 'SKU-1234')
  t.equal(visual(wrap('a\u200eb\u200fc\u2067d\u2069')[0] as TextLine), 'abcd')
  t.end()
})

t.test('Thai text wraps only between words', (t) => {
  const text = 'เสื้อเชิ้ตผ้าฝ้ายแขนยาวสีดำขนาดใหญ่พิเศษเหมาะสำหรับฤดูใบไม้ผลิ'
  const words = new Set<number>()
  for (const { index } of new Intl.Segmenter('th', { granularity: 'word' }).segment(text)) words.add(index)
  const lines = wrap(text, 80).map((line) => line.runs.map((run) => run.text).join(''))
  t.ok(lines.length > 2)
  t.equal(lines.join(''), text)
  let at = 0
  for (const line of lines) {
    t.ok(words.has(at), line)
    at += line.length
  }
  t.end()
})

t.test('a Thai tone mark is drawn above the ring of SARA AM', (t) => {
  t.equal(visual(wrap('น้ำ')[0] as TextLine), 'น\u0e4d\u0e49\u0e32')
  t.end()
})

t.test('no line is wider than the given width', (t) => {
  const texts = [
    'W'.repeat(300),
    'i'.repeat(300),
    'a long title of words'.repeat(20),
    'https://example.com/a/b?c=d&'.repeat(20),
    'قميص'.repeat(60),
    'قميص قطني '.repeat(30),
    'חולצה'.repeat(60),
    '纯棉长袖衬衫（黑色），大号。'.repeat(20),
    '뷁'.repeat(200),
    'เสื้อ'.repeat(60),
    'a\u0301'.repeat(200),
    'אa'.repeat(200),
    '\u00a01'.repeat(200),
  ]
  for (const width of [20, 75, 240]) {
    for (const text of texts) {
      const lines = wrap(text, width)
      for (const line of lines) t.ok(widthOf(line) <= width + 0.5, `${text.slice(0, 5)} in ${width}`)
      const drawn = lines.flatMap((line) => line.runs).map((run) => run.text.replaceAll(' ', '').length)
      t.equal(
        drawn.reduce((sum, length) => sum + length, 0),
        text.normalize('NFC').replaceAll(' ', '').length,
      )
    }
  }
  t.end()
})

t.test('every character gets a font that can draw it, else it becomes a question mark', (t) => {
  const shown = (text: string) => wrap(text).flatMap((line) => line.runs)
  t.strictSame(shown('Aα'), [{ text: 'Aα', font: 'latin' }])
  t.strictSame(shown('한글'.normalize('NFD')), [{ text: '한글', font: 'korean' }])
  t.strictSame(shown('漢字カナ'), [{ text: '漢字カナ', font: 'cjk' }])
  t.strictSame(shown('👨‍👩‍👧🇩🇪❤️'), [{ text: '???', font: 'latin' }])
  t.strictSame(shown('1️⃣'), [{ text: '1', font: 'latin' }])
  t.strictSame(shown('a\u200d\ufe0f\u00adb'), [{ text: 'ab', font: 'latin' }])
  t.strictSame(shown('می\u200cخواهم'), [{ text: 'می\u200cخواهم', font: 'arabic' }])
  t.strictSame(shown('a\ud800\u0000\u001b\ufffdb'), [{ text: 'a??b', font: 'latin' }])
  // The fontkit library throws on this letter.
  t.strictSame(shown('\u06a2'), [{ text: '?', font: 'latin' }])
  t.equal(shown(`a${'\u0323'.repeat(5000)}`)[0]?.text.length, 16)
  t.end()
})

t.test('line breaks are kept in texts and replaced in one-line fields', (t) => {
  t.equal(wrap('a\r\nb\u2028c\n\nd').length, 5)
  t.equal(oneLine(' a\r\n\tb\u2028c  d '), 'a b c d')
  t.equal(oneLine('1\u202f234\u00a0€'), '1\u202f234\u00a0€')
  t.strictSame(wrap(''), [{ runs: [], rtl: false }])
  t.end()
})

/** How much work it takes to wrap a text: how often a cluster is read, and how many characters the fonts lay out. */
function workOf(t: Test, text: string): number {
  let read = 0
  const layouts = fonts.map((name) => {
    const face = fontFace(name, false)
    return t.capture(face, 'layout', face.layout)
  })
  for (const paragraph of readParagraphs(text, false)) {
    const clusters = new Proxy(paragraph.clusters, {
      get(target, key, self) {
        read += 1
        return Reflect.get(target, key, self)
      },
    })
    const face = { bold: false, measure: createMeasure(false), scale: style.size / 1000 }
    wrapParagraph({ ...paragraph, clusters }, 150 / face.scale, face)
  }
  const characters = layouts.flatMap(({ args }) => args()).map(([text = '']) => text.length)
  for (const layout of layouts) layout.restore()
  return characters.reduce((sum, length) => sum + length, read)
}

t.test('the work of wrapping grows with the length of the text and not with its square', (t) => {
  const pieces = ['W', 'ab ', 'قميص', 'אa', 'a\u0301', '\u0301', 'ก', '\u200e', ' ', '( a']
  for (const piece of pieces) {
    const [once = 0, twice = Number.NaN] = [2_000, 4_000].map((length) =>
      workOf(t, `${piece.repeat(length / piece.length)}${' '.repeat(length)}`),
    )
    t.ok(twice < 2.2 * once, `${JSON.stringify(piece)}: ${once} steps for one length and ${twice} for two`)
  }
  t.equal(
    wrap('W'.repeat(100_000), 150)
      .flatMap(({ runs }) => runs)
      .map(({ text }) => text)
      .join('').length,
    100_000,
  )
  t.end()
})
