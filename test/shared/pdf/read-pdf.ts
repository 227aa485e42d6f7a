import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'

export type TextItem = { text: string; x: number; y: number; width: number }
export type PdfPage = { items: TextItem[]; text: string; width: number; height: number }
export type Pdf = { pages: PdfPage[]; text: string; fonts: string[]; missingGlyphs: number; links: number }

/** Reads a PDF back: its text with positions and normalized spaces, its fonts, missing glyphs and links. */
export async function readPdf(file: Uint8Array): Promise<Pdf> {
  const { OPS } = await getResolvedPDFJS()
  const document = await getDocumentProxy(new Uint8Array(file), { verbosity: 0 })
  const pages: PdfPage[] = []
  const fonts = new Set<string>()
  let missingGlyphs = 0
  let links = 0
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const { width, height } = page.getViewport({ scale: 1 })
    const { items: rawItems } = await page.getTextContent()
    const items = rawItems.flatMap((item) =>
      'str' in item && item.str.trim() !== ''
        ? [{ text: plain(item.str), x: item.transform[4], y: item.transform[5], width: item.width }]
        : [],
    )
    const { fnArray, argsArray } = await page.getOperatorList()
    for (const [i, operation] of fnArray.entries()) {
      if (operation === OPS.setFont) {
        const font = page.commonObjs.get(argsArray[i][0])
        fonts.add(font.name)
      }
      if (operation !== OPS.showText) continue
      // Glyph 0 of a font subset is the box for a missing glyph.
      for (const glyph of argsArray[i][0]) if (glyph?.originalCharCode === 0) missingGlyphs++
    }
    links += (await page.getAnnotations()).length
    pages.push({ items, text: items.map((item) => item.text).join('\n'), width, height })
  }
  await document.loadingTask.destroy()
  const text = pages.map((page) => page.text).join('\n')
  return { pages, text, fonts: [...fonts], missingGlyphs, links }
}

function plain(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ')
}
