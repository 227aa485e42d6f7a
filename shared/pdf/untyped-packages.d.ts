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
