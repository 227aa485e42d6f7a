import type { Content } from 'pdfmake/interfaces.js'
import type { PaperSize } from '../schemas/settings.ts'
import type { DocumentDefinition } from './pdf-file.ts'
import { createTextSetter, type TextSetter } from './text-lines.ts'

export const margin = 40
export const columnGap = 24

/** The page of one document: its measures in pt, and the setter of its text. */
export type Page = TextSetter & {
  size: { width: number; height: number }
  contentWidth: number
  /** Of one of two columns. */
  columnWidth: number
}

const sizes: Record<PaperSize, Page['size']> = {
  a4: { width: 595.28, height: 841.89 },
  letter: { width: 612, height: 792 },
}

export function createPage(paper: PaperSize = 'a4'): Page {
  const size = sizes[paper]
  const contentWidth = size.width - 2 * margin
  return { ...createTextSetter(), size, contentWidth, columnWidth: (contentWidth - columnGap) / 2 }
}

/** A picture for a document, with its size in pixels. */
export type Picture = { bytes: Uint8Array; width: number; height: number }

type DocumentParts = {
  title: string
  author: string
  language: string | undefined
  /** Also the creation date of the file: pdfkit derives the file's id from the info, so one document gives one file. */
  asOf: string
  /** Across each page, such as DRAFT. */
  mark?: string | undefined
  content: Content[]
  footer: (page: number, pages: number) => Content
  logo?: Picture | undefined
}

/** What all documents on paper have in common: margins, the footer, and what makes them accessible. */
export function documentOn(page: Page, parts: DocumentParts): DocumentDefinition {
  const { title, author, language, asOf, mark, content, footer, logo } = parts
  return {
    ...accessible,
    pageSize: page.size,
    pageMargins: [margin, margin, margin, 56],
    defaultStyle: { font: 'latin', fontSize: 9 },
    language: language ?? 'en',
    info: {
      title: title.toWellFormed(),
      ...(author && { author: author.toWellFormed() }),
      creationDate: new Date(asOf),
    },
    ...(mark
      ? { watermark: { text: mark, color: '#b42318', opacity: 0.07, fontSize: 110, bold: true } }
      : {}),
    ...(logo && { images: { logo: `data:image/png;base64,${Buffer.from(logo.bytes).toString('base64')}` } }),
    content,
    footer,
  }
}

/** Tags, and the title instead of a file name in the reader's window. Tags need PDF 1.4, and 1.7 is the version that ISO 32000-1 describes. */
export const accessible = { tagged: true, displayTitle: true, version: '1.7' } as const
