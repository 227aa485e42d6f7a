// Types of packages that ship none (fontkit, linebreak) or wrong ones for ES modules (bidi-js). Only the used parts.

declare module 'fontkit' {
  export type GlyphRun = {
    glyphs: readonly { id: number }[]
    advanceWidth: number
    direction: 'ltr' | 'rtl'
  }
  export type Font = {
    unitsPerEm: number
    hasGlyphForCodePoint(codePoint: number): boolean
    layout(text: string): GlyphRun
    /** The tables of the file that were parsed so far, by tag. */
    _tables: Record<string, unknown>
  }
  export function create(file: Uint8Array): Font
  /** `create` probes its own formats first, then the registered ones, and calls the first match with `new`. */
  export function registerFormat(format: {
    (stream: { buffer: Uint8Array }): Font
    probe(file: Uint8Array): boolean
  }): void
}

declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string)
    nextBreak(): { position: number; required: boolean } | null
  }
}

declare module 'bidi-js' {
  export type Bidi = {
    getEmbeddingLevels(
      text: string,
      direction?: 'ltr' | 'rtl' | 'auto',
    ): {
      levels: Uint8Array
      paragraphs: { start: number; end: number; level: number }[]
    }
    getMirroredCharacter(char: string): string | null
  }
  export default function bidiFactory(): Bidi
}

// The parts of pdfmake that write a file, which the package of types lacks: CommonJS modules, whose default export is a property.

declare module 'pdfmake/js/PDFDocument.js' {
  import type { Readable } from 'node:stream'

  type Content = object
  type Element = { add(child: Element | Content): Element; end(): void }
  type Files = { existsSync(name: string): boolean; readFileSync(name: string): Uint8Array | undefined }
  /** pdfkit's document. */
  export class PDFDocument extends Readable {
    constructor(
      fonts: Record<string, { normal: string; bold: string }>,
      images: Record<string, string>,
      patterns: object,
      attachments: object,
      options: object,
      files: Files,
      isLocalFileAllowed: (path: string) => boolean,
    )
    page: unknown
    markContent(tag: 'Artifact'): unknown
    markStructureContent(tag: string): Content
    endMarkedContent(): unknown
    struct(type: string, options?: { scope?: string; alt?: string; bbox?: number[] }): Element
    addStructure(element: Element): unknown
    end(): void
  }
  const document: { default: typeof PDFDocument }
  export default document
}

declare module 'pdfmake/js/PageSize.js' {
  export type PageSize = { width: number; height: number; orientation: 'portrait' | 'landscape' }
  export type PageMargins = { left: number; top: number; right: number; bottom: number }
  export function normalizePageSize(size: { width: number; height: number }): PageSize
  export function normalizePageMargin(margin: number | [number, number, number, number]): PageMargins
}

declare module 'pdfmake/js/SVGMeasure.js' {
  class SVGMeasure {}
  const measure: { default: typeof SVGMeasure }
  export default measure
}

declare module 'pdfmake/js/tableLayouts.js' {
  export const tableLayouts: object
}

declare module 'pdfmake/js/LayoutBuilder.js' {
  import type { Content, Style, Watermark } from 'pdfmake/interfaces.js'
  import type { PageMargins, PageSize } from 'pdfmake/js/PageSize.js'
  import type { PDFDocument } from 'pdfmake/js/PDFDocument.js'
  import type { RenderedPage } from 'pdfmake/js/Renderer.js'

  class LayoutBuilder {
    constructor(pageSize: PageSize, margins: PageMargins, svgMeasure: object)
    registerTableLayouts(layouts: object): void
    layoutDocument(
      content: Content[],
      pdf: PDFDocument,
      styles: object,
      defaultStyle: Style,
      background: undefined,
      header: undefined,
      footer: ((page: number, pages: number) => Content) | undefined,
      watermark: Watermark | undefined,
    ): RenderedPage[]
  }
  const builder: { default: typeof LayoutBuilder }
  export default builder
}

declare module 'pdfmake/js/Renderer.js' {
  import type { PDFDocument } from 'pdfmake/js/PDFDocument.js'
  import type { Tag } from './structure.ts'

  export type RenderedPage = object
  export type PageItem = { x?: number; y?: number; _width?: number; _height?: number; tag?: Tag }
  export type TextLine = { inlines: readonly { tag?: Tag }[] }
  export class Renderer {
    constructor(pdf: PDFDocument)
    pdfDocument: PDFDocument
    renderPages(pages: RenderedPage[]): void
    renderLine(line: TextLine, x: number, y: number): void
    renderImage(image: PageItem): void
    renderVector(vector: object): void
    renderWatermark(page: RenderedPage): void
  }
  const renderer: { default: typeof Renderer }
  export default renderer
}
