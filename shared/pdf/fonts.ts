import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Font, GlyphRun } from 'fontkit'

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

// The copy that pdfmake uses, and not the one for ES modules: the format of tickets has to reach it.
const fontkit: typeof import('fontkit') = createRequire(import.meta.url)('fontkit')
const ticketMark = 'font of a purchase order: '
const tickets = new Map<string, Buffer>()
const opened = new Map<string, { bytes: Buffer; tables: Font['_tables'] }>()
const faces = new Map<string, FontFace>()

/** The font table for pdfmake: family name to file names, which are keys of {@link fontTickets} and not paths. */
export function fontTable(): Record<FontName, FontFiles> {
  return structuredClone(files)
}

/**
 * What pdfmake gets in place of every font file, by its name in {@link fontTable}: a ticket with that name, for which
 * fontkit hands out the font as it does for formats of its own. Of a file pdfmake would read the tables anew for every
 * document, which takes longer than all the rest.
 */
export function fontTickets(): ReadonlyMap<string, Buffer> {
  if (tickets.size > 0) return tickets
  fontkit.registerFormat(FontOfTicket)
  for (const { normal, bold } of Object.values(files)) {
    for (const file of [normal, bold]) tickets.set(file, Buffer.from(ticketMark + file))
  }
  return tickets
}

function FontOfTicket({ buffer }: { buffer: Uint8Array }): Font {
  return openFont(Buffer.from(buffer).toString().slice(ticketMark.length))
}
FontOfTicket.probe = (file: Uint8Array) => Buffer.from(file).toString().startsWith(ticketMark)

/** The face that pdfmake draws this family with, for measuring. Made once per thread. */
export function fontFace(name: FontName, bold: boolean): FontFace {
  const file = bold ? files[name].bold : files[name].normal
  const known = faces.get(file)
  if (known) return known
  const face = openFace(openFont(file))
  faces.set(file, face)
  return face
}

/**
 * A font of its own for whoever asks, since a font keeps which characters each glyph was used for first. Its file and
 * its tables, which nobody changes, are read once per thread.
 */
function openFont(file: string): Font {
  const known = opened.get(file)
  if (known) return Object.assign(fontkit.create(known.bytes), { _tables: known.tables })
  const bytes = readFileSync(fileURLToPath(import.meta.resolve(file)))
  const font = fontkit.create(bytes)
  opened.set(file, { bytes, tables: font._tables })
  return font
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
