// Types for packages that ship none (fontkit, linebreak) or wrong ones for ES modules (bidi-js). Only what is used.

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
    /** What was read of the file so far, by tag. */
    _tables: Record<string, unknown>
  }
  export function create(file: Uint8Array): Font
  /** `create` asks each format in turn, its own first, and calls the first that knows the file with `new`. */
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
