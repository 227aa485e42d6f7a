import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Font, GlyphRun } from 'fontkit'

export type FontName = 'latin' | 'hebrew' | 'arabic' | 'thai' | 'korean' | 'cjk'
type FontFiles = { normal: string; bold: string }
/** `layout` returns null when the font cannot draw the text. */
type FontFace = { font: Font; layout(text: string): GlyphRun | null }

const google = '@expo-google-fonts'
const droid = './fonts/DroidSansFallbackFull.ttf'
const nanum = './fonts/NanumGothic-Regular.ttf'

// All font files of a PDF. `latin` also holds Greek, Cyrillic and Devanagari. The last two families have no bold file.
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

// `require` loads the CommonJS copy of fontkit that pdfmake uses, so that the format registered here is known there.
const fontkit: typeof import('fontkit') = createRequire(import.meta.url)('fontkit')
const placeholderPrefix = 'font of a purchase order: '
const placeholders = new Map<string, Buffer>()
const parsedFonts = new Map<string, { bytes: Buffer; tables: Font['_tables'] }>()
const faces = new Map<string, FontFace>()

/** The font table for pdfmake: file names by family. A name is a key of {@link fontPlaceholders} and not a path. */
export function fontTable(): Record<FontName, FontFiles> {
  return structuredClone(files)
}

/**
 * A placeholder for every font file, by its name in {@link fontTable}. pdfmake would parse a real font file again for
 * every document, which takes longer than the rest of the rendering. Instead:
 * 1. pdfmake passes the placeholder, which holds only the file name, to fontkit;
 * 2. fontkit recognises it by the format registered here and calls {@link PlaceholderFont};
 * 3. that returns the font with tables that were parsed once per thread.
 */
export function fontPlaceholders(): ReadonlyMap<string, Buffer> {
  if (placeholders.size > 0) return placeholders
  fontkit.registerFormat(PlaceholderFont)
  for (const { normal, bold } of Object.values(files)) {
    for (const file of [normal, bold]) placeholders.set(file, Buffer.from(placeholderPrefix + file))
  }
  return placeholders
}

function PlaceholderFont({ buffer }: { buffer: Uint8Array }): Font {
  return openFont(Buffer.from(buffer).toString().slice(placeholderPrefix.length))
}
PlaceholderFont.probe = (file: Uint8Array) => Buffer.from(file).toString().startsWith(placeholderPrefix)

/** The face of a family, for measuring; the same font as in the PDF. Created once per thread. */
export function fontFace(name: FontName, bold: boolean): FontFace {
  const file = bold ? files[name].bold : files[name].normal
  const known = faces.get(file)
  if (known) return known
  const face = openFace(openFont(file))
  faces.set(file, face)
  return face
}

/** A new font per call: it records the glyphs of one document. The file is read once per thread. */
function openFont(file: string): Font {
  const known = parsedFonts.get(file)
  if (known) return Object.assign(fontkit.create(known.bytes), { _tables: known.tables })
  const bytes = readFileSync(fileURLToPath(import.meta.resolve(file)))
  const font = fontkit.create(bytes)
  parsedFonts.set(file, { bytes, tables: font._tables })
  return font
}

function openFace(font: Font): FontFace {
  return {
    font,
    // fontkit throws on a few rare Arabic letters, and a cmap may refer to a glyph that the font does not contain.
    layout(text) {
      try {
        const run = font.layout(text)
        return run.glyphs.some((glyph) => glyph.id === 0) ? null : run
      } catch {
        return null
      }
    },
  }
}
