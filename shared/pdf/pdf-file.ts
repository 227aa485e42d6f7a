import type { Content, Style, Watermark } from 'pdfmake/interfaces.js'
import pdfmakeLayout from 'pdfmake/js/LayoutBuilder.js'
import { normalizePageMargin, normalizePageSize } from 'pdfmake/js/PageSize.js'
import pdfmakeDocument from 'pdfmake/js/PDFDocument.js'
import pdfmakeSvg from 'pdfmake/js/SVGMeasure.js'
import { tableLayouts } from 'pdfmake/js/tableLayouts.js'
import { fontPlaceholders, fontTable } from './fonts.ts'
import { TaggingRenderer } from './structure.ts'

/** The options of pdfmake that documents use. {@link createPdfFile} knows no others. */
export type DocumentDefinition = {
  pageSize: { width: number; height: number }
  /** On all sides, or left, top, right, bottom. */
  pageMargins: number | [number, number, number, number]
  defaultStyle: Style
  language: string
  info: { title: string; author?: string; creationDate: Date }
  tagged: boolean
  displayTitle: boolean
  version: '1.7'
  content: Content[]
  footer?: (page: number, pages: number) => Content
  watermark?: Watermark
  /** Data URLs by name. */
  images?: Record<string, string>
}

/**
 * Writes the file of a document, as `createPdfKitDocument` in pdfmake's Printer.js does, which always takes its own renderer:
 * 1. pdfkit's document gets the options and the fonts;
 * 2. the layout places the content on pages;
 * 3. {@link TaggingRenderer} draws the pages.
 * Fonts come from memory; files are refused, and no URL is ever fetched.
 */
export async function createPdfFile(definition: DocumentDefinition): Promise<Buffer> {
  const { info, images = {}, content, defaultStyle, footer, watermark } = definition
  const pageSize = normalizePageSize({ ...definition.pageSize })
  const options = {
    pdfVersion: definition.version,
    tagged: definition.tagged,
    displayTitle: definition.displayTitle,
    lang: definition.language,
    autoFirstPage: false,
    // pdfkit derives the file's id from these in their order
    info: {
      Producer: 'pdfmake',
      Creator: 'pdfmake',
      Title: info.title,
      ...(info.author && { Author: info.author }),
      CreationDate: info.creationDate,
    },
    // no font that pdfkit would read from a file
    font: null,
  }
  const pdf = new pdfmakeDocument.default(fontTable(), images, {}, {}, options, fontFiles, () => false)
  const margins = normalizePageMargin(definition.pageMargins)
  const layout = new pdfmakeLayout.default(pageSize, margins, new pdfmakeSvg.default())
  layout.registerTableLayouts(tableLayouts)
  const pages = layout.layoutDocument(
    ...([content, pdf, {}, defaultStyle, undefined, undefined, footer, watermark] as const),
  )
  new TaggingRenderer(pdf).renderPages(pages)
  pdf.end()
  return Buffer.concat(await pdf.toArray())
}

/** The file system of pdfmake: it contains only the fonts. */
const fontFiles = {
  existsSync: (name: string) => fontPlaceholders().has(name),
  readFileSync: (name: string) => fontPlaceholders().get(name),
}
