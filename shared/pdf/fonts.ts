import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create, type Font, type GlyphRun } from 'fontkit'

export type FontName = 'latin' | 'hebrew' | 'arabic' | 'thai' | 'korean' | 'cjk'
type FontFiles = { normal: string; bold: string }
export type FontFace = { font: Font; lay(text: string): GlyphRun | null }

const google = '@expo-google-fonts'
const droid = './fonts/DroidSansFallbackFull.ttf'
const nanum = './fonts/NanumGothic-Regular.ttf'

// Every file a PDF may be made from. `latin` also holds Greek, Cyrillic and Devanagari; the last two have no bold.
const files: Record<FontName, FontFiles> = {
  latin: {
    normal: `${google}/noto-sans/400Regular/NotoSans_400Regular.ttf`,
    bold: `${google}/noto-sans/700Bold/NotoSans_700Bold.ttf`,
  },
  hebrew: {
    normal: `${google}/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf`,
    bold: `${google}/noto-sans-hebrew/700Bold/NotoSansHebrew_700Bold.ttf`,
  },
  arabic: {
    normal: `${google}/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf`,
    bold: `${google}/noto-sans-arabic/700Bold/NotoSansArabic_700Bold.ttf`,
  },
  thai: {
    normal: `${google}/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf`,
    bold: `${google}/noto-sans-thai/700Bold/NotoSansThai_700Bold.ttf`,
  },
  korean: { normal: nanum, bold: nanum },
  cjk: { normal: droid, bold: droid },
}

const bytes = new Map<string, Buffer>()
const faces = new Map<string, FontFace>()

/** The font table for pdfmake: family name to file names, which are keys of {@link fontBytes} and not paths. */
export function fontTable(): Record<FontName, FontFiles> {
  return structuredClone(files)
}

/** Every font file by its name in {@link fontTable}. Read from disk once per thread. */
export function fontBytes(): ReadonlyMap<string, Buffer> {
  for (const { normal, bold } of Object.values(files)) {
    for (const file of [normal, bold]) readFont(file)
  }
  return bytes
}

/** The face that pdfmake draws this family with, for measuring. Parsed once per thread. */
export function fontFace(name: FontName, bold: boolean): FontFace {
  const file = bold ? files[name].bold : files[name].normal
  const known = faces.get(file)
  if (known) return known
  const face = openFace(create(readFont(file)))
  faces.set(file, face)
  return face
}

function readFont(file: string): Buffer {
  const known = bytes.get(file)
  if (known) return known
  const content = readFileSync(fileURLToPath(import.meta.resolve(file)))
  bytes.set(file, content)
  return content
}

function openFace(font: Font): FontFace {
  return {
    font,
    // fontkit throws on a few rare Arabic letters, and a cmap may name a glyph that the font does not hold.
    lay(text) {
      try {
        const run = font.layout(text)
        return run.glyphs.some((glyph) => glyph.id === 0) ? null : run
      } catch {
        return null
      }
    },
  }
}
