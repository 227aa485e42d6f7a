import type { PDFDocument } from 'pdfmake/js/PDFDocument.js'
import pdfmakeRenderer, { type PageItem, type RenderedPage, type TextLine } from 'pdfmake/js/Renderer.js'

/** The structure types of PDF 1.7 (14.8.4) that documents use. */
export type TagType = 'H1' | 'H2' | 'P' | 'Figure' | 'Table' | 'TR' | 'TH' | 'TD'

/**
 * A place in the structure tree, which says to screen readers what a text is and in which order texts are read. Text and
 * pictures without a tag are decoration.
 */
export type Tag = {
  type: TagType
  /** Null: the document itself. */
  parent: Tag | null
  /** Siblings are read in this order. */
  order: number
  /** Of a header cell. */
  scope?: 'Column' | 'Row'
  /** Of a figure, in words. */
  alt?: string
}
export type MakeTag = (type: TagType, parent?: Tag | null, more?: Pick<Tag, 'scope' | 'alt'>) => Tag

/** Tags of one document, in the order in which they are made. */
export function createTags(): MakeTag {
  let made = 0
  return (type, parent = null, more = {}) => ({ type, parent, order: made++, ...more })
}

type Content = ReturnType<PDFDocument['markStructureContent']>
type Element = ReturnType<PDFDocument['struct']>
/** What is drawn now: the content of a tag, decoration, or nothing yet. */
type Current = Tag | 'decoration' | null

/**
 * pdfmake's renderer, which also writes tags. pdfmake passes `tagged` on to pdfkit, which then says that the file has a structure,
 * but pdfmake writes none itself. This renderer marks each line and picture as content of the `tag` of its node, everything else as
 * decoration, and writes the tree after the last page. One renderer draws one document.
 */
export class TaggingRenderer extends pdfmakeRenderer.default {
  readonly #tags = createWriter(this.pdfDocument)

  override renderPages(pages: RenderedPage[]): void {
    for (const page of pages) {
      super.renderPages([page])
      // marked content ends on the page where it begins
      this.#tags.leave()
    }
    this.#tags.end()
  }

  override renderLine(line: TextLine, x: number, y: number): void {
    this.#tags.enter(line.inlines[0]?.tag)
    super.renderLine(line, x, y)
  }

  override renderImage(image: PageItem): void {
    this.#tags.enter(image.tag, image)
    super.renderImage(image)
  }

  override renderVector(vector: object): void {
    this.#tags.enter(undefined)
    super.renderVector(vector)
  }

  override renderWatermark(page: RenderedPage): void {
    this.#tags.enter(undefined)
    super.renderWatermark(page)
  }
}

function createWriter(pdf: PDFDocument) {
  const contents = new Map<Tag, Content[]>()
  const boxes = new Map<Tag, [number, number, number, number]>()
  const firstPages = new Map<Tag, unknown>()
  let current: Current = null

  /** Ends the mark of what was drawn last. */
  const leave = () => {
    if (current !== null) pdf.endMarkedContent()
    current = null
  }

  return {
    leave,

    /** Marks what is drawn from now on. The header of a table is decoration where it is repeated on further pages. */
    enter(tag: Tag | undefined, picture?: PageItem): void {
      if (tag && !firstPages.has(tag)) firstPages.set(tag, pdf.page)
      const isRepeated = tag?.type === 'TH' && tag.scope === 'Column' && firstPages.get(tag) !== pdf.page
      const next = tag && !isRepeated ? tag : 'decoration'
      if (next === current) return
      leave()
      current = next
      if (next === 'decoration') {
        pdf.markContent('Artifact')
        return
      }
      if (picture) boxes.set(next, boxOf(picture))
      const known = contents.get(next) ?? []
      known.push(pdf.markStructureContent(next.type))
      contents.set(next, known)
    },

    /** Writes the tree of all tags that have content. */
    end(): void {
      const root = pdf.struct('Document')
      pdf.addStructure(root)
      const elements = new Map<Tag, Element>()
      for (const tag of withParents(contents.keys())) {
        const { type, parent, scope, alt } = tag
        const bbox = boxes.get(tag)
        const element = pdf.struct(type, {
          ...(scope && { scope }),
          ...(alt && { alt }),
          ...(bbox && { bbox }),
        })
        const above = parent ? elements.get(parent) : root
        above?.add(element)
        elements.set(tag, element)
        for (const content of contents.get(tag) ?? []) element.add(content)
      }
      root.end()
    },
  }
}

/** The tags and all tags above them, parents first, and siblings in their order. */
function withParents(tags: Iterable<Tag>): Tag[] {
  const all = new Set<Tag>()
  for (const tag of tags) {
    for (let each: Tag | null = tag; each && !all.has(each); each = each.parent) all.add(each)
  }
  // a parent is made before its children
  return [...all].sort((a, b) => a.order - b.order)
}

const boxOf = ({ x = 0, y = 0, _width = 0, _height = 0 }: PageItem): [number, number, number, number] => [
  x,
  y,
  x + _width,
  y + _height,
]
